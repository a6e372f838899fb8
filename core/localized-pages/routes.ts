import { expectRequest } from '../handler.js'
import { languageCookie } from '../http/cookies.js'
import { withHeaders } from '../http/headers.js'
import { describeError, type Log, logError, throttleLog } from '../log.js'
import { optionError } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  checkObject,
  checkString,
  type OptionChecks,
  oneOf,
  required,
  withMethod,
} from '../options.js'
import { createResponse } from '../response-factory.js'
import { normalizePath } from '../tags.js'
import { checkTimeout, withTimeout } from '../timeout.js'
import { headLinks, languageLink, linksToHeader, linkToXml } from './links.js'
import { directionOf, negotiateLanguage } from './negotiate.js'
import { createTable, type Located, type Table } from './table.js'
import type { LocalizedPage, Routes, RoutesOptions, SlugPage, Slugs, TranslatedPaths } from './types.js'

const checks: OptionChecks<RoutesOptions> = {
  languages: required(withMethod('find', 'a list of languages')),
  default: required(checkString),
  prefix: oneOf('always', 'except-default'),
  prefixes: checkObject,
  paths: checkObject,
  translationsOf: checkFunction,
  detect: checkBoolean,
  timeout: checkTimeout,
  log: checkFunction,
}

/**
 * Creates the routes of a site in several languages from one table, and one lookup of slugs in its CMS.
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
  const Languages extends readonly string[],
  const Paths extends Readonly<Record<string, TranslatedPaths<Languages[number]>>> = { '/[...slug]': object },
>(options: RoutesOptions<Languages, Paths>): Routes<Languages[number], Extract<keyof Paths, string> | '/'> {
  checkKnownOptions(options, checks, "createRoutes({ languages: ['en', 'de'], default: 'en' })")
  return deriveRoutes(options as RoutesOptions) as never
}

function deriveRoutes(options: RoutesOptions): Routes {
  const { languages, default: fallback, detect = false } = options
  const table = createTable(options)
  const log = throttleLog(options.log ?? logError)
  const translate = createTranslate(table, options, log)
  const negotiate = (headers: Pick<Headers, 'get'>) => negotiateLanguage(headers, languages) ?? fallback
  const links = (page: LocalizedPage, origin: string) => headLinks(page, fallback, origin)
  /** Whether the response to a path depends on the visitor's language. */
  const isNegotiated = (pathname: string) =>
    table.splitLanguage(pathname).language === undefined || (detect && pathname === '/')

  /** Adds the translations. If the lookup fails, the page renders without alternates. */
  const addTranslations = async ({ page, found }: Located, slugs?: Slugs) => {
    try {
      return found ? { ...page, translations: await translate(found, slugs) } : page
    } catch (error) {
      log('Translations not found', { ...found, reason: describeError(error) })
      return page
    }
  }

  const redirect = async ({ method, url, headers }: Request): Promise<Response | undefined> => {
    const { pathname, search, searchParams } = new URL(url)
    const { page, found } = table.locate(pathname)
    const chosen = searchParams.get(choiceParameter)
    const isOpen = isNegotiated(pathname)
    if (!found || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (page.path === normalizePath(pathname) && !isOpen && chosen === null) return undefined

    const { translations } = await addTranslations({ page, found })
    const language = languages.find((each) => each === chosen) ?? negotiate(headers)
    const wanted = isOpen ? language : page.language
    const target = translations[wanted] ?? translations[found.language] ?? page.path
    if (chosen !== null) return redirectTo(307, target, choiceHeaders(language))
    if (isOpen) return target === pathname ? undefined : redirectTo(307, target + search, negotiatedHeaders)
    // Browsers keep a permanent redirect for ever, and a translation may change.
    return redirectTo(found.slug === '' || found.language === wanted ? 308 : 307, target + search)
  }

  return {
    languages,
    default: fallback,
    pathTo(path, language) {
      const { page } = table.locate(path, language)
      if (page.route) return page.path
      throw optionError('path', `a path of the table that '${language}' has`, path)
    },
    match: (url) => table.locate(pathnameOf(url)).page,
    find: (url) => addTranslations(table.locate(pathnameOf(url))),
    findBySlug: (language, slug, slugs) => addTranslations(table.locate(`/${slug.join('/')}`, language), slugs),
    html: (language) => ({ lang: language, dir: directionOf(language) }),
    links,
    linkHtml: (page, origin) =>
      links(page, origin)
        .map((link) => `<link ${linkToXml(link)}>`)
        .join('\n'),
    linkHeader: (page, origin) => linksToHeader(links(page, origin)),
    languageLinks: (page) => languages.map((language) => languageLink(table, page, language)),
    negotiate,
    redirect: expectRequest(redirect),
    handler: (render) =>
      expectRequest(async (request) => {
        const { pathname } = new URL(request.url)
        const elsewhere = await redirect(request)
        if (elsewhere) return elsewhere
        const response = await render(await addTranslations(table.locate(pathname)), request)
        if (!isNegotiated(pathname)) return response
        return withHeaders(response, (headers) => headers.append('Vary', negotiatedHeaders.Vary))
      }),
    cacheFields: {
      'Accept-Language': (_, { url, headers }) => (isNegotiated(new URL(url).pathname) ? negotiate(headers) : null),
    },
    async pathsOf(path) {
      const { found } = table.locate(pathnameOf(path))
      return [...new Set([path, ...Object.values(found ? await translate(found) : {})])]
    },
  }
}

/** Creates the function that returns the paths of a page in all languages that have it. It throws if the lookup fails. */
function createTranslate(table: Table, { languages, translationsOf, timeout = 3_000 }: RoutesOptions, log: Log) {
  return async (page: SlugPage, given?: Slugs): Promise<Record<string, string>> => {
    const isSame = page.slug === '' || !(translationsOf ?? given)
    const lookUp = async () => given ?? (await translationsOf?.({ ...page }))
    const slugs = isSame ? undefined : await withTimeout(timeout, lookUp())
    const translations: Record<string, string> = {}
    for (const language of languages) {
      const isKnown = isSame || language === page.language
      const slug = isKnown ? page.slug : (slugs?.[language] ?? '')
      const path = table.pageIn(language, { ...page, slug })?.path
      const route = path && table.locate(path).found?.route
      if (path && (isKnown || route === page.route)) translations[language] = path
      else if (!isKnown && slug !== '') {
        const reason = route ? `it is a page of ${route}` : 'it does not fit the route'
        log('Translation ignored', { ...page, language, slug, reason })
      }
    }
    return translations
  }
}

/** Returns the path of a URL. A path is not resolved, because `//about` would be a host. */
function pathnameOf(url: string): string {
  return /^https?:/i.test(url) ? new URL(url).pathname : (url.split(/[?#]/, 1)[0] ?? '')
}

// The parameter of a language switch whose choice lasts: `/de/ueber-uns?set-language=de`.
const choiceParameter = 'set-language'

function choiceHeaders(language: string) {
  const oneYear = 365 * 24 * 60 * 60
  const cookie = `${languageCookie}=${language}; Path=/; Max-Age=${oneYear}; SameSite=Lax`
  return { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }
}

// Caches that obey Vary store a redirect for each language. Cloudflare's does not, and would send everyone to the language of the
// first visitor.
const negotiatedHeaders = {
  Vary: 'Accept-Language, Cookie',
  'Cache-Control': 'public, max-age=0, s-maxage=3600',
  'Cloudflare-CDN-Cache-Control': 'no-store',
}

function redirectTo(status: number, location: string, headers?: Record<string, string>): Response {
  return createResponse(null, { status, headers: { Location: location, ...headers } })
}
