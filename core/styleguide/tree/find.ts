import { isDevelopment } from '../../development.js'
import { optionError } from '../../option-error.js'
import { pushTo } from '../values.js'
import { slugify } from './slugs.js'
import {
  changesPage,
  decodeSegment,
  pageSegments,
  pathSegments,
  type StyleguideNode,
  searchPage,
  xRayPage,
} from './tree.js'

/**
 * A slug in the form of each server: a string with slashes (Hono), a decoded array with an empty last item (Express),
 * an encoded array (Next.js), or `undefined` or `null` for the root.
 */
export type Slug = string | readonly string[] | null | undefined

/** The page of a slug, and the pages above it. */
export interface StyleguideMatch<Content = unknown> {
  page: StyleguideNode<Content>
  /** The pages from the root to this page, both included: the breadcrumbs. */
  trail: readonly StyleguideNode<Content>[]
}

/** A node of the lookup index: at a page, or within a path of several segments. */
interface IndexNode {
  page?: StyleguideNode
  /** The position of the parent page. */
  parent?: IndexNode
  /** The positions that each next segment leads to, in order of precedence. Built at the first visit. */
  next?: Map<string, IndexNode[]>
}

const roots = new WeakMap<StyleguideNode, IndexNode>()

/**
 * Finds the page of a slug. Each segment is matched against the paths of the child pages, then against the slugs of
 * their titles. If several pages match a segment, all are followed, and the first page in this order that matches the
 * whole slug is returned. Without a slug, the root is returned. For `search`, `x-ray` and `changes`, the package's own page is
 * returned if no page of the tree matches. Returns `undefined` if no page matches or an escape is malformed.
 *
 * Each level is indexed on its first visit; later lookups cost one map access per segment. A page is visited at most
 * once per segment of the slug, so no lookup takes exponential time.
 *
 * @example findPage(tree, 'foundations/colors')?.page.title // 'Colors'
 */
export function findPage<Content>(root: StyleguideNode<Content>, slug?: Slug): StyleguideMatch<Content> | undefined {
  let reached: readonly IndexNode[] = [rootPosition(root)]
  const segments = slugSegments(slug)
  for (const segment of segments) {
    const key = typeof segment === 'string' ? decodeSegment(segment) : undefined
    if (key === undefined) return undefined
    reached = follow(reached, key.normalize('NFKC'))
    if (reached.length === 0) break
  }
  const end = reached.find(({ page }) => page)
  if (end) return matchAt(end) as StyleguideMatch<Content>
  const page = [searchPage, xRayPage, changesPage].find(({ path }) => path === segments.join('/'))
  return page && { page, trail: [root, page] }
}

function slugSegments(slug: Slug): readonly string[] {
  const segments = typeof slug === 'string' ? slug.split('/') : (slug ?? [])
  if (!Array.isArray(segments)) throw optionError('slug', "a path such as 'foundations/colors', or a list", slug)
  return segments.filter((segment) => segment !== '')
}

function rootPosition(root: StyleguideNode): IndexNode {
  let position = roots.get(root)
  if (!position) {
    position = { page: root }
    roots.set(root, position)
    // Skipped in production, to save a walk over the whole tree.
    if (isDevelopment()) for (const conflict of findSlugConflicts(root)) console.warn(`styleguide: ${conflict}`)
  }
  return position
}

function follow(reached: readonly IndexNode[], key: string): readonly IndexNode[] {
  const following = reached.flatMap((position) => {
    position.next ??= indexPages(position)
    return position.next.get(key) ?? []
  })
  // A set, since a page may be reached both by its path and by its title. Without the set, the positions would double
  // at each level.
  return [...new Set(following)]
}

function indexPages(parent: IndexNode): Map<string, IndexNode[]> {
  const next = new Map<string, IndexNode[]>()
  const bySlug: [string, IndexNode][] = []
  for (const page of parent.page?.pages ?? []) {
    const position = { page, parent }
    const path = pathSegments(page.path).map((segment) => segment.normalize('NFKC'))
    const slug = slugify(page.title)
    addPath(next, path, position)
    if (slug && !(path.length === 1 && path[0] === slug)) bySlug.push([slug, position])
  }
  // Paths take precedence over titles.
  for (const [slug, position] of bySlug) pushTo(next, slug, position)
  return next
}

/** Adds a path that leads to a position, with an intermediate position for each segment but the last. */
function addPath(next: Map<string, IndexNode[]>, path: readonly string[], position: IndexNode): void {
  let from = next
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1
    const following = new Map<string, IndexNode[]>()
    pushTo(from, key, isLast ? position : { next: following })
    from = following
  }
}

function matchAt(end: IndexNode): StyleguideMatch {
  const trail: StyleguideNode[] = []
  for (let position: IndexNode | undefined = end; position?.page; position = position.parent) trail.push(position.page)
  return { page: end.page as StyleguideNode, trail: trail.reverse() }
}

/**
 * Returns the pages that cannot be reached, as text: siblings with the same slug, and pages with neither a path nor a
 * letter or digit in their title.
 *
 * @example
 * findSlugConflicts({ title: 'Styleguide', pages: [{ title: 'Colors' }, { title: 'Colors!' }] })
 * // ["'Colors', 'Colors!' below 'Styleguide' share the slug 'colors'; set a different 'path' on each"]
 */
export function findSlugConflicts(root: StyleguideNode): string[] {
  const conflicts: string[] = []
  // The set grows during the iteration. A page that is in the tree twice or below itself is visited once.
  const pending = new Set([root])
  for (const parent of pending) {
    const bySlug = new Map<string, StyleguideNode[]>()
    for (const page of parent.pages ?? []) {
      pushTo(bySlug, pageSegments(page).join('/').normalize('NFKC'), page)
      pending.add(page)
    }
    for (const [slug, pages] of bySlug) {
      const titles = pages.map(({ title }) => `'${title}'`).join(', ')
      const place = `${titles} below '${parent.title}'`
      if (!slug) conflicts.push(`no slug for ${place}; set 'path'`)
      else if (pages.length > 1) conflicts.push(`${place} share the slug '${slug}'; set a different 'path' on each`)
    }
  }
  return conflicts
}
