import { pathTo } from '../content/languages.ts'
import type { Site } from '../content/site.ts'
import { type PictureComponent, squareProps } from '../parts/picture.ts'

export function ArticleListPage({ site, Picture }: { site: Site; Picture: PictureComponent }) {
  const { language, labels, articles } = site
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>{labels.articlesTitle}</h1>
        <p className="deck">{labels.articlesSummary}</p>
      </header>
      <ol className="list">
        {articles.map(({ slug, title, summary, theme, photograph, minutes }, index) => (
          <li key={slug} className="list-item">
            <p className="list-date">{photograph.date}</p>
            <div className="list-text">
              <p className="kicker">{theme}</p>
              <h2>
                <a href={pathTo(`/articles/${slug}`, language)}>{title}</a>
              </h2>
              <p className="list-summary">{summary}</p>
              <p className="meta">
                {photograph.photographer} · {minutes} {labels.minutes}
              </p>
            </div>
            <Picture
              {...squareProps(photograph, 256)}
              sizes="(min-width: 64rem) 256px, (min-width: 45rem) 192px, 96px"
              priority={index === 0}
            />
          </li>
        ))}
      </ol>
    </div>
  )
}
