import { type StyleguideNode, trailHrefs } from '../../../core/styleguide/index.js'

interface BreadcrumbsProps {
  trail: readonly StyleguideNode[]
  rootHref: string
  label: string
}

/** The way from the root to the page. The root itself has none. */
export function Breadcrumbs({ trail, rootHref, label }: BreadcrumbsProps) {
  if (trail.length < 2) return null
  const hrefs = trailHrefs(rootHref, trail)
  return (
    <nav className="sw-breadcrumbs" aria-label={label}>
      <ol>
        {trail.map((page, depth) => {
          const isCurrent = depth === trail.length - 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the depth is what tells them apart
            <li key={depth}>
              {isCurrent ? <span aria-current="page">{page.title}</span> : <a href={hrefs[depth]}>{page.title}</a>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
