import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Agent, type Dispatcher } from 'undici'
import type { Handler } from '../../core/handler.js'

export interface UpstreamFetchOptions {
  /** Most connections to each origin. Default 64. */
  connections?: number | undefined
  /** Longest wait for a connection, in milliseconds. Default 3,000. */
  connectTimeout?: number | undefined
  /** Longest wait for the head of an answer, in milliseconds. Default 10,000. */
  headersTimeout?: number | undefined
  /** Longest wait for each further piece of the body, in milliseconds. Default 10,000. */
  bodyTimeout?: number | undefined
}

/** Asks another server; end it with `close()` when the process is to stop. */
export interface UpstreamFetch extends Handler {
  /** Waits for what is under way and closes the connections. */
  close(): Promise<void>
}

/**
 * Creates a `fetch`-shaped client for one service behind the site, such as imgproxy: connections are kept and reused,
 * redirects are never followed, every wait has a limit. Nothing is decoded, so the answer is asked for as it is.
 *
 * @example createImageProxy({ ...options, fetch: createUpstreamFetch() })
 */
export function createUpstreamFetch(options: UpstreamFetchOptions = {}): UpstreamFetch {
  const { connections = 64, connectTimeout = 3_000, headersTimeout = 10_000, bodyTimeout = 10_000 } = options
  const agent = new Agent({ connections, headersTimeout, bodyTimeout, connect: { timeout: connectTimeout } })

  const ask = async (request: Request): Promise<Response> => {
    const { origin, pathname, search } = new URL(request.url)
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: pathname + search,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
      body: request.body && Readable.fromWeb(request.body as ReadableStream),
      signal: request.signal,
    })
    const init = { status: statusCode, headers: toHeaders(headers) }
    if (isBodiless(statusCode)) {
      await body.dump()
      return new Response(null, init)
    }
    return new Response(toStream(body, request) as unknown as BodyInit, init)
  }
  return Object.assign(ask, { close: () => agent.close() })
}

/** The body as a stream. Unlike `ReadableStream.from`, it can be cancelled while a piece is still awaited. */
function toStream(body: Readable, request: Request): ReadableStream {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel(reason) {
        // undici's Request holds on to what aborts its signal by a weak reference: it must live as long as its body.
        if (!request.signal.aborted) body.on('error', () => {}).destroy(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Statuses with which a web `Response` may have no body (Fetch standard, "null body status"). */
function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}
