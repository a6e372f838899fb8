import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { constantTimeEqual } from '../constant-time.js'

/** One secret, or several while one takes the place of another. Those that are empty or missing match nothing. */
export type Secret = string | readonly (string | undefined)[] | undefined

/** Why an `Authorization` header is refused. It goes to the log, never to the client. */
export type BearerFault =
  | 'no Authorization header'
  | 'not the Bearer scheme'
  | 'no token'
  | 'malformed token'
  | 'wrong token'

/** Tells whether an `Authorization` header bears a secret: `true`, or else why not. */
export type BearerCheck = (authorization: string | null) => true | BearerFault

// In characters. No server takes a longer header by default; what is longer is neither parsed nor hashed.
const maxTokenLength = 8192
const maxHeaderLength = maxTokenLength + 100

// RFC 9110, section 11.4: scheme in any letter case, 1*SP, credentials.
const credentials = /^([^ ]*)(?: +(.*))?$/s
// What one Authorization header can bear: visible ASCII. A comma is what joins two headers to one, and no RFC 6750
// token has any. RFC 6750's own alphabet is narrower still, but a secret with a `!` or `$` does no harm.
const plainToken = /^[\x21-\x2b\x2d-\x7e]+$/
const encoder = new TextEncoder()

/**
 * Creates the check of a bearer token (RFC 6750, section 2.1). The comparison is of digests, with every secret and to
 * the end, so that its time tells neither how much of a guess was right, nor how long a secret is, nor which one it was.
 *
 * Gives `undefined` when there is no secret, or only empty ones.
 *
 * @throws TypeError when a secret could not be sent in a header: white space, a comma, non-ASCII, over 8,192 characters.
 * @example
 * const check = createBearerCheck(['new-secret', 'old-secret'])
 * check?.('Bearer old-secret') // true
 * check?.('Basic b2xkLXNlY3JldA==') // 'not the Bearer scheme'
 */
export function createBearerCheck(secret: Secret): BearerCheck | undefined {
  const digests = listSecrets(secret).map(digest)
  if (digests.length === 0) return undefined

  return (authorization) => {
    if (!authorization) return 'no Authorization header'
    if (authorization.length > maxHeaderLength) return 'malformed token'
    const [, scheme, token] = credentials.exec(authorization) ?? []
    if (scheme?.toLowerCase() !== 'bearer') return 'not the Bearer scheme'
    if (!token) return 'no token'
    if (token.length > maxTokenLength || !plainToken.test(token)) return 'malformed token'
    const given = digest(token)
    let matches = 0
    for (const expected of digests) matches |= Number(constantTimeEqual(given, expected))
    return matches === 1 || 'wrong token'
  }
}

function listSecrets(secret: Secret): string[] {
  const secrets = (typeof secret === 'object' ? secret : [secret]).filter((each) => each !== undefined && each !== '')
  for (const each of secrets) {
    if (typeof each === 'string' && each.length <= maxTokenLength && plainToken.test(each)) continue
    // The secret itself is not named: errors end up in logs.
    throw new TypeError(
      'secret: no Authorization header can bear it; write up to 8,192 visible ASCII characters without comma or white ' +
        'space (also none at its end), such as the output of `openssl rand -hex 32`',
    )
  }
  return secrets as string[]
}

function digest(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)))
}
