import { NextResponse } from 'next/server.js'
import { markdownLink, markdownPath, prefersMarkdown } from '../../core/localized-pages/index.js'
import { checkFunction } from '../../core/options.js'
import type { LanguageProxy } from './routes.js'

/**
 * Adds the pages' Markdown to a proxy. `/articles/boats.md` is served from `app/markdown/[...path]/route.ts`, a route with
 * `createMarkdown`. `/articles/boats` redirects a client that prefers Markdown there, and no cache stores that redirect. All
 * other pages name their Markdown in `Link`. Let the `matcher` include paths that end in `.md`.
 *
 * @throws TypeError if there is no proxy.
 * @example
 * // proxy.ts
 * export const proxy = createMarkdownProxy(createLanguageProxy(routes))
 * export const config = { matcher: ['/((?!api|_next|.*\\..*).*)', '/(.*\\.md)'] }
 */
export function createMarkdownProxy(proxy: LanguageProxy): LanguageProxy {
  checkFunction('proxy', proxy)
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const toUrl = (path: string) => new URL(path + search, request.url)
    if (pathname.endsWith('.md')) return NextResponse.rewrite(toUrl(`/markdown${pathname}`))
    const response = await proxy(request)
    if (response.headers.has('location') || response.status >= 400) return response
    const isPreferred = prefersMarkdown(request.headers.get('accept'))
    const headers = { 'Cache-Control': 'no-store', Vary: 'Accept' }
    // A rewrite would give the route the address of the HTML, and Next.js would store its 404 for that of the Markdown.
    if (isPreferred) return NextResponse.redirect(toUrl(markdownPath(pathname)), { headers })
    response.headers.append('Link', markdownLink(pathname))
    return response
  }
}
