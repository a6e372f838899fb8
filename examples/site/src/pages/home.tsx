import { pathTo } from '../content/languages.ts'
import type { Site } from '../content/site.ts'
import { Card } from '../parts/card.tsx'
import { pairArticles } from '../parts/pair-articles.ts'
import { largeImageProps, type PictureComponent } from '../parts/picture.ts'
import { Prose } from '../parts/prose.tsx'

// The cover is cropped where its text is below, to leave room: a square on a phone, a wide crop on a tablet.
const coverShapes = [
  { media: '(max-width: 44.99rem)', ratio: '1:1', sizes: '100vw' },
  { media: '(max-width: 63.99rem)', ratio: '16:9', sizes: '100vw' },
]

export function HomePage({ site, Picture }: { site: Site; Picture: PictureComponent }) {
  const { language, labels, home } = site
  const { cover } = home
  return (
    <>
      <section className="cover">
        <div className="cover-picture">
          <Picture
            {...largeImageProps(cover.photograph, 1024)}
            sizes="(min-width: 1652px) 1024px, 62vw"
            sources={coverShapes}
            priority
          />
        </div>
        <div className="cover-text">
          <h1>{home.title}</h1>
          <p className="deck">{home.summary}</p>
        </div>
        <p className="cover-line">
          <span className="kicker">{labels.cover}</span>
          <a href={pathTo(`/articles/${cover.slug}`, language)}>{cover.title}</a>
          <span className="faint">
            {cover.photograph.photographer}, {cover.photograph.date}
          </span>
        </p>
      </section>

      <section className="issue" aria-labelledby="issue">
        <h2 id="issue" className="section-title">
          {labels.inThisIssue}
        </h2>
        <div className="cards">
          {pairArticles(home.selection).map(({ article, span }) => (
            <Card key={article.slug} site={site} article={article} span={span} Picture={Picture} />
          ))}
        </div>
        <p className="more">
          <a href={pathTo('/articles', language)}>{labels.allArticles}</a>
        </p>
      </section>

      <section className="statement">
        <Prose nodes={home.prose} site={site} Picture={Picture} />
      </section>
    </>
  )
}
