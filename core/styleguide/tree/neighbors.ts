import { listedPages, pageHref, type StyleguideNode, trailHrefs } from './tree.js'

/** A page as a link shows it. */
export interface PageLink {
  title: string
  href: string
}

/** The pages before and after one. */
export interface PageNeighbors {
  previous: PageLink | undefined
  next: PageLink | undefined
}

/**
 * The pages before and after one in reading order: the root, then each page followed by those below it. Skipped are
 * bare pages and such that no URL reaches, with all below them, and those whose URL an earlier page has.
 *
 * @param trail The way from the root to the page, both included.
 * @example getNeighbors('/styleguide', findPage(tree, 'colors').trail).next // { title: 'Typography', href: … }
 */
export function getNeighbors(rootHref: string, trail: readonly StyleguideNode[]): PageNeighbors {
  const [root] = trail
  const titles = new Map<string, string>()
  if (root) collectTitles(titles, root, rootHref)
  const links = [...titles].map(([href, title]) => ({ title, href }))
  // By URL, not by node: one page may stand in two places.
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
