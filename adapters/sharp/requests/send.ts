import type { MaybePromise } from '../../../core/async.js'
import { createFieldReader, type FieldReader } from '../../../core/http/headers.js'
import type { SendUpstream, UpstreamOptions, UpstreamResponse } from '../../../core/image/internal.js'
import { withTimeout } from '../../../core/timeout.js'
import type { ServiceRequest, ServiceResponse } from './responses.js'

/**
 * Creates the way in which an image proxy in the same process asks the service: headers and bytes change hands as they
 * are. A timer, and a signal to abort by, are created only for an image that has to be waited for.
 */
export function createServiceSend(respond: (request: ServiceRequest) => MaybePromise<ServiceResponse>): SendUpstream {
  return async (url, options) => {
    const request = new SentRequest(url, createFieldReader(options.headers))
    const responding = respond(request)
    if (!(responding instanceof Promise)) return toUpstreamResponse(responding, options)
    const response = await withTimeout(options.timeout, responding, options.client.signal).catch((error) => {
      request.abort(error)
      throw error
    })
    return toUpstreamResponse(response, options)
  }
}

/** A class, since V8 keeps a hidden class for each object with a getter of its own until the next full collection. */
class SentRequest implements ServiceRequest {
  readonly method = 'GET'
  readonly url: string
  readonly headers: FieldReader
  #controller: AbortController | undefined

  constructor(url: string, headers: FieldReader) {
    this.url = url
    this.headers = headers
  }

  get #abortController(): AbortController {
    this.#controller ??= new AbortController()
    return this.#controller
  }

  get signal(): AbortSignal {
    return this.#abortController.signal
  }

  abort(reason: unknown): void {
    this.#abortController.abort(reason)
  }
}

function toUpstreamResponse(
  { status, headers, failure, openBody }: ServiceResponse,
  { onBodyError }: UpstreamOptions,
): UpstreamResponse {
  return {
    status,
    headers: createFieldReader(headers),
    failure,
    async openBody() {
      const body = openBody(onBodyError)
      return body === null || (body instanceof Uint8Array && body.length === 0) ? undefined : body
    },
    async readStart(maxBytes) {
      const bytes = await new Response(openBody() as BodyInit | null).arrayBuffer().catch(() => new ArrayBuffer(0))
      return new Uint8Array(bytes, 0, Math.min(bytes.byteLength, maxBytes))
    },
    discard() {},
  }
}
