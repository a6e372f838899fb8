import type { Readable } from 'node:stream'
import { FastResponse } from 'srvx/node'
import { isDevelopment } from '../../core/development.js'
import { createCookieWarning } from '../../core/http/cookies.js'
import { type ResponseFactory, setResponseFactory } from '../../core/response-factory.js'
import { breakOff, isDestroyed, isForbiddenField, isHttp2, type NodeResponse } from './http2.js'
import { discard, isLong, sendLong, sendStream, sendWhole } from './response-body.js'

/** What a web response consists of, without the objects that nobody looks at. */
type Parts = ReturnType<FastResponse['_toNodeResponse']>

/** srvx' responses build no `Response`, `Headers` or stream of the platform unless somebody looks at one. */
const fastResponses: ResponseFactory = {
  sendsBytesUncopied: true,
  create: (body, init) => new FastResponse(body as BodyInit | null, init),
  createFrom: (response, init) =>
    new FastResponse((isFast(response) ? response._toNodeResponse().body : response.body) as BodyInit, init),
}

/** Lets core create the responses that {@link sendResponse} sends at the least cost. */
export function enableFastResponses(): void {
  setResponseFactory(fastResponses)
}

/**
 * Sends a web `Response` through Node's `http` or `http2`: each `Set-Cookie` as a header of its own, the body at the pace
 * of the client. When the body fails midway the socket is destroyed (over HTTP/2 the stream is reset), so that the client
 * sees a broken transfer and not a complete one. When the client disconnects the body is cancelled. Over HTTP/2 the
 * status text and headers about the connection are left out, since it has none.
 *
 * @throws the error of the body, after the transfer was broken off; nothing when the client disconnected.
 * @example await sendResponse(res, await handler(toRequest(req, res)))
 */
export async function sendResponse(res: NodeResponse, response: Response): Promise<void> {
  const parts = toParts(response)
  const { body } = parts
  try {
    setHead(res, parts)
    if (isLong(body) && res.req.method !== 'HEAD') return await sendLong(res, body)
    if (typeof body === 'string' || body instanceof Uint8Array) return sendWhole(res, body, parts.headers)
    if (!body || res.req.method === 'HEAD') res.end()
  } catch (error) {
    // So that the server's own error handler can still answer.
    if (!res.headersSent) clearHead(res)
    discard(body)
    throw error
  }
  if (!body) return
  if (isDestroyed(res)) return discard(body, new Error('Client disconnected'))
  if (res.req.method === 'HEAD') return discard(body)
  await sendStream(res, body as Readable | ReadableStream<Uint8Array>)
}

/** By its shape: every `Response` is an `instanceof FastResponse`. */
function isFast(response: Response): response is FastResponse {
  return '_toNodeResponse' in response
}

function toParts(response: Response): Parts {
  if (isFast(response)) return response._toNodeResponse()
  const { status, statusText, headers, body } = response
  return { status, statusText, headers: [...headers].flat(), body: body as Parts['body'] }
}

function setHead(res: NodeResponse, { status, statusText, headers, body }: Parts): void {
  if (status < 200 || status > 599) throw new RangeError(`response: expected a status from 200 to 599, got ${status}`)
  res.statusCode = status
  if (!isHttp2(res)) {
    // The client would parse bytes beyond Content-Length as the next response on the connection.
    res.strictContentLength = true
    // What no status line can bear is left out: it is for people only (RFC 9112, section 4).
    if (/^[\t\x20-\x7e]+$/.test(statusText)) res.statusMessage = statusText
  }
  const cookies = cookiesOf(res)
  const countBefore = cookies.length
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string]
    if (name === 'set-cookie') cookies.push(value)
    else if (!isForbiddenField(res, name)) res.setHeader(name, value)
  }
  if (cookies.length > countBefore) res.setHeader('set-cookie', cookies)
  if (isDevelopment()) warnOfCookies(res, cookies.slice(countBefore))
  // Without a body there is no length but 0, whatever the headers say.
  if (!body && res.req.method !== 'HEAD' && status !== 304) res.removeHeader('content-length')
}

/** Looks at the head once it was sent: sessions set their cookies at the last moment. */
function warnOfCookies(res: NodeResponse, own: readonly string[]): void {
  res.once('close', () => {
    const cookie = cookiesOf(res).find((each) => !own.includes(each))
    if (cookie !== undefined) warnOfCookie(cookie, res.getHeader('cache-control')?.toString())
  })
}

/** The cookies that the framework has set. */
function cookiesOf(res: NodeResponse): string[] {
  const value = res.getHeader('set-cookie')
  return value === undefined ? [] : [value].flat().map(String)
}

const warnOfCookie = createCookieWarning(
  'res',
  'this visitor gets it, and the response is stored without it, but a CDN may store both, or neither',
)

/** Responds in plain text, whatever was set before. Never throws: nobody is left to catch it. */
export function sendText(res: NodeResponse, status: number, text: string): void {
  try {
    clearHead(res)
    res.statusCode = status
    res.end(text)
  } catch {
    breakOff(res)
  }
}

/** Takes back what {@link sendResponse} has set on a response whose head was not sent. */
function clearHead(res: NodeResponse): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  if (isHttp2(res)) return
  res.strictContentLength = false
  res.statusMessage = ''
}
