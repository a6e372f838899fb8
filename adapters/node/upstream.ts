import { Readable } from 'node:stream'
import { Agent, buildConnector } from 'undici'
import type { Handler } from '../../core/handler.js'
import { hasNullBody } from '../../core/http/body.js'
import type { FieldReader } from '../../core/http/headers.js'
import type { ResponseBody } from '../../core/response-factory.js'
import { type ClientResponse, sendGet } from './http-client.js'

/** A response of a service after its head has arrived. Open its body, or discard it. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: FieldReader
  /**
   * Waits for the first chunk, and returns the whole body; `undefined` if it is empty. If the service stalls or fails
   * right after its head, there is still time for an error response. If it stalls later, the body fails.
   */
  openBody(): Promise<ResponseBody | undefined>
  /**
   * Returns the beginning of the body, as far as it arrives within the time limit, and ends the exchange. Never
   * rejects.
   */
  readStart(maxBytes: number): Promise<Uint8Array>
  /** Ends the exchange without the body. */
  discard(): void
}

export interface UpstreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /** Returns the client's signal. When it aborts, the request to the service is aborted, too. */
  signal(): AbortSignal | undefined
  /** Maximum wait in milliseconds, for the head and for each chunk of the body. */
  readonly timeout: number
  /** Called when the body fails after its first chunk, when it is too late for another response. */
  readonly onBodyError: (error: unknown) => void
}

/**
 * Sends a `GET` to the service, and waits for the head of the response. Redirects are not followed.
 *
 * @throws TimeoutError, the reason of the signal, or the failure of the exchange.
 */
export type SendUpstream = (url: string, options: UpstreamOptions) => Promise<UpstreamResponse>

/** A `fetch`-shaped function that may also have a `send`, which needs no `Request`, `Response` or web stream. */
export interface UpstreamHandler extends Handler {
  readonly send?: SendUpstream | undefined
}

/** Fetches from another server. Call `close()` when the process shuts down. */
export interface UpstreamFetch extends UpstreamHandler {
  /** Sends a request of the image proxy with the same limits, but without a `Request` and a `Response`. */
  readonly send: SendUpstream
  /** Waits for pending requests, then closes the connections. */
  close(): Promise<void>
}

/**
 * Creates a `fetch`-shaped client for `GET` requests to a service behind the site, such as imgproxy: it reuses
 * connections, at most 1,024 per origin, and does not follow redirects. It waits 3 s for a connection, the service's
 * `timeout` for the head and for each chunk, and six times that `timeout` for a whole response. A body may have at most
 * 50 MB. It does not decode bodies, so it requests the `identity` encoding; a body in any other encoding fails. Unlike
 * Node's global `fetch`, it survives a service that closes the connection while a visitor reads slowly.
 *
 * @example imgproxy({ serviceUrl, key, salt, fetch: createUpstreamFetch() })
 */
export function createUpstreamFetch(): UpstreamFetch {
  const connectHttp1 = buildConnector({ timeout: 3_000, allowH2: false })
  const connect: typeof connectHttp1 = (target, callback) =>
    connectHttp1(target, (...result) => {
      result[1]?.on('error', (error: NodeJS.ErrnoException) => {
        // A reset makes the response fail, no matter how much has arrived (RFC 9112, section 8), but undici takes this
        // code for the end of a body.
        if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET'
      })
      callback(...result)
    })
  const agent = new Agent({ connections: 1_024, maxResponseSize: 50_000_000, connect })
  const send: SendUpstream = async (url, { headers, signal: getSignal, timeout, onBodyError }) => {
    const signal = getSignal()
    const request = { url: new URL(url), headers: { ...headers, 'accept-encoding': 'identity' }, timeout, signal }
    return toUpstreamResponse(await sendGet(agent, request), signal, onBodyError)
  }
  const fetch = async (client: Request): Promise<Response> => {
    if (client.method !== 'GET') throw new TypeError(`createUpstreamFetch: expected GET, got ${client.method}`)
    // The callback keeps the request reachable from the body, because a garbage-collected request no longer aborts its
    // signal.
    const options = {
      headers: Object.fromEntries(client.headers),
      signal: () => client.signal,
      timeout: 10_000,
      onBodyError: () => client,
    }
    const { status, fields, openBody } = (await send(client.url, options)) as ReturnType<typeof toUpstreamResponse>
    const headers = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
    return new Response((await openBody()) as BodyInit | undefined, { status, headers })
  }
  return Object.assign(fetch, { send, close: () => agent.close() })
}

function toUpstreamResponse(
  { status, headers: fields, body, discard }: ClientResponse,
  signal: AbortSignal | undefined,
  onBodyError: (error: unknown) => void,
) {
  const get = (name: string) => {
    const value = fields[name.toLowerCase()]
    return (Array.isArray(value) ? value.join(', ') : value) || null
  }
  return {
    status,
    fields,
    headers: { get, has: (name: string) => get(name) !== null },
    discard,
    async openBody() {
      const encoding = get('content-encoding')?.trim() || 'identity'
      const isEncoded = encoding.toLowerCase() !== 'identity'
      if (hasNullBody(status) || isEncoded) discard()
      if (hasNullBody(status)) return undefined
      if (isEncoded) throw new Error(`response body: expected no Content-Encoding, got ${encoding}`)
      if (!(body instanceof Readable)) return (await body).length > 0 ? body : undefined
      if (!(await hasContent(body))) return undefined
      body.on('error', (error) => signal?.aborted || onBodyError(error))
      return body
    },
    async readStart(maxBytes: number) {
      const chunks: Buffer[] = []
      const readAll = async () => {
        let length = 0
        for await (const chunk of body instanceof Readable ? body : [await body]) {
          chunks.push(chunk)
          length += chunk.length
          if (length >= maxBytes) break // destroys the body
        }
      }
      await readAll().catch(() => {})
      return Buffer.concat(chunks).subarray(0, maxBytes)
    },
  }
}

/** Waits for the first chunk, or the end. */
async function hasContent(body: Readable): Promise<boolean> {
  if (body.errored) throw body.errored
  await new Promise((resolve, reject) => body.once('readable', resolve).once('end', resolve).once('error', reject))
  return body.readableLength > 0
}
