import { constantTimeEqual, sha256Hex } from './crypto.js'
import { formatKind, secretError } from './option-error.js'

/** One secret, or several during a rotation. Empty and missing secrets match nothing. */
export type Secret = string | readonly (string | undefined)[] | undefined

// Tokens of more characters are neither parsed nor hashed. Servers have the same limit by default.
export const maxTokenLength = 8192

// A token is visible ASCII except the comma, which joins two headers into one. RFC 6750 allows fewer characters, but a
// secret with a `!` or `$` does no harm.
export const validToken = /^[\x21-\x2b\x2d-\x7e]+$/

/**
 * Returns the secrets that are neither missing nor empty.
 *
 * @throws TypeError if one of them has fewer characters than `minLength`, or cannot be sent in a header.
 */
export function checkSecrets(secret: Secret, minLength = 0): string[] {
  const secrets = (Array.isArray(secret) ? secret : [secret]).filter((text) => text !== undefined && text !== '')
  for (const text of secrets) {
    if (typeof text === 'string' && text.length <= maxTokenLength && validToken.test(text)) continue
    const expected = 'up to 8,192 visible ASCII characters without comma or white space'
    const hint = 'check for white space at its end, or use the output of `openssl rand -hex 32`'
    if (typeof text === 'object' && text !== null) throw secretError('secret', expected, formatKind(text))
    throw secretError('secret', expected, 'a value that no Authorization header can carry', hint)
  }
  const isShort = (secrets as string[]).some(({ length }) => length < minLength)
  if (isShort)
    throw secretError('secret', `${minLength} characters or more`, 'fewer', 'use the output of `openssl rand -hex 32`')
  return secrets as string[]
}

/**
 * Creates a function that returns whether a text is one of the secrets. It always compares the whole SHA-256 digests of
 * all secrets, so that its timing reveals neither how much of a guess was right, nor the length of a secret, nor which
 * secret matched.
 *
 * @example createSecretMatcher(['new-secret', 'old-secret'])('old-secret') // true
 */
export function createSecretMatcher(secrets: readonly string[]): (text: string) => boolean {
  const digests = secrets.map(sha256Hex)
  return (text) => {
    const digest = sha256Hex(text)
    let matches = 0
    for (const expected of digests) matches |= Number(constantTimeEqual(digest, expected))
    return matches === 1
  }
}

/**
 * Creates a function that replaces secrets in a text with `[secret]`, for logs, because services repeat requests in
 * their errors. It finds secrets that are unencoded, percent-encoded as in a URL, or escaped as in JSON.
 *
 * @example createRedact(['a-token'])('HTTP 401: bad token a-token') // 'HTTP 401: bad token [secret]'
 */
export function createRedact(secrets: readonly (string | undefined)[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => {
      // Shorter secrets occur in many texts by chance.
      if (typeof secret !== 'string' || secret.length < 4) return []
      const json = JSON.stringify(secret).slice(1, -1)
      // PHP escapes slashes.
      return [secret, encodeURIComponent(secret), json, json.replaceAll('/', '\\/')]
    })
    // A secret may begin with another one.
    .sort((a, b) => b.length - a.length)
  return (text) => spellings.reduce((redacted, spelling) => redacted.replaceAll(spelling, '[secret]'), text)
}
