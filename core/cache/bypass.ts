import { cookiesOf, languageCookie } from '../http/cookies.js'
import { optionError } from '../option-error.js'
import { matchNames } from '../options.js'
import { createHostCheck } from '../routes.js'
import { trackingCookies } from '../tracking-cookies.js'
import type { ResolvedOptions } from './resolve-options.js'

const maxCountedNames = 20

type HeadersOf = Pick<Request, 'headers'>

/**
 * Creates the option `bypass` from the names of personal cookies, such as a session cookie. Requests with one of these
 * cookies, or with `Authorization`, bypass the cache. All other requests are answered from the cache, and the handler
 * receives only the cookies that are named in the option `cookies`.
 *
 * @param names Names of cookies; a trailing `*` matches any ending.
 * @throws TypeError if there is no name, or if a name is malformed.
 * @example createResponseCache({ store, bypass: withCookies('session', 'wordpress_logged_in_*') })
 */
export function withCookies(...names: readonly string[]): (request: HeadersOf) => boolean {
  const invalid = names.length === 0 ? names : names.find((name) => typeof name !== 'string')
  if (invalid !== undefined) throw optionError('withCookies', "names of cookies, such as 'session'", invalid)
  const isNamed = matchNames('withCookies', names)
  const bypass = ({ headers }: HeadersOf) =>
    headers.has('authorization') || cookiesOf(headers).some(([name]) => isNamed(name))
  // Handlers read the field `Cookie` for these, so the cache does not warn of it.
  return Object.assign(bypass, { namesCookies: true })
}

/**
 * Creates the function that returns why a GET or HEAD request is the visitor's own, or `undefined` if its page is for
 * all visitors. Without the option `bypass`, a request is the visitor's own if it has `Authorization`, or a cookie that
 * is neither declared nor one of `trackingCookies`.
 */
export function createBypass({ bypass, cookies, hosts, log }: ResolvedOptions) {
  const isOfSite = hosts && createHostCheck(hosts)
  // The language cookie is harmless: a page that depends on it has a declared field, whose function reads the cookie.
  const isHarmless = matchNames('cookies', [...cookies, ...trackingCookies, languageCookie])
  const counts = new Map<string, number>()

  /** Counts the requests that pass the cache because of a cookie. Logs the 1st, 10th, 100th and so on. */
  const count = (name: string) => {
    // Counts no further names, because visitors can make them up.
    if (counts.size >= maxCountedNames && !counts.has(name)) return
    const requests = (counts.get(name) ?? 0) + 1
    counts.set(name, requests)
    if (!/^10*$/.test(String(requests))) return
    const advice = `bypass: withCookies('session') for session cookies; cookies: ['${name}'] if many visitors share its value`
    log('Response cache: requests with this cookie pass the cache', { name: name.slice(0, 100), requests, advice })
  }

  const hasPersonalCookie = (headers: Headers): boolean => {
    const personal = cookiesOf(headers).filter(([name]) => !isHarmless(name))
    for (const [name] of personal) count(name)
    return personal.length > 0
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
