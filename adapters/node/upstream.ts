import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { Agent, type Dispatcher } from 'undici'
import { hasNullBody } from '../../core/http/body.js'
import type { SendUpstream, UpstreamHandler } from '../../core/image/internal.js'
import { checkKnownOptions, integer, type OptionChecks } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'
import { createHttp1Connector, requestAgain } from './http1-connector.js'
import { readAhead } from './read-ahead.js'
import { createSendByDispatcher } from './send-upstream.js'
import { createInformationalLimit, destroyBody, unaskedEncoding } from './upstream-body.js'

export interface UpstreamFetchOptions {
  /**
   * Maximum number of connections to each origin; further requests wait. A service knows better which of them are slow: of images
   * from a server that hangs, `createImageService` lets 256 wait beside all others. So more than that. Default 1,024.
   */
  maxConnections?: number | undefined
  /** Maximum wait for a connection, in milliseconds. Default 3,000. */
  connectTimeout?: number | undefined
  /** Maximum wait for the head of a response, in milliseconds. Default 10,000. */
  headersTimeout?: number | undefined
  /**
   * Maximum wait for each chunk of the body, in milliseconds, and for all of them together, plus a second for each 16 KiB:
   * a body that is slower fails. The time that the reader takes does not count. Default 10,000.
   */
  bodyTimeout?: number | undefined
}

/** Fetches from another server. Call `close()` when the process shuts down. */
export interface UpstreamFetch extends UpstreamHandler {
  /** How the image proxy sends requests: without the objects of `fetch`, and with the same limits. */
  readonly send: SendUpstream
  /** Waits for pending requests, then closes the connections. */
  close(): Promise<void>
}

// undici's requests refer to the controller that aborts their signal by a weak reference only: each lives as long as its body.
const requests = new WeakMap<Readable, Request>()

const checks: OptionChecks<UpstreamFetchOptions> = {
  maxConnections: integer(1),
  connectTimeout: checkTimeout,
  headersTimeout: checkTimeout,
  bodyTimeout: checkTimeout,
}

/**
 * Creates a `fetch`-shaped client for one service behind the site, such as imgproxy: it reuses connections, never follows
 * redirects, and limits every wait. It decodes nothing, so it requests the `identity` encoding; a body in another one
 * fails. Unlike Node's global `fetch`, it survives a service that closes the connection while a visitor reads slowly.
 *
 * @example createImageProxy({ ...options, fetch: createUpstreamFetch() })
 */
export function createUpstreamFetch(options: UpstreamFetchOptions = {}): UpstreamFetch {
  const {
    maxConnections = 1_024,
    connectTimeout = 3_000,
    headersTimeout = 10_000,
    bodyTimeout = 10_000,
  } = checkKnownOptions(options, checks, 'createUpstreamFetch()')
  const agent = new Agent({
    connections: maxConnections,
    headersTimeout,
    bodyTimeout,
    connect: createHttp1Connector({ timeout: connectTimeout }),
  })

  const fetch = async (request: Request): Promise<Response> => {
    const { origin, pathname, search } = new URL(request.url)
    const { statusCode, headers, body } = await requestAgain(agent, {
      origin,
      path: pathname + search,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' },
      body: request.body && Readable.fromWeb(request.body as ReadableStream),
      signal: request.signal,
      onInfo: createInformationalLimit(),
    })
    try {
      const init = { status: statusCode, headers: toHeaders(headers) }
      const encodingError = hasNullBody(statusCode) ? undefined : unaskedEncoding(init.headers.get('content-encoding'))
      if (encodingError) {
        destroyBody(body)
        return new Response(
          new ReadableStream({ start: (controller) => controller.error(encodingError) }) as BodyInit,
          init,
        )
      }
      if (!hasNullBody(statusCode)) {
        requests.set(body, request)
        return new Response(ReadableStream.from(readAhead(body, bodyTimeout)) as unknown as BodyInit, init)
      }
      destroyBody(body) // there is none, whatever its Content-Length says
      return new Response(null, init)
    } catch (error) {
      // A status above 599: without a reader, the connection would never be free again.
      destroyBody(body)
      throw error
    }
  }
  const send = createSendByDispatcher(agent, { headersTimeout, bodyTimeout })
  return Object.assign(fetch, { send, close: () => agent.close() })
}

function toHeaders(fields: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}
