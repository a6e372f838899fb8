import type { Article } from '../content/articles.ts'
import { pathTo } from '../content/languages.ts'
import type { Site } from '../content/site.ts'
import { imageProps, type PictureComponent } from './picture.ts'

export interface CardProps {
  site: Site
  article: Article
  /** Number of columns that the card spans, of twelve, from 45rem on. */
  span: number
  Picture: PictureComponent
}

// The widest grid of styles/home.css: twelve columns of 76 px with gaps of 48 px.
const spanWidth = (span: number) => span * 76 + (span - 1) * 48

export function Card({ site, article, span, Picture }: CardProps) {
  const { photograph, slug, theme, title, summary, minutes } = article
  const width = spanWidth(span)
  const sizes = `(min-width: 1566px) ${width}px, (min-width: 45rem) ${Math.ceil((span * 92) / 12)}vw, 92vw`
  return (
    <article className={`card span-${span}`}>
      <Picture {...imageProps(photograph, Math.max(width, 720))} sizes={sizes} />
      <div className="card-text">
        <p className="kicker">
          {theme} <span className="faint">{photograph.date}</span>
        </p>
        <h3>
          <a href={pathTo(`/articles/${slug}`, site.language)}>{title}</a>
        </h3>
        <p className="card-summary">{summary}</p>
        <p className="meta">
          {photograph.photographer} · {minutes} {site.labels.minutes}
        </p>
      </div>
    </article>
  )
}
