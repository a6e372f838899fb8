import { createResponse } from '../../../core/http/create-response.js'
import { createErrorResponse, securityHeaders } from '../../../core/image/internal.js'
import type { EncodedImage } from '../pipeline/image-cache.js'

/** What the headers of a response depend on besides the image. */
export interface ResponseOptions {
  /** Seconds for which browsers and caches may store the image. */
  maxAge: number
  /** Whether the format was chosen by the client's `Accept`. */
  isNegotiated: boolean
}

/** Creates the response with an image. */
export function createImageResponse({ etag, type, body }: EncodedImage, options: ResponseOptions): Response {
  return createResponse(body, {
    headers: {
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...cachingHeaders(etag, options),
      ...securityHeaders,
    },
  })
}

/** Creates the response to a client that has the image already (RFC 9110, section 15.4.5). */
export function createNotModifiedResponse(etag: string, options: ResponseOptions): Response {
  return createResponse(null, { status: 304, headers: { ...cachingHeaders(etag, options), ...securityHeaders } })
}

/** Creates the response to a request that gets no image: JSON, never stored. */
export function createFailureResponse(status: number, message: string): Response {
  return createErrorResponse({ status, error: message }, status === 503 ? { 'Retry-After': '1' } : {})
}

function cachingHeaders(etag: string, { maxAge, isNegotiated }: ResponseOptions): Record<string, string> {
  return {
    ETag: etag,
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(isNegotiated && { Vary: 'Accept' }),
  }
}
