import { warnOnce } from '../development.js'

/** The cookie in which the routes of localized pages remember a visitor's language. */
export const languageCookie = 'sitewright-language'

/**
 * Creates the function that warns once, in development, about a cookie on a server's own response object. It warns if
 * the handler returns a `Response` for everyone, because a shared cache may store that response.
 *
 * @param owner The object, such as `res`.
 */
export function createCookieWarning(owner: string): (cookie: string, cacheControl: string | null | undefined) => void {
  const warn = warnOnce()
  return (cookie, cacheControl) => {
    if (!cacheControl || !/\b(?:public|s-maxage)\b/i.test(cacheControl)) return
    if (/\b(?:private|no-store)\b/i.test(cacheControl)) return
    const name = cookie.split('=', 1)[0]?.slice(0, 100)
    warn(
      () =>
        `Set-Cookie: expected none on ${owner} beside a response for everyone ('${cacheControl}'), got '${name}'; this visitor gets it, and the response is stored without it, but a CDN may store both, or neither. Set it in a response of its own, or for the routes that need it`,
    )
  }
}

/** Returns the cookies of a request, each as its name and the pair that was sent (RFC 6265, section 4.2.1). */
export function cookiesOf(headers: Pick<Headers, 'get'>): [name: string, pair: string][] {
  const cookies: [string, string][] = []
  for (const piece of headers.get('cookie')?.split(';') ?? []) {
    const pair = piece.trim()
    if (pair) cookies.push([pair.split('=', 1)[0]?.trim() ?? '', pair])
  }
  return cookies
}
