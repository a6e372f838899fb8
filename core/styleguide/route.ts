import { isDevelopment, warnOnce } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { cancelBody } from '../http/body.js'
import { jsonResponse } from '../http/headers.js'
import { type Log, logError, throttleLog } from '../log.js'
import { checkBoolean, checkFunction, checkKnownOptions, functionAs, type OptionChecks, required } from '../options.js'
import { isBelowRoute, parseRoutePath } from '../routes.js'
import { indexFile, indexResponse } from './index-json.js'
import { findPage, type StyleguideMatch } from './tree/find.js'
import { checkTreeSource, createTreeReader, type StyleguideNode, type TreeSource } from './tree/tree.js'

/** The input of the `render` function. */
export interface StyleguideView<Content = unknown> {
  tree: StyleguideNode<Content>
  /** The page and the pages above it; `undefined` if the slug matches no page: show the shell alone. */
  match: StyleguideMatch<Content> | undefined
  /** The part of the path after the prefix, percent-encoded: `'foundations/colors'`. */
  slug: string
  /** The prefix as a path: `'/styleguide'`. */
  prefix: string
  request: Request
  /** The parameters of the URL: `q`, the words to search for, or `text` and `ground`, two colors to try. */
  query: Record<string, string>
  /** Whether the server runs in development: the default of the page X-ray, the same for the server and the browser. */
  xRay: boolean
  /**
   * The error of the first attempt to render this page. Show it instead of the content:
   * `<StyleguidePage error={error}>`.
   */
  error?: unknown
}

export interface StyleguideRouteOptions<Content = unknown> {
  /**
   * The root page, with all pages below it; or a function that returns it, which may be async. The function is called
   * at the first request, so a module that reads a stylesheet needs no top-level `await`.
   */
  tree: TreeSource<Content>
  /** Path prefix of the styleguide. Default `'/styleguide'`. */
  prefix?: string | undefined
  /** Whether the styleguide is served; `false` responds with 404. */
  enabled: boolean
  /**
   * Renders the page. The route adds `noindex`, and makes the status 404 if there is no match. If `render` throws or
   * rejects, the route calls it a second time, with the `error`, and makes the status 500; other pages stay usable. An
   * error within Suspense, after the headers were sent, causes no second call.
   */
  render: (view: StyleguideView<Content>) => Response | Promise<Response>
  /**
   * Responds while the styleguide is off, for example with the site's own not-found page. Default: a plain-text 404.
   */
  notFound?: ((request: Request) => Response | Promise<Response>) | undefined
  /** Receives warnings and errors, at most once a minute for each page. Default: `console.error`. */
  log?: Log | undefined
}

const checks: OptionChecks<StyleguideRouteOptions> = {
  tree: required(checkTreeSource),
  prefix: parseRoutePath,
  enabled: required(checkBoolean),
  render: required(functionAs('a function that returns a Response')),
  notFound: checkFunction,
  log: checkFunction,
}

/**
 * Creates the route of the styleguide, `GET|HEAD {prefix}/{slug}`. Responds with the page of `render`, with
 * `X-Robots-Tag: noindex`, and with status 404 for a slug that matches no page or while the styleguide is off. Responds
 * to `{prefix}/index.json` with the styleguide's data, as {@link StyleguideIndex}.
 *
 * @throws TypeError for a prefix that is not a plain path, and if `enabled` is neither `true` nor `false`.
 * @example
 * const styleguide = createStyleguideRoute({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 *   render: async (view) => {
 *     const page = <Page><StyleguidePage {...view} /></Page>
 *     return new Response(await renderToReadableStream(page), { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
 *   },
 * })
 */
export function createStyleguideRoute<Content>(options: StyleguideRouteOptions<Content>): RouteHandler {
  const {
    tree: source,
    enabled,
    notFound = () => new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } }),
  } = checkKnownOptions(options, checks, 'createStyleguideRoute({ tree, enabled, render })')
  const prefix = parseRoutePath('prefix', options.prefix ?? '/styleguide')
  const log = throttleLog(options.log ?? logError, { keyOf: (_, { slug }) => String(slug) })

  const readTree = createTreeReader(source)
  const checkStylesheet = createStylesheetCheck()
  const warnOfDisabled = warnOnce()

  return expectRequest(async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!isBelowRoute(pathname, prefix)) return undefined
    if (!enabled) {
      warnOfDisabled(() => `styleguide: enabled is false, so ${pathname} is a 404`)
      return notFound(request)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return jsonResponse(405, { error: 'Method not allowed' }, { Allow: 'GET, HEAD' })

    const slug = pathname.slice(prefix.length + 1)
    const tree = await readTree()
    const match = findPage(tree, slug)
    const isIndex = slug === indexFile && !match
    const query = Object.fromEntries(searchParams)
    const view = { tree, match, slug, prefix, query, request, xRay: isDevelopment() }
    const rendered = isIndex ? indexResponse(tree, prefix) : await renderWithErrorPage({ ...options, log }, view)
    const response = toRouteResponse(rendered, isIndex || match !== undefined, request.method === 'HEAD')
    if (request.method === 'GET') checkStylesheet(response)
    return response
  })
}

async function renderWithErrorPage<Content>(
  { render, log }: StyleguideRouteOptions<Content> & { log: Log },
  view: StyleguideView<Content>,
): Promise<Response> {
  try {
    return await render(view)
  } catch (thrown) {
    // The client has disconnected, which most likely caused the error.
    if (view.request.signal.aborted) throw thrown
    log('styleguide: page failed to render', { slug: view.slug, error: thrown })
    const errorPage = await render({ ...view, error: thrown ?? new Error(`${thrown} was thrown`) })
    const { status, headers } = errorPage // read before the body, as in withHeaders
    return status === 200 ? new Response(errorPage.body, { status: 500, headers }) : errorPage
  }
}

function toRouteResponse(rendered: Response, hasMatch: boolean, isHead: boolean): Response {
  const headers = new Headers(rendered.headers)
  headers.set('X-Robots-Tag', 'noindex')
  if (isHead) cancelBody(rendered.body) // the source of the body reports its own errors
  return new Response(isHead ? null : rendered.body, {
    status: !hasMatch && rendered.status === 200 ? 404 : rendered.status,
    headers,
  })
}

/**
 * Creates a check of rendered pages. In development, it warns once if a page of the styleguide has neither a stylesheet
 * nor a script that might add a stylesheet. Whether the stylesheet is the right one is checked by the styleguide's
 * script.
 */
function createStylesheetCheck(): (response: Response) => void {
  if (!isDevelopment()) return () => {}
  const warn = warnOnce()
  let isDone = false
  const check = async (copy: Response) => {
    const html = await copy.text()
    if (!html.includes('class="sw-styleguide"')) return
    isDone = true
    if (/<style|<script|<link[^<>]*stylesheet/i.test(html)) return
    warn(
      () =>
        'Styleguide: expected a stylesheet in its pages, got none; write <link rel="stylesheet" href="/styleguide.css">, and serve sitewright/styleguide.css there',
    )
  }
  return (response) => {
    if (isDone || response.status !== 200 || !response.body) return
    check(response.clone()).catch(() => {}) // the reader of the response sees the error
  }
}
