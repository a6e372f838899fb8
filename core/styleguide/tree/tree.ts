import { slugify } from './slugify.js'

/**
 * A page of the styleguide and the pages below it. The root is one too; its own `path` is the route's prefix, so none is
 * read from it.
 *
 * A tree is plain, immutable content: lookups remember what they learned of it for as long as the root lives.
 */
export interface StyleguideNode<Content = unknown> {
  /** What navigation and the heading call the page. Its URL-friendly version matches a slug, too. */
  title: string
  /**
   * The page's part of the URL, written as it should be read there: `'colors'`. Several parts are fine
   * (`'foundations/colors'`); slashes at the ends, empty parts, `.` and `..` are dropped. Default: the title's slug.
   */
  path?: string | undefined
  /** The pages below, in the order of navigation. */
  pages?: readonly StyleguideNode<Content>[] | undefined
  /** What the page shows; of the site's own kind. */
  content?: Content | undefined
  /**
   * Shown alone, without the shell, and in no list of pages: a page for an iframe, such as one variant of a component.
   * The pages below it are in no list either.
   */
  bare?: boolean | undefined
}

/** The pages below one that navigation lists. */
export function listedPages<Content>({ pages = [] }: StyleguideNode<Content>): readonly StyleguideNode<Content>[] {
  return pages.filter(({ bare }) => !bare)
}

/**
 * The parts of the URL that lead from a page's parent to it: its path, else its title's slug. Empty for a page that no
 * URL reaches, since neither has a letter.
 *
 * @example pageSegments({ title: 'Typography & fonts' }) // ['typography-fonts']
 */
export function pageSegments(page: StyleguideNode): readonly string[] {
  const segments = pathSegments(page.path)
  if (segments.length > 0) return segments
  const slug = slugify(page.title)
  return slug ? [slug] : []
}

/** The parts of a page's path, decoded if they were written percent-encoded. */
export function pathSegments(path = ''): readonly string[] {
  // A URL can hold no dot segment: browsers resolve `/a/../b` before they ask.
  return path
    .split('/')
    .map((segment) => decodeSegment(segment) ?? segment)
    .filter((segment) => !['', '.', '..'].includes(segment))
}

/** Percent-decodes one part of a URL; `undefined` when an escape is malformed. */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * The URL of a page below its parent's URL; `undefined` when no URL reaches it.
 *
 * @example pageHref('/styleguide', { title: 'Übersicht', path: 'über uns' }) // '/styleguide/%C3%BCber%20uns'
 */
export function pageHref(parentHref: string, page: StyleguideNode): string | undefined {
  const segments = pageSegments(page)
  if (segments.length === 0) return undefined
  return [parentHref.replace(/\/$/, ''), ...segments.map(encodeSegment)].join('/')
}

/**
 * The URLs of the pages of a trail, the root's first. One that no URL reaches has `undefined`, and so have those below.
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
  // encodeURIComponent throws for half of a surrogate pair, which no URL can hold.
  return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\uFFFD'))
}
