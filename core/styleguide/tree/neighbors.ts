import { checkTree } from './check-tree.js'
import { listedPages, pageHref, type StyleguideNode, trailHrefs } from './tree.js'

/** Title and URL of a page. */
export interface PageLink {
  title: string
  href: string
}

/** The pages before and after a page. */
export interface PageNeighbors {
  previous: PageLink | undefined
  next: PageLink | undefined
}

/**
 * Returns the pages before and after a page in depth-first order, the root first. Bare pages and pages that no URL
 * reaches are skipped with all pages below them, as are pages whose URL an earlier page has.
 *
 * @param trail The pages from the root to the page, both included.
 * @throws TypeError when a page is below itself, and beyond 64 levels or 100,000 pages.
 * @example getNeighbors('/styleguide', findPage(tree, 'colors').trail).next // { title: 'Typography', href: … }
 */
export function getNeighbors(rootHref: string, trail: readonly StyleguideNode[]): PageNeighbors {
  const [root] = trail
  const titles = new Map<string, string>()
  if (root) {
    checkTree(root)
    collectTitles(titles, root, rootHref)
  }
  const links = [...titles].map(([href, title]) => ({ title, href }))
  // By URL, not by node: the same node may be in the tree twice.
  const href = trailHrefs(rootHref, trail).at(-1)
  const index = links.findIndex((link) => link.href === href)
  return index < 0 ? { previous: undefined, next: undefined } : { previous: links[index - 1], next: links[index + 1] }
}

function collectTitles(titles: Map<string, string>, page: StyleguideNode, href: string): void {
  if (!titles.has(href)) titles.set(href, page.title)
  for (const child of listedPages(page)) {
    const childHref = pageHref(href, child)
    if (childHref !== undefined) collectTitles(titles, child, childHref)
  }
}
