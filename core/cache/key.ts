import { LRUCache } from 'lru-cache'
import { handlerFields } from '../http/conditional.js'
import { cookiesOf } from '../http/cookies.js'
import { findHeader, isFieldName } from '../http/headers.js'
import { normalizeField } from '../http/negotiation.js'
import { optionError } from '../option-error.js'
import { matchNames } from '../options.js'
import { normalizePath, pageOf } from '../routes.js'
import type { StoredResponse } from './store/entry.js'

/**
 * Returns the part of a field's value that pages depend on, or `null`. The function also gets the visitor's whole
 * request, including the fields that the handler does not receive.
 */
type ReadField = (value: string | null, request: Pick<Request, 'url' | 'headers'>) => string | null

/** Request fields by name: `true` for the value as it is, or a function that returns the relevant part of the value. */
export type DeclaredFields = Readonly<Record<string, true | ReadField>>

type RequestHead = Pick<Request, 'url' | 'headers'>

/**
 * A request for a page that all visitors share: the URL and the fields that the handler receives, and the key made of both.
 */
export interface Narrowed {
  readonly url: string
  readonly pairs: readonly (readonly [name: string, value: string])[]
  readonly key: string
}

// The fields in which proxies state the URL that the client has requested. Pages contain this URL, so it is part of the
// key.
const forwardedFields = ['x-forwarded-host', 'x-forwarded-port', 'x-forwarded-prefix', 'x-forwarded-proto']
// Fields that are never part of a request for a shared page.
const removedFields = ['authorization', 'accept-encoding', 'cookie']
// Handlers treat a request without a User-Agent as suspicious, do not stream to one that looks like a bot's, and treat a
// request without an address as local.
const userAgent = 'Mozilla/5.0 (compatible; sitewright)'

export interface NarrowOptions {
  fields: DeclaredFields
  cookies: readonly string[]
  queryParameters?: QueryParameters | undefined
  release?: string | undefined
}

/**
 * Creates the function that reduces a request to the parts that pages depend on: the URL, the declared fields and
 * cookies, and the fields in which proxies state the URL. Two requests with the same key are the same for the handler.
 *
 * @throws TypeError that names the malformed option.
 */
export function createNarrow({ fields, cookies, queryParameters, release = '' }: NarrowOptions) {
  const releaseKey = encodeURIComponent(release)
  const urlKey = createUrlKey(queryParameters)
  // `undefined` stands for the field as it is.
  const readers = new Map<string, ((request: RequestHead) => string | null | undefined) | undefined>()
  for (const name of forwardedFields) readers.set(name, undefined)
  for (const [name, read] of Object.entries(fields)) readers.set(name.toLowerCase(), createReader(name, read))
  const isDeclared = matchNames('cookies', cookies)
  const readCookies = ({ headers }: RequestHead) => {
    const pairs = cookiesOf(headers).flatMap(([name, pair]) => (isDeclared(name) ? [pair] : []))
    return pairs.sort().join('; ') || null
  }
  if (cookies.length > 0) readers.set('cookie', readCookies)
  return {
    /** Whether a response may vary by a field, because the field is part of the key or is always the same. */
    isCovered: (name: string) => readers.has(name) || removedFields.includes(name),
    narrow(request: RequestHead): Narrowed {
      const pairs: [string, string][] = []
      for (const [name, read] of readers) {
        const value = read ? read(request) : request.headers.get(name)
        if (typeof value === 'string') pairs.push([name, value])
      }
      const url = urlKey(request.url)
      const variant = pairs.length === 0 ? releaseKey : releaseKey + JSON.stringify(pairs)
      return { url, pairs, key: variant === '' ? url : `${url}#${variant}` }
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
  return (request: RequestHead): string | null | undefined => {
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
  /** The address in place of the visitor's. Default: one that is reserved for documentation (RFC 5737). */
  address?: string | undefined
}

/** Creates the request that the handler receives in place of the visitor's request. */
export function toHandlerRequest({ url, pairs }: Narrowed, options: HandlerRequestOptions): Request {
  const { signal, validate, visitorRequest, address = '192.0.2.1' } = options
  const { host } = new URL(url)
  const headers = new Headers({ host, 'user-agent': userAgent, 'x-forwarded-for': address })
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

/**
 * Query parameters of the common campaign and click trackers: they describe where a visitor came from, not the page.
 */
const trackingParameters: readonly string[] = (
  'utm_* gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ttclid twclid li_fat_id igshid ' +
  'mc_cid mc_eid _ga _gl'
).split(' ')

/** The query parameters that pages depend on: a list, in which a trailing `*` matches any ending, or a function. */
export type QueryParameters = readonly string[] | ((name: string) => boolean)

/**
 * Creates the function that returns the URL that a page is rendered for and stored under. This URL has no fragment, and
 * only the parameters that pages depend on, in their order and spelling. Its path is normalized as in RFC 3986, section
 * 6.2.2, because routers decode paths.
 *
 * @param parameters Default: all except the parameters of campaign and click trackers.
 * @throws TypeError when a name is malformed.
 * @example createUrlKey(['page'])('https://site.test/?utm_source=x&page=2') // 'https://site.test/?page=2'
 */
function createUrlKey(parameters?: QueryParameters): (url: string) => string {
  const isTracking = matchNames('trackingParameters', trackingParameters)
  const kept = parameters ?? ((name: string) => !isTracking(name))
  const matches = typeof kept === 'function' ? kept : matchNames('queryParameters', kept)
  const isKept = (piece: string) => {
    try {
      // Browsers encode brackets in the names of form fields.
      const name = decodeURIComponent((piece.split('=', 1)[0] ?? '').replaceAll('+', ' '))
      return name !== '' && matches(name) === true
    } catch {
      return false // malformed
    }
  }
  return (url) => {
    const hash = url.indexOf('#')
    const withoutHash = hash < 0 ? url : url.slice(0, hash)
    const start = withoutHash.indexOf('?')
    if (start < 0) return normalizePath(withoutHash)
    const path = normalizePath(withoutHash.slice(0, start))
    const pieces = withoutHash.slice(start + 1).split('&')
    const query = pieces.filter(isKept).join('&')
    return query === '' ? path : `${path}?${query}`
  }
}

// Maximum size of each map, in bytes of its keys.
const maxKeyBytes = 4_000_000

/** Creates a map from many keys to small values, bounded in bytes. */
export function createKeyMap<T extends {}>() {
  return new LRUCache<string, T>({ maxSize: maxKeyBytes, sizeCalculation: (_, key) => 200 + 2 * key.length })
}

/** Creates the list of pages that have a rendered or stored variant, so that an unsafe method purges no others. */
export function createKnownPages() {
  const pages = createKeyMap<true>()
  const nameOf = (url: string) => pageOf(url.replace(/\?.*/, '')).replace(/\/$/, '')
  return { add: (url: string) => void pages.set(nameOf(url), true), has: (url: string) => pages.has(nameOf(url)) }
}
