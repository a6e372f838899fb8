import { isDevelopment } from '../../development.js'
import { pageSegments, type StyleguideNode } from './tree.js'

// Nobody reads more warnings than this.
const maxWarnings = 20

/** Pages below one parent whose URL is the same, so that all but the first are hidden; or a page that has no URL. */
export interface SlugConflict {
  parent: StyleguideNode
  /** The part of the URL that they share. Empty for a page that has none. */
  slug: string
  pages: readonly StyleguideNode[]
}

/**
 * Lists the pages whose links lead elsewhere or nowhere: siblings with one slug, and pages with neither a path nor a
 * letter in their title.
 *
 * @example
 * findSlugConflicts({ title: 'Styleguide', pages: [{ title: 'Colors' }, { title: 'Colors!' }] })
 * // [{ parent, slug: 'colors', pages: [{ title: 'Colors' }, { title: 'Colors!' }] }]
 */
export function findSlugConflicts(root: StyleguideNode): SlugConflict[] {
  const conflicts: SlugConflict[] = []
  // A set that grows while it is walked: each page once, even where one stands in two places or below itself.
  const pending = new Set([root])
  for (const parent of pending) {
    for (const [slug, pages] of pagesBySlug(parent)) {
      if (pages.length > 1 || !slug) conflicts.push({ parent, slug, pages })
      for (const page of pages) pending.add(page)
    }
  }
  return conflicts
}

function pagesBySlug({ pages = [] }: StyleguideNode): Map<string, StyleguideNode[]> {
  const bySlug = new Map<string, StyleguideNode[]>()
  for (const page of pages) {
    const slug = pageSegments(page).join('/').normalize('NFKC')
    const same = bySlug.get(slug)
    if (same) same.push(page)
    else bySlug.set(slug, [page])
  }
  return bySlug
}

/** Warns of a tree's conflicts on the console, except in production. */
export function warnAboutSlugConflicts(root: StyleguideNode): void {
  if (!isDevelopment()) return // finding them is a walk over the whole tree
  for (const conflict of findSlugConflicts(root).slice(0, maxWarnings)) console.warn(describeConflict(conflict))
}

function describeConflict({ parent, slug, pages }: SlugConflict): string {
  const titles = pages.map(({ title }) => `'${title}'`).join(', ')
  if (!slug) return `styleguide: no URL leads to ${titles} below '${parent.title}'; give it a path`
  return `styleguide: ${titles} below '${parent.title}' share the slug '${slug}'; give each a path of its own`
}
