import type { RouteHandler } from '../handler.js'
import { parseRoutePath } from '../route-path.js'
import { findPage, type StyleguideMatch } from './find.js'
import type { StyleguideNode } from './tree.js'

/** What is asked of the styleguide, for rendering it. */
export interface StyleguideView<Content = unknown> {
  tree: StyleguideNode<Content>
  /** The page and the way to it; `undefined` when the slug leads to none, and nothing is to be shown but the shell. */
  match: StyleguideMatch<Content> | undefined
  /** The part of the path after the prefix, percent-encoded: `'foundations/colors'`. */
  slug: string
  /** The prefix as a path: `'/styleguide'`. */
  prefix: string
  request: Request
}

export interface StyleguideRouteOptions<Content = unknown> {
  /** The root page, with all pages below it. */
  tree: StyleguideNode<Content>
  /** Where the styleguide lives. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** Whether there is a styleguide. Only `true` says so: anything else answers 404. */
  enabled: boolean
  /** Makes the page. The status is set to 404 when there is no match, and `noindex` is added. */
  render: (view: StyleguideView<Content>) => Response | Promise<Response>
  /** Answers while the styleguide is off; the site's own not-found page. Default: a plain 404. */
  notFound?: ((request: Request) => Response | Promise<Response>) | undefined
}

/**
 * Creates the route of the styleguide, `GET|HEAD {prefix}/{slug}`: 404 while it is off; else what `render` makes, with
 * `X-Robots-Tag: noindex`, and with status 404 for a slug that matches no page.
 *
 * @throws TypeError for a prefix that is no plain path.
 * @example
 * const styleguide = createStyleguideRoute({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   render: async ({ slug, prefix }) =>
 *     new Response(await renderToReadableStream(<Page><StyleguidePage tree={tree} slug={slug} prefix={prefix} /></Page>), {
 *       headers: { 'Content-Type': 'text/html; charset=utf-8' },
 *     }),
 * })
 */
export function createStyleguideRoute<Content>(options: StyleguideRouteOptions<Content>): RouteHandler {
  const { tree, enabled, render, notFound = plainNotFound } = options
  const prefix = parseRoutePath('prefix', options.prefix ?? '/styleguide')

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!`${pathname}/`.startsWith(`${prefix}/`)) return undefined
    // Not merely truthy: the text 'false' of an environment variable must not publish the styleguide.
    if (enabled !== true) return notFound(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed()

    const slug = pathname.slice(prefix.length + 1)
    const match = findPage(tree, slug)
    return finish(await render({ tree, match, slug, prefix, request }), match !== undefined, request.method === 'HEAD')
  }
}

function finish(rendered: Response, found: boolean, headOnly: boolean): Response {
  const headers = new Headers(rendered.headers)
  headers.set('X-Robots-Tag', 'noindex')
  if (headOnly) rendered.body?.cancel().catch(() => {}) // whoever rendered it need not be told twice
  return new Response(headOnly ? null : rendered.body, {
    status: !found && rendered.status === 200 ? 404 : rendered.status,
    headers,
  })
}

function plainNotFound(): Response {
  return new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}

function methodNotAllowed(): Response {
  return Response.json(
    { error: 'Method not allowed' },
    { status: 405, headers: { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' } },
  )
}
