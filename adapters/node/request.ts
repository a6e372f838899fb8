import { ReadableStream } from 'node:stream/web'
import { isHttp2, type NodeRequest, type NodeResponse, onDisconnect } from './http2.js'

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
const requests = new WeakMap<NodeResponse, Request>()

/**
 * Converts a request of Node's `http` or `http2` to a web `Request`. Its signal aborts when the client
 * disconnects before the response is complete. `X-Forwarded-*` and `Forwarded` headers are ignored.
 *
 * @throws BadRequestError when Host or request target are not a valid URL.
 * @example const response = await handler(toRequest(req, res))
 */
export function toRequest(req: NodeRequest, res: NodeResponse, options: ToRequestOptions = {}): Request {
  const method = req.method ?? 'GET'
  const controller = new AbortController()
  // An unread rest of the body would be parsed as the next request on the connection.
  res.once('finish', () => req.resume())
  onDisconnect(res, () => controller.abort(new Error('Client disconnected before the response was complete')))
  if (isHttp2(res)) failTruncatedBody(req)
  try {
    const headers = toHeaders(req.rawHeaders)
    const request = new Request(toUrl(req, headers, options), {
      method,
      headers,
      signal: controller.signal,
      ...(method !== 'GET' && method !== 'HEAD' && { body: toBody(req, options), duplex: 'half' }),
    } as RequestInit)
    requests.set(res, request)
    return request
  } catch (cause) {
    throw cause instanceof BadRequestError ? cause : new BadRequestError('Malformed request', { cause })
  }
}

/** Lets a body that the client broke off fail: HTTP/2 requests of Node end as if it were complete. */
function failTruncatedBody(req: NodeRequest): void {
  req.on('error', () => {}) // whoever reads the body gets it; otherwise it would end the process
  req.once('aborted', () => {
    if (!req.readableEnded) req.destroy(new Error('Client disconnected before the body was complete'))
  })
}

/** Returns the URL. In the absolute form that proxies send, the target's host replaces Host (RFC 9112, section 3.2.2). */
function toUrl(req: NodeRequest, headers: Headers, { protocol, url = req.url ?? '/' }: ToRequestOptions): string {
  const [, absoluteHost, absolutePath] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  const named = toHost(req, headers)
  const host = absoluteHost ?? named
  if (!validHost.test(named) || !validHost.test(host)) throw new BadRequestError('Malformed Host')
  if (absoluteHost !== undefined) headers.set('host', absoluteHost)
  const scheme = protocol ?? ('encrypted' in req.socket ? 'https' : 'http')
  const path = absolutePath ?? url
  return `${scheme}://${host}${path.startsWith('/') ? path : `/${path}`}`
}

/** Over HTTP/2 `:authority` is in place of Host, and a Host beside it must be the same (RFC 9113, section 8.3.1). */
function toHost(req: NodeRequest, headers: Headers): string {
  // Two Hosts are joined by a comma here, and so malformed; of `req.headers.host`, Node keeps the first.
  const host = headers.get('host')
  const authority = req.headers[':authority'] as string | undefined
  // Only HTTP/1.0 has requests without any; Node itself refuses those of HTTP/1.1.
  if (authority === undefined) return host ?? (req.httpVersionMajor === 1 ? 'localhost' : '')
  if (host !== null && host.toLowerCase() !== authority.toLowerCase()) {
    throw new BadRequestError('Host differs from :authority')
  }
  return authority
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

function toBody(req: NodeRequest, { body }: ToRequestOptions): BodyInit | null {
  if (body !== undefined) return body
  // Destroying the request would close the connection before a handler that stops reading early could respond.
  return ReadableStream.from(req.iterator({ destroyOnReturn: false })) as unknown as BodyInit
}
