import { warnAboutSlugConflicts } from './slug-conflicts.js'
import { slugify } from './slugify.js'
import { decodeSegment, pathSegments, type StyleguideNode } from './tree.js'

/**
 * A slug as servers give it: one string with slashes (Hono), a decoded array with an empty last item (Express), an
 * encoded array (Next.js), or nothing.
 */
export type Slug = string | readonly string[] | null | undefined

/** The page of a slug, and the way to it. */
export interface StyleguideMatch<Content = unknown> {
  page: StyleguideNode<Content>
  /** From the root to the page, both included: the breadcrumbs. */
  trail: readonly StyleguideNode<Content>[]
}

/** A place on the way through the tree: at a page, or within a path of several parts. */
interface Position {
  page?: StyleguideNode
  /** The place of the parent page. */
  parent?: Position
  /** What each next part of a slug leads to, in the order of trying. Made at the first visit. */
  next?: Map<string, Position[]>
}

const roots = new WeakMap<StyleguideNode, Position>()

/**
 * Finds the page of a slug. Each part of the slug is matched against the paths of the pages below the one matched so
 * far, then against the slugs of their titles. When several could match, all are followed, and the first in this order
 * that leads to the end is the answer. No slug is the root; no match is `undefined`, and so is a malformed escape.
 *
 * The walk goes down the slug, not over the tree: a level is indexed at its first visit, and from then on a lookup costs
 * one map access for each part. No tree makes it exponential: a page is visited at most once for each part of the slug.
 *
 * @example findPage(tree, 'foundations/colors')?.page.title // 'Colors'
 */
export function findPage<Content>(root: StyleguideNode<Content>, slug?: Slug): StyleguideMatch<Content> | undefined {
  let reached: readonly Position[] = [rootPosition(root)]
  for (const segment of slugSegments(slug)) {
    const key = typeof segment === 'string' ? decodeSegment(segment) : undefined
    if (key === undefined) return undefined
    reached = follow(reached, key.normalize('NFKC'))
    if (reached.length === 0) return undefined
  }
  const end = reached.find(({ page }) => page)
  return end && (matchAt(end) as StyleguideMatch<Content>)
}

function slugSegments(slug: Slug): readonly string[] {
  const segments = typeof slug === 'string' ? slug.split('/') : (slug ?? [])
  return segments.filter((segment) => segment !== '')
}

function rootPosition(root: StyleguideNode): Position {
  let position = roots.get(root)
  if (!position) {
    position = { page: root }
    roots.set(root, position)
    warnAboutSlugConflicts(root)
  }
  return position
}

function follow(reached: readonly Position[], key: string): readonly Position[] {
  const [first, ...others] = reached
  if (first && others.length === 0) return nextPositions(first).get(key) ?? []
  // A set: a page with a path of several parts may be reached in two ways, and the ways double at each level.
  return [...new Set(reached.flatMap((position) => nextPositions(position).get(key) ?? []))]
}

function nextPositions(position: Position): Map<string, Position[]> {
  position.next ??= indexPages(position)
  return position.next
}

function indexPages(parent: Position): Map<string, Position[]> {
  const next = new Map<string, Position[]>()
  const bySlug: [string, Position][] = []
  for (const page of parent.page?.pages ?? []) {
    const position = { page, parent }
    const path = pathSegments(page.path).map((segment) => segment.normalize('NFKC'))
    const slug = slugify(page.title)
    addPath(next, path, position)
    if (slug && !(path.length === 1 && path[0] === slug)) bySlug.push([slug, position])
  }
  // All paths before all titles.
  for (const [slug, position] of bySlug) lead(next, slug, position)
  return next
}

/** Lets a path lead to a position, by a place of its own for each part but the last. */
function addPath(next: Map<string, Position[]>, path: readonly string[], position: Position): void {
  let from = next
  for (const [index, key] of path.entries()) {
    const isLast = index === path.length - 1
    const within = new Map<string, Position[]>()
    lead(from, key, isLast ? position : { next: within })
    from = within
  }
}

function lead(next: Map<string, Position[]>, key: string, position: Position): void {
  const positions = next.get(key)
  if (positions) positions.push(position)
  else next.set(key, [position])
}

function matchAt(end: Position): StyleguideMatch {
  const trail: StyleguideNode[] = []
  for (let position: Position | undefined = end; position?.page; position = position.parent) trail.push(position.page)
  return { page: end.page as StyleguideNode, trail: trail.reverse() }
}
