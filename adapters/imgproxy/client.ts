import type { ImageClient, ImageResult, ServiceFailure } from '../../core/image/index.js'
import { errorOf, type ImgproxyUrl, imageFormats } from '../../core/image/internal.js'
import { describeError } from '../../core/log.js'
import { createRedact } from '../../core/secrets.js'
import { TimeoutError } from '../../core/timeout.js'
import type { UpstreamHandler, UpstreamResponse } from '../node/upstream.js'
import { readFailure } from './errors.js'
import { createSendByFetch } from './send.js'

/** Thrown when imgproxy sends something that is not an image. The message says why. */
class NotAnImageError extends Error {
  override name = 'NotAnImageError'
}

// A single media type. Commas are not allowed, because they join repeated headers.
const imageType = /^image\/[\w.+-]+(?:\s*;[^,]*)?$/i
// The codings that every `fetch` decodes. With any other coding, or a list that includes `identity`, the body stays encoded, and
// caches would store it as if it were an image.
const decodedCodings = /^(?:identity|(?:(?:x-)?gzip|deflate|br)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br))*)?$/i
// Also matches a word within a quoted string. That is safe: the image is then just not stored.
const unstorable = /(?:^|[\s,])(?:no-store|private)(?:$|[\s,=])/i

export interface ClientOptions {
  serviceSecret?: string | undefined
  timeout: number
  fetch?: UpstreamHandler | undefined
}

/** Creates the functions that request images from imgproxy. */
export function createImgproxyClient({ serviceSecret, timeout, fetch: given }: ClientOptions) {
  const send = createSendByFetch(given ?? ((request) => fetch(request)))
  // imgproxy may repeat the secret in its message.
  const redact = createRedact([serviceSecret])
  const authorization = serviceSecret ? { Authorization: `Bearer ${serviceSecret}` } : {}

  const failureOf = (error: unknown): ServiceFailure => {
    const isTimeout = error instanceof TimeoutError
    const status = isTimeout ? 504 : error instanceof NotAnImageError ? 422 : 502
    return { status, details: { reason: redact(describeError(error)) } }
  }

  const request = async (url: string, visitor: ImageClient): Promise<ImageResult> => {
    const conditions = conditionsOf(visitor)
    const upstream = await send(url, {
      headers: { ...acceptOf(visitor), ...conditions, ...authorization },
      signal: visitor.signal,
      timeout,
      onBodyError: (error) => visitor.onBodyError(failureOf(error)),
    })
    const isConfirmed = upstream.status === 304 && Object.keys(conditions).length > 0
    if (upstream.status !== 200 && !isConfirmed) return await readFailure(upstream, redact)
    return isConfirmed ? readUnchanged(upstream) : await readImage(upstream, visitor)
  }

  return {
    /** Requests an image. Never rejects. */
    async getImage({ url, reason }: ImgproxyUrl, visitor: ImageClient): Promise<ImageResult> {
      if (url === undefined) return { status: 400, details: { reason } }
      return await request(url, visitor).catch(failureOf)
    },
    /**
     * Reads the beginning of an image.
     *
     * @throws Error that says why it is missing.
     */
    async readStart({ url, reason }: ImgproxyUrl, maxBytes: number): Promise<Uint8Array> {
      if (url === undefined) throw new Error(reason)
      const options = { headers: authorization, signal: () => undefined, timeout, onBodyError: () => {} }
      const upstream = await send(url, options)
      if (upstream.status === 200) return await upstream.readStart(maxBytes)
      const { status, details } = await readFailure(upstream, redact)
      throw new Error(`${errorOf(status).error}: ${details.reason}`)
    },
  }
}

/** imgproxy searches `Accept` for the bare words, and would answer `image/avif;q=0` with AVIF. */
function acceptOf({ formats }: ImageClient): Record<string, string> {
  return formats.length > 0 ? { Accept: formats.map((format) => imageFormats[format].mediaType).join() } : {}
}

function conditionsOf({ etags, modifiedSince }: ImageClient): Record<string, string> {
  if (etags.length > 0) return { 'If-None-Match': etags.join(', ') }
  return modifiedSince === null ? {} : { 'If-Modified-Since': modifiedSince }
}

function validatorsOf({ headers }: UpstreamResponse) {
  return {
    etag: headers.get('ETag'),
    lastModified: headers.get('Last-Modified'),
    vary: headers.get('Vary'),
    isUnstorable: unstorable.test(headers.get('Cache-Control') ?? ''),
  }
}

function readUnchanged(upstream: UpstreamResponse): ImageResult {
  upstream.discard()
  return { status: 304, ...validatorsOf(upstream) }
}

/** Waits for the first chunk of the body. If imgproxy stalls or fails right after its head, there is still time for an error response. */
async function readImage(upstream: UpstreamResponse, visitor: ImageClient): Promise<ImageResult> {
  const { headers } = upstream
  const type = checkContent(upstream)
  const validators = validatorsOf(upstream)
  const isNeeded = visitor.needsBody(validators.etag, type)
  if (!isNeeded) upstream.discard()
  const body = isNeeded ? await upstream.openBody() : null
  if (body === undefined) throw new NotAnImageError('empty body')
  // If `fetch` decoded the body, `Content-Length` no longer matches it.
  const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length')
  const isLength = length !== null && /^\d+$/.test(length)
  return { status: 200, type, body, length: isLength ? Number(length) : undefined, ...validators }
}

/**
 * Checks that the response is an image and that `fetch` has decoded it.
 *
 * @returns The media type.
 */
function checkContent({ headers, discard }: UpstreamResponse): string {
  const type = headers.get('Content-Type') ?? ''
  const coding = headers.get('Content-Encoding') ?? ''
  if (imageType.test(type) && decodedCodings.test(coding)) return type
  discard()
  if (imageType.test(type)) throw new Error(`Content-Encoding: expected none, got '${coding.slice(0, 100)}'`)
  throw new NotAnImageError(`Content-Type: expected an image, got '${type.slice(0, 100)}'`)
}
