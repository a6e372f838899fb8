import type { FormatCacheStatus } from '../../http/cache-status.js'
import { isConditional, isNotModified, isNotModifiedField, type Validators } from '../../http/conditional.js'
import { findHeader } from '../../http/headers.js'
import { hasNullBody } from '../../http/null-body.js'
import { type ByteRange, selectRange } from '../../http/range.js'
import { createResponse, type ResponseBody, sendsBytesUncopied } from '../../response-factory.js'
import { isText, type StoredResponse } from '../store/entry.js'

/**
 * A stored response ready to be served: a hit parses nothing, and copies no body but a short text. Of the body, there may be only
 * the part that the response to a request consists of.
 */
export interface CachedResponse {
  readonly entry: StoredResponse
  /** Of the whole body, in bytes. */
  readonly bodyLength: number
  /** The last stamp, of the same epoch, of which it is known that none of its tags was purged until then. */
  unpurgedAt: number
  /** Returns what of the body the response to a request consists of. */
  partOf(request: Pick<Request, 'method' | 'headers'>): ByteRange | 'whole' | 'nothing'
  /** Creates the response to a request. */
  respond(request: Pick<Request, 'method' | 'headers'>, options: RespondOptions): Response
}

export interface RespondOptions {
  /** Current age in seconds. */
  age: number
  /** Member of `Cache-Status`. Default: that of a hit. */
  status?: string | undefined
  /** `detail` of the default member of `Cache-Status`. */
  detail?: string | undefined
}

// Digests of the content that is sent, not of the whole representation (RFC 9530, section 2).
const contentDigests = new Set(['content-digest', 'content-md5'])

/** Prepares a stored response to be served. */
export function toCachedResponse(entry: StoredResponse, formatStatus: FormatCacheStatus): CachedResponse {
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
  const length = Number(findHeader(lines, 'content-length') ?? entry.body.length)
  const isNotChanged = (requested: Headers) => isConditional(requested) && isNotModified(requested, validators)
  const selectPart = (requested: Headers) =>
    status === 200 && requested.has('range') ? selectRange(requested, validators, length) : 'whole'
  const isOrdinary = status === 200 && statusText === ''
  const appendStatus = (own: string) => (upstream === undefined ? own : `${upstream}, ${own}`)

  // The headers of a plain hit stay the same for a whole second.
  let second = -1
  let hitHeaders: Record<string, string> = {}
  const headersFor = ({ age, status: member, detail }: RespondOptions): Record<string, string> => {
    const seconds = Math.floor(age)
    const isPlain = member === undefined && detail === undefined
    if (isPlain && seconds === second) return hitHeaders
    const own = member ?? formatStatus({ hit: true, ttl: Math.floor(entry.lifetime) - seconds, detail })
    const created = { ...Object.fromEntries(lines), age: String(seconds), 'cache-status': appendStatus(own) }
    if (isPlain) {
      second = seconds
      hitHeaders = created
    }
    return created
  }

  return {
    entry,
    bodyLength: length,
    unpurgedAt: entry.stamp.sequence,
    partOf({ method, headers: requested }) {
      if (method === 'HEAD' || isNotChanged(requested)) return 'nothing'
      const range = selectPart(requested)
      return range === 'unsatisfiable' ? 'nothing' : range
    },
    respond({ method, headers: requested }, options) {
      const headers = headersFor(options)
      if (isNotChanged(requested)) {
        const included = Object.entries(headers).filter(([name]) => name === 'age' || isNotModifiedField(name))
        return createResponse(null, { status: 304, headers: included })
      }
      if (method === 'HEAD') return createResponse(null, { status, statusText, headers })
      const range = selectPart(requested)
      if (range !== 'whole') return partialResponse({ body: entry.body, length }, range, headers)
      return createResponse(getBody(), isOrdinary ? { headers } : { status, statusText, headers })
    },
  }
}

/** RFC 9110, sections 15.3.7 and 15.5.17. */
function partialResponse(
  { body, length }: { body: Uint8Array<ArrayBuffer>; length: number },
  range: ByteRange | 'unsatisfiable',
  headers: Record<string, string>,
): Response {
  if (range === 'unsatisfiable') {
    const { 'cache-status': status = '' } = headers
    return createResponse(null, {
      status: 416,
      headers: { 'content-range': `bytes */${length}`, 'cache-control': 'no-store', 'cache-status': status },
    })
  }
  const { first, last } = range
  const described = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !contentDigests.has(name))),
    'content-length': String(last + 1 - first),
    'content-range': `bytes ${first}-${last}/${length}`,
  }
  const part = body.length === length ? body.subarray(first, last + 1) : body
  return createResponse(part, { status: 206, headers: described })
}

// A `Response` takes text quickly, but copies it: many clients that read slowly would take a whole body each.
const maxTextBytes = 256 * 1024

function createBodySource(entry: StoredResponse): () => ResponseBody {
  const { body, status } = entry
  if (hasNullBody(status)) return () => null
  let text: string | undefined
  let isDecoded = !isText(entry) || body.length > maxTextBytes
  return () => {
    if (!isDecoded && !sendsBytesUncopied()) {
      isDecoded = true
      text = decode(body)
    }
    return text ?? body
  }
}

/** Decodes a body as text; `undefined` when it is not valid UTF-8. */
function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}
