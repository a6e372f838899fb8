import type { DescribeOutcome } from '../http/cache-status.js'
import { isNotModified, isNotModifiedField, type Validators } from '../http/conditional.js'
import { findHeader } from '../http/headers.js'
import { type ByteRange, selectRange } from '../http/range.js'
import type { StoredResponse } from './entry.js'
import { isText } from './text.js'

/** A stored response with its answers made ready, so that a hit parses nothing and copies no body. */
export interface Prepared {
  readonly entry: StoredResponse
  /** Sequence up to which no purge touched it, in the epoch of its stamp. */
  cleanUntil: number
  /** The answer to a request. */
  respond(request: Pick<Request, 'method' | 'headers'>, use: Use): Response
}

/** How a stored response is used. */
export interface Use {
  /** Current age in seconds. */
  age: number
  /** What to say in `Cache-Status`, when it is not that of a plain hit. */
  status?: string | undefined
  /** What to say in its `detail`. */
  detail?: string | undefined
}

const pieceBytes = 64 * 1024
// Digests of what is sent, not of the whole (RFC 9530, section 2).
const digestsOfContent = new Set(['content-digest', 'content-md5'])
const nullBodyStatuses = new Set([204, 205, 304])

/** Makes the answers of a stored response ready. */
export function prepare(entry: StoredResponse, describe: DescribeOutcome): Prepared {
  const upstream = findHeader(entry.headers, 'cache-status')
  const lines = entry.headers.filter(([name]) => name !== 'cache-status')
  const validators: Validators = {
    status: entry.status,
    etag: findHeader(lines, 'etag'),
    lastModified: findHeader(lines, 'last-modified'),
    date: findHeader(lines, 'date'),
  }
  const takeBody = createBody(entry)
  const { status, statusText } = entry
  const isOrdinary = status === 200 && statusText === ''
  const chain = (own: string) => (upstream === undefined ? own : `${upstream}, ${own}`)

  // The headers of a plain hit are the same for a whole second.
  let second = -1
  let ready: Record<string, string> = {}
  const headersAt = ({ age, status: said, detail }: Use): Record<string, string> => {
    const seconds = Math.floor(age)
    const isPlain = said === undefined && detail === undefined
    if (isPlain && seconds === second) return ready
    const own = said ?? describe({ hit: true, ttl: Math.floor(entry.lifetime) - seconds, detail })
    const made = { ...Object.fromEntries(lines), age: String(seconds), 'cache-status': chain(own) }
    if (isPlain) {
      second = seconds
      ready = made
    }
    return made
  }

  return {
    entry,
    cleanUntil: entry.stamp.sequence,
    respond({ method, headers: asked }, use) {
      const headers = headersAt(use)
      if (isConditional(asked) && isNotModified(asked, validators)) {
        const kept = Object.entries(headers).filter(([name]) => name === 'age' || isNotModifiedField(name))
        return new Response(null, { status: 304, headers: kept })
      }
      if (method === 'HEAD') return new Response(null, { status, statusText, headers })
      if (status === 200 && asked.has('range')) {
        const range = selectRange(asked, validators, entry.body.length)
        if (range !== 'whole') return partOf(entry.body, range, headers)
      }
      return new Response(takeBody(), isOrdinary ? { headers } : { status, statusText, headers })
    },
  }
}

function isConditional(headers: Headers): boolean {
  return headers.has('if-none-match') || headers.has('if-modified-since')
}

/** RFC 9110, sections 15.3.7 and 15.5.17. */
function partOf(
  body: Uint8Array<ArrayBuffer>,
  range: ByteRange | 'unsatisfiable',
  headers: Record<string, string>,
): Response {
  if (range === 'unsatisfiable') {
    const { 'cache-status': status = '' } = headers
    return new Response(null, {
      status: 416,
      headers: { 'content-range': `bytes */${body.length}`, 'cache-control': 'no-store', 'cache-status': status },
    })
  }
  const { first, last } = range
  const described = {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !digestsOfContent.has(name))),
    'content-length': String(last + 1 - first),
    'content-range': `bytes ${first}-${last}/${body.length}`,
  }
  return new Response(streamOf(body.subarray(first, last + 1)), { status: 206, headers: described })
}

function createBody(entry: StoredResponse): () => BodyInit | null {
  const { body, status } = entry
  if (nullBodyStatuses.has(status)) return () => null
  let text: string | undefined
  let isTried = !isText(entry)
  return () => {
    if (!isTried) {
      isTried = true
      text = decode(body)
    }
    return text ?? streamOf(body)
  }
}

/** The body as text, when it is exactly that. */
function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Gives the same bytes to every reader: a Response that is given an array copies it, one that is given a stream not. */
function streamOf(body: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (offset < body.length) controller.enqueue(body.subarray(offset, offset + pieceBytes))
        offset += pieceBytes
        if (offset >= body.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
