import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import type { NodeRequest, NodeResponse } from '../../adapters/node/exchange.js'
import type { Client, RunningServer } from './adapter.js'
import { createCertificate } from './certificate.js'

const certificate = createCertificate()
const PROTOCOL_ERROR = http2.constants.NGHTTP2_PROTOCOL_ERROR

/** Starts an HTTP/2 server on a free port, with TLS or by prior knowledge (h2c). `close` destroys open connections. */
export async function listenHttp2(
  listener: (req: NodeRequest, res: NodeResponse) => void,
  { tls = false } = {},
): Promise<RunningServer> {
  const server = tls ? http2.createSecureServer(certificate, listener) : http2.createServer(listener)
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session.on('close', () => sessions.delete(session))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const session of sessions) session.destroy()
      }),
  }
}

/** Creates a client with one connection to each origin. */
export function createHttp2Client(): Client & { request: typeof request } {
  const sessions = new Map<string, http2.ClientHttp2Session>()

  function request(url: string, headers: http2.OutgoingHttpHeaders): http2.ClientHttp2Stream {
    const { origin, pathname, search } = new URL(url)
    let session = sessions.get(origin)
    if (!session || session.closed || session.destroyed) {
      session = http2.connect(origin, { ca: certificate.cert }).on('error', () => {})
      sessions.set(origin, session)
    }
    return session.request({ ':path': pathname + search, ...headers }, { endStream: false })
  }

  return {
    httpVersion: 2,
    request,
    fetch: (url, init = {}) => fetchStream(request(url, toOutgoing(init)), init),
    async exchange(url, { method = 'GET', headers = {} } = {}, body) {
      const response = await fetchStream(request(url, { ':method': method, ...pairs(headers) }), {
        body: (body ?? null) as BodyInit | null,
      })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer()),
      }
    },
    async statusForHost(url, host) {
      const stream = request(url, { ':authority': host })
      const response = fetchStream(stream, {})
      // Node resets some itself, which is another way to refuse a malformed request (RFC 9113, section 8.1.1).
      return (await response.catch(() => undefined))?.status ?? (stream.rstCode === PROTOCOL_ERROR ? 400 : 0)
    },
    close() {
      for (const session of sessions.values()) session.destroy()
      sessions.clear()
    },
  }
}

function toOutgoing({ method = 'GET', headers }: RequestInit): http2.OutgoingHttpHeaders {
  const fields = new Headers(headers)
  fields.delete('Connection')
  return { ':method': method, ...Object.fromEntries(fields) }
}

/** Converts the list of names and values that Node's HTTP/1 client sends as it is. */
function pairs(headers: object): http2.OutgoingHttpHeaders {
  if (!Array.isArray(headers)) return { ...headers } as http2.OutgoingHttpHeaders
  const fields: Record<string, string[]> = {}
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index].toLowerCase()
    if (name !== 'host') fields[name] = [...(fields[name] ?? []), headers[index + 1]]
  }
  return fields
}

function fetchStream(stream: http2.ClientHttp2Stream, { body, signal }: RequestInit): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => stream.close(http2.constants.NGHTTP2_CANCEL))
    stream.once('error', reject).once('close', () => reject(new Error('closed before the response')))
    stream.once('response', ({ ':status': status = 0, ...fields }) => {
      const headers = new Headers()
      for (const [name, values] of Object.entries(fields)) {
        for (const value of [values ?? []].flat()) headers.append(name, value)
      }
      const isEmpty = [204, 304].includes(status)
      if (isEmpty) stream.resume()
      // Not `Readable.toWeb`, which fails when the server ends the exchange before it has read the whole request.
      const received = isEmpty ? null : (ReadableStream.from(stream) as unknown as BodyInit)
      resolve(new Response(received, { status, headers }))
    })
    if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(stream)
    else stream.end(body)
  })
}
