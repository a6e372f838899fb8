import { wasBodyRead } from '../parsed-body.js'
import { createBearerVerifier, type Secret } from './bearer.js'
import { readBody } from './body.js'
import { type EndpointError, errors } from './errors.js'

/**
 * Verifies a request by its raw body and its headers. Only `true` accepts it; `false`, a string (the reason, for the
 * log) or an error rejects it.
 */
export interface VerifyRequest {
  (body: Uint8Array<ArrayBuffer>, headers: Headers): boolean | string | Promise<boolean | string>
  /**
   * Returns what identifies a signed delivery, once it was verified. The endpoint accepts each one once, until it has
   * accepted 10,000 others; one that failed (503) is accepted again. Each process remembers its own. Default: deliveries
   * have no identity, and each is accepted.
   */
  deliveryOf?: ((headers: Headers) => string) | undefined
  /** Removes secrets of the request from a text for the log. Default: none are in a body. */
  redact?: ((text: string) => string) | undefined
}

/** An accepted request with its body, if that was read; a rejected one with the reason; or why the body is unreadable. */
export type AuthorizeResult =
  | { authorized: true; body?: Uint8Array<ArrayBuffer>; delivery?: string; reason?: never; error?: never; hint?: never }
  | { authorized: false; reason: string; hint?: string; error?: never; body?: never; delivery?: never }
  | { authorized: false; error: EndpointError; hint?: string; reason?: never; body?: never; delivery?: never }

export type Authorize = (request: Request) => Promise<AuthorizeResult>

/**
 * Creates the function that authorizes requests: by `verify` if given, by a bearer token otherwise. Returns `undefined`
 * when neither is configured, so that no request is accepted.
 *
 * @throws TypeError when both are given, or a secret is malformed.
 */
export function createAuthorize(options: {
  secret?: Secret
  verify?: VerifyRequest | undefined
}): Authorize | undefined {
  const { secret, verify } = options
  const verifyBearer = createBearerVerifier(secret)
  if (!verify) return verifyBearer && (async ({ headers }) => toResult(verifyBearer(headers.get('Authorization'))))
  if (verifyBearer)
    throw new TypeError('secret, verify: expected one of them, got both; verify replaces the bearer token')

  return async (request) => {
    const hint = wasBodyRead(request) ? { hint: bodyWasRead } : undefined
    const { bytes, error } = await readBody(request)
    if (error) return { authorized: false, error, ...(error === errors.bodyUnreadable && hint) }
    const result = toResult(await callVerify(verify, bytes, request.headers), bytes)
    if (result.reason !== undefined && aboutSignature.test(result.reason)) return { ...result, ...hint }
    const delivery = result.authorized ? verify.deliveryOf?.(request.headers) : undefined
    return result.authorized && delivery !== undefined ? { ...result, delivery } : result
  }
}

// Our own, and that of the packages of Standard Webhooks and Svix.
const aboutSignature = /\b(?:wrong|no matching) signature\b/i
const bodyWasRead =
  'a body parser has read the body before, and what was signed is gone: mount the endpoint before the parser, app.use(expressMiddleware(revalidate)) above app.use(express.json())'

function toResult(verified: true | string, body?: Uint8Array<ArrayBuffer>): AuthorizeResult {
  if (verified !== true) return { authorized: false, reason: verified }
  return { authorized: true, ...(body && { body }) }
}

async function callVerify(verify: VerifyRequest, body: Uint8Array<ArrayBuffer>, headers: Headers) {
  try {
    const result = await verify(body, headers)
    if (result === true) return true
    return typeof result === 'string' && result ? result : 'wrong signature'
  } catch (error) {
    // Signature libraries throw when a signature is wrong.
    return error instanceof Error ? error.message : String(error)
  }
}
