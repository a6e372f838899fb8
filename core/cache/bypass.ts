import { cookiesOf, languageCookie } from '../http/cookies.js'
import { optionError } from '../option-error.js'
import { matchNames } from '../options.js'
import { createHostCheck } from '../routes.js'
import type { ResolvedOptions } from './resolve-options.js'

/**
 * Cookies that analytics, consent banners, load balancers and bot checks set for themselves. Pages do not depend on
 * them. A trailing `*` matches any ending.
 */
export const trackingCookies: readonly string[] = (
  '_ga* _gid _gat* _gac_* _gcl_* __utm* _fbp _fbc _hj* _pk_* _clck _clsk _uet* _tt_* _ttp _scid* _pin_unauth __hs* hubspotutk ' +
  'ajs_* mp_* ph_* OptanonConsent OptanonAlertBoxClosed CookieConsent cookielawinfo-* __cf* _cfuvid cf_clearance AWSALB*'
).split(' ')

type HeadersOf = Pick<Request, 'headers'>

/**
 * Creates the option `bypass` from the names of personal cookies, such as a session cookie. Requests with one of these
 * cookies, or with `Authorization`, bypass the cache. All other requests are answered from the cache, and the handler
 * receives only the cookies that are named in the option `cookies`.
 *
 * @param names Names of cookies; a trailing `*` matches any ending.
 * @throws TypeError if there is no name, or if a name is malformed.
 * @example createResponseCache({ store, bypass: withCookies('session', 'preview') })
 */
export function withCookies(...names: readonly string[]): (request: HeadersOf) => boolean {
  const invalid = names.length === 0 ? names : names.find((name) => typeof name !== 'string')
  if (invalid !== undefined) throw optionError('withCookies', "names of cookies, such as 'session'", invalid)
  const isNamed = matchNames('withCookies', names)
  return ({ headers }) => headers.has('authorization') || cookiesOf(headers).some(([name]) => isNamed(name))
}

/**
 * Creates the function that returns why a GET or HEAD request is the visitor's own, or `undefined` if its page is for
 * all visitors. Without the option `bypass`, a request is the visitor's own if it has `Authorization`, or a cookie that
 * is neither declared nor one of {@link trackingCookies}.
 */
export function createBypass(
  { bypass, cookies, hosts }: ResolvedOptions,
  logOnce: (message: string, name: string, advice: string) => void,
) {
  const isOfSite = hosts && createHostCheck(hosts)
  // The language cookie is harmless: a page that depends on it has a declared field, whose function reads the cookie.
  const isHarmless = matchNames('cookies', [...cookies, ...trackingCookies, languageCookie])

  const hasPersonalCookie = (headers: Headers): boolean => {
    const [name] = cookiesOf(headers).find(([cookie]) => !isHarmless(cookie)) ?? []
    if (name === undefined) return false
    const advice = `bypass: withCookies('session') for session cookies; cookies: ['${name}'] if many visitors share its value`
    logOnce('Response cache: requests with this cookie pass the cache', name, advice)
    return true
  }

  return (request: Request): string | undefined => {
    const { headers } = request
    if (headers.has('upgrade')) return 'bypass'
    if (bypass) {
      const answer: unknown = bypass(request)
      // A promise is truthy, so every request would bypass the cache.
      if (answer instanceof Promise) throw optionError('bypass', 'a function that returns true or false', answer)
      if (answer) return 'bypass'
    } else if (headers.has('authorization')) return 'authorization'
    else if (headers.has('cookie') && hasPersonalCookie(headers)) return 'cookie'
    return !isOfSite || isOfSite(request) ? undefined : 'unknown-host'
  }
}
