import { isDevelopment } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { jsonResponse } from '../http/headers.js'
import { describeError, type Log, throttleLog } from '../log.js'
import { truncate } from '../option-error.js'
import {
  checkBoolean,
  checkFunction,
  checkKnownOptions,
  functionAs,
  integer,
  type OptionChecks,
  required,
  unchecked,
  withMethod,
} from '../options.js'
import { parseRoutePath } from '../routes.js'
import { createRedact } from '../secrets.js'
import { checkTimeout, withTimeout } from '../timeout.js'
import {
  createAuthorize,
  createReadBody,
  EndpointError,
  invalidToken,
  type Secret,
  type VerifyRequest,
} from './authorize.js'
import { createDeliveries } from './deliveries.js'
import { type ListableStore, storedPages } from './stored-pages.js'
import { createChooseTags, dryRun, type TagOptions } from './tags.js'

/** Invalidates everything that has one of the tags. Throws or rejects on failure. */
export type Invalidate = (tags: string[]) => unknown

/** How requests are authorized: by `secret` or by `verify`. */
export type RevalidateAuthorization =
  | {
      /**
       * The token that a request must carry, or a list of tokens during a rotation: visible ASCII without commas or
       * white space. If there is no token, or if all are empty, every response is a 500, and this is logged when the
       * endpoint is created.
       */
      secret?: Secret
      verify?: undefined
    }
  | {
      /** Verifies the signature of a CMS webhook, instead of `secret`. */
      verify: VerifyRequest
      secret?: undefined
    }

export type RevalidateOptions = RevalidateSettings & RevalidateAuthorization

export interface RevalidateSettings extends TagOptions {
  /**
   * Invalidates everything that has one of the tags: the `invalidate` of a response cache, or Next.js' `revalidateTag`.
   * When it throws or rejects, the response is a 503, so that the CMS tries again.
   */
  invalidate: Invalidate
  /**
   * The store of the response cache, if it can list its entries: `memoryStore(…)`. With it, the response to a request
   * with `?dry-run` and the token lists the tags and the URLs of the stored pages that the request would purge.
   * Default: the response lists only the tags, and has a `hint`.
   */
  store?: ListableStore | undefined
  /** Path of the endpoint. Default `'/api/revalidate'`. */
  path?: string | undefined
  /** Whether `GET` is allowed too, for a CMS that cannot send `POST`. Default `false`. */
  allowGet?: boolean | undefined
  /**
   * Largest body, in bytes; the response to a larger body is a 413. Default: 2 MiB with `verify`, `getTags` or
   * `content`, and 64 KiB without them. The payloads of a CMS are large: Contentful's entries have up to 2 MB, and
   * Sanity's documents up to 32 MB, of which a projection sends a part.
   */
  maxBodyBytes?: number | undefined
  /** Time limit for `invalidate`, in milliseconds. If it is exceeded, the response is a 503. Default 10,000. */
  timeout?: number | undefined
  /**
   * Receives warnings and errors, but never a token. Each reason is logged at most once a minute, with the number of
   * suppressed messages in `suppressed`. A message has at most ten tags, and the number of further tags in `moreTags`.
   * With `content`, each purge is logged, too. Default: `console.warn`.
   */
  log?: Log | undefined
}

// If a site forgets to call one of these, it would reject every webhook.
const vendors = ['verifyContentful', 'verifyPrismic', 'verifySanity', 'verifyStandardWebhook', 'verifyStoryblok']

export const revalidateChecks: OptionChecks<RevalidateOptions> = {
  secret: unchecked,
  verify: functionAs('a function, such as verifySanity({ secret })', vendors),
  invalidate: required(functionAs('a function, such as the invalidate of a response cache')),
  path: parseRoutePath,
  tags: unchecked,
  allowTags: checkBoolean,
  getTags: checkFunction,
  content: withMethod('getTags', 'the result of createContentTags'),
  store: withMethod('get', 'the store of the response cache, such as memoryStore({ maxBytes: 64 * 1024 ** 2 })'),
  images: withMethod('tagOf', 'the result of createImages, not its handler'),
  pathsOf: checkFunction,
  allowGet: checkBoolean,
  maxBodyBytes: integer(1),
  timeout: checkTimeout,
  log: checkFunction,
}

/**
 * Creates the revalidation endpoint: `POST /api/revalidate` with `Authorization: Bearer {secret}` invalidates the tags
 * and responds with 200 `{"revalidated":true}`. Returns `undefined` for other paths. An error is
 * `{"error":…,"revalidated":false}`, with the first status that applies:
 *
 * 1. 405 method not allowed;
 * 2. 500 neither `secret` nor `verify` configured;
 * 3. 401 invalid token (with `verify`, the 413 and the 400 for an unreadable body come first, because it needs the
 *    body);
 * 4. 413 body over `maxBodyBytes`; 400 body without valid tags (with `allowTags`), or with tags (without `allowTags`);
 *    400 invalid `path`; 400 unknown parameter, because a misspelled `path` would purge all pages (parameters `x-…` are
 *    allowed; with `verify`, `getTags` or `content`, any parameter is);
 * 5. 503 `invalidate` failed.
 *
 * With the token, `?dry-run` purges nothing. The response is 200 `{"revalidated":false,"dryRun":true,"tags":[…]}`, with
 * `pages` if the option `store` can list them, and otherwise with a `hint`.
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
  const { secret, verify, allowGet = false, timeout = 10_000 } = options
  const path = parseRoutePath('path', options.path ?? '/api/revalidate')
  const defaultBytes = verify || options.getTags || options.content ? maxPayloadBytes : maxTagListBytes
  const readBody = createReadBody(options.maxBodyBytes ?? defaultBytes)
  const chooseTags = createChooseTags(options, verify !== undefined, readBody)
  const authorize = createAuthorize(secret, verify, readBody)
  const write: Log = options.log ?? ((message, detail) => console.warn(message, detail))
  // The missing secret is logged here, not only when the first webhook fails: most likely, the environment lacks it.
  if (!authorize) write(notConfigured, { reason: noSecret, path })
  const runDelivery = createDeliveries()
  const log = createEndpointLog(write, path, verify?.redact ?? createRedact([secret].flat()))
  const methods = allowGet ? ['GET', 'POST'] : ['POST']

  const purge = async (request: Request, body: Uint8Array | undefined): Promise<Response> => {
    const { method } = request
    let tags: readonly string[] | undefined
    try {
      const chosen = await chooseTags(request, body)
      tags = chosen.tags
      if (chosen.hasEmpty) log('Empty tag ignored', method, 'getTags returned an empty tag', tags)
      // An empty list is not an error, so that a CMS does not send the payload again.
      if (tags.length === 0) return jsonResponse(200, { revalidated: false })
      // A signed webhook cannot ask for a dry run, because the signature does not cover its query.
      if (!verify && new URL(request.url).searchParams.has(dryRun)) {
        const pages = storedPages(options.store, tags)
        return jsonResponse(200, { revalidated: false, dryRun: true, tags, ...(pages ? { pages } : { hint: noPages }) })
      }
      const partial = await withTimeout(timeout, callInvalidate(options, tags))
      if (options.content) log('Pages purged', method, `${tags.length} tags`, tags, write)
      const listed = chosen.isListed && { tags }
      if (!(partial instanceof EndpointError)) return jsonResponse(200, { revalidated: true, ...listed })
      log(partial.message, method, String(partial.detail.reason))
      return jsonResponse(partial.status, { error: partial.message, revalidated: false, ...listed })
    } catch (error) {
      if (error instanceof EndpointError) throw error
      log('Revalidation failed', method, describeError(error), tags)
      throw new EndpointError(503, 'Revalidation failed')
    }
  }

  const respond = async (request: Request): Promise<Response> => {
    if (!methods.includes(request.method)) throw new EndpointError(405, 'Method not allowed')
    if (!authorize) throw new EndpointError(500, notConfigured, { reason: noSecret })
    const { body, delivery } = await authorize(request)
    if (delivery === undefined) return await purge(request, body)
    const response = await runDelivery(delivery, () => purge(request, body))
    if (!response) throw invalidToken('delivered already')
    return response
  }

  return expectRequest(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== path && pathname !== `${path}/`) return undefined
    try {
      return await respond(request)
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error
      const { status, message } = error
      const { reason, hint } = error.detail
      const reasons = [reason, hint].filter((text) => text !== undefined)
      const line = reasons.length > 0 ? message : 'Revalidate request rejected'
      const text = status === 401 ? 'Invalid token for revalidate request' : line
      // A failed purge is already logged, with its tags.
      if (status !== 503) log(text, request.method, reasons.join('; ') || message)
      return jsonResponse(
        status,
        { error: message, revalidated: false, ...(hint && isDevelopment() && { hint }) },
        {
          ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
          ...(status === 405 && { Allow: methods.join(', ') }),
        },
      )
    }
  })
}

const maxTagListBytes = 64 * 1024
const maxPayloadBytes = 2 * 1024 ** 2
const notConfigured = 'Revalidation is not configured'
const noPages =
  'pages: listed only for a memoryStore, by the option store; stores on disk and in Redis cannot list theirs'
const noSecret = 'secret is missing or empty: set it in the environment of the server'

/**
 * Calls `invalidate` with a copy of the tags, because it may modify them. Also rejects if it throws synchronously.
 *
 * @returns The result of `invalidate`. An adapter returns an EndpointError if part of the site cannot be purged at all:
 *   a rejection would make the CMS send the payload again, in vain.
 */
async function callInvalidate({ invalidate, images }: RevalidateOptions, tags: readonly string[]): Promise<unknown> {
  // Images are purged before a CDN, which would otherwise fetch the old images again.
  await images?.invalidate(tags.filter((tag) => images.tagOf(tag) === tag))
  return invalidate([...tags])
}

/**
 * Creates the log of the endpoint: one line a minute for each reason, because any client can send wrong tokens. Reasons
 * that differ only in quoted text, such as tags, or in numbers, such as the age of a signature, count as the same.
 * `write` replaces the throttled log for lines that are always written.
 *
 * @param redact Removes secrets from reasons and tags.
 */
function createEndpointLog(log: Log, path: string, redact: (text: string) => string) {
  const throttled = throttleLog(log, {
    keyOf: (message, { reason }) => message + String(reason).replace(/"(?:[^"\\]|\\.?)*(?:"|$)|\d+/gs, ''),
  })
  return (message: string, method: string, reason: string, tags?: readonly string[], write = throttled): void => {
    write(message, {
      reason: redact(reason),
      method,
      path,
      ...(tags && { tags: tags.slice(0, 10).map((tag) => truncate(redact(tag), 100)) }),
      ...(tags && tags.length > 10 && { moreTags: tags.length - 10 }),
    })
  }
}
