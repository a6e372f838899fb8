import { pathTo } from '../content/languages.ts'
import type { Site } from '../content/site.ts'
import { Caption } from '../parts/figure.tsx'
import { imageProps, type PictureComponent } from '../parts/picture.ts'

export function NotFoundPage({ site, Picture }: { site: Site; Picture: PictureComponent }) {
  const { labels, language } = site
  const photograph = site.photographs.get('/media/dust-bowl-home.jpg')
  return (
    <div className="not-found">
      <header className="page-head">
        <p className="kicker">404</p>
        <h1>{labels.notFoundTitle}</h1>
        <p className="deck">{labels.notFoundSummary}</p>
        <p className="more">
          <a href={pathTo('/', language)}>{labels.backHome}</a>
        </p>
      </header>
      {photograph && (
        <figure className="figure">
          <Picture {...imageProps(photograph, 832)} sizes="(min-width: 905px) 832px, 92vw" priority />
          <Caption site={site} photograph={photograph} />
        </figure>
      )}
    </div>
  )
}
