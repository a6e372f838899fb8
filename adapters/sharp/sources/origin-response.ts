import type { IncomingMessage } from 'node:http'
import { BodyTooLargeError, readBytes } from '../../../core/http/body.js'
import { parseCacheControl, secondsOf } from '../../../core/http/cache-control.js'
import { ImageFailure, unknownSource } from '../failure.js'
import type { OriginState } from './original.js'

const redirects = new Set([301, 302, 303, 307, 308])
// Statuses after which the same request may succeed later: RFC 9110, section 15.5.9, RFC 8470, section 5.2, and RFC
// 6585, section 4.
const passingFailures = new Set([408, 425, 429])
// Browsers ignore any other coding, such as `utf-8`, or the `aws-chunked` that S3 keeps from an upload.
const compressed = /\b(?:gzip|compress|deflate|br|zstd)\b/i
// In seconds. An original is requested at most this often, even if its origin forbids storing it.
const minLifetime = 60

/** Returns where a redirect leads to, without a fragment; `undefined` for any other response. */
export function redirectTarget({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!redirects.has(statusCode) || headers.location === undefined) return undefined
  // Node reads the bytes of a header as Latin-1, but many servers write UTF-8, as browsers expect.
  const bytes = Buffer.from(headers.location, 'latin1')
  const utf8 = bytes.toString('utf8')
  const location = utf8.includes('\ufffd') ? headers.location : utf8
  if (!URL.canParse(location, from)) return undefined
  const target = new URL(location, from)
  target.hash = ''
  return target
}

/**
 * Reads the whole body of an origin's response.
 *
 * @throws ImageFailure 404 for 4xx, 502 for other responses that are not a whole image; BodyTooLargeError.
 */
export async function readOriginResponse(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { statusCode = 0, headers } = response
  const cause = new Error(`the origin answered ${statusCode}`)
  try {
    if (statusCode >= 400 && statusCode < 500 && !passingFailures.has(statusCode)) throw unknownSource(cause)
    if (statusCode !== 200) throw new ImageFailure(502, 'The source failed', { cause })
    // The request asked for `identity`.
    const isCompressed = compressed.test(headers['content-encoding'] ?? '')
    if (isCompressed) throw new ImageFailure(502, 'The source sent a content coding')
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new BodyTooLargeError()
    return await readBytes(response, maxBytes)
  } finally {
    response.destroy()
  }
}

/** Returns the lifetime and validators of an original, as its response has them (RFC 9111, sections 4.2 and 4.3). */
export function originStateOf({ headers }: IncomingMessage): OriginState {
  const directives = parseCacheControl(headers['cache-control'] ?? null)
  const isKept = !['no-store', 'no-cache', 'private'].some((name) => directives.has(name))
  const seconds = isKept ? (secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')) : 0
  const { etag, age = 0, 'last-modified': modified } = headers
  return {
    ...(etag !== undefined && { etag }),
    ...(modified !== undefined && { modified }),
    ...(seconds !== undefined && { maxAge: Math.max(minLifetime, seconds - (Number(age) || 0)) }),
  }
}

/** Returns the header fields that request an original only if it has changed (RFC 9110, section 13.1). */
export function conditionsOf({ etag, modified }: OriginState = {}): Record<string, string> {
  if (etag !== undefined) return { 'if-none-match': etag }
  return modified === undefined ? {} : { 'if-modified-since': modified }
}
