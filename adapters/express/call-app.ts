import { AsyncResource } from 'node:async_hooks'
import { once } from 'node:events'
import { ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addAbortSignal, duplexPair } from 'node:stream'
import { isDevelopment } from '../../core/development.js'
import { hasNullBody, streamFrom } from '../../core/http/body.js'
import { hopByHopFields } from '../../core/http/headers.js'
import type { ExpressRequest } from './request.js'

type Listener = (req: ExpressRequest, res: ServerResponse) => unknown

/** The connection of a render, with the request for all, and the request of the visitor that has caused the render. */
interface Connection {
  request: Request
  visitors: ExpressRequest
}

// Node already limited the size of the head when it came from the network.
const maxHeaderSize = 1024 * 1024

/**
 * Creates a function that lets a whole app answer a web `Request` through Node's `req` and `res`, over an in-memory
 * connection. There is no visitor at its other end, so the app cannot use a visitor's data, and may go on after a
 * visitor has left. The body is produced at the pace of its reader. The function rejects when the app closes the
 * connection without a response, or when the request is aborted.
 */
export function createAppCaller(app: Listener) {
  const server = createServer({ maxHeaderSize }, (req: ExpressRequest, res) => {
    const { request, visitors } = req.socket as unknown as Connection
    mount(req, visitors.baseUrl)
    if (isDevelopment()) noteReads(req, request, visitors)
    app(req, res)
  })
  return async (request: Request, visitors: ExpressRequest): Promise<Response> => {
    const { method, headers, signal } = request
    const { pathname, search, protocol } = new URL(request.url)
    const [near, far] = duplexPair()
    // An abort by a visitor has its own async context (AsyncLocalStorage), which the app must not see.
    const close = AsyncResource.bind(() => void far.destroy())
    addAbortSignal(signal, near).once('close', close)
    far.once('close', () => near.destroy())

    const asSocket = { setTimeout: () => far, setNoDelay: () => far, setKeepAlive: () => far }
    const isSecure = protocol === 'https:' && { encrypted: true }
    // The request is also kept reachable, because undici's signal would be garbage-collected together with it.
    Object.assign(far, asSocket, { remoteAddress: headers.get('x-forwarded-for'), request, visitors }, isSecure)
    server.emit('connection', far)

    const target = { method, path: pathname + search, headers: Object.fromEntries(headers), maxHeaderSize }
    // Not `http.request`, which a site's tests may replace to keep it off the network.
    const clientRequest = new ClientRequest({ ...target, createConnection: () => near as Socket })
    clientRequest.on('error', () => {}).end() // errors after the head fail the body
    const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage]
    return toResponse(answer, method === 'HEAD')
  }
}

/** Lets an app that is mounted at a path see the same URLs as it does for a visitor. */
function mount(req: ExpressRequest, baseUrl = ''): void {
  if (baseUrl === '') return
  Object.assign(req, { baseUrl, originalUrl: req.url, url: req.url?.slice(baseUrl.length).replace(/^(?!\/)/, '/') })
}

/** In development, tells the cache if the app reads a field that only the visitor has sent. */
function noteReads({ headers }: ExpressRequest, request: Request, visitors: ExpressRequest): void {
  for (const name of Object.keys(visitors.headers)) {
    if (name in headers) continue
    const define = (property: PropertyDescriptor) =>
      Object.defineProperty(headers, name, { ...property, configurable: true })
    const get = () => request.headers.get(name) ?? undefined
    define({ get, set: (value) => define({ value, enumerable: true, writable: true }) })
  }
}

function toResponse(answer: IncomingMessage, isHead: boolean): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  for (const name of hopByHopFields) headers.delete(name)
  const isEmpty = isHead || hasNullBody(status)
  if (isEmpty) answer.resume()
  const pieces = answer[Symbol.asyncIterator]()
  // A read and a cancellation by a visitor have their own async context, too. The answer is destroyed directly, because
  // an iterator that nobody has read from does not end it.
  const read = AsyncResource.bind(() => pieces.next())
  const cancel = AsyncResource.bind(() => void answer.destroy())
  return new Response(isEmpty ? null : streamFrom(read, cancel), { status, statusText, headers })
}
