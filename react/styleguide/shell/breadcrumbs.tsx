import { type StyleguideNode, trailHrefs } from '../../../core/styleguide/index.js'

interface BreadcrumbsProps {
  trail: readonly StyleguideNode[]
  rootHref: string
  label: string
}

/** Links from the root to the page. Renders nothing for the root itself. */
export function Breadcrumbs({ trail, rootHref, label }: BreadcrumbsProps) {
  if (trail.length < 2) return null
  const hrefs = trailHrefs(rootHref, trail)
  return (
    <nav className="sw-breadcrumbs" aria-label={label}>
      <ol>
        {trail.map((page, depth) => {
          const isCurrent = depth === trail.length - 1
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the depth identifies each item
            <li key={depth}>
              {isCurrent ? <span aria-current="page">{page.title}</span> : <a href={hrefs[depth]}>{page.title}</a>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
