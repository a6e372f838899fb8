import { warnOnce } from '../development.js'
import { handlerFields } from '../http/conditional.js'
import { cookiesOf, languageCookie } from '../http/cookies.js'
import { findHeader, hopByHopFields } from '../http/headers.js'
import { isFieldName, normalizeField } from '../http/negotiation.js'
import { optionError } from '../option-error.js'
import { matchNames } from '../options.js'
import type { StoredResponse } from './store/entry.js'

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
 * Creates the default of `bypass`: a request is personal if it has `Authorization`, or a cookie that is neither
 * declared nor one of {@link trackingCookies}. The created function returns the reason, or `undefined`.
 *
 * @param declared The option `cookies`.
 * @param onCookie Receives the name of a cookie that makes a request personal.
 */
export function createDefaultBypass(declared: readonly string[], onCookie: (name: string) => void) {
  // The language cookie is harmless: a page that depends on it has a declared field, whose function reads the cookie.
  const isHarmless = matchNames('cookies', [...declared, ...trackingCookies, languageCookie])
  return ({ headers }: HeadersOf): 'authorization' | 'cookie' | undefined => {
    if (headers.has('authorization')) return 'authorization'
    const personal = cookiesOf(headers).find(([name]) => !isHarmless(name))
    if (personal) onCookie(personal[0])
    return personal && 'cookie'
  }
}

/**
 * Returns the part of a field's value that pages depend on, or `null`. The function also gets the visitor's whole
 * request, including the fields that the handler does not receive.
 */
type ReadField = (value: string | null, request: Pick<Request, 'url' | 'headers'>) => string | null

/** Request fields by name: `true` for the value as it is, or a function that returns the relevant part of the value. */
export type DeclaredFields = Readonly<Record<string, true | ReadField>>

/**
 * A request whose page is for all visitors: the URL and the fields that the handler receives, and the key made of both.
 */
export interface Narrowed {
  readonly url: string
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly key: string
}

// The fields in which proxies state the URL that the client has requested. Pages contain this URL, so it is part of the
// key.
const forwardedFields = ['x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-proto']
// Fields that are never part of a request whose page is for all visitors.
const removedFields = ['authorization', 'accept-encoding']
// Fields that are the same for all visitors. Handlers treat a request without a User-Agent as suspicious, do not stream
// to one that looks like a bot's, and treat a request without an address as local. This address is reserved for
// documentation (RFC 5737).
const constantFields = { 'user-agent': 'Mozilla/5.0 (compatible; sitewright)', 'x-forwarded-for': '192.0.2.1' }

/**
 * Creates the function that reduces a request to the parts that pages depend on: the URL, the declared fields and
 * cookies, and the fields in which proxies state the URL. Two requests with the same key are the same for the handler.
 *
 * @throws TypeError that names the malformed option.
 */
export function createNarrow(declared: DeclaredFields, cookies: readonly string[], urlKey: (url: string) => string) {
  const readers = new Map<string, (request: Pick<Request, 'url' | 'headers'>) => string | null | undefined>()
  for (const name of forwardedFields) readers.set(name, ({ headers }) => headers.get(name))
  for (const [name, read] of Object.entries(declared)) readers.set(name.toLowerCase(), createReader(name, read))
  const isDeclared = matchNames('cookies', cookies)
  readers.set('cookie', ({ headers }) => {
    const pairs = cookiesOf(headers).flatMap(([name, pair]) => (isDeclared(name) ? [pair] : []))
    return pairs.sort().join('; ') || null
  })
  return {
    /** Whether a response may vary by a field, because the field is part of the key or is always the same. */
    isCovered: (name: string) => readers.has(name) || removedFields.includes(name),
    narrow(request: Pick<Request, 'url' | 'headers'>): Narrowed {
      const pairs: [string, string][] = []
      for (const [name, read] of readers) {
        const value = read(request)
        if (typeof value === 'string') pairs.push([name, value])
      }
      const url = urlKey(request.url)
      return { url, pairs, key: pairs.length === 0 ? url : `${url}#${JSON.stringify(pairs)}` }
    },
  }
}

function createReader(name: string, read: unknown) {
  const lower = name.toLowerCase()
  if (!isFieldName(name)) throw optionError('fields', 'names of request fields', name)
  if (lower === 'cookie') throw optionError('fields', "cookies in the option cookies, such as cookies: ['theme']", name)
  if (read !== true && typeof read !== 'function') {
    throw optionError(`fields.${name}`, 'true, or a function that returns the relevant part of the value', read)
  }
  return (request: Pick<Request, 'url' | 'headers'>): string | null | undefined => {
    const sentValue = request.headers.get(name)
    if (read === true) return sentValue === null ? null : normalizeField(lower, sentValue)
    const value: unknown = read(sentValue, request)
    if (typeof value === 'string' || value === null || value === undefined) return value
    throw optionError(`fields.${name}`, 'a function that returns a string or null', value)
  }
}

export interface HandlerRequestOptions {
  /** The signal of the waiting visitors. It may be missing, because some servers pass an imitation of a `Request`. */
  signal: AbortSignal | undefined
  /** A stored response that the handler may confirm with a 304 (RFC 9111, section 4.3.1). */
  validate?: StoredResponse | undefined
  /**
   * The visitor's request, if the response is not stored. The handler then gets its method, range and preconditions.
   */
  visitorRequest?: Request | undefined
}

/** Creates the request that the handler receives in place of the visitor's request. */
export function toHandlerRequest(
  { url, pairs }: Narrowed,
  { signal, validate, visitorRequest }: HandlerRequestOptions,
): Request {
  const headers = new Headers({ ...constantFields, host: new URL(url).host })
  for (const [name, value] of pairs) headers.set(name, value)
  for (const name of visitorRequest ? [...handlerFields, 'if-range'] : []) {
    const value = visitorRequest?.headers.get(name)
    if (typeof value === 'string') headers.set(name, value)
  }
  const etag = validate && !validate.hasGeneratedEtag && findHeader(validate.headers, 'etag')
  const modified = validate && findHeader(validate.headers, 'last-modified')
  if (etag) headers.set('if-none-match', etag)
  if (modified) headers.set('if-modified-since', modified)
  return new Request(url, { method: visitorRequest?.method ?? 'GET', headers, ...(signal && { signal }) })
}

// Handlers do not need these fields: the cache answers conditions and ranges, and the other fields concern one
// connection.
const unneededFields = new Set([
  ...hopByHopFields,
  ...handlerFields,
  'accept-encoding',
  ...'cache-control content-length content-type expect host if-modified-since if-none-match if-range pragma'.split(' '),
])

/**
 * Creates the functions that warn if a handler reads a field that it does not receive, although a visitor has sent it:
 * the visitor whose request caused the render, or a visitor who gets the stored page later. Warns once for each field.
 */
export function createFieldWarning(declared: DeclaredFields) {
  const warn = warnOnce()
  // A handler may also read a declared field on pages that do not depend on it.
  const declaredNames = new Set(Object.keys(declared).map((name) => name.toLowerCase()))
  // The fields that handlers have read: the names in lower case, and the names as the handler spells them.
  const readFields = new Map<string, string>()
  return {
    /** Notes which fields a handler reads. */
    watch({ headers }: Request): void {
      const [get, has] = [headers.get.bind(headers), headers.has.bind(headers)]
      const note = (field: string): string => {
        const name = String(field).toLowerCase()
        if (!unneededFields.has(name) && !declaredNames.has(name)) readFields.set(name, field)
        return field
      }
      headers.get = (name) => get(note(name))
      headers.has = (name) => has(note(name))
    },
    /** Warns of the fields of a request that handlers have read but do not receive. */
    check({ headers }: Pick<Request, 'headers'>, pairs: Narrowed['pairs']): void {
      const received = new Map(pairs)
      for (const [name, field] of readFields) {
        if (!isMissed(name, received.get(name), headers)) continue
        const advice =
          name === 'cookie'
            ? "cookies: ['name'] if pages depend on a cookie, or bypass: withCookies('name') if it makes them the visitor's own"
            : `fields: { '${name}': true } if pages depend on it, or return true from bypass for such requests`
        warn(() => `Response cache: the handler reads ${field}, which shared pages do not get. Write ${advice}`, name)
      }
    },
  }
}

const isTracking = matchNames('cookies', trackingCookies)

/**
 * Whether a handler that reads a field does not receive the visitor's value, because the field or cookie is not
 * declared.
 */
function isMissed(name: string, received: string | undefined, headers: Headers): boolean {
  if (name !== 'cookie') return received === undefined && headers.has(name)
  const declared = received?.split('; ') ?? []
  return cookiesOf(headers).some(([cookie, pair]) => !isTracking(cookie) && !declared.includes(pair))
}
