import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReadableStream } from 'node:stream/web'

/** Values from the framework that replace those of `req`, for example behind a trusted proxy. */
export interface ToRequestOptions {
  /** `'http'` or `'https'`. Default: `'https'` when the socket is encrypted. */
  protocol?: string | undefined
  /** Path and query as the client sent them. Default: `req.url`. */
  url?: string | undefined
  /** Body that was read from the stream already. Default: the stream. */
  body?: BodyInit | null | undefined
}

/** Host or request target are not a valid URL. The response should be a 400. */
export class BadRequestError extends Error {
  override name = 'BadRequestError'
  readonly status = 400
  /** Express and Fastify respond with this status. */
  readonly statusCode = 400
}

// uri-host and port as in RFC 9110, section 7.2: no userinfo, and nothing that would change where the path begins.
const validHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

// A Request of undici follows its abort signal by a weak reference: keep each request alive as long as its response.
const requests = new WeakMap<ServerResponse, Request>()

/**
 * Converts a request of Node's `http` to a web `Request`. Its signal aborts when the client disconnects before the
 * response is complete. `X-Forwarded-*` and `Forwarded` headers are ignored.
 *
 * @throws BadRequestError when Host or request target are not a valid URL.
 * @example const response = await handler(toRequest(req, res))
 */
export function toRequest(req: IncomingMessage, res: ServerResponse, options: ToRequestOptions = {}): Request {
  const method = req.method ?? 'GET'
  const controller = new AbortController()
  // An unread rest of the body would be parsed as the next request on the connection.
  res.once('finish', () => req.resume())
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('Client disconnected before the response was complete'))
  })
  try {
    const request = new Request(toUrl(req, options), {
      method,
      headers: toHeaders(req.rawHeaders),
      signal: controller.signal,
      ...(method !== 'GET' && method !== 'HEAD' && { body: toBody(req, options), duplex: 'half' }),
    } as RequestInit)
    requests.set(res, request)
    return request
  } catch (cause) {
    throw cause instanceof BadRequestError ? cause : new BadRequestError('Malformed request', { cause })
  }
}

function toUrl(req: IncomingMessage, { protocol, url = req.url ?? '/' }: ToRequestOptions): string {
  // In the absolute form that proxies send, the target's host replaces the Host header (RFC 9112, section 3.2.2).
  const [, absoluteHost, absolutePath] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  const host = absoluteHost ?? req.headers.host ?? 'localhost'
  if (!validHost.test(host)) throw new BadRequestError('Malformed Host')
  const scheme = protocol ?? ('encrypted' in req.socket ? 'https' : 'http')
  const path = absolutePath ?? url
  return `${scheme}://${host}${path.startsWith('/') ? path : `/${path}`}`
}

function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // Pseudo-headers of HTTP/2, such as `:path`.
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] as string)
  }
  return headers
}

function toBody(req: IncomingMessage, { body }: ToRequestOptions): BodyInit | null {
  if (body !== undefined) return body
  // Destroying the request would close the connection before a handler that stops reading early could respond.
  return ReadableStream.from(req.iterator({ destroyOnReturn: false })) as unknown as BodyInit
}
