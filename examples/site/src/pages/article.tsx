import type { Article } from '../content/articles.ts'
import { pathTo } from '../content/languages.ts'
import type { Site } from '../content/site.ts'
import { Figure } from '../parts/figure.tsx'
import { PhotographFacts } from '../parts/photograph-facts.tsx'
import { type PictureComponent, squareProps } from '../parts/picture.ts'
import { Prose } from '../parts/prose.tsx'

export interface ArticlePageProps {
  site: Site
  article: Article
  Picture: PictureComponent
}

export function ArticlePage({ site, article, Picture }: ArticlePageProps) {
  const { theme, title, summary, minutes, photograph, prose } = article
  return (
    <>
      <article className="article">
        <header className="article-head">
          <p className="kicker">{theme}</p>
          <h1>{title}</h1>
          <p className="deck">{summary}</p>
          <p className="meta">
            {minutes} {site.labels.minutes}
          </p>
        </header>
        <Figure site={site} photograph={photograph} Picture={Picture} layout="lead" />
        <div className="article-columns">
          <div className="prose">
            <Prose nodes={prose} site={site} Picture={Picture} />
          </div>
          <PhotographFacts site={site} photograph={photograph} />
        </div>
      </article>
      <Neighbours site={site} article={article} Picture={Picture} />
    </>
  )
}

function Neighbours({ site, article, Picture }: ArticlePageProps) {
  const { articles, labels, language } = site
  const index = articles.indexOf(article)
  const neighbours = [
    { rel: 'prev', label: labels.previous, neighbour: articles[index - 1] },
    { rel: 'next', label: labels.next, neighbour: articles[index + 1] },
  ]
  return (
    <nav className="neighbours" aria-label={labels.moreArticles}>
      {neighbours.map(
        ({ rel, label, neighbour }) =>
          neighbour && (
            <a
              key={rel}
              rel={rel}
              className={`neighbour-${rel}`}
              href={pathTo(`/articles/${neighbour.slug}`, language)}
            >
              <Picture {...squareProps(neighbour.photograph, 192)} alt="" sizes="(min-width: 64rem) 192px, 96px" />
              <span>
                <span className="kicker">
                  {label} <span className="faint">{neighbour.photograph.date}</span>
                </span>
                <span className="neighbour-title">{neighbour.title}</span>
              </span>
            </a>
          ),
      )}
    </nav>
  )
}
