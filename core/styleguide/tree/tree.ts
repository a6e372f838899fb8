import type { MaybePromise } from '../../async.js'
import { checkObject } from '../../options.js'
import { slugify } from './slugs.js'

/**
 * A page of the styleguide and the pages below it. The root is a page, too. The route's prefix takes the place of the
 * root's `path`, which is ignored.
 *
 * Treat a tree as immutable: lookups are indexed once per root.
 */
export interface StyleguideNode<Content = unknown> {
  /** Title in the navigation and the heading. The title's slug matches URLs, too. */
  title: string
  /**
   * The page's part of the URL, unencoded: `'colors'`. May have several segments (`'foundations/colors'`); leading and
   * trailing slashes, empty segments, `.` and `..` are dropped. Default: the title's slug.
   */
  path?: string | undefined
  /** The pages below, in the order of the navigation. */
  pages?: readonly StyleguideNode<Content>[] | undefined
  /** The page's content, of any type that the site's renderer supports. */
  content?: Content | undefined
  /** The purpose of the page in a line: when to use a component, say. Shown below its title and picture, and searched. */
  description?: string | undefined
  /** The content as plain text, for the search. `readStyleguidePages` sets it. */
  text?: string | undefined
  /**
   * Whether to show the page without the shell, and to leave the page and all pages below it out of the navigation. For
   * pages that are shown in an iframe, such as one variant of a component. Default `false`.
   */
  bare?: boolean | undefined
  /** The component that the page shows, for `index.json`. `componentPage` sets it. */
  component?: StyleguideComponent | undefined
}

/** A prop of a component, written by hand or by a reader of TypeScript types such as `react-docgen-typescript`. */
export interface ComponentProp {
  name: string
  /** The type in TypeScript: `"'small' | 'large'"`. */
  type: string
  defaultValue?: string | undefined
  description?: string | undefined
  required?: boolean | undefined
}

/** The data of a component's page, except its content. `componentPage` sets it. */
export interface StyleguideComponent {
  description?: string | undefined
  props: readonly ComponentProp[]
  /** The color schemes that each variant is shown in. */
  schemes: readonly ('light' | 'dark')[]
  /** In the order of the component's pages. `height` is `undefined` if a frame is as high as its content. */
  variants: readonly {
    title: string
    states: readonly string[]
    widths: readonly number[]
    height?: number | undefined
  }[]
}

/** The root page of a styleguide, or a function that reads it, such as from stylesheets. */
export type TreeSource<Content> = StyleguideNode<Content> | (() => MaybePromise<StyleguideNode<Content>>)

/** Checks an option that is a {@link TreeSource}. */
export const checkTreeSource = (option: string, value: unknown): unknown =>
  typeof value === 'function' ? value : checkObject(option, value)

/** Returns a function that reads a tree at its first call. A tree that could not be read is read again at the next call. */
export function createTreeReader<Content>(source: TreeSource<Content>): () => MaybePromise<StyleguideNode<Content>> {
  if (typeof source !== 'function') return () => source
  let tree: Promise<StyleguideNode<Content>> | undefined
  const read = async () => {
    try {
      return checkObject('tree', await source()) as StyleguideNode<Content>
    } catch (error) {
      tree = undefined
      throw error
    }
  }
  return () => {
    tree ??= read()
    return tree
  }
}

/**
 * The page with the index that the search reads. A page of the tree with the path `search` takes precedence. The
 * navigation does not list this page.
 */
export const searchPage: StyleguideNode<never> = { title: 'Index', path: 'search' }

/** The page that measures the site's own pages. The navigation links to it while it is on. */
export const xRayPage: StyleguideNode<never> = { title: 'X-ray', path: 'x-ray' }

/** The page with the changes since a state. The navigation links to it if there is a state. */
export const changesPage: StyleguideNode<never> = { title: 'What changed', path: 'changes' }

/** Returns the child pages that the navigation lists: all pages but bare pages. */
export function listedPages<Content>({ pages = [] }: StyleguideNode<Content>): readonly StyleguideNode<Content>[] {
  return pages.filter(({ bare }) => !bare)
}

/**
 * Returns the URL segments from a page's parent to the page: the segments of its path, or else its title's slug. The
 * list is empty for a page that has neither; no URL reaches such a page.
 *
 * @example pageSegments({ title: 'Typography & fonts' }) // ['typography-fonts']
 */
export function pageSegments(page: StyleguideNode): readonly string[] {
  const segments = pathSegments(page.path)
  if (segments.length > 0) return segments
  const slug = slugify(page.title)
  return slug ? [slug] : []
}

/** Returns the segments of a page's path, percent-decoded if they are encoded. */
export function pathSegments(path = ''): readonly string[] {
  // No URL contains a dot segment: clients resolve `/a/../b` before the request.
  return path
    .split('/')
    .map((segment) => decodeSegment(segment) ?? segment)
    .filter((segment) => !['', '.', '..'].includes(segment))
}

/** Percent-decodes one segment of a URL. Returns `undefined` for a malformed escape. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Returns the URL of a page below its parent's URL, or `undefined` if no URL reaches the page.
 *
 * @example pageHref('/styleguide', { title: 'Übersicht', path: 'über uns' }) // '/styleguide/%C3%BCber%20uns'
 */
export function pageHref(parentHref: string, page: StyleguideNode): string | undefined {
  const segments = pageSegments(page)
  if (segments.length === 0) return undefined
  return [parentHref.replace(/\/$/, ''), ...segments.map(encodeSegment)].join('/')
}

/**
 * Returns the URLs of the pages of a trail, starting with the root. The URL is `undefined` for a page that no URL
 * reaches and for the pages below that page.
 *
 * @example trailHrefs('/styleguide', [{ title: 'Styleguide' }, { title: 'Colors' }]) // ['/styleguide', '/styleguide/colors']
 */
export function trailHrefs(rootHref: string, trail: readonly StyleguideNode[]): (string | undefined)[] {
  const hrefs: (string | undefined)[] = []
  for (const [depth, page] of trail.entries()) {
    const parentHref = hrefs[depth - 1]
    hrefs.push(depth === 0 ? rootHref : parentHref && pageHref(parentHref, page))
  }
  return hrefs
}

function encodeSegment(segment: string): string {
  // encodeURIComponent throws for a lone surrogate, which no URL can contain.
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/** A page with its URL, and the page above it. */
export interface ReachablePage<Content> {
  page: StyleguideNode<Content>
  href: string
  parent?: StyleguideNode<Content> | undefined
}

/**
 * Returns a page and the pages below it in depth-first order, without bare pages and pages that no URL reaches, and the
 * pages below those.
 *
 * @throws TypeError if a page is below itself, or if there are more than 64 levels or 100,000 pages.
 */
export function reachablePages<Content>(
  page: StyleguideNode<Content>,
  href: string,
  parent?: StyleguideNode<Content>,
): ReachablePage<Content>[] {
  if (!parent) checkTree(page)
  const below = listedPages(page).flatMap((child) => {
    const childHref = pageHref(href, child)
    return childHref === undefined ? [] : reachablePages(child, childHref, page)
  })
  return [{ page, href, parent }, ...below]
}

// Deeper than any navigation can show, and far from a stack overflow.
const maxDepth = 64
// A tree of 64 levels that lists each page twice below its parent has about 2^64 pages.
const maxPages = 100_000

const checked = new WeakSet<StyleguideNode>()

/**
 * Checks that a tree can be walked: no page is below itself, and it has at most 64 levels and 100,000 pages, each
 * counted as often as it is in the tree. Bare pages do not count. Each tree is checked once.
 *
 * @throws TypeError that names the page.
 */
export function checkTree(root: StyleguideNode): void {
  if (checked.has(root)) return
  let count = 0
  const visit = (page: StyleguideNode, above: readonly StyleguideNode[]) => {
    if (above.includes(page)) throw treeError('a tree', `the page '${page.title}' below itself`)
    if (above.length > maxDepth) throw treeError(`at most ${maxDepth} levels`, `more at the page '${page.title}'`)
    if (++count > maxPages) throw treeError(`at most ${maxPages} pages`, `more at the page '${page.title}'`)
    for (const child of listedPages(page)) visit(child, [...above, page])
  }
  visit(root, [])
  checked.add(root)
}

function treeError(expected: string, got: string): TypeError {
  return new TypeError(`styleguide: expected ${expected}, got ${got}`)
}
