import type { Readable } from 'node:stream'
import { Agent, buildConnector } from 'undici'
import { hasNullBody } from '../../core/http/body.js'
import type { SendUpstream, UpstreamHandler } from '../../core/image/internal.js'
import { type ClientResponse, discardBody, sendGet } from './http-client.js'

/** Fetches from another server. Call `close()` when the process shuts down. */
export interface UpstreamFetch extends UpstreamHandler {
  /** Sends a request of the image proxy with the same limits, but without a `Request` and a `Response`. */
  readonly send: SendUpstream
  /** Waits for pending requests, then closes the connections. */
  close(): Promise<void>
}

/**
 * Creates a `fetch`-shaped client for `GET` requests to a service behind the site, such as imgproxy: it reuses
 * connections, at most 1,024 per origin, and does not follow redirects. It waits 3 s for a connection, the proxy's
 * `timeout` for the head and for each chunk, and six times that `timeout` for a whole response. A body may have at most
 * 50 MB. It does not decode bodies, so it requests the `identity` encoding; a body in any other encoding fails. Unlike
 * Node's global `fetch`, it survives a service that closes the connection while a visitor reads slowly.
 *
 * @example createImageProxy({ ...options, fetch: createUpstreamFetch() })
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
  const send: SendUpstream = async (url, { headers, client, timeout, onBodyError }) => {
    const { signal } = client
    const request = { url: new URL(url), headers: { ...headers, 'accept-encoding': 'identity' }, timeout, signal }
    return toUpstreamResponse(await sendGet(agent, request), signal, onBodyError)
  }
  const fetch = async (client: Request): Promise<Response> => {
    if (client.method !== 'GET') throw new TypeError(`createUpstreamFetch: expected GET, got ${client.method}`)
    // The callback keeps the request reachable from the body, because a garbage-collected request no longer aborts its
    // signal.
    const options = { headers: Object.fromEntries(client.headers), client, timeout: 10_000, onBodyError: () => client }
    const { status, fields, openBody } = (await send(client.url, options)) as ReturnType<typeof toUpstreamResponse>
    const headers = Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
    return new Response((await openBody()) as BodyInit | undefined, { status, headers })
  }
  return Object.assign(fetch, { send, close: () => agent.close() })
}

function toUpstreamResponse(
  { status, headers: fields, body }: ClientResponse,
  signal: AbortSignal | undefined,
  onBodyError: (error: unknown) => void,
) {
  const get = (name: string) => [fields[name.toLowerCase()] ?? []].flat().join(', ') || null
  return {
    status,
    fields,
    headers: { get, has: (name: string) => get(name) !== null },
    discard: () => discardBody(body),
    async openBody() {
      const encoding = get('content-encoding')?.trim() || 'identity'
      const isEncoded = encoding.toLowerCase() !== 'identity'
      if (hasNullBody(status) || isEncoded) discardBody(body)
      if (hasNullBody(status)) return undefined
      if (isEncoded) throw new Error(`response body: expected no Content-Encoding, got ${encoding}`)
      // Up to this size, the operating system buffers the body for each client anyway, even if the client does not
      // read.
      if (Number(get('content-length') ?? Infinity) <= 64 * 1024) return await readWhole(body)
      if (!(await hasContent(body))) return undefined
      body.on('error', (error) => signal?.aborted || onBodyError(error))
      return body
    },
    async readStart(maxBytes: number) {
      const chunks: Buffer[] = []
      const readAll = async () => {
        let length = 0
        for await (const chunk of body) {
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

/**
 * Reads a short body; `undefined` when it is empty. Uses events, because an iterator creates promises and listeners for
 * each chunk.
 */
function readWhole(body: Readable): Promise<Buffer<ArrayBuffer> | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = []
    body.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    body.on('end', () => resolve(chunks.length > 1 ? Buffer.concat(chunks) : chunks[0]))
    // The body may have failed before the listeners were added, for example because the client has left.
    if (body.errored) reject(body.errored)
  })
}

/** Waits for the first chunk, or the end. */
async function hasContent(body: Readable): Promise<boolean> {
  if (body.errored) throw body.errored
  await new Promise((resolve, reject) => body.once('readable', resolve).once('end', resolve).once('error', reject))
  return body.readableLength > 0
}
