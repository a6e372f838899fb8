import { expectRequest, type Handler } from '../handler.js'
import { languageCookie } from '../http/cookies.js'
import { withHeaders } from '../http/headers.js'
import { describeError, logError, throttleLog } from '../log.js'
import { optionError } from '../option-error.js'
import { checkKnownOptions } from '../options.js'
import { createResponse } from '../response-factory.js'
import { normalizePath } from '../routes.js'
import { withTimeout } from '../timeout.js'
import { createLinks } from './links.js'
import { createNegotiation } from './negotiate.js'
import { checks, createTable, type Located } from './table.js'
import type { LocalizedPage, PathOf, RoutesOptions, TranslatedPaths } from './types.js'

/**
 * Creates the routes of a site in several languages, from one table of paths and one lookup of slugs in the CMS.
 *
 * @throws TypeError that names the malformed option, or two routes with the same path.
 * @example
 * const routes = createRoutes({
 *   languages: ['en', 'de'],
 *   default: 'en',
 *   prefix: 'except-default',
 *   paths: { '/about': { de: '/ueber-uns' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
 *   translationsOf: ({ slug, language }) => cms.slugs(slug, language), // { en: 'house-cat', de: 'hauskatze' }
 * })
 * routes.pathTo('/about', 'de') // '/de/ueber-uns'
 */
export function createRoutes<
  Language extends string,
  const Paths extends Readonly<Record<string, TranslatedPaths<Language>>> = { '/[...slug]': object },
>(options: RoutesOptions<Language, Paths>) {
  checkKnownOptions(options, checks, "createRoutes({ languages: ['en', 'de'], default: 'en' })")
  return derive<Language, Extract<keyof Paths, string> | '/'>(options as unknown as RoutesOptions)
}

/** The routes of a site: its paths, pages, links and redirects. */
export type Routes = ReturnType<typeof derive<string, string>>

function derive<Language extends string, Route extends string>(options: RoutesOptions) {
  const table = createTable(options)
  const { languages, default: fallback, translationsOf, timeout = 3_000 } = options
  const log = throttleLog(options.log ?? logError)
  type Page = LocalizedPage<Language, Route>

  /** Adds the paths of the page in all languages that have it. Throws if the lookup fails. */
  const translate = async ({ page, match }: Located): Promise<LocalizedPage> => {
    if (!match) return page
    const isSame = match.slug === '' || !translationsOf
    const slugs = isSame ? undefined : await withTimeout(timeout, (async () => translationsOf({ ...match }))())
    const translations: Record<string, string> = {}
    for (const language of languages) {
      const slug = isSame || language === match.language ? match.slug : slugs?.[language]
      const path = table.pageIn(language, match.route, slug ?? '')?.path
      const route = path && table.locate(path).match?.route
      if (path && route === match.route) translations[language] = path
      else if (slugs?.[language]) log('Translation ignored', { ...match, language, slug, pageOf: route ?? 'no route' })
    }
    return { ...page, translations }
  }
  /** If the lookup fails, the page renders without alternates. */
  const find = (located: Located) =>
    translate(located).catch((error) => {
      log('Translations not found', { ...located.match, reason: describeError(error) })
      return located.page
    }) as Promise<Page>
  const findBySlug = (language: string = fallback, slug: readonly string[]) =>
    find(table.locate(`/${slug.join('/')}`, language as Language))
  const negotiate = createNegotiation(languages)

  const redirect = async ({ method, url, headers }: Request): Promise<Response | undefined> => {
    const { pathname, search, searchParams } = new URL(url)
    const located = table.locate(pathname)
    const { page, match, isOpen } = located
    const chosen = searchParams.get(choiceParameter)
    if (!match || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (page.path === normalizePath(pathname) && !isOpen && chosen === null) return undefined

    const { translations }: LocalizedPage = await find(located)
    const language = languages.find((tag) => tag === chosen) ?? negotiate(headers) ?? fallback
    const targetLanguage = isOpen ? language : page.language
    const target = translations[targetLanguage] ?? translations[match.language] ?? page.path
    if (chosen !== null) {
      const cookie = `${languageCookie}=${language}; Path=/; Max-Age=${oneYear}; SameSite=Lax`
      return redirectTo(307, target, { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' })
    }
    if (isOpen) return target === pathname ? undefined : redirectTo(307, target + search, negotiatedHeaders)
    // Browsers keep a permanent redirect forever, but a translation may change.
    return redirectTo(match.slug === '' || match.language === targetLanguage ? 308 : 307, target + search)
  }

  return {
    languages: languages as readonly Language[],
    ...createLinks<Language>(table, options),
    /**
     * Returns the path of a page in a language.
     *
     * @param path Path in the table, with the slug that the page has in that language. `/` and `%` in a slug must be
     *   encoded.
     * @throws TypeError if the path is not in the table, or if the language does not have it.
     * @example routes.pathTo(`/articles/${slug}`, 'de') // '/de/beitraege/hauskatze'
     */
    pathTo(path: PathOf<Route>, language: Language): string {
      const { page, match } = table.locate(path, language)
      if (match) return page.path
      throw optionError('path', `a path of the table that '${language}' has`, path)
    },
    /** Returns the page at a URL or path, by the table alone. Only the site knows whether the page exists. */
    match: (url: string) => table.locate(url).page as Page,
    /** Like `match`, with the translations that the site looks up. */
    find: (url: string) => find(table.locate(url)),
    /**
     * Returns the page for a slug, in the form in which `localizedPage` and Next.js pass it.
     *
     * @param slug Segments of the path in the table: `['articles', 'hauskatze']`.
     */
    findBySlug,
    /**
     * Returns language and slug of pages in all languages, for `generateStaticParams` of Next.js in
     * `app/[language]/[[...slug]]/page.tsx`.
     *
     * @param pages Paths in the table, each with the slug that the page has in `language`. Default: the default language.
     * @example export const generateStaticParams = async () => routes.staticParams(await cms.pages())
     */
    async staticParams(pages: Iterable<{ path: string; language?: string | undefined }>) {
      const found = await Promise.all([...pages].map(({ path, language }) => findBySlug(language, path.split('/'))))
      const paths = found.flatMap(({ translations }) => Object.values(translations) as string[])
      return paths.map((path) => table.locate(path).page).map(({ language, slug }) => ({ language, slug }))
    },
    /**
     * Redirects requests for a path without a language, for a path that is not canonical, and for a choice of language,
     * which is remembered in a cookie. Returns `undefined` for all other requests.
     */
    redirect: expectRequest(redirect),
    /**
     * Creates the handler of all pages. It redirects or calls `render`, which also gets the URLs that match no path.
     *
     * @param render Renders a page. It should return a 404 in `page.language` if `page.route` is `undefined`, or if the
     *   CMS does not have the page.
     */
    handler: (render: (page: Page, request: Request) => Response | Promise<Response>): Handler =>
      expectRequest(async (request) => {
        const redirection = await redirect(request)
        if (redirection) return redirection
        const located = table.locate(request.url)
        const response = await render(await find(located), request)
        if (!located.isOpen) return response
        return withHeaders(response, (headers) => headers.append('Vary', negotiatedHeaders.Vary))
      }),
    /**
     * The option `fields` of a response cache. For paths that depend on the visitor's language, and for no others, the
     * language is part of the key.
     *
     * @example createResponseCache({ store, fields: routes.cacheFields })
     */
    cacheFields: {
      'Accept-Language': (_: unknown, { url, headers }: Pick<Request, 'url' | 'headers'>) =>
        table.locate(url).isOpen ? (negotiate(headers) ?? fallback) : null,
    },
    /**
     * Returns the paths of a page in all languages, for the option `pathsOf` of the revalidation endpoint.
     *
     * @throws if the lookup fails, so that the purge is repeated.
     */
    async pathsOf(path: string) {
      const { translations } = await translate(table.locate(path))
      return [...new Set([path, ...Object.values(translations)])] as string[]
    },
  }
}

// The parameter of a language switch that remembers the choice: `/de/ueber-uns?set-language=de`.
const choiceParameter = 'set-language'
const oneYear = 365 * 24 * 60 * 60

// Caches that obey Vary store a redirect for each language. Cloudflare's cache does not obey it, and would send
// everyone to the language of the first visitor.
const negotiatedHeaders = {
  Vary: 'Accept-Language, Cookie',
  'Cache-Control': 'public, max-age=0, s-maxage=3600',
  'Cloudflare-CDN-Cache-Control': 'no-store',
}

function redirectTo(status: number, location: string, headers?: Record<string, string>): Response {
  return createResponse(null, { status, headers: { Location: location, ...headers } })
}
