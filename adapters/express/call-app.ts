import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal, duplexPair } from 'node:stream'
import { isDevelopment } from '../../core/development.js'
import { hasNullBody, streamFrom } from '../../core/http/body.js'
import { hopByHopFields } from '../../core/http/headers.js'
import type { ExpressRequest } from './request.js'

export type Next = (error?: unknown) => void
export type Listener = (req: ExpressRequest, res: ServerResponse, next?: Next) => unknown

// Node already limited the size of the head when it came from the network.
const maxHeaderSize = 1024 * 1024

/**
 * Lets a whole app answer a web `Request` through Node's `req` and `res`, over an in-memory connection. There is no
 * visitor at its other end, so the app cannot use a visitor's data, and may go on after a visitor has left. The body
 * is produced at the pace of its reader.
 *
 * @param visitors The request of the visitor that has caused the call. Only its mount path is used and, in development,
 *   the names of its fields.
 * @throws when the app closes the connection without a response, or the request is aborted.
 */
export async function callApp(app: Listener, request: Request, visitors: ExpressRequest): Promise<Response> {
  const { method, signal } = request
  const { pathname, search, protocol } = new URL(request.url)
  const [near, far] = duplexPair()
  // An abort by a visitor has its own async context (AsyncLocalStorage), which the app must not see.
  const close = AsyncResource.bind(() => void far.destroy())
  addAbortSignal(signal, near).once('close', close)
  far.once('close', () => near.destroy())

  const headers = Object.fromEntries(request.headers)
  const asSocket = { setTimeout: () => far, setNoDelay: () => far, setKeepAlive: () => far }
  // The request is kept reachable, because undici's signal would be garbage-collected together with it.
  Object.assign(far, asSocket, { remoteAddress: headers['x-forwarded-for'], request })
  if (protocol === 'https:') Object.assign(far, { encrypted: true })
  const server = createServer({ maxHeaderSize }, (req: ExpressRequest) => {
    const { baseUrl = '' } = visitors
    const url = pathname.slice(baseUrl.length).replace(/^(?!\/)/, '/') + search
    if (baseUrl) Object.assign(req, { baseUrl, originalUrl: req.url, url })
    if (isDevelopment()) req.headers = noteReads(req, request, visitors)
  })
  server.on('request', app).emit('connection', far)

  const target = { method, path: pathname + search, headers, maxHeaderSize }
  // This does not call `http.request`, because a site's tests may replace that to block the network.
  const clientRequest = new ClientRequest({ ...target, createConnection: () => near as Socket })
  // An error after the head also reaches the reader of the body, so it is ignored here.
  clientRequest.on('error', () => {}).end()
  const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage]
  return toResponse(answer, method === 'HEAD')
}

/** Returns header fields that tell the cache if the app reads a field that only the visitor has sent. */
function noteReads({ headers }: ExpressRequest, request: Request, visitors: ExpressRequest): ExpressRequest['headers'] {
  return new Proxy(headers, {
    get(fields, name) {
      const isMissed = typeof name === 'string' && !(name in fields) && name in visitors.headers
      return isMissed ? (request.headers.get(name) ?? undefined) : Reflect.get(fields, name)
    },
  })
}

function toResponse(answer: IncomingMessage, isHead: boolean): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = answer
  const kept = Object.entries(headersDistinct).filter(([name]) => !hopByHopFields.includes(name))
  const headers = kept.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]))
  const isEmpty = isHead || hasNullBody(status)
  if (isEmpty) answer.resume()
  const pieces = answer[Symbol.asyncIterator]()
  // Reading or canceling the body has an async context, too, which the app must not see. `cancel` destroys the
  // answer itself, because the `return()` of an iterator that was never read does not.
  const read = AsyncResource.bind(() => pieces.next())
  const cancel = AsyncResource.bind(() => void answer.destroy())
  return new Response(isEmpty ? null : streamFrom(read, cancel), { status, statusText, headers })
}
