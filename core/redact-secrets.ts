/** Shorter ones are in many a text by chance. */
const minLength = 4

/**
 * Creates a function that replaces secrets in a text by `[secret]`: for logs, since services repeat in their errors what they
 * were sent. It knows them as they are, in a URL and in JSON.
 *
 * @example createRedact(['a-token'])('HTTP 401: bad token a-token') // 'HTTP 401: bad token [secret]'
 */
export function createRedact(secrets: readonly (string | undefined)[]): (text: string) => string {
  const spellings = secrets
    .flatMap((secret) => {
      if (typeof secret !== 'string' || secret.length < minLength) return []
      return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
    })
    // A secret may begin with another one.
    .sort((a, b) => b.length - a.length)
  return (text) => spellings.reduce((redacted, spelling) => redacted.replaceAll(spelling, '[secret]'), text)
}
