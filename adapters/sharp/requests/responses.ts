import { safetyHeaders } from '../../../core/image/internal.js'
import type { ImageFailure } from '../failure.js'

/** A picture that is ready. */
export interface Picture {
  etag: string
  /** Media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
}

/** What the headers of an answer depend on besides the picture. */
export interface Delivery {
  /** Seconds that browsers and caches may keep it. */
  maxAge: number
  /** Whether the format was chosen by the visitor's `Accept`. */
  isNegotiated: boolean
}

/** The answer with a picture. */
export function pictureResponse({ etag, type, body }: Picture, delivery: Delivery): Response {
  return new Response(body, {
    headers: {
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...cachingHeaders(etag, delivery),
      ...safetyHeaders,
    },
  })
}

/** The answer to a visitor who has the picture already (RFC 9110, section 15.4.5). */
export function notModifiedResponse(etag: string, delivery: Delivery): Response {
  return new Response(null, { status: 304, headers: { ...cachingHeaders(etag, delivery), ...safetyHeaders } })
}

/** The answer to a request that gets no picture: JSON, never stored. */
export function failureResponse({ status, message }: Pick<ImageFailure, 'message'> & { status: number }): Response {
  return Response.json(
    { error: message },
    {
      status,
      headers: {
        ...(status === 405 && { Allow: 'GET, HEAD' }),
        ...(status === 503 && { 'Retry-After': '1' }),
        'Cache-Control': 'no-store',
        ...safetyHeaders,
      },
    },
  )
}

function cachingHeaders(etag: string, { maxAge, isNegotiated }: Delivery): Record<string, string> {
  return {
    ETag: etag,
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(isNegotiated && { Vary: 'Accept' }),
  }
}
