import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { ClientRequest, createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal, duplexPair } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { hasNullBody } from '../../core/http/body.js'
import { hopByHopFields } from '../../core/http/headers.js'

// Node already limited the size of the head when it came from the network.
const maxHeaderSize = 1024 * 1024

/**
 * Lets a whole app answer a web `Request` through Node's `req` and `res`, over an in-memory connection. There is no
 * visitor at its other end, so the routes cannot use a visitor's data, and may go on after a visitor has left. The body
 * is produced at the pace of its reader.
 *
 * @param onRequest Receives the `req` before the app does.
 * @throws when the app closes the connection without a response, or the request is aborted.
 */
export async function callApp(app: RequestListener, request: Request, onRequest: RequestListener): Promise<Response> {
  const { method, signal } = request
  const { pathname, search, protocol } = new URL(request.url)
  const [near, far] = duplexPair()
  // A read of the body and an abort by a visitor have their own async context (AsyncLocalStorage), which the routes
  // must not see.
  near._read = AsyncResource.bind(near._read.bind(near))
  const close = AsyncResource.bind(() => void far.destroy())
  addAbortSignal(signal, near).once('close', close)
  far.once('close', () => near.destroy())

  const asSocket = { setTimeout: () => far, setNoDelay: () => far, setKeepAlive: () => far }
  // A documentation address (RFC 5737), as in the X-Forwarded-For that the cache sends. The request is kept reachable,
  // because undici's signal would be garbage-collected together with it.
  Object.assign(far, asSocket, { remoteAddress: '192.0.2.1', request }, protocol === 'https:' && { encrypted: true })
  createServer({ maxHeaderSize }, onRequest).on('request', app).emit('connection', far)

  const target = { method, path: pathname + search, headers: Object.fromEntries(request.headers), maxHeaderSize }
  // Not `http.request`, which a site's tests may replace to keep it off the network.
  const clientRequest = new ClientRequest({ ...target, createConnection: () => near as Socket })
  clientRequest.on('error', () => {}).end() // errors after the head fail the body
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  for (const name of hopByHopFields) headers.delete(name)
  const isEmpty = method === 'HEAD' || hasNullBody(status)
  if (isEmpty) answer.resume()
  const body = isEmpty ? null : (ReadableStream.from(answer) as unknown as BodyInit)
  return new Response(body, { status, statusText, headers })
}
