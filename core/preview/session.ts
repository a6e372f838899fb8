import { cookiesOf } from '../http/cookies.js'

const cookieName = 'sitewright-preview'

/** Returns a time as tokens have it, in seconds since 1970. */
export function secondsFromNow(hours = 0): number {
  return Math.floor(Date.now() / 1000 + hours * 3600)
}

/** Returns the values of the preview cookies of a request, which may have several. */
export function previewCookies(headers: Headers): string[] {
  const own = cookiesOf(headers).filter(([name]) => name === cookieName || name === `${cookieName}-frame`)
  return own.map(([, pair]) => pair.slice(pair.indexOf('=') + 1).trim())
}

/**
 * Formats the cookie that turns the preview on, or off if it has no value. In an iframe, browsers accept only a cookie
 * that is `SameSite=None` and `Partitioned` (CHIPS). It has a name of its own, because an iframe of the same site also
 * sends the cookie of the page.
 *
 * @param seconds Lifetime of the cookie.
 */
export function formatCookie({ headers, url }: Request, isFrame: boolean, value = '', seconds = 0): string {
  // Safari accepts no Secure cookie of a development server without TLS.
  const isPlain =
    /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url) && headers.get('x-forwarded-proto') !== 'https'
  const rules = isFrame ? 'Secure; SameSite=None; Partitioned' : `${isPlain ? '' : 'Secure; '}SameSite=Lax`
  return `${cookieName}${isFrame ? '-frame' : ''}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; ${rules}`
}
