import { isDevelopment } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { jsonResponse } from '../http/headers.js'
import { describeError, type Log, throttleLog } from '../log.js'
import { truncate } from '../option-error.js'
import { checkKnownOptions } from '../options.js'
import { parseRoutePath } from '../routes.js'
import { createRedact } from '../secrets.js'
import { createAuthorize, createReadBody, EndpointError, invalidToken } from './authorize.js'
import { createDeliveries } from './deliveries.js'
import { createLive } from './live.js'
import { createLivePage } from './live-page.js'
import { type RevalidateOptions, revalidateChecks } from './options.js'
import { createPurge } from './purge.js'
import { checkReach, probeField } from './reach.js'
import { storedPages } from './stored-pages.js'
import { type ChosenTags, createChooseTags, dryRun } from './tags.js'

/**
 * Creates the revalidation endpoint: `POST /api/revalidate` with `Authorization: Bearer {secret}` invalidates the tags
 * and responds with 200 `{"revalidated":true}`. Returns `undefined` for other paths. An error is
 * `{"error":…,"revalidated":false}`, with the first status that applies:
 *
 * 1. 405 method not allowed;
 * 2. 500 neither `secret` nor `verify` configured;
 * 3. 401 invalid token (with `verify`, the 413 and the 400 for an unreadable body come first, because it needs the
 *    body);
 * 4. 413 body over `maxBodyBytes` (with a token and `content`, it purges all pages); 400 body without valid tags (with `allowTags`), or with tags (without `allowTags`);
 *    400 invalid `path`; 400 unknown parameter, because a misspelled `path` would purge all pages (parameters `x-…` are
 *    allowed; with `verify`, `getTags` or `content`, any parameter is);
 * 5. 503 `invalidate` failed; it is called again until it succeeds.
 *
 * With the token, `?dry-run` purges nothing. The response is 200 `{"revalidated":false,"dryRun":true,"tags":[…]}`, with
 * `pages` if the option `store` can list them, and otherwise with a `hint`. With the option `inspect`, `GET ?path=` tells
 * whether a page is live.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const revalidate = createRevalidateEndpoint({
 *   secret: process.env.REVALIDATE_SECRET,
 *   invalidate: (tags) => cache.invalidate(tags),
 * })
 */
export function createRevalidateEndpoint(options: RevalidateOptions): RouteHandler {
  const call = 'createRevalidateEndpoint({ secret: process.env.REVALIDATE_SECRET, invalidate: cache.invalidate })'
  checkKnownOptions(options, revalidateChecks, call)
  const { secret, verify, allowGet = false, inspect } = options
  if (inspect && (verify || allowGet)) {
    throw new TypeError('inspect: expected an endpoint with secret and without allowGet, since GET purges nothing then')
  }
  const live = inspect && createLive(inspect)
  const path = parseRoutePath('path', options.path ?? '/api/revalidate')
  const readBody = createReadBody(options.maxBodyBytes ?? defaultBytes(options))
  const chooseTags = createChooseTags(options, verify !== undefined, readBody)
  const authorize = createAuthorize(secret, verify, readBody)
  const write: Log = options.log ?? ((message, detail) => console.warn(message, detail))
  const log = createEndpointLog(write, path, verify?.redact ?? createRedact([secret].flat()))
  // The missing secret is logged here, not only when the first webhook fails: most likely, the environment lacks it.
  if (!authorize) log.always(notConfigured, { reason: noSecret })
  let isReachKnown = !isDevelopment()
  const runDelivery = createDeliveries()
  const methods = allowGet || live ? ['GET', 'POST'] : ['POST']

  const purge = createPurge(options, {
    onPurged: live?.note,
    onRetried(tags, failure) {
      if (failure !== undefined) log.throttled('Revalidation failed', { reason: failure, tags })
      else log.always('Pages purged', { reason: `${tags.length} tags, after a failure`, tags })
    },
  })

  const answer = async (request: Request, body: Uint8Array | undefined): Promise<Response> => {
    const { method } = request
    let chosen: ChosenTags | undefined
    try {
      chosen = await chooseTags(request, body)
      const { tags, isListed, warning } = chosen
      if (warning) log.throttled(warning.message, { reason: warning.reason, method, tags })
      // An empty list is not an error, so that a CMS does not send the payload again.
      if (tags.length === 0) return jsonResponse(200, { revalidated: false })
      // A signed webhook cannot ask for a dry run, because the signature does not cover its query.
      if (!verify && new URL(request.url).searchParams.has(dryRun)) {
        const pages = storedPages(options.store, tags)
        return jsonResponse(200, { revalidated: false, dryRun: true, tags, ...(pages ? { pages } : { hint: noPages }) })
      }
      await purge(tags)
      if (options.content) log.always('Pages purged', { reason: `${tags.length} tags`, method, tags })
      return jsonResponse(200, { revalidated: true, ...(isListed && { tags }) })
    } catch (error) {
      const tags = chosen?.tags
      if (!(error instanceof EndpointError)) {
        throw new EndpointError(503, 'Revalidation failed', { reason: describeError(error), tags })
      }
      const listed = chosen?.isListed ? tags : undefined
      throw new EndpointError(error.status, error.message, { ...error.detail, tags, listed })
    }
  }

  const respond = async (request: Request): Promise<Response> => {
    if (!methods.includes(request.method)) throw new EndpointError(405, 'Method not allowed')
    if (live && isOpenedInBrowser(request)) return createLivePage()
    if (!authorize) throw new EndpointError(500, notConfigured, { reason: noSecret })
    const { body, delivery } = await authorize(request)
    if (live && request.method === 'GET') return live.answer(request)
    const response = await runDelivery(delivery, () => answer(request, body))
    if (!response) throw invalidToken('delivered already')
    return response
  }

  /** Logs why a request is rejected or has failed, and creates the response. */
  const reject = ({ status, message, detail }: EndpointError, method: string): Response => {
    const { reason, hint, tags, listed } = detail
    const reasons = [reason, hint].filter((text) => text !== undefined).join('; ')
    const text = status === 401 ? 'Invalid token for revalidate request' : message
    log.throttled(reasons ? text : 'Revalidate request rejected', { reason: reasons || message, method, tags })
    const body = { error: message, revalidated: false, ...(listed && { tags: listed }) }
    const headers: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}
    if (status === 405) headers.Allow = methods.join(', ')
    return jsonResponse(status, hint && isDevelopment() ? { ...body, hint } : body, headers)
  }

  return expectRequest(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== path && pathname !== `${path}/`) {
      if (!isReachKnown) void checkReach(path, request, write)
      isReachKnown = true
      return undefined
    }
    if (isDevelopment() && request.headers.has(probeField))
      return new Response(null, { headers: { [probeField]: '1' } })
    try {
      return await respond(request)
    } catch (error) {
      if (error instanceof EndpointError) return reject(error, request.method)
      throw error
    }
  })
}

const notConfigured = 'Revalidation is not configured'
const noPages =
  'pages: listed only for a memoryStore, by the option store; stores on disk and in Redis cannot list theirs'
const noSecret = 'secret is missing or empty: set it in the environment of the server'

/** Whether a person has opened the endpoint, and no program with a token. */
function isOpenedInBrowser({ method, headers }: Request): boolean {
  return method === 'GET' && !headers.has('authorization') && Boolean(headers.get('accept')?.includes('text/html'))
}

/** Returns the default of `maxBodyBytes`. */
function defaultBytes({ verify, getTags, content }: RevalidateOptions): number {
  if (verify) return 2 * 1024 ** 2
  return getTags || content ? 8 * 1024 ** 2 : 64 * 1024
}

/** The details of a line of the log. */
interface Line {
  reason: string
  method?: string
  tags?: readonly string[] | undefined
}

/**
 * Creates the log of the endpoint. `throttled` writes one line a minute for each reason, because any client can send
 * wrong tokens. Reasons that differ only in quoted text, such as tags, or in numbers, such as the age of a signature,
 * count as the same.
 *
 * @param redact Removes secrets from reasons and tags.
 */
function createEndpointLog(log: Log, path: string, redact: (text: string) => string) {
  const format = ({ reason, method, tags }: Line) => ({
    reason: redact(reason),
    ...(method && { method }),
    path,
    ...(tags && { tags: tags.slice(0, 10).map((tag) => truncate(redact(tag), 100)) }),
    ...(tags && tags.length > 10 && { moreTags: tags.length - 10 }),
  })
  const throttled = throttleLog(log, {
    keyOf: (message, { reason }) => message + String(reason).replace(/"(?:[^"\\]|\\.?)*(?:"|$)|\d+/gs, ''),
  })
  return {
    always: (message: string, line: Line) => log(message, format(line)),
    throttled: (message: string, line: Line) => throttled(message, format(line)),
  }
}
