import type { DeclaredFields } from '../cache/index.js'
import type { Handler, RouteHandler } from '../handler.js'
import type { Log } from '../log.js'

/** The paths of a route in other languages; `false` where it has no page. A missing language has the path of the table itself. */
export type TranslatedPaths<Language extends string = string> = { readonly [Each in Language]?: string | false }

/** The paths that match a route: `/articles/${string}` for `/articles/[slug]`. */
export type PathOf<Route extends string> = Route extends `${infer Start}[${string}]${infer End}`
  ? `${Start}${string}${PathOf<End>}`
  : Route

/** A page with a slug, whose slugs in other languages the site looks up. */
export interface SlugPage<Language extends string = string, Route extends string = string> {
  /** The path in the table: `'/articles/[slug]'`. */
  route: Route
  language: Language
  /** The dynamic part of the path, decoded: `'hauskatze'`. Several segments are joined by `/`. */
  slug: string
}

/** The slug of a page in each language that has it. */
export type Slugs<Language extends string = string> = { readonly [Each in Language]?: string | null | undefined }

/** The page at a URL. */
export interface LocalizedPage<Language extends string = string, Route extends string = string> {
  /** The language of the URL. For a URL without one, or with an unknown one, it is the default. */
  language: Language
  /** The path in the table: `'/articles/[slug]'`. `undefined` if the URL matches none: answer 404, in `language`. */
  route: Route | undefined
  /** Decoded segments of the path in the table, with the slug of the URL: `['articles', 'hauskatze']`. */
  slug: string[]
  /** The canonical path: `'/de/beitraege/hauskatze'`. */
  path: string
  /** The canonical path in each language that has the page: `{ en: '/articles/house-cat', de: '/de/beitraege/hauskatze' }`. */
  translations: { [Each in Language]?: string }
}

/** A `<link>` of a page's head, as props of React. */
export interface HeadLink {
  rel: 'canonical' | 'alternate'
  /** Absolute URL. */
  href: string
  /** A language, or `'x-default'`. */
  hrefLang?: string
}

/** A link of a language switch. */
export interface LanguageLink<Language extends string = string> {
  language: Language
  href: string
  /** Whether the page is in this language. */
  isCurrent: boolean
  /** Whether the page is translated. Otherwise the link leads to the nearest page above it. */
  isTranslated: boolean
}

/** The options of `createRoutes`. */
export interface RoutesOptions<
  Languages extends readonly string[] = readonly string[],
  Paths extends Readonly<Record<string, object>> = Readonly<Record<string, TranslatedPaths>>,
> {
  /** Language tags in their canonical form: `['en', 'de', 'pt-BR']`. */
  languages: Languages
  /** The language of visitors for whom no other is known, and of `x-default`. */
  default: NoInfer<Languages[number]>
  /** Whether the paths of the default language have a prefix, too. Default `'always'`. */
  prefix?: 'always' | 'except-default' | undefined
  /** Prefixes other than the tags: `{ 'pt-BR': '/br' }`. */
  prefixes?: { readonly [Each in NoInfer<Languages[number]>]?: string } | undefined
  /**
   * The paths of the site without language, with those in other languages: `{ '/about': { de: '/ueber-uns' } }`. `[slug]` stands for
   * one segment, `[...slug]` for the rest of a path; `false` says that a language does not have the page. `/` is always a path.
   * Default: `{ '/[...slug]': {} }`, so that every path may be a page's.
   */
  paths?: (Paths & { [Route in keyof Paths]: NoExcess<Paths[Route], Languages[number]> }) | undefined
  /**
   * Looks up the slugs of a page, usually in the CMS. It is called for pages with a slug. A language that is missing in its result
   * does not have the page. If it throws or takes too long, this is logged, and the page has no alternates. Default: the slug is the
   * same in all languages.
   *
   * @example ({ slug, language }) => cms.slugs(slug, language) // { en: 'house-cat', de: 'hauskatze' }
   */
  translationsOf?: TranslationsOf<Languages[number], Extract<keyof Paths, string>> | undefined
  /**
   * Whether `/` leads visitors to their language with `prefix: 'except-default'`, too. Default `false`: there, a path without prefix is
   * in the default language for everyone. With `'always'`, each path without language leads to one.
   */
  detect?: boolean | undefined
  /** Time limit for `translationsOf`, in milliseconds. Default 3,000. */
  timeout?: number | undefined
  /** Receives warnings, each at most once a minute. Default: `console.error`. */
  log?: Log | undefined
}

type NoExcess<Given, Language> = { [Each in keyof Given]: Each extends Language ? string | false : never }

/** Looks up the slugs of a page in all languages. */
export type TranslationsOf<Language extends string = string, Route extends string = string> = (
  page: SlugPage<Language, Route>,
) => Slugs<Language> | null | undefined | Promise<Slugs<Language> | null | undefined>

/** Renders a page. If `page.route` is `undefined`, or if the CMS does not have the page, it returns a 404 in `page.language`. */
export type RenderPage<Page = LocalizedPage> = (page: Page, request: Request) => Response | Promise<Response>

/** What follows from the table: paths, pages, links, redirects. */
export interface Routes<Language extends string = string, Route extends string = string> {
  readonly languages: readonly Language[]
  readonly default: Language
  /**
   * Returns the path of a page in a language.
   *
   * @param path Path in the table, with the slug that the page has in that language. `/` and `%` in a slug have to be encoded.
   * @throws TypeError if the path is not in the table, or if the language does not have it.
   * @example routes.pathTo(`/articles/${slug}`, 'de') // '/de/beitraege/hauskatze'
   */
  pathTo(path: PathOf<Route>, language: Language): string
  /** Returns the page at a URL or path, by the table alone: whether there is such a page, the site knows. */
  match(url: string): LocalizedPage<Language, Route>
  /** Like `match`, with the translations that the site looks up. */
  find(url: string): Promise<LocalizedPage<Language, Route>>
  /**
   * Returns the page with a slug, as `localizedPage` and the folders of Next.js have it.
   *
   * @param slug Segments of the path in the table: `['articles', 'hauskatze']`.
   * @param slugs Slugs in all languages, instead of a lookup.
   */
  findBySlug(language: string, slug: readonly string[], slugs?: Slugs): Promise<LocalizedPage<Language, Route>>
  /** Returns the attributes of `<html>`. */
  html(language: Language): { lang: Language; dir: 'ltr' | 'rtl' }
  /**
   * Returns the links of a page's head, as props of React: canonical, one for each language, and `x-default`.
   *
   * @param origin Origin of the site: `'https://www.example.com'`.
   */
  links(page: LocalizedPage, origin: string): HeadLink[]
  /** Like `links`, as HTML. */
  linkHtml(page: LocalizedPage, origin: string): string
  /** Like `links`, as the value of a `Link` header. */
  linkHeader(page: LocalizedPage, origin: string): string
  /** Returns the links of a language switch, for `<LanguageSwitch>` or a template. */
  languageLinks(page: LocalizedPage): LanguageLink<Language>[]
  /** Returns the language for a visitor: that of the cookie, else by `Accept-Language`, else the default. */
  negotiate(headers: Pick<Headers, 'get'>): Language
  /**
   * Answers the requests that lead elsewhere: a path without language, one that is not canonical, and a choice of language, which it
   * remembers in a cookie. Returns `undefined` for all others.
   */
  redirect: RouteHandler
  /** Creates the handler of all pages: it redirects, or calls `render`, also for URLs that match no path. */
  handler(render: RenderPage<LocalizedPage<Language, Route>>): Handler
  /**
   * The option `fields` of a response cache. For paths that depend on the visitor's language, and for no others, the language is part
   * of the key.
   *
   * @example createResponseCache({ store, fields: routes.cacheFields })
   */
  readonly cacheFields: { readonly 'Accept-Language': Exclude<DeclaredFields[string], true> }
  /**
   * Returns the paths of a page in all languages, for the option `pathsOf` of the revalidation endpoint.
   *
   * @throws if the lookup fails, so that the purge is repeated.
   */
  pathsOf(path: string): Promise<string[]>
}
