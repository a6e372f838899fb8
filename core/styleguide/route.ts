import type { RouteHandler } from '../handler.js'
import { parseRoutePath } from '../route-path.js'
import { findPage, type StyleguideMatch } from './tree/find.js'
import type { StyleguideNode } from './tree/tree.js'

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
  /** What the first try of rendering this page threw. Show it in place of the content: `<StyleguidePage error={error}>`. */
  error?: unknown
}

export interface StyleguideRouteOptions<Content = unknown> {
  /** The root page, with all pages below it. */
  tree: StyleguideNode<Content>
  /** Where the styleguide lives. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** Whether there is a styleguide. Only `true` says so: anything else answers 404. */
  enabled: boolean
  /**
   * Makes the page. The status is set to 404 when there is no match, and `noindex` is added. When it throws or rejects,
   * it is asked once more, with the `error`, and the status is 500; so one broken page leaves the others usable. What
   * fails within Suspense, when the head is sent already, is not asked for again.
   */
  render: (view: StyleguideView<Content>) => Response | Promise<Response>
  /** Answers while the styleguide is off; the site's own not-found page. Default: a plain 404. */
  notFound?: ((request: Request) => Response | Promise<Response>) | undefined
  /** Told what an operator should know. Default: `console.error`. */
  log?: ((message: string, detail: Record<string, unknown>) => void) | undefined
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
 *   render: async ({ slug, prefix, error }) => {
 *     const page = <Page><StyleguidePage tree={tree} slug={slug} prefix={prefix} error={error} /></Page>
 *     return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
 *   },
 * })
 */
export function createStyleguideRoute<Content>(options: StyleguideRouteOptions<Content>): RouteHandler {
  const { tree, enabled, notFound = notFoundResponse } = options
  const prefix = parseRoutePath('prefix', options.prefix ?? '/styleguide')

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (!`${pathname}/`.startsWith(`${prefix}/`)) return undefined
    // Not merely truthy: the text 'false' of an environment variable must not publish the styleguide.
    if (enabled !== true) return notFound(request)
    if (request.method !== 'GET' && request.method !== 'HEAD') return methodNotAllowed()

    const slug = pathname.slice(prefix.length + 1)
    const match = findPage(tree, slug)
    const rendered = await renderWithErrorPage(options, { tree, match, slug, prefix, request })
    return finish(rendered, match !== undefined, request.method === 'HEAD')
  }
}

async function renderWithErrorPage<Content>(
  { render, log = (message, detail) => console.error(message, detail) }: StyleguideRouteOptions<Content>,
  view: StyleguideView<Content>,
): Promise<Response> {
  try {
    return await render(view)
  } catch (thrown) {
    // Nobody is there to read of it, and most likely the leaving is what was thrown.
    if (view.request.signal.aborted) throw thrown
    log('A page of the styleguide could not be rendered', { slug: view.slug, error: thrown })
    const explained = await render({ ...view, error: thrown ?? new Error(`${thrown} was thrown`) })
    return explained.status === 200
      ? new Response(explained.body, { status: 500, headers: explained.headers })
      : explained
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

function notFoundResponse(): Response {
  return new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } })
}

function methodNotAllowed(): Response {
  return Response.json(
    { error: 'Method not allowed' },
    { status: 405, headers: { Allow: 'GET, HEAD', 'Cache-Control': 'no-store' } },
  )
}
