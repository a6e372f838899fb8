import { ReadableStream } from 'node:stream/web'
import { FastURL, NodeRequest as LazyRequest, patchGlobalRequest } from 'srvx/node'
import { isHttp2, type NodeRequest, type NodeResponse, onDisconnect } from './http2.js'

/** Values from the framework that replace those of `req`, for example behind a trusted proxy. */
export interface ToRequestOptions {
  /** `'http'` or `'https'`; anything else is a malformed request. Default: `'https'` when the socket is encrypted. */
  protocol?: string | undefined
  /** Path and query as the client sent them. Default: `req.url`. */
  url?: string | undefined
  /** Body that was read from the stream already. Default: the stream. */
  body?: BodyInit | null | undefined
}

/** Protocol, host and request target are no valid URL, or not as a client writes it. The response should be a 400. */
export class BadRequestError extends Error {
  override name = 'BadRequestError'
  readonly status = 400
  /** Express and Fastify respond with this status. */
  readonly statusCode = 400
}

// uri-host and port as in RFC 9110, section 7.2: no userinfo, and nothing that would change where the path begins.
const validHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

// A backslash, or a segment that is one dot or two. A URL resolves them, as all clients do before they send a path (RFC 3986,
// section 5.2.4), and a framework does not: `/x/../admin` would pass its guard of `/admin`, and be `/admin` for the handler.
const resolvedByUrls = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Converts a request of Node's `http` or `http2` to a web `Request`. Its signal aborts when the client
 * disconnects before the response is complete. `X-Forwarded-*` and `Forwarded` headers are ignored.
 *
 * A GET or HEAD request creates its `headers` and `signal` when they are first used. So that `new Request(request)` works
 * with it, the first call replaces the global `Request` by a subclass; `fetch` takes it only as `fetch(new Request(request))`.
 *
 * @throws BadRequestError when protocol, Host and request target are no valid URL.
 * @example const response = await handler(toRequest(req, res))
 */
export function toRequest(req: NodeRequest, res: NodeResponse, options: ToRequestOptions = {}): Request {
  patchGlobalRequest()
  const { url, replacedHost } = toTarget(req, options)
  const lazy = new LazyRequest({ req, res })
  if (replacedHost !== undefined) lazy.headers.set('host', replacedHost)
  if (req.method !== 'GET' && req.method !== 'HEAD') return toRequestWithBody(req, res, lazy.headers, url.href, options)
  lazy._url = url
  return lazy
}

// A Request of undici follows its abort signal by a weak reference: keep each request alive as long as its response.
const requests = new WeakMap<NodeResponse, Request>()

function toRequestWithBody(
  req: NodeRequest,
  res: NodeResponse,
  headers: Headers,
  url: string,
  options: ToRequestOptions,
): Request {
  const controller = new AbortController()
  // An unread rest of the body would be parsed as the next request on the connection.
  res.once('finish', () => req.resume())
  onDisconnect(res, () => controller.abort(new Error('Client disconnected before the response was complete')))
  if (isHttp2(res)) failTruncatedBody(req)
  try {
    const request = new Request(url, {
      method: req.method as string,
      headers,
      signal: controller.signal,
      body: toBody(req, options),
      duplex: 'half',
    } as RequestInit)
    requests.set(res, request)
    return request
  } catch (cause) {
    throw new BadRequestError('Malformed request', { cause })
  }
}

/** Lets a body that the client broke off fail: HTTP/2 requests of Node end as if it were complete. */
function failTruncatedBody(req: NodeRequest): void {
  req.on('error', () => {}) // whoever reads the body gets it; otherwise it would end the process
  req.once('aborted', () => {
    if (!req.readableEnded) req.destroy(new Error('Client disconnected before the body was complete'))
  })
}

/** The URL of a request, and the host that replaces its Host field, if any. */
interface Target {
  url: URL
  replacedHost?: string | undefined
}

function toTarget(req: NodeRequest, { protocol, url = req.url ?? '/' }: ToRequestOptions): Target {
  // In the absolute form that proxies send, the target's host replaces the Host header (RFC 9112, section 3.2.2).
  const [, absoluteHost, absolutePath] = (!url.startsWith('/') && /^https?:\/\/([^/?#]*)(.*)$/is.exec(url)) || []
  const scheme = toScheme(protocol ?? ('encrypted' in req.socket ? 'https' : 'http'))
  const named = toCanonicalHost(scheme, toHost(req))
  const host = absoluteHost === undefined ? named : toCanonicalHost(scheme, absoluteHost)
  const target = absolutePath ?? url
  const path = target.startsWith('/') ? target : `/${target}`
  const query = path.indexOf('?')
  const pathname = query < 0 ? path : path.slice(0, query)
  if (resolvedByUrls.test(pathname)) throw new BadRequestError('Malformed path')
  const parts = {
    protocol: `${scheme}:`,
    host,
    pathname,
    search: query < 0 ? '' : path.slice(query),
  }
  return { url: new FastURL(parts), replacedHost: absoluteHost }
}

/** Behind a trusted proxy the protocol may be what the client wrote: `http://site.example/admin?` would be another URL. */
function toScheme(protocol: string): string {
  const scheme = protocol.toLowerCase()
  if (scheme === 'http' || scheme === 'https') return scheme
  throw new BadRequestError('Malformed protocol')
}

// Nearly all requests to a server have the same Host.
let lastHost = { scheme: '', host: '', canonical: '' }

/** In lower case and without the scheme's own port, as in any URL. */
function toCanonicalHost(scheme: string, host: string): string {
  if (host === lastHost.host && scheme === lastHost.scheme) return lastHost.canonical
  if (!validHost.test(host)) throw new BadRequestError('Malformed Host')
  try {
    const canonical = new URL(`${scheme}://${host}`).host
    lastHost = { scheme, host, canonical }
    return canonical
  } catch (cause) {
    throw new BadRequestError('Malformed Host', { cause })
  }
}

/** Over HTTP/2 `:authority` is in place of Host, and a Host beside it must be the same (RFC 9113, section 8.3.1). */
function toHost(req: NodeRequest): string {
  const host = toHostField(req.rawHeaders)
  const authority = req.headers[':authority'] as string | undefined
  // Only HTTP/1.0 has requests without any; Node itself refuses those of HTTP/1.1.
  if (authority === undefined) return host ?? (req.httpVersionMajor === 1 ? 'localhost' : '')
  if (host !== undefined && host.toLowerCase() !== authority.toLowerCase()) {
    throw new BadRequestError('Host differs from :authority')
  }
  return authority
}

/** Of two, `req.headers.host` has the first (RFC 9112, section 3.2: 400). */
function toHostField(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue
    if (host !== undefined) throw new BadRequestError('Two Host fields')
    host = rawHeaders[index + 1]
  }
  return host
}

function toBody(req: NodeRequest, { body }: ToRequestOptions): BodyInit | null {
  if (body !== undefined) return body
  // Destroying the request would close the connection before a handler that stops reading early could respond.
  return ReadableStream.from(req.iterator({ destroyOnReturn: false })) as unknown as BodyInit
}
