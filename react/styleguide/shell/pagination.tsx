import type { PageLink, PageNeighbors } from '../../../core/styleguide/index.js'
import type { StyleguideLabels } from './labels.js'

interface PageTurnProps {
  neighbors: PageNeighbors
  labels: StyleguideLabels
}

/** The links to the pages before and after one. */
export function Pagination({ neighbors: { previous, next }, labels }: PageTurnProps) {
  if (!previous && !next) return null
  return (
    <nav className="sw-pagination" aria-label={labels.turn}>
      {previous && <TurnLink rel="prev" label={labels.previous} page={previous} />}
      {next && <TurnLink rel="next" label={labels.next} page={next} />}
    </nav>
  )
}

function TurnLink({ rel, label, page }: { rel: 'prev' | 'next'; label: string; page: PageLink }) {
  return (
    <a rel={rel} href={page.href}>
      <span>{label}</span> {page.title}
    </a>
  )
}
