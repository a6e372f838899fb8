import { wasBodyRead } from '../handler.js'
import { BodyTooLargeError, readBytes, readPieces } from '../http/body.js'
import { checkSecrets, createSecretMatcher, maxTokenLength, type Secret, validToken } from '../secrets.js'

/**
 * Thrown to reject a request, and by the `invalidate` of an adapter if a part of the site is not purged. The endpoint
 * responds with `{"error":…,"revalidated":false}`.
 */
export class EndpointError extends Error {
  override name = 'EndpointError'
  readonly status: number
  readonly detail: ErrorDetail

  /** @param message The `error` of the response. */
  constructor(status: number, message: string, detail: ErrorDetail = {}) {
    super(message)
    this.status = status
    this.detail = detail
  }
}

interface ErrorDetail {
  /** The reason for the log. Default: the message. */
  reason?: string
  /** Advice for the developer. It is logged and, in development, also sent to the client. */
  hint?: string | undefined
  /** The tags that were not purged, for the log. */
  tags?: readonly string[] | undefined
  /** The tags that the response lists. */
  listed?: readonly string[] | undefined
}

/**
 * Verifies a request by its raw body and its headers. Only `true` accepts it; `false`, a string (the reason, for the
 * log) or an error rejects it.
 */
export interface VerifyRequest {
  (body: Uint8Array<ArrayBuffer>, headers: Headers): boolean | string | Promise<boolean | string>
  /**
   * Returns the identity of a signed delivery that has been verified. The endpoint accepts each delivery once, until it
   * has accepted 10,000 other deliveries; a delivery that failed (503) is accepted again. Each process remembers only
   * its own deliveries. Default: deliveries have no identity, and every delivery is accepted.
   */
  deliveryOf?: ((headers: Headers) => string) | undefined
  /** Removes the request's secrets from a text for the log. Default: the text is logged unchanged. */
  redact?: ((text: string) => string) | undefined
}

/** An accepted request: its body, if it was read, and the identity of a signed delivery. */
interface AuthorizedRequest {
  body?: Uint8Array<ArrayBuffer>
  delivery?: string | undefined
}

/**
 * Creates the function that authorizes requests, by `verify` if it is given, otherwise by a bearer token. Returns
 * `undefined` if neither is configured, in which case no request is accepted. The function throws an EndpointError if
 * the request is rejected, or its body cannot be read.
 *
 * @throws TypeError if both are given, or if a secret is malformed.
 */
export function createAuthorize(secret: Secret, verify: VerifyRequest | undefined, readBody: ReadBody) {
  const verifyBearer = createBearerVerifier(secret)
  if (verify && verifyBearer) {
    throw new TypeError('secret, verify: expected one of them, got both; verify replaces the bearer token')
  }
  if (!verify && !verifyBearer) return undefined
  return async (request: Request): Promise<AuthorizedRequest> => {
    const { headers } = request
    const hint = verify && wasBodyRead(request) ? bodyWasRead : undefined
    const body = verify && (await readBody(request, hint))
    const result = body ? await callVerify(verify, body, headers) : verifyBearer?.(headers.get('Authorization'))
    if (result === true) return body ? { body, delivery: verify.deliveryOf?.(headers) } : {}
    const reason = String(result)
    throw invalidToken(reason, aboutSignature.test(reason) ? hint : undefined)
  }
}

/** Creates the 401 for a token or signature. */
export function invalidToken(reason: string, hint?: string): EndpointError {
  return new EndpointError(401, 'Invalid token', { reason, hint })
}

// The pattern matches our own error messages, and the messages of the Standard Webhooks and Svix packages.
const aboutSignature = /\b(?:wrong|no matching) signature\b/i
const bodyWasRead =
  'a body parser has read the body before, and what was signed is gone: mount the endpoint before the parser, app.use(expressMiddleware(revalidate)) above app.use(express.json())'

async function callVerify(verify: VerifyRequest, body: Uint8Array<ArrayBuffer>, headers: Headers) {
  try {
    const result = await verify(body, headers)
    return result === true || (typeof result === 'string' && result) || 'wrong signature'
  } catch (error) {
    // Signature libraries throw when a signature is wrong.
    return error instanceof Error ? error.message : String(error)
  }
}

/** Reads the body of a request. The hint becomes part of the error if the body cannot be read. */
export type ReadBody = (request: Request, hint?: string) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Creates the function that reads bodies of up to `maxBodyBytes`.
 *
 * The function throws an EndpointError if the body is larger, the client has disconnected, or the body has already been
 * read.
 */
export function createReadBody(maxBodyBytes: number): ReadBody {
  const limit = maxBodyBytes % 1024 === 0 ? `${maxBodyBytes / 1024} KB` : `${maxBodyBytes} bytes`
  const tooLarge = (length: string | null) =>
    new EndpointError(413, `Body is larger than ${limit}`, {
      reason: `maxBodyBytes: expected up to ${maxBodyBytes} bytes, got ${length ?? 'more'}; ${smallerPayload}, or raise it`,
    })
  return async ({ headers, body }, hint) => {
    const length = headers.get('Content-Length')
    // The length is checked before the body is read, because servers handle an unread body better than a partly read
    // body.
    if (Number(length) > maxBodyBytes) throw tooLarge(length)
    try {
      return await readBytes(readPieces(body), maxBodyBytes)
    } catch (error) {
      throw error instanceof BodyTooLargeError ? tooLarge(length) : new EndpointError(400, unreadable, { hint })
    }
  }
}

const unreadable = 'Body could not be read'
const smallerPayload = 'have the CMS send less (a projection in Sanity, a custom payload in Contentful)'

/**
 * Verifies an `Authorization` header. Returns `true`, or the reason for the rejection, which is for the log and never
 * for the client.
 */
export type BearerVerifier = (authorization: string | null) => true | string

// The header has a scheme in any letter case, spaces and credentials (RFC 9110, section 11.4).
const credentials = /^([^ ]*)(?: +(.*))?$/s

/**
 * Creates a verifier for bearer tokens (RFC 6750, section 2.1). Tokens are compared in constant time, with every
 * secret. Returns `undefined` if there is no secret, or if all secrets are empty.
 *
 * @throws TypeError if a secret cannot be sent in a header, because it contains white space, a comma or non-ASCII
 *   characters, or has more than 8,192 characters.
 * @example
 * const verify = createBearerVerifier(['new-secret', 'old-secret'])
 * verify?.('Bearer old-secret') // true
 * verify?.('Basic b2xkLXNlY3JldA==') // 'not the Bearer scheme'
 */
export function createBearerVerifier(secret: Secret): BearerVerifier | undefined {
  const secrets = checkSecrets(secret)
  if (secrets.length === 0) return undefined
  const isSecret = createSecretMatcher(secrets)

  return (authorization) => {
    if (!authorization) return 'no Authorization header'
    if (authorization.length > maxTokenLength + 100) return 'malformed token'
    const [, scheme, token] = credentials.exec(authorization) ?? []
    if (scheme?.toLowerCase() !== 'bearer') return 'not the Bearer scheme'
    if (!token) return 'no token'
    if (token.length > maxTokenLength || !validToken.test(token)) return 'malformed token'
    return isSecret(token) || 'wrong token'
  }
}
