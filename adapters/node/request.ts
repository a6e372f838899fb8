import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReadableStream } from 'node:stream/web'

/** Where the client asked, when the server in front of the handler knows better than the socket. */
export interface RequestTarget {
  /** `'http'` or `'https'`. Default: whether the socket is encrypted. */
  protocol?: string | undefined
  /** Path and query as the client sent them. Default: `req.url`. */
  url?: string | undefined
  /** Body in place of the stream, for one that was read already. */
  body?: BodyInit | null | undefined
}

/** The request names a host or target that is no valid URL: to be answered with 400. */
export class BadRequest extends Error {
  override name = 'BadRequest'
  readonly status = 400
  /** For Express, which answers with it. */
  readonly statusCode = 400
}

// Host and port as RFC 9110, section 7.2 has them: no userinfo, no path, nothing that would move where the path begins.
const plainHost = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

// undici's requests hold on to what aborts their signal by a weak reference: each has to live as long as its response.
const answered = new WeakMap<ServerResponse, Request>()

/**
 * Converts a request of Node's `http` to a web `Request`. Its signal aborts when the client leaves before the response
 * is complete. Forwarding headers are not read.
 *
 * @throws BadRequest when Host or target are no valid URL.
 */
export function toRequest(req: IncomingMessage, res: ServerResponse, target: RequestTarget = {}): Request {
  const method = req.method ?? 'GET'
  const leaving = new AbortController()
  // What a handler left unread of the body would stand before the next request on the connection.
  res.once('finish', () => req.resume())
  res.once('close', () => {
    if (!res.writableFinished) leaving.abort(new Error('The client left before the response was complete'))
  })
  try {
    const request = new Request(toUrl(req, target), {
      method,
      headers: toHeaders(req.rawHeaders),
      signal: leaving.signal,
      ...(method !== 'GET' && method !== 'HEAD' && { body: toBody(req, target), duplex: 'half' }),
    } as RequestInit)
    answered.set(res, request)
    return request
  } catch (cause) {
    throw cause instanceof BadRequest ? cause : new BadRequest('Malformed request', { cause })
  }
}

function toUrl(req: IncomingMessage, { protocol, url = req.url ?? '/' }: RequestTarget): string {
  // Absolute form, as a proxy sends it (RFC 9112, section 3.2.2): its own host counts.
  const [, absoluteHost, path] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  const host = absoluteHost ?? req.headers.host ?? 'localhost'
  if (!plainHost.test(host)) throw new BadRequest('Malformed Host')
  const scheme = protocol ?? ('encrypted' in req.socket ? 'https' : 'http')
  const target = path ?? url
  return `${scheme}://${host}${target.startsWith('/') ? target : `/${target}`}`
}

function toHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    // HTTP/2 names method and path in pseudo headers.
    if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] as string)
  }
  return headers
}

function toBody(req: IncomingMessage, { body }: RequestTarget): BodyInit | null {
  if (body !== undefined) return body
  // A handler that does not read the body to its end must not cost the connection its response.
  return ReadableStream.from(req.iterator({ destroyOnReturn: false })) as unknown as BodyInit
}
