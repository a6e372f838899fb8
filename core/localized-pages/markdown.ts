import { makePrivate } from '../cache/pass.js'
import { checkHandler, expectRequest, type RouteHandler } from '../handler.js'
import { cancelBody } from '../http/body.js'
import { withHeaders } from '../http/headers.js'
import { readWeights } from '../http/negotiation.js'
import { checkFunction, withMethod } from '../options.js'
import { normalizePath } from '../routes.js'
import { pathTag } from '../tags.js'
import type { LocalizedPage } from './types.js'

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/**
 * Returns the path of a page's Markdown.
 *
 * @example markdownPath('/articles/boats') // '/articles/boats.md'; for '/', '/index.md'
 */
export function markdownPath(path: string): string {
  return `${path.endsWith('/') ? path.slice(0, -1) || '/index' : path}.md`
}

/**
 * Returns the value of the `Link` header (RFC 8288) with which the HTML of a page names its Markdown.
 *
 * @param path The canonical path of the page, such as `page.path`.
 */
export function markdownLink(path: string): string {
  return `<${markdownPath(path)}>; rel="alternate"; type="text/markdown"`
}

/**
 * Whether a client prefers Markdown by its `Accept` (RFC 9110, section 12.5.1): it names `text/markdown` with at least the
 * weight of HTML. Browsers do not name it, and wildcards do not count.
 *
 * @example prefersMarkdown('text/markdown, text/html;q=0.8') // true
 */
export function prefersMarkdown(accept: string | null): boolean {
  const weights = new Map(readWeights(accept?.toLowerCase() ?? null).map(({ name, weight }) => [name, weight]))
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0
  return (weights.get('text/markdown') ?? -1) >= html
}

/**
 * Creates the route of the pages' Markdown: `/articles/boats.md` for `/articles/boats`, and `/index.md` for `/`. It names
 * the language, its own address and the page. Returns `undefined` for other paths. Mount it inside the response cache.
 *
 * @param routes The result of `createRoutes`.
 * @param render Returns the Markdown of a page, with the `Cache-Control` and tags of its HTML, or `undefined` if the page
 *   has no Markdown. Its first heading is the title of the page.
 * @throws TypeError if one of them is missing.
 * @example createMarkdown(routes, () => new Response('# Boats', { headers: { 'Cache-Control': 's-maxage=3600' } }))
 */
export function createMarkdown<Page extends LocalizedPage>(
  routes: { find(url: string): Promise<Page> },
  render: (page: Page, request: Request) => Response | undefined | Promise<Response | undefined>,
): RouteHandler {
  withMethod('find', 'the result of createRoutes')('routes', routes)
  checkFunction('render', render)
  return expectRequest(async (request) => {
    const { pathname, search } = new URL(request.url)
    if (!pathname.endsWith('.md') || !isRead(request)) return undefined
    const page = await routes.find(pathname === '/index.md' ? '/' : pathname.slice(0, -'.md'.length))
    const path = markdownPath(page.path)
    if (page.route === undefined || path !== normalizePath(pathname)) return undefined
    const response = await render(page, request)
    if (!response?.ok) return response
    return withHeaders(response, (headers) => {
      headers.set('Content-Type', 'text/markdown; charset=utf-8')
      headers.set('Content-Language', page.language)
      headers.set('Content-Location', path + search)
      headers.append('Link', `<${page.path}>; rel="canonical"`)
      headers.append('Cache-Tag', pathTag(page.path)) // a purge of the page by its path reaches its Markdown, too
    })
  })
}

/**
 * Wraps pages so that a client that prefers Markdown gets it at the address of the HTML. Wrap it around the response cache:
 * both are then the entry of `/articles/boats.md`. That answer is `private`, because a CDN that ignores `Vary` would send it
 * to browsers. HTML that names its Markdown gets `Vary: Accept`. A page without Markdown is answered as usual.
 *
 * @example app.use(honoMiddleware(negotiateMarkdown(cache.wrap(renderPage))))
 */
export function negotiateMarkdown<Pages extends (request: Request, ...rest: never[]) => ReturnType<RouteHandler>>(
  pages: Pages,
): Pages {
  checkHandler(pages)
  const negotiate = async (request: Request, ...rest: never[]) => {
    const url = new URL(request.url)
    if (isRead(request) && !url.pathname.endsWith('.md') && prefersMarkdown(request.headers.get('accept'))) {
      url.pathname = markdownPath(url.pathname)
      const { method, headers, signal } = request
      const markdown = await pages(new Request(url, { method, headers, signal }), ...rest)
      if (markdown?.headers.get('content-location')?.startsWith(normalizePath(url.pathname))) {
        return withHeaders(markdown, (answer) => {
          makePrivate(answer, false)
          answer.append('Vary', 'Accept')
        })
      }
      cancelBody(markdown?.body)
    }
    const html = await pages(request, ...rest)
    // A 304 has the Vary of the page, but not its Link (RFC 9110, section 15.4.5).
    const varies = html?.status === 304 || html?.headers.get('link')?.includes('type="text/markdown"')
    if (!html || !varies || url.pathname.endsWith('.md')) return html
    return withHeaders(html, (answer) => answer.append('Vary', 'Accept'))
  }
  return expectRequest(negotiate as (request: Request, ...rest: unknown[]) => unknown) as unknown as Pages
}
