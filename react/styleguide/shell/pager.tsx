import type { PageLink, PageNeighbors } from '../../../core/styleguide/index.js'
import type { StyleguideLabels } from './labels.js'

interface PagerProps {
  neighbors: PageNeighbors
  labels: StyleguideLabels
}

/** Links to the previous and the next page. */
export function Pager({ neighbors: { previous, next }, labels }: PagerProps) {
  if (!previous && !next) return null
  return (
    <nav className="sw-pager" aria-label={labels.pager}>
      {previous && <PagerLink rel="prev" label={labels.previous} page={previous} />}
      {next && <PagerLink rel="next" label={labels.next} page={next} />}
    </nav>
  )
}

function PagerLink({ rel, label, page }: { rel: 'prev' | 'next'; label: string; page: PageLink }) {
  return (
    <a rel={rel} href={page.href}>
      <span>{label}</span> {page.title}
    </a>
  )
}
