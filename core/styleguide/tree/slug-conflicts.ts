import { isDevelopment } from '../../development.js'
import { pageSegments, type StyleguideNode } from './tree.js'

// More would flood the console.
const maxWarnings = 20

/** Sibling pages with the same URL, of which all but the first are unreachable; or pages without any URL. */
export interface SlugConflict {
  parent: StyleguideNode
  /** The slug they share. Empty for pages that have none. */
  slug: string
  pages: readonly StyleguideNode[]
}

/**
 * Returns the pages that cannot be reached: siblings with the same slug, and pages with neither a path nor a letter or
 * digit in their title.
 *
 * @example
 * findSlugConflicts({ title: 'Styleguide', pages: [{ title: 'Colors' }, { title: 'Colors!' }] })
 * // [{ parent, slug: 'colors', pages: [{ title: 'Colors' }, { title: 'Colors!' }] }]
 */
export function findSlugConflicts(root: StyleguideNode): SlugConflict[] {
  const conflicts: SlugConflict[] = []
  // A set that grows during iteration: visits each page once, even if it is in the tree twice or below itself.
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
    const siblings = bySlug.get(slug)
    if (siblings) siblings.push(page)
    else bySlug.set(slug, [page])
  }
  return bySlug
}

/** Warns about a tree's slug conflicts on the console, except in production. */
export function warnAboutSlugConflicts(root: StyleguideNode): void {
  if (!isDevelopment()) return // saves a walk over the whole tree
  for (const conflict of findSlugConflicts(root).slice(0, maxWarnings)) console.warn(describeConflict(conflict))
}

function describeConflict({ parent, slug, pages }: SlugConflict): string {
  const titles = pages.map(({ title }) => `'${title}'`).join(', ')
  if (!slug) return `styleguide: ${titles} below '${parent.title}' has no slug; set 'path'`
  return `styleguide: ${titles} below '${parent.title}' share the slug '${slug}'; set a different 'path' on each`
}
