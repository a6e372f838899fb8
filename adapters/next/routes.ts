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
 * can call `notFound()`. With `matcher`, exclude URLs that are not pages.
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
    const location = redirect?.headers.get('location')
    if (redirect && location) {
      const { status, headers } = redirect
      // Next.js expects an absolute URL, but sends only its path.
      headers.set('location', new URL(location, request.url).href)
      return new NextResponse(null, { status, headers })
    }
    const { search } = new URL(request.url)
    const url = new URL(folderPath(routes.match(request.url)) + search, request.url)
    return NextResponse.rewrite(url)
  }
}

/** Returns the path of the folder that a page is served from behind `createLanguageProxy`: `/de/articles/hauskatze`. */
export function folderPath({ language, slug }: LocalizedPage): string {
  return `/${[language, ...slug].map(encodeURIComponent).join('/')}`
}
