import { describeError } from '../describe-error.js'
import type { RouteHandler } from '../handler.js'
import { parseRoutePath } from '../route-path.js'
import { checkTimeout } from '../timeout.js'
import { createAuthorize, type VerifyRequest } from './authorize.js'
import type { Secret } from './bearer.js'
import { readBody } from './body.js'
import { type Invalidate, invalidateWithin } from './invalidate.js'
import { parseTags } from './options.js'
import { invalidTokenWarning, refusalResponse, refusals, revalidatedResponse, unconcernedResponse } from './refusals.js'
import { mapPayload, type NarrowedTags, narrowTags, type TagsOf } from './tags.js'

export interface RevalidateOptions {
  /**
   * The token that a request must bear: visible ASCII without comma or white space. A list while one takes the place of
   * another. Without any, or with empty ones only, requests are answered with 500.
   */
  secret?: Secret
  /**
   * Makes what bears one of these tags be rendered anew: the `invalidate` of a response cache, or Next.js'
   * `revalidateTag`. When it throws or rejects, the answer is 503, so that the CMS tries again.
   */
  invalidate: Invalidate
  /** The path that is answered. Default `'/api/revalidate'`. */
  path?: string | undefined
  /** What is invalidated. Default `['document']`. */
  tags?: readonly string[] | undefined
  /** Whether a JSON body `{"tags": […]}` may narrow `tags`. Default `false`: the body is left unread. */
  allowTags?: boolean | undefined
  /**
   * In place of `tags`: which of them the payload of a webhook concerns, as the CMS sends it. An empty list invalidates
   * nothing, and the answer is 200 `{"revalidated":false}`; when it throws, the answer is 503.
   */
  tagsOf?: TagsOf | undefined
  /** Whether `GET` does the same, for a CMS that can send nothing else. Default `false`. */
  allowGet?: boolean | undefined
  /** In place of `secret`: checks the signature that a CMS puts on its webhooks. */
  verify?: VerifyRequest | undefined
  /** Longest wait for `invalidate`, in milliseconds; then the answer is 503. Default 10,000. */
  timeout?: number | undefined
  /** Told what an operator should know, and never a token. Default: `console.warn`. */
  log?: ((message: string, detail: Record<string, unknown>) => void) | undefined
}

/**
 * Creates the revalidation endpoint: `POST /api/revalidate` with `Authorization: Bearer {secret}` invalidates the tags
 * and answers 200 `{"revalidated":true}`; another path is not answered. A refusal is
 * `{"error":…,"revalidated":false}`, the first of these that holds:
 *
 * 1. 405 another method;
 * 2. 500 neither secret nor `verify` configured;
 * 3. 401 invalid token (with `verify`, which needs the body, 413 and 400 for the body come before it);
 * 4. 413 a body of over 64 KB, 400 a body that names no tags of ours (with `allowTags`);
 * 5. 503 `invalidate` failed.
 *
 * @throws TypeError that names the option when one is malformed.
 * @example
 * const revalidate = createRevalidateEndpoint({
 *   secret: process.env.REVALIDATE_SECRET,
 *   invalidate: (tags) => pages.invalidate(tags),
 * })
 */
export function createRevalidateEndpoint(options: RevalidateOptions): RouteHandler {
  const {
    invalidate,
    allowTags = false,
    allowGet = false,
    tagsOf,
    log = (message: string, detail: Record<string, unknown>) => console.warn(message, detail),
  } = options
  const path = parseRoutePath('path', options.path ?? '/api/revalidate')
  const configuredTags = parseTags(options.tags ?? ['document'])
  if (tagsOf && (allowTags || options.tags)) throw new TypeError('tagsOf: leave out tags and allowTags beside it')
  const timeout = checkTimeout(options.timeout ?? 10_000)
  const authorize = createAuthorize(options)
  const methods = allowGet ? ['GET', 'POST'] : ['POST']

  const chooseTags = async (request: Request, body: Uint8Array | undefined): Promise<NarrowedTags> => {
    if (!tagsOf && !allowTags) return { tags: configuredTags }
    const { bytes, refusal } = body ? { bytes: body } : await readBody(request)
    if (refusal) return { refusal }
    return tagsOf ? mapPayload(tagsOf, bytes) : narrowTags(configuredTags, bytes)
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== path && pathname !== `${path}/`) return undefined
    const { method } = request
    if (!methods.includes(method)) return refusalResponse(refusals.methodNotAllowed, { Allow: methods.join(', ') })
    if (!authorize) {
      log(refusals.notConfigured.error, { reason: 'secret is missing or empty', method, path })
      return refusalResponse(refusals.notConfigured)
    }
    const { verdict, body, refusal } = await authorize(request)
    if (refusal) return refusalResponse(refusal)
    if (verdict !== true) {
      log(invalidTokenWarning, { reason: verdict, method, path })
      return refusalResponse(refusals.invalidToken, { 'WWW-Authenticate': 'Bearer' })
    }
    let tags: readonly string[] | undefined
    try {
      const narrowed = await chooseTags(request, body)
      if (narrowed.refusal) return refusalResponse(narrowed.refusal)
      tags = narrowed.tags
      if (tags.length === 0) return unconcernedResponse()
      await invalidateWithin(timeout, invalidate, tags)
      return revalidatedResponse()
    } catch (error) {
      log(refusals.failed.error, { reason: describeError(error), method, path, ...(tags && { tags }) })
      return refusalResponse(refusals.failed)
    }
  }
}
