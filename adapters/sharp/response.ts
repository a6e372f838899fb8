import type { MaybePromise } from '../../core/async.js'
import { createFieldReader } from '../../core/http/headers.js'
import { createErrorResponse, type SendUpstream, type UpstreamResponse } from '../../core/image/internal.js'
import type { ResponseBody } from '../../core/response-factory.js'
import { type Deadline, startDeadline, untilAborted } from '../../core/timeout.js'

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
  return async (url, { headers, client, timeout }) => {
    let deadline: Deadline | undefined
    const signal = () => {
      deadline ??= startDeadline(timeout, client.signal)
      return deadline.signal
    }
    try {
      const responding = respond({ url, method: 'GET', headers: createFieldReader(headers), signal })
      return toUpstreamResponse(responding instanceof Promise ? await untilAborted(responding, signal()) : responding)
    } finally {
      deadline?.end()
    }
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
