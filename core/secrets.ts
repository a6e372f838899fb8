import { constantTimeEqual, sha256Hex } from './crypto.js'

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
