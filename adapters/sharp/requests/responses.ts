import { createErrorResponse, securityHeaders } from '../../../core/image/internal.js'
import type { ResponseBody } from '../../../core/response-factory.js'
import type { EncodedImage } from '../pipeline/image-cache.js'
import type { OpenImageBody } from './image-bodies.js'

/** What the headers of a response depend on besides the image. */
export interface ResponseOptions {
  /** Seconds for which browsers and caches may store the image. */
  maxAge: number
  /** Whether the format was chosen by the client's `Accept`. */
  isNegotiated: boolean
}

/** What the service reads of a request. */
export type ServiceRequest = Pick<Request, 'url' | 'method' | 'signal'> & { readonly headers: Pick<Headers, 'get'> }

/** A response before anybody looks at it: as a web `Response`, or as the bytes themselves. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Why there is no image, for the operator: it may contain what clients must not see. */
  readonly failure?: string
  /** @param onError Called when a body that is read piece by piece fails. */
  openBody(onError?: (error: unknown) => void): ResponseBody
}

/** Creates the response with an image. */
export function createImageResponse(
  image: EncodedImage,
  options: ResponseOptions & { openBody: OpenImageBody },
): ServiceResponse {
  const { etag, type, body } = image
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...cachingHeaders(etag, options),
      ...securityHeaders,
    },
    openBody: (onError) => options.openBody(image, onError),
  }
}

/** Creates the response to a client that has the image already (RFC 9110, section 15.4.5). */
export function createNotModifiedResponse(etag: string, options: ResponseOptions): ServiceResponse {
  return { status: 304, headers: { ...cachingHeaders(etag, options), ...securityHeaders }, openBody: () => null }
}

/** Creates the response to a request that gets no image: JSON, never stored. */
export function createFailureResponse(status: number, message: string, failure: string): ServiceResponse {
  const { headers, body } = createErrorResponse(
    { status, error: message },
    status === 503 ? { 'Retry-After': '1' } : {},
  )
  return { status, headers: Object.fromEntries(headers), failure, openBody: () => body }
}

function cachingHeaders(etag: string, { maxAge, isNegotiated }: ResponseOptions): Record<string, string> {
  return {
    ETag: etag,
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(isNegotiated && { Vary: 'Accept' }),
  }
}
