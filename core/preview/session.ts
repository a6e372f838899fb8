import { constantTimeEqual } from '../crypto.js'
import { cookiesOf } from '../http/cookies.js'
import { createHmac } from '../image/sign.js'
import { decodeSource, encodeSource } from '../image/url.js'
import { secretError } from '../option-error.js'

const cookieName = 'sitewright-preview'
const encoder = new TextEncoder()

/**
 * Creates the tokens of one kind: `base64url(JSON).base64url(HMAC-SHA256)`. The kind is signed, too,
 * so a token is valid only as its own kind. The data has its expiry in `until`, in seconds since 1970.
 *
 * @param secrets The first one signs, and all are accepted. Without any, no token is valid.
 */
export function createTokens<Data extends { until: number }>(kind: string, secrets: readonly string[]) {
  const signers = secrets.map((secret) => createHmac(encoder.encode(secret), encoder.encode(`sitewright ${kind}:`)))
  return {
    /** @throws TypeError without a secret. */
    create(data: Data): string {
      const [sign] = signers
      if (!sign) throw secretError('secret', 'the secret of createPreview', 'none')
      const text = encodeSource(JSON.stringify(data))
      return `${text}.${sign(text)}`
    },
    /** Returns the data of a token, even if it has expired, or `undefined` if no secret has signed it. */
    read(token: string): Data | undefined {
      const [text = '', signature = '', rest] = token.split('.', 3)
      let matches = 0
      for (const sign of signers) matches |= Number(constantTimeEqual(signature, sign(text)))
      return matches === 1 && rest === undefined ? JSON.parse(decodeSource(text) ?? 'null') : undefined
    },
  }
}

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
