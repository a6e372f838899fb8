import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkHandler, type Mountable } from '../../../core/handler.js'
import { jsonResponse } from '../../../core/http/headers.js'
import { createLimiter } from '../../../core/limiter.js'
import { describeError } from '../../../core/log.js'
import {
  checkBoolean,
  checkKnownOptions,
  checkObject,
  functionAs,
  type OptionChecks,
  required,
} from '../../../core/options.js'
import {
  createRevalidateEndpoint,
  type RevalidateAuthorization,
  type RevalidateSettings,
} from '../../../core/revalidate/index.js'
import { EndpointError, revalidateChecks } from '../../../core/revalidate/internal.js'
import type { StyleguideNode } from '../../../core/styleguide/index.js'
import { findPage } from '../../../core/styleguide/internal.js'
import { serve } from '../../node/listener.js'

// The types of `next` are not imported, because they change the types of `process.env` everywhere.

/** The response that Next.js passes to an API route. */
export type ApiResponse = ServerResponse & { revalidate(path: string): Promise<void> }

/** The default export of a file in `pages/api`. */
export type ApiRoute = (req: IncomingMessage, res: ApiResponse) => Promise<void>

/**
 * Creates an API route of the Pages Router from a handler. Requests that the handler does not answer get a 404.
 *
 * The file must export `config`, so that the handler reads the body itself. Without it, a request with a body is an
 * error, because Next.js has already parsed the body, and a signature is of its bytes.
 *
 * @example
 * // pages/api/image/[[...source]].js
 * export const config = { api: { bodyParser: false, externalResolver: true } }
 * export default nextApiRoute(images.handler) // createImages({ prefix: '/api/image', … })
 */
export function nextApiRoute(handler: Mountable): ApiRoute {
  checkHandler(handler)
  return async (req, res) => {
    checkBody(req)
    const pass = () => res.writeHead(404).end('Not found')
    const fail = (error: unknown) => {
      throw error // Next.js logs it, and responds with 500.
    }
    await serve(handler, req, res, { pass, fail })
  }
}

function checkBody({ readableDidRead, headers }: IncomingMessage): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (readableDidRead && hasBody) throw new TypeError(`bodyParser: expected false, got true; write ${configLine}`)
}

const configLine = 'export const config = { api: { bodyParser: false, externalResolver: true } }'

export interface RevalidateApiSettings extends Omit<RevalidateSettings, 'invalidate'> {
  /**
   * Returns the paths of the pages that tags concern, as `res.revalidate` expects them: with the language of `i18n`, but
   * without the `basePath`. A purge of a path, as by `?path=/about`, needs no list: it concerns that path, and its
   * translations with `pathsOf`.
   *
   * @param tags The tags that are no paths, such as `document`.
   */
  paths: (tags: readonly string[]) => readonly string[] | Promise<readonly string[]>
}

const { invalidate: _, ...endpointChecks } = revalidateChecks
const apiChecks: OptionChecks<RevalidateApiSettings & RevalidateAuthorization> = {
  ...endpointChecks,
  paths: required(functionAs('a function that returns paths of pages')),
}

/**
 * Creates the revalidation endpoint as an API route of the Pages Router. It calls `res.revalidate` for each page, four
 * at once, and responds with 200 only when all of them are new. If any page could not be rendered, the response is 503
 * `{"error":"Not revalidated: /posts/a","revalidated":false}`, and the log says why, so that the CMS sends the webhook
 * again. A path that no page has is no error, because an editor may have deleted the page: the response is 200
 * `{"revalidated":true,"tags":["/posts/a"],"notFound":["/posts/a"]}`. The file must export the same `config` as with
 * `nextApiRoute`.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * // pages/api/revalidate.js
 * export const config = { api: { bodyParser: false, externalResolver: true } }
 * export default createRevalidateApi({
 *   secret: process.env.REVALIDATE_SECRET,
 *   paths: () => ['/', '/about', '/de/about'], // or the pages that your CMS lists
 * })
 */
export function createRevalidateApi(options: RevalidateApiSettings & RevalidateAuthorization): ApiRoute {
  const call = 'createRevalidateApi({ secret: process.env.REVALIDATE_SECRET, paths })'
  const { paths, ...endpoint } = checkKnownOptions(options, apiChecks, call)
  const requests = new AsyncLocalStorage<PurgeRequest>()
  // Next.js lets a revalidation join one of the same page that is under way, which may have read the old content.
  const inTurn = createLimiter({ concurrency: 1 })
  const limit = createLimiter({ concurrency: 4 })
  const invalidate = async (tags: string[]) => {
    const isPath = (tag: string) => tag.startsWith('/')
    const named = tags.filter((tag) => !isPath(tag))
    const listed = named.length > 0 ? await paths(named) : []
    const pages = [...new Set([...tags.filter((tag) => isPath(tag) && endpoint.images?.tagOf(tag) !== tag), ...listed])]
    const { res, notFound } = requests.getStore() as PurgeRequest
    const faults = new Map<string, string>()
    const revalidate = (page: string) =>
      limit(() => renew(res, page)).catch((error) => faults.set(page, describeError(error)))
    await inTurn(() => Promise.all(pages.map(revalidate)))
    const isMissing = (page: string) => faults.get(page)?.endsWith(' 404')
    notFound.push(...pages.filter(isMissing))
    const failed = [...faults.keys()].filter((page) => !isMissing(page)).slice(0, 10)
    const reason = failed.map((page) => `${page} (${faults.get(page)})`).join(', ')
    if (failed.length > 0) throw new EndpointError(503, `Not revalidated: ${failed.join(', ')}`, { reason })
  }
  const respond = createRevalidateEndpoint({ ...endpoint, invalidate })
  const route = nextApiRoute(async (request) => {
    const response = await respond(request)
    const { notFound } = requests.getStore() as PurgeRequest
    if (response?.status !== 200 || notFound.length === 0) return response
    return jsonResponse(200, { ...(await response.json()), notFound })
  })
  return (req, res) => requests.run({ res, notFound: [] }, () => route(req, res))
}

/** The response of a purge, and the paths that no page has. */
type PurgeRequest = { res: ApiResponse; notFound: string[] }

/** Renders a page anew. With `trailingSlash`, Next.js knows the page only by its path with the slash. */
async function renew(res: ApiResponse, page: string): Promise<void> {
  try {
    await res.revalidate(page)
  } catch (error) {
    if (page.endsWith('/') || !String(error).endsWith(' 308')) throw error
    await res.revalidate(`${page}/`)
  }
}

export interface StyleguidePropsOptions<Content> {
  /** Root page with all pages below it. */
  tree: StyleguideNode<Content>
  /** Whether the styleguide is served. If `false`, its pages show the site's own 404. */
  enabled: boolean
}

/** The parts of the context of `getServerSideProps` that are read. */
interface StyleguidePropsContext {
  params?: { slug?: string | string[] }
  query?: Record<string, string | string[] | undefined>
  res: ServerResponse
}

const propsChecks: OptionChecks<StyleguidePropsOptions<unknown>> = {
  tree: required(checkObject),
  enabled: required(checkBoolean),
}

/**
 * Creates the `getServerSideProps` of the styleguide in the Pages Router. Its page gets the `slug` and the `query`
 * of the URL. A slug that matches no page shows the site's own 404. Search engines are told not to index the pages.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * // pages/styleguide/[[...slug]].tsx
 * export const getServerSideProps = createStyleguideProps({
 *   tree,
 *   enabled: process.env.STYLEGUIDE_ENABLED === 'true',
 * })
 * export default function Styleguide({ slug, query }: { slug: string[]; query: Record<string, string> }) {
 *   return <StyleguidePage tree={tree} slug={slug} query={query} />
 * }
 */
export function createStyleguideProps<Content>(options: StyleguidePropsOptions<Content>) {
  const { tree, enabled } = checkKnownOptions(options, propsChecks, 'createStyleguideProps({ tree, enabled })')
  return async ({ params, query = {}, res }: StyleguidePropsContext) => {
    const slug = [params?.slug ?? []].flat()
    if (!enabled || !findPage(tree, slug)) return { notFound: true as const }
    res.setHeader('X-Robots-Tag', 'noindex')
    return { props: { slug, query } }
  }
}
