import { describeError } from '../describe-error.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { jsonResponse } from '../http/json-response.js'
import { checkKnownOptions, functionAs, type OptionChecks, required, unchecked, withMethod } from '../known-options.js'
import type { Log } from '../log.js'
import { checkBoolean, checkFunction } from '../option-error.js'
import { parseRoutePath } from '../route-path.js'
import { createRedact } from '../secrets.js'
import { checkTimeout, withTimeout } from '../timeout.js'
import { createAuthorize, type VerifyRequest } from './authorize.js'
import type { Secret } from './bearer.js'
import type { GetTags, PurgeableImages } from './body-tags.js'
import { createChooseTags } from './choose-tags.js'
import { createDeliveries } from './deliveries.js'
import { createEndpointLog } from './endpoint-log.js'
import { errorResponse, errors } from './errors.js'

/** Invalidates everything that has one of the tags. Throws or rejects when it could not. */
export type Invalidate = (tags: string[]) => unknown

/** What a request is authorized by: `secret`, or in place of it `verify`. */
export type RevalidateAuthorization =
  | {
      /**
       * Token that a request must carry: visible ASCII without comma or white space. A list during a rotation. Without any,
       * or with empty ones only, the response is a 500, which is logged at creation.
       */
      secret?: Secret
      verify?: undefined
    }
  | {
      /** Verifies the signature of a CMS webhook, in place of `secret`. */
      verify: VerifyRequest
      secret?: undefined
    }

export type RevalidateOptions = RevalidateSettings & RevalidateAuthorization

export interface RevalidateSettings {
  /**
   * Invalidates everything that has one of the tags: the `invalidate` of a response cache, or Next.js' `revalidateTag`.
   * When it throws or rejects, the response is a 503, so that the CMS tries again.
   */
  invalidate: Invalidate
  /** Path of the endpoint. Default `'/api/revalidate'`. */
  path?: string | undefined
  /**
   * Tags to invalidate. Default `['document']`. In their place `?path=/about` purges that page alone, with all its queries and
   * variants, by the tag that the response cache gives it; the response lists what was purged:
   * `{"revalidated":true,"tags":["/about"]}`. A URL of the site is its path, one of another site is 400.
   */
  tags?: readonly string[] | undefined
  /** Whether a JSON body `{"tags": […]}` may narrow `tags`. Default `false`: such a body is 400, any other is ignored. */
  allowTags?: boolean | undefined
  /**
   * Returns the tags to invalidate for the JSON payload of a webhook, in place of `tags`. For an empty list nothing is
   * invalidated and the response is 200 `{"revalidated":false}`; when it throws, the response is a 503.
   */
  getTags?: GetTags | undefined
  /**
   * The site's images, `createImages(…)`: then `?path=/media/cat.jpg` purges that image, in all widths and formats; one under
   * no source is 400. Of the tags of a body, too, those that are sources are purged there. Default: none, and each `path` is
   * that of a page.
   */
  images?: PurgeableImages | undefined
  /** Whether `GET` is allowed too, for a CMS that cannot send `POST`. Default `false`. */
  allowGet?: boolean | undefined
  /** Time limit for `invalidate`, in milliseconds; after it the response is a 503. Default 10,000. */
  timeout?: number | undefined
  /**
   * Receives warnings and errors, never a token. For each reason one a minute, which says in `suppressed` how many there
   * were since the last; of many tags the first ten, and in `moreTags` the number of the others. Default: `console.warn`.
   */
  log?: Log | undefined
}

export const revalidateChecks: OptionChecks<RevalidateOptions> = {
  secret: unchecked,
  verify: checkVerify,
  invalidate: required(functionAs('a function, such as the invalidate of a response cache')),
  path: parseRoutePath,
  tags: unchecked,
  allowTags: checkBoolean,
  getTags: checkFunction,
  images: withMethod('tagOf', 'the result of createImages, not its handler'),
  allowGet: checkBoolean,
  timeout: checkTimeout,
  log: checkFunction,
}

/**
 * Creates the revalidation endpoint: `POST /api/revalidate` with `Authorization: Bearer {secret}` invalidates the tags
 * and answers 200 `{"revalidated":true}`. Returns `undefined` for other paths. Errors are
 * `{"error":…,"revalidated":false}`, the first of these that applies:
 *
 * 1. 405 method not allowed;
 * 2. 500 neither `secret` nor `verify` configured;
 * 3. 401 invalid token (with `verify`, which needs the body, its 413 and 400 come first);
 * 4. 413 body over 64 KB, 400 body without valid tags (with `allowTags`) or with tags (without it), 400 a `path` that is none,
 *    or another parameter (a misspelt one would purge all pages; not with `verify` or `getTags`, and not `x-…`);
 * 5. 503 `invalidate` failed.
 *
 * @throws TypeError that names the option when one is malformed.
 * @example
 * const revalidate = createRevalidateEndpoint({
 *   secret: process.env.REVALIDATE_SECRET,
 *   invalidate: (tags) => cache.invalidate(tags),
 * })
 */
export function createRevalidateEndpoint(options: RevalidateOptions): RouteHandler {
  checkKnownOptions(
    options,
    revalidateChecks,
    'createRevalidateEndpoint({ secret: process.env.REVALIDATE_SECRET, invalidate: cache.invalidate })',
  )
  const { allowGet = false, timeout = 10_000 } = options
  const path = parseRoutePath('path', options.path ?? '/api/revalidate')
  const chooseTags = createChooseTags(options)
  const authorize = createAuthorize(options)
  const write: Log = options.log ?? ((message, detail) => console.warn(message, detail))
  // At once, and not when the first webhook fails: most likely the environment lacks it.
  if (!authorize) write(errors.notConfigured.error, { reason: noSecret, path })
  const deliveries = createDeliveries()
  const log = createEndpointLog(write, options.verify?.redact ?? createRedact([options.secret].flat()))
  const methods = allowGet ? ['GET', 'POST'] : ['POST']

  return expectRequest(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== path && pathname !== `${path}/`) return undefined
    const { method } = request
    if (!methods.includes(method)) return errorResponse(errors.methodNotAllowed, { Allow: methods.join(', ') })
    if (!authorize) {
      log(errors.notConfigured.error, { reason: noSecret, method, path })
      return errorResponse(errors.notConfigured)
    }
    const { authorized, body, delivery, reason, error, hint } = await authorize(request)
    if (error) {
      if (hint !== undefined) log(error.error, { reason: hint, method, path })
      return errorResponse(error, {}, hint)
    }
    if (!authorized) return reject({ reason, method, path }, hint)
    if (delivery === undefined) return purge(request, body)
    return (
      (await deliveries.run(delivery, () => purge(request, body))) ??
      reject({ reason: 'delivered already', method, path })
    )
  })

  function reject({ reason, ...detail }: { reason: string; method: string; path: string }, hint?: string): Response {
    log('Invalid token for revalidate request', {
      reason: hint === undefined ? reason : `${reason}; ${hint}`,
      ...detail,
    })
    return errorResponse(errors.invalidToken, { 'WWW-Authenticate': 'Bearer' }, hint)
  }

  async function purge(request: Request, body: Uint8Array | undefined): Promise<Response> {
    const { method } = request
    let tags: readonly string[] | undefined
    try {
      const chosen = await chooseTags(request, body)
      if (chosen.error) return errorResponse(chosen.error)
      tags = chosen.tags
      if (chosen.hasEmpty) log('Empty tag ignored', { reason: 'getTags returned an empty tag', method, path, tags })
      // Not an error, so that a CMS does not send it again.
      if (tags.length === 0) return jsonResponse(200, { revalidated: false })
      await withTimeout(timeout, callInvalidate(options, tags))
      return jsonResponse(200, { revalidated: true, ...(chosen.isListed && { tags }) })
    } catch (error) {
      log(errors.failed.error, { reason: describeError(error), method, path, tags })
      return errorResponse(errors.failed)
    }
  }
}

/** Mounted without being called, a vendor's function would reject each webhook. */
function checkVerify(option: string, value: unknown): (...args: never) => unknown {
  const name = typeof value === 'function' ? value.name : ''
  const vendor = /^verify[A-Z]/.test(name) ? name : 'verifySanity'
  return functionAs(`a function, such as ${vendor}({ secret })`)(option, value)
}

const noSecret = 'secret is missing or empty: set it in the environment of the server'

/** Calls `invalidate` with a copy of the tags, which it may modify. Rejects when it throws synchronously, too. */
async function callInvalidate({ invalidate, images }: RevalidateOptions, tags: readonly string[]): Promise<void> {
  // Before a CDN, which would fetch the old ones again.
  await images?.invalidate(tags.filter((tag) => images.tagOf(tag) === tag))
  await invalidate([...tags])
}
