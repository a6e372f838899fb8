import type { FormatCacheStatus } from '../http/cache-status.js'
import { type ByteRange, isConditional, isNotModified, selectRange, type Validators } from '../http/conditional.js'
import { findHeader } from '../http/headers.js'
import { createResponse, type ResponseBody, sendsBytesUncopied } from '../response-factory.js'
import { notModifiedOf } from './not-modified.js'
import { isText, type StoredResponse } from './store/entry.js'

export type CachedResponse = ReturnType<typeof toCachedResponse>

/** `age` is the current age in seconds; `Cache-Status` reports a hit with the `detail`. */
type RespondOptions = { age: number; detail?: string }
type Fields = Record<string, string>

// These digests cover the content of a single message, so they are wrong for a partial response (RFC 9530, section 2).
const contentDigests = new Set(['content-digest', 'content-md5'])

/**
 * Prepares a stored response for serving. Its headers are parsed only once, here. A hit copies the body only if the
 * body is short text.
 */
export function toCachedResponse(entry: StoredResponse, unpurged: { until: number }, formatStatus: FormatCacheStatus) {
  const upstream = findHeader(entry.headers, 'cache-status')
  const lines = entry.headers.filter(([name]) => name !== 'cache-status')
  const validators: Validators = {
    status: entry.status,
    etag: findHeader(lines, 'etag'),
    lastModified: findHeader(lines, 'last-modified'),
    date: findHeader(lines, 'date'),
  }
  const getBody = createBodySource(entry)
  const { status, statusText } = entry
  const isOrdinary = status === 200 && statusText === ''

  // `Age` counts whole seconds, so hits within the same second share their headers, unless they have a detail.
  let second = -1
  let hitHeaders: Fields = {}
  const headersFor = ({ age, detail }: RespondOptions): Fields => {
    const seconds = Math.floor(age)
    const isPlain = detail === undefined
    if (isPlain && seconds === second) return hitHeaders
    const member = formatStatus({ hit: true, ttl: Math.floor(entry.lifetime) - seconds, detail })
    const cacheStatus = upstream === undefined ? member : `${upstream}, ${member}`
    const responseHeaders = { ...Object.fromEntries(lines), age: String(seconds), 'cache-status': cacheStatus }
    if (isPlain) {
      second = seconds
      hitHeaders = responseHeaders
    }
    return responseHeaders
  }

  return {
    entry,
    /**
     * The sequence number, within the entry's epoch, until which no tag of the entry was purged since the render.
     * Entries with the same stamp and tags share it.
     */
    unpurged,
    /** Creates the response to a request. */
    respond({ method, headers: received }: Pick<Request, 'method' | 'headers'>, options: RespondOptions): Response {
      const headers = headersFor(options)
      if (isConditional(received) && isNotModified(received, validators)) return notModifiedOf(Object.entries(headers))
      if (method === 'HEAD') return createResponse(null, { status, statusText, headers })
      const mayBePart = status === 200 && received.has('range')
      const range = mayBePart ? selectRange(received, validators, entry.body.length) : 'whole'
      if (range !== 'whole') return partialResponse(entry.body, range, headers)
      return createResponse(getBody(), isOrdinary ? { headers } : { status, statusText, headers })
    },
  }
}

/** Creates a 206 response, or a 416 if the range cannot be satisfied (RFC 9110, sections 15.3.7 and 15.5.17). */
function partialResponse(body: Uint8Array<ArrayBuffer>, range: ByteRange | 'unsatisfiable', headers: Fields) {
  if (range === 'unsatisfiable') {
    const { 'cache-status': cacheStatus = '' } = headers
    const errorHeaders = { 'content-range': `bytes */${body.length}`, 'cache-control': 'no-store' }
    return createResponse(null, { status: 416, headers: { ...errorHeaders, 'cache-status': cacheStatus } })
  }
  const { first, last } = range
  const partHeaders = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !contentDigests.has(name))),
    'content-length': String(last + 1 - first),
    'content-range': `bytes ${first}-${last}/${body.length}`,
  }
  return createResponse(body.subarray(first, last + 1), { status: 206, headers: partHeaders })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Creates a function that returns the body, or `null` if it is empty, because some statuses forbid a body. Short text
 * is returned as a string, because a `Response` is faster with a string than with bytes, unless the server sends bytes
 * without copying them.
 */
function createBodySource(entry: StoredResponse): () => ResponseBody {
  const { body } = entry
  let content: ResponseBody | undefined
  return () => {
    if (body.length === 0) return null
    if (sendsBytesUncopied()) return body
    try {
      content ??= isText(entry) ? utf8.decode(body) : body
    } catch {
      content = body // not UTF-8
    }
    return content
  }
}
