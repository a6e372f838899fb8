import { slugify } from './slugify.js'

/**
 * A page of the styleguide and the pages below it. The root is one too; its own `path` is ignored, since the route's
 * prefix takes its place.
 *
 * Treat a tree as immutable: lookups are indexed once per root.
 */
export interface StyleguideNode<Content = unknown> {
  /** Title in the navigation and the heading. Its slug matches URLs, too. */
  title: string
  /**
   * The page's part of the URL, unencoded: `'colors'`. May have several segments (`'foundations/colors'`); leading and
   * trailing slashes, empty segments, `.` and `..` are dropped. Default: the title's slug.
   */
  path?: string | undefined
  /** The pages below, in the order of the navigation. */
  pages?: readonly StyleguideNode<Content>[] | undefined
  /** What the page shows; any type that the renderer of the site supports. */
  content?: Content | undefined
  /**
   * Whether to show the page without the shell and leave it out of the navigation, with all pages below it: a page for
   * an iframe, such as one variant of a component. Default `false`.
   */
  bare?: boolean | undefined
}

/** Returns the child pages that the navigation lists: all but bare ones. */
export function listedPages<Content>({ pages = [] }: StyleguideNode<Content>): readonly StyleguideNode<Content>[] {
  return pages.filter(({ bare }) => !bare)
}

/**
 * Returns the URL segments from a page's parent to the page: those of its path, or else its title's slug. Empty for a
 * page that has neither, which no URL reaches.
 *
 * @example pageSegments({ title: 'Typography & fonts' }) // ['typography-fonts']
 */
export function pageSegments(page: StyleguideNode): readonly string[] {
  const segments = pathSegments(page.path)
  if (segments.length > 0) return segments
  const slug = slugify(page.title)
  return slug ? [slug] : []
}

/** Returns the segments of a page's path, percent-decoded where they were written encoded. */
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
 * Returns the URLs of the pages of a trail, the root's first. A page that no URL reaches has `undefined`, as have the
 * pages below it.
 *
 * @example trailHrefs('/styleguide', [root, colors]) // ['/styleguide', '/styleguide/colors']
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
