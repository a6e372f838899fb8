import type { Text } from '../content/articles.ts'
import type { Site } from '../content/site.ts'
import { Caption } from '../parts/figure.tsx'
import { imageProps, type PictureComponent } from '../parts/picture.ts'
import { Prose } from '../parts/prose.tsx'

export function AboutPage({ site, text, Picture }: { site: Site; text: Text; Picture: PictureComponent }) {
  return (
    <div className="about">
      <header className="page-head">
        <h1>{text.title}</h1>
        <p className="deck">{text.summary}</p>
      </header>
      <figure className="figure">
        <Picture
          {...imageProps(text.photograph, 640)}
          sizes="(min-width: 1566px) 480px, (min-width: 64rem) 31vw, (min-width: 45rem) 448px, 92vw"
          priority
        />
        <Caption site={site} photograph={text.photograph} />
      </figure>
      <div className="prose">
        <Prose nodes={text.prose} site={site} Picture={Picture} />
      </div>
    </div>
  )
}
