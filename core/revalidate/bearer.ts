import { secretError } from '../option-error.js'
import { createSecretMatcher } from '../secrets.js'

/** One secret, or several during a rotation. Empty and missing ones match nothing. */
export type Secret = string | readonly (string | undefined)[] | undefined

/** Why an `Authorization` header is rejected: for the log, never for the client. */
export type BearerRejection =
  | 'no Authorization header'
  | 'not the Bearer scheme'
  | 'no token'
  | 'malformed token'
  | 'wrong token'

/** Verifies an `Authorization` header: returns `true`, or why it is rejected. */
export type BearerVerifier = (authorization: string | null) => true | BearerRejection

// In characters. Servers accept no longer headers by default; longer ones are neither parsed nor hashed.
const maxTokenLength = 8192
const maxHeaderLength = maxTokenLength + 100

// RFC 9110, section 11.4: scheme in any letter case, 1*SP, credentials.
const credentials = /^([^ ]*)(?: +(.*))?$/s
// Visible ASCII without comma, which joins two headers into one. The alphabet of RFC 6750 is narrower and has no comma
// either, but a secret with a `!` or `$` does no harm.
const validToken = /^[\x21-\x2b\x2d-\x7e]+$/

/**
 * Creates a verifier for bearer tokens (RFC 6750, section 2.1). Tokens are compared in constant time, with every secret.
 * Returns `undefined` when there is no secret, or only empty ones.
 *
 * @throws TypeError when a header cannot carry a secret: white space, a comma, non-ASCII, over 8,192 characters.
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
    if (authorization.length > maxHeaderLength) return 'malformed token'
    const [, scheme, token] = credentials.exec(authorization) ?? []
    if (scheme?.toLowerCase() !== 'bearer') return 'not the Bearer scheme'
    if (!token) return 'no token'
    if (token.length > maxTokenLength || !validToken.test(token)) return 'malformed token'
    return isSecret(token) || 'wrong token'
  }
}

function checkSecrets(secret: Secret): string[] {
  const secrets = (Array.isArray(secret) ? secret : [secret]).filter((each) => each !== undefined && each !== '')
  for (const each of secrets) {
    if (typeof each === 'string' && each.length <= maxTokenLength && validToken.test(each)) continue
    throw secretError(
      'secret',
      'up to 8,192 visible ASCII characters without comma or white space',
      'a value that no Authorization header can carry',
      'check for white space at its end, or use the output of `openssl rand -hex 32`',
    )
  }
  return secrets as string[]
}
