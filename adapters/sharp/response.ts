import type { MaybePromise } from '../../core/async.js'
import { createFieldReader } from '../../core/http/headers.js'
import {
  createErrorResponse,
  type SendUpstream,
  securityHeaders,
  type UpstreamResponse,
} from '../../core/image/internal.js'
import type { ResponseBody } from '../../core/response-factory.js'
import { withTimeout } from '../../core/timeout.js'
import type { EncodedImage } from './image-cache.js'

/** The parts of a request that the service reads. */
export interface ServiceRequest extends Pick<Request, 'url' | 'method'> {
  readonly headers: Pick<Headers, 'get'>
  /**
   * Returns a signal that aborts when the client leaves. A function, because servers create the signal on first access.
   */
  signal(): AbortSignal | undefined
}

/** A response of the service, before it becomes a web `Response` or goes to a proxy in the same process. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Why there is no image. For the operator only: it may contain details that clients must not see. */
  readonly failure?: string
  readonly body: ResponseBody
}

/** Properties of a response besides the image. */
export interface ResponseOptions {
  /** Seconds for which browsers and caches may store the image. */
  maxAge: number
  /** Whether the format was chosen by the client's `Accept`. */
  isNegotiated: boolean
}

/**
 * Creates the response with an image; for an entity tag, the 304 to a client that already has its image (RFC 9110,
 * section 15.4.5).
 */
export function createImageResponse(
  image: EncodedImage | string,
  { maxAge, isNegotiated }: ResponseOptions,
): ServiceResponse {
  const isKnown = typeof image === 'string'
  const headers = {
    ...(!isKnown && { 'Content-Type': image.type, 'Content-Length': String(image.body.length) }),
    ETag: isKnown ? image : image.etag,
    'Cache-Control': `public, max-age=${maxAge}`,
    ...(isNegotiated && { Vary: 'Accept' }),
    ...securityHeaders,
  }
  return isKnown ? { status: 304, headers, body: null } : { status: 200, headers, body: image.body }
}

/** Creates the response to a request that gets no image: JSON that is never stored. */
export function createFailureResponse(status: number, message: string, failure: string): ServiceResponse {
  const moreHeaders = status === 503 ? { 'Retry-After': '1' } : {}
  const { headers, body } = createErrorResponse({ status, error: message }, moreHeaders)
  return { status, headers: Object.fromEntries(headers), failure, body }
}

/**
 * Creates the function by which an image proxy in the same process calls the service: headers and bytes are passed on
 * as they are. A timer and an abort signal are created only when the image has to be awaited.
 */
export function createServiceSend(respond: (request: ServiceRequest) => MaybePromise<ServiceResponse>): SendUpstream {
  return async (url, options) => {
    let controller: AbortController | undefined
    const getController = () => {
      controller ??= new AbortController()
      return controller
    }
    const headers = createFieldReader(options.headers)
    const responding = respond({ url, method: 'GET', headers, signal: () => getController().signal })
    if (!(responding instanceof Promise)) return toUpstreamResponse(responding)
    const response = await withTimeout(options.timeout, responding, options.client.signal).catch((error) => {
      getController().abort(error)
      throw error
    })
    return toUpstreamResponse(response)
  }
}

function toUpstreamResponse({ status, headers, failure, body }: ServiceResponse): UpstreamResponse {
  return {
    status,
    headers: createFieldReader(headers),
    failure,
    openBody: async () => (body === null || (body instanceof Uint8Array && body.length === 0) ? undefined : body),
    async readStart(maxBytes) {
      const bytes = await new Response(body as BodyInit | null).arrayBuffer()
      return new Uint8Array(bytes, 0, Math.min(bytes.byteLength, maxBytes))
    },
    discard() {},
  }
}
