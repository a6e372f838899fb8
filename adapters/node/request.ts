import { ReadableStream } from 'node:stream/web'
import { FastURL, NodeRequest as LazyRequest, patchGlobalRequest } from 'srvx/node'
import { isHttp2, type NodeRequest, type NodeResponse } from './exchange.js'

/** Values from the framework that replace those of `req`, for example behind a trusted proxy. */
export interface ToRequestOptions {
  /** `'http'` or `'https'`; anything else is a malformed request. Default: `'https'` when the socket is encrypted. */
  protocol?: string | undefined
  /** Path and query as the client sent them. Default: `req.url`. */
  url?: string | undefined
  /** Body that was already read from the stream; `null` if the handler reads no body. Default: the stream. */
  body?: BodyInit | null | undefined
}

/**
 * Thrown when protocol, host and request target do not form a valid URL as a client writes it. The response should be a
 * 400.
 */
export class BadRequestError extends Error {
  override name = 'BadRequestError'
  readonly status = 400
  /** Express and Fastify respond with this status. */
  readonly statusCode = 400
}

// A host is uri-host and port as in RFC 9110, section 7.2: it has no userinfo, and no character that would change where
// the path begins.
const validHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

// A path must have no backslash and no segment of one or two dots. `URL` resolves them, as all clients do before they
// send a path (RFC 3986, section 5.2.4), but frameworks do not: `/x/../admin` would pass a framework's guard of
// `/admin`, and then be `/admin` for the handler.
const resolvedByUrls = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Converts a request of Node's `http` or `http2` to a web `Request`. Its signal aborts when the client
 * disconnects before the response is complete. `X-Forwarded-*` and `Forwarded` headers are ignored.
 *
 * The `headers` and `signal` of a GET or HEAD request are created on first use. The first call replaces the global
 * `Request` with a subclass so that `new Request(request)` works; to pass the request to `fetch`, write
 * `fetch(new Request(request))`.
 *
 * @throws BadRequestError when protocol, Host and request target do not form a valid URL.
 * @example const response = await handler(toRequest(req, res))
 */
export function toRequest(req: NodeRequest, res: NodeResponse, options: ToRequestOptions = {}): Request {
  patchGlobalRequest()
  const { url, replacedHost } = toTarget(req, options)
  const request = new LazyRequest({ req, res })
  request._url = url
  if (replacedHost !== undefined) request.headers.set('host', replacedHost)
  const { body } = options
  return req.method === 'GET' || req.method === 'HEAD' || body === null ? request : withBody(request, req, res, body)
}

// An undici Request follows its abort signal through a weak reference, so each request is kept alive as long as its
// response.
const requests = new WeakMap<NodeResponse, Request>()

/** @param body Default: the stream of the request. */
function withBody({ url, headers, signal }: Request, req: NodeRequest, res: NodeResponse, body?: BodyInit) {
  // The rest of the body is read and dropped, because Node would parse it as the next request on the connection.
  res.once('finish', () => req.resume())
  // Over HTTP/2, Node ends a body that the client aborted as if it were complete.
  if (isHttp2(res)) req.on('error', () => {}).once('aborted', () => req.destroy(new Error('Client disconnected')))
  // `destroyOnReturn` would close the connection before a handler that stops reading early could respond.
  const stream = () => ReadableStream.from(req.iterator({ destroyOnReturn: false })) as unknown as BodyInit
  const init = { method: req.method as string, headers, signal, body: body === undefined ? stream() : body }
  try {
    const request = new Request(url, { ...init, duplex: 'half' } as RequestInit)
    requests.set(res, request)
    return request
  } catch (cause) {
    throw new BadRequestError('Malformed request', { cause })
  }
}

/** Returns the URL of a request, and the host that replaces its Host field, if any. */
function toTarget(req: NodeRequest, { protocol, url = req.url ?? '/' }: ToRequestOptions) {
  const scheme = (protocol ?? ('encrypted' in req.socket ? 'https' : 'http')).toLowerCase()
  // Behind a trusted proxy the protocol may come from the client: `http://site.example/admin?` would produce another
  // URL.
  if (scheme !== 'http' && scheme !== 'https') throw new BadRequestError('Malformed protocol')
  // In the absolute form that proxies send, the target's host replaces the Host header (RFC 9112, section 3.2.2).
  const [, replacedHost, absolutePath] = (!url.startsWith('/') && /^https?:\/\/([^/?#]*)(.*)$/is.exec(url)) || []
  const named = toCanonicalHost(scheme, toHost(req))
  const host = replacedHost === undefined ? named : toCanonicalHost(scheme, replacedHost)
  const target = absolutePath ?? url
  const path = target.startsWith('/') ? target : `/${target}`
  const query = path.indexOf('?')
  const pathname = query < 0 ? path : path.slice(0, query)
  if (resolvedByUrls.test(pathname)) throw new BadRequestError('Malformed path')
  const search = query < 0 ? '' : path.slice(query)
  return { url: new FastURL({ protocol: `${scheme}:`, host, pathname, search }), replacedHost }
}

/** Returns the host in lower case and without the scheme's default port, as in any URL. */
function toCanonicalHost(scheme: string, host: string): string {
  if (!validHost.test(host)) throw new BadRequestError('Malformed Host')
  try {
    return new URL(`${scheme}://${host}`).host
  } catch (cause) {
    throw new BadRequestError('Malformed Host', { cause })
  }
}

/**
 * Over HTTP/2, `:authority` takes the place of Host, and an additional Host must be the same (RFC 9113, section 8.3.1).
 */
function toHost(req: NodeRequest): string {
  const { headers, rawHeaders } = req
  const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'
  // With two Host fields, `headers.host` is the first; RFC 9112, section 3.2, requires a 400.
  if (rawHeaders.filter(isHost).length > 1) throw new BadRequestError('Two Host fields')
  const authority = headers[':authority'] as string | undefined
  // Only HTTP/1.0 requests may come without Host; Node itself rejects HTTP/1.1 requests without it.
  if (authority === undefined) return headers.host ?? (req.httpVersionMajor === 1 ? 'localhost' : '')
  if ((headers.host ?? authority).toLowerCase() === authority.toLowerCase()) return authority
  throw new BadRequestError('Host differs from :authority')
}
