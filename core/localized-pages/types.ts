import type { Log } from '../log.js'

/**
 * The path of a route in other languages, or `false` for a language that does not have the page. A language that is
 * missing here has the path of the table itself.
 */
export type TranslatedPaths<Language extends string = string> = { readonly [Each in Language]?: string | false }

/** The paths that match a route: `/articles/${string}` for `/articles/[slug]`. */
export type PathOf<Route extends string> = Route extends `${infer Start}[${string}]${infer End}`
  ? `${Start}${string}${PathOf<End>}`
  : Route

/** A page with a slug. The site looks up its slugs in other languages. */
export interface SlugPage<Language extends string = string, Route extends string = string> {
  /** The path in the table: `'/articles/[slug]'`. */
  route: Route
  language: Language
  /** The dynamic part of the path, decoded: `'hauskatze'`. Several segments are joined by `/`. */
  slug: string
}

/** The slug of a page in each language that has it. `null` and `undefined` stand for a page without translations. */
export type Slugs<Language extends string = string> =
  | { readonly [Each in Language]?: string | null | undefined }
  | null
  | undefined

/** The page at a URL. */
export interface LocalizedPage<Language extends string = string, Route extends string = string> {
  /** The language of the URL, or the default language if the URL names no known language. */
  language: Language
  /**
   * The path in the table: `'/articles/[slug]'`. `undefined` if the URL matches no path: respond with 404, in
   * `language`.
   */
  route: Route | undefined
  /** Decoded segments of the path in the table, with the slug of the URL: `['articles', 'hauskatze']`. */
  slug: string[]
  /** The canonical path: `'/de/beitraege/hauskatze'`. */
  path: string
  /**
   * The canonical path in each language that has the page:
   * `{ en: '/articles/house-cat', de: '/de/beitraege/hauskatze' }`.
   */
  translations: { [Each in Language]?: string }
}

/** The options of `createRoutes`. */
export interface RoutesOptions<Language extends string = string, Paths = Record<string, TranslatedPaths>> {
  /** Language tags in their canonical form: `['en', 'de', 'pt-BR']`. */
  languages: readonly Language[]
  /** The language for visitors whose language is unknown or not among `languages`, and for `x-default`. */
  default: NoInfer<Language>
  /** Whether the paths of the default language have a prefix, too. Default `'always'`. */
  prefix?: 'always' | 'except-default' | undefined
  /** Prefixes other than the tags: `{ 'pt-BR': '/br' }`. */
  prefixes?: { readonly [Each in NoInfer<Language>]?: string } | undefined
  /**
   * The paths of the site, without a language, each with its paths in other languages:
   * `{ '/about': { de: '/ueber-uns' } }`. `[slug]` stands for one segment, `[...slug]` for the rest of a path, and
   * `false` for a language that does not have the page. `/` is always a path. Default: `{ '/[...slug]': {} }`, so that
   * every path may be a page.
   */
  paths?: (Paths & { [Route in keyof Paths]: NoExcess<Paths[Route], Language> }) | undefined
  /**
   * Looks up the slugs of a page, usually in the CMS. It is called for pages with a slug. A language that is missing in
   * its result does not have the page. If it throws or takes too long, this is logged, and the page has no alternates.
   * Default: the slug is the same in all languages.
   *
   * @example ({ slug, language }) => cms.slugs(slug, language) // { en: 'house-cat', de: 'hauskatze' }
   */
  translationsOf?:
    | ((page: SlugPage<Language, Extract<keyof Paths, string>>) => Slugs<Language> | Promise<Slugs<Language>>)
    | undefined
  /**
   * Whether `/` redirects visitors to their language with `prefix: 'except-default'`, too. Default `false`: a path
   * without a prefix is then in the default language for everyone. With `prefix: 'always'`, every path without a
   * language redirects to one.
   */
  detect?: boolean | undefined
  /**
   * Whether the paths of pages end in a slash: `'/de/ueber-uns/'`. The other form redirects. As in Next.js, a path whose
   * last segment has a dot never ends in a slash. On Next.js, write the same value as in `next.config`. Default `false`.
   */
  trailingSlash?: boolean | undefined
  /** Time limit for `translationsOf`, in milliseconds. Default 3,000. */
  timeout?: number | undefined
  /** Receives warnings, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

type NoExcess<Given, Language> = { [Each in keyof Given]: Each extends Language ? string | false : never }
