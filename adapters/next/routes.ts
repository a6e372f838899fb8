import { NextResponse } from 'next/server.js'
import type { LocalizedPage, Routes, SitemapPage } from '../../core/localized-pages/index.js'
import { withMethod } from '../../core/options.js'

/** A function for `proxy.ts`, or for `middleware.ts` before Next.js 16. */
export type LanguageProxy = (request: Request) => Promise<Response>

/**
 * Creates the proxy of a site in several languages. It redirects as `routes.redirect` does, and serves every other URL
 * by the folder of its language and the path of the table: `/de/ueber-uns` by `app/[language]/about` or `app/de/about`.
 * A URL that is not in the table is served by the folder of its language, too, whose `[[...slug]]` can call
 * `notFound()`. Exclude by `matcher` what is no page.
 *
 * @example
 * // proxy.ts
 * export const proxy = createLanguageProxy(routes)
 * export const config = { matcher: '/((?!api|_next|.*\\..*).*)' }
 */
export function createLanguageProxy(routes: Routes): LanguageProxy {
  withMethod('redirect', 'the result of createRoutes')('routes', routes)
  return async (request) => {
    const elsewhere = await routes.redirect(request)
    const location = elsewhere?.headers.get('location')
    if (elsewhere && location) {
      const { status, headers } = elsewhere
      // Next.js expects an absolute URL, and sends the path.
      headers.set('location', new URL(location, request.url).href)
      return new NextResponse(null, { status, headers })
    }
    const { search } = new URL(request.url)
    const url = new URL(folderPath(routes.match(request.url)) + search, request.url)
    return NextResponse.rewrite(url)
  }
}

/** Returns the path by which Next.js serves a page behind `createLanguageProxy`: `/de/articles/hauskatze`. */
export function folderPath({ language, slug }: LocalizedPage): string {
  return `/${[language, ...slug].map(encodeURIComponent).join('/')}`
}

/**
 * Returns the `alternates` of a page's metadata: canonical, languages and `x-default`. Next.js resolves the paths with
 * `metadataBase`.
 *
 * @example
 * export async function generateMetadata({ params }) {
 *   const { language, slug = [] } = await params
 *   return { metadataBase, alternates: languageAlternates(routes, await routes.findBySlug(language, slug)) }
 * }
 */
export function languageAlternates(routes: Routes, page: LocalizedPage) {
  const [canonical, ...alternates] = routes.links(page, '')
  const languages = alternates.map(({ hrefLang, href }) => [hrefLang, href])
  return { canonical: canonical?.href ?? null, languages: Object.fromEntries(languages) as Record<string, string> }
}

/**
 * Returns the `generateStaticParams` of pages in all languages, for `app/[language]/[[...slug]]/page.tsx`.
 *
 * @example export const generateStaticParams = () => languageParams(routes, await cms.pages())
 */
export async function languageParams(
  routes: Routes,
  pages: Iterable<SitemapPage>,
): Promise<{ language: string; slug: string[] }[]> {
  const translated = [...pages].map(({ path, language }) => routes.findBySlug(language, path.split('/')))
  const paths = (await Promise.all(translated)).flatMap(({ translations }) => Object.values(translations))
  return paths.map((path) => {
    const { language, slug } = routes.match(path ?? '')
    return { language, slug }
  })
}
