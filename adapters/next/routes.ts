import { NextResponse } from 'next/server.js'
import { checkHandler, handleWhileConnected, type Mountable } from '../../core/handler.js'
import type { LocalizedPage, Routes } from '../../core/localized-pages/index.js'
import { withMethod } from '../../core/options.js'
import { warnAboutPrivateFolders } from './warnings.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * The exports of a `route.ts`: the same handler for each method, `{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS }`.
 */
export type NextRoute = Record<(typeof methods)[number], (request: Request) => Promise<Response>>

/**
 * Creates an App Router route from a handler. Export all seven methods: Next.js itself answers each method that a route
 * does not export, with a 405 that has no `Allow` header. Requests that the handler does not answer get a 404.
 *
 * The image proxy's folder is `app/%5Fimage`, because a folder whose name starts with `_` is private, and Next.js never
 * routes it. In development, `nextRoute` warns about such a folder.
 *
 * @example
 * // app/%5Fimage/[[...source]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(images.handler)
 */
export function nextRoute(handler: Mountable): NextRoute {
  checkHandler(handler)
  warnAboutPrivateFolders()
  const route = async (request: Request) =>
    (await handleWhileConnected(handler, request)) ?? new Response('Not found', { status: 404 })
  return Object.fromEntries(methods.map((method) => [method, route])) as NextRoute
}

/** A function for `proxy.ts`, or for `middleware.ts` before Next.js 16. */
export type LanguageProxy = (request: Request) => Promise<Response>

/**
 * Creates the proxy of a site in several languages. It redirects like `routes.redirect`. It serves every other URL from
 * the folder of its language, at the path of its route in `paths`: `/de/ueber-uns` from `app/[language]/about` or
 * `app/de/about`. A URL that is not in `paths` is also served from the folder of its language, whose `[[...slug]]` page
 * can call `notFound()`. An address with a malformed escape is a 404 without a page, because Next.js renders none. With `matcher`, exclude URLs that are not pages.
 *
 * @example
 * // proxy.ts
 * export const proxy = createLanguageProxy(routes)
 * export const config = { matcher: '/((?!api|_next|.*\\..*).*)' }
 */
export function createLanguageProxy(routes: Routes): LanguageProxy {
  withMethod('redirect', 'the result of createRoutes')('routes', routes)
  return async (request) => {
    const redirect = await routes.redirect(request)
    // Next.js expects an absolute URL, but sends only its path.
    const location = new URL(redirect?.headers.get('location') ?? '', request.url)
    if (redirect && withoutSlash(location) !== withoutSlash(new URL(request.url))) {
      const { status, headers } = redirect
      headers.set('location', location.href)
      return new NextResponse(null, { status, headers })
    }
    const { pathname, search } = new URL(request.url)
    const page = routes.match(request.url)
    if (!isDecodable(pathname)) return notFound(routes.html(page.language))
    return NextResponse.rewrite(new URL(folderPath(page) + search, request.url))
  }
}

function isDecodable(pathname: string): boolean {
  try {
    return typeof decodeURI(pathname) === 'string'
  } catch {
    return false
  }
}

/** Answers an address with a malformed escape, such as `/de/50%-off`, for which Next.js can render no page. */
function notFound({ lang, dir }: ReturnType<Routes['html']>): NextResponse {
  const html = `<!DOCTYPE html><html lang="${lang}" dir="${dir}"><title>404</title><h1>404</h1></html>`
  return new NextResponse(html, { status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** Returns a path without the slash at its end, which Next.js itself adds or removes, and the query. */
function withoutSlash({ pathname, search }: URL): string {
  return pathname.replace(/\/$/, '') + search
}

/** Returns the path of the folder that a page is served from behind `createLanguageProxy`: `/de/articles/hauskatze`. */
export function folderPath({ language, route, slug }: LocalizedPage): string {
  // A path that cannot be decoded has no slug. Its page is not found, because no route matches a backslash.
  const segments = route === undefined && slug.length === 0 ? ['\\'] : slug
  return `/${[language, ...segments].map(encodeURIComponent).join('/')}`
}
