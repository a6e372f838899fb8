import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { FastResponse } from 'srvx/node'
import { isDevelopment } from '../../core/development.js'
import { cancelBody, streamBytes } from '../../core/http/body.js'
import { createCookieWarning } from '../../core/http/cookies.js'
import { hopByHopFields } from '../../core/http/headers.js'
import { setResponseFactory } from '../../core/response-factory.js'
import { breakOff, isClosed, isHttp2, limitIdleTime, type NodeResponse, unsentBytes } from './exchange.js'

/** The parts of a web response that {@link sendResponse} reads. */
type Parts = ReturnType<FastResponse['_toNodeResponse']>

let warnsOfCookies = false

/**
 * Lets core create srvx responses, which are the cheapest for {@link sendResponse}: they create a native `Response`,
 * `Headers` or stream only when it is read. Reads `NODE_ENV`, which would cost time with each response.
 */
export function enableFastResponses(): void {
  warnsOfCookies = isDevelopment()
  setResponseFactory({
    sendsBytesUncopied: true,
    create: (body, init) => new FastResponse(body as BodyInit | null, init),
    createFrom: (response, init) =>
      new FastResponse((isFast(response) ? response._toNodeResponse().body : response.body) as BodyInit, init),
  })
}

/**
 * Sends a web `Response` through Node's `http` or `http2`. Each `Set-Cookie` and each `Vary` is sent as a separate
 * header, in addition to those of the framework. The body is sent at the client's pace; a client that reads nothing for
 * a minute is disconnected. When the body fails midway or does not match its `Content-Length`, the socket is destroyed
 * (over HTTP/2 the stream is reset), so the client sees a broken transfer instead of a complete one. When the client
 * disconnects, the body is cancelled.
 *
 * @throws The body's error, after breaking off the transfer. Does not throw when the client disconnected.
 * @example await sendResponse(res, await handler(toRequest(req, res)))
 */
export async function sendResponse(res: NodeResponse, response: Response): Promise<void> {
  const parts = toParts(response)
  const { body } = parts
  const isEmpty = !body || res.req.method === 'HEAD'
  try {
    setHead(res, parts)
    if (isEmpty) res.end()
    else if (typeof body === 'string' || body instanceof Uint8Array) return await sendWhole(res, body, parts.headers)
  } catch (error) {
    // The head is cleared, so that the server's own error handler can still answer.
    if (!res.headersSent) clearHead(res)
    discard(body, error)
    throw error
  }
  if (isEmpty || isClosed(res)) discard(body, new Error('Client disconnected'))
  else await sendStream(res, body as Readable | ReadableStream<Uint8Array>)
}

/** Checks the shape, because every `Response` is an `instanceof FastResponse`. */
function isFast(response: Response): response is FastResponse {
  return '_toNodeResponse' in response
}

function toParts(response: Response): Parts {
  if (isFast(response)) return response._toNodeResponse()
  const { status, headers, statusText, body } = response // the headers first, as in withHeaders
  return { status, statusText, headers: [...headers].flat(), body: body as Parts['body'] }
}

function setHead(res: NodeResponse, { status, statusText, headers, body }: Parts): void {
  if (status < 200 || status > 599) throw new RangeError(`response: expected a status from 200 to 599, got ${status}`)
  res.statusCode = status
  // HTTP/2 has no status text. Text that is not allowed in a status line is left out (RFC 9112, section 4).
  if (!isHttp2(res) && /^[\t\x20-\x7e]+$/.test(statusText)) res.statusMessage = statusText
  const cookies = cookiesOf(res)
  const frameworkCookieCount = cookies.length
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string]
    if (name === 'set-cookie') cookies.push(value)
    // Vary is added to that of the framework, because a CDN that stores the response needs the `Vary: Origin` of
    // `cors`.
    else if (/^vary$/i.test(name) && res.hasHeader(name)) res.appendHeader(name, value)
    // Over HTTP/2, Node throws on connection-specific fields (RFC 9113, section 8.2.2).
    else if (!isHttp2(res) || !hopByHopFields.includes(name)) res.setHeader(name, value)
  }
  if (cookies.length > frameworkCookieCount) res.setHeader('set-cookie', cookies)
  if (warnsOfCookies) res.once('close', () => warnOfCookies(res, headers))
  // The length of a missing body is 0, even if the headers name another.
  if (!body && res.req.method !== 'HEAD' && status !== 304) res.removeHeader('content-length')
}

/** Returns the cookies that the framework has set. */
function cookiesOf(res: NodeResponse): string[] {
  const value = res.getHeader('set-cookie')
  return value === undefined ? [] : [value].flat().map(String)
}

/** Called after the head was sent, because sessions set their cookies at the last moment. */
function warnOfCookies(res: NodeResponse, handlerHeaders: readonly string[]): void {
  const cookie = cookiesOf(res).find((value) => !handlerHeaders.includes(value))
  if (cookie !== undefined) warnOfCookie(cookie, res.getHeader('cache-control')?.toString())
}

const warnOfCookie = createCookieWarning('res')

/** Responds with plain text, discarding any head that was set before. Never throws. */
export function sendText(res: NodeResponse, status: number, text: string): void {
  try {
    clearHead(res)
    res.statusCode = status
    res.end(text)
  } catch {
    breakOff(res)
  }
}

/** Removes the head that {@link sendResponse} has set. */
function clearHead(res: NodeResponse): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name)
  if (!isHttp2(res)) res.statusMessage = ''
}

// Larger bodies are sent in pieces, because over HTTP/2 Node refuses new streams on a connection that has 10 MB left to
// send.
const maxPieceBytes = 64 * 1024

function sendWhole(
  res: NodeResponse,
  body: string | Uint8Array,
  headers: readonly string[],
): Promise<void> | undefined {
  checkLength(res, Buffer.byteLength(body), true)
  // With a text body, Node also uses the body's encoding for the head, but header fields are Latin-1.
  const isSafe = typeof body !== 'string' || headers.every((text) => /^[\0-\x7f]*$/.test(text))
  const content = isSafe ? (body as string | Uint8Array<ArrayBuffer>) : Buffer.from(body)
  if (isHttp2(res) && content.length > maxPieceBytes) {
    return sendStream(res, streamBytes(typeof content === 'string' ? Buffer.from(content) : content))
  }
  res.end(content)
  // The operating system has nearly always accepted the whole body already.
  if (unsentBytes(res) > 0) limitIdleTime(res)
  return undefined
}

/** @throws Error if the body is longer than its `Content-Length`, or if it has ended and is shorter. */
function checkLength(res: NodeResponse, bytes: number, isEnd: boolean): void {
  const field = res.getHeader('content-length')
  if (field === undefined || (isEnd ? bytes === Number(field) : bytes <= Number(field))) return
  throw new Error(`Response body: expected ${field} bytes as in Content-Length, got ${bytes}`)
}

async function sendStream(res: NodeResponse, body: Readable | ReadableStream<Uint8Array>): Promise<void> {
  const { read, cancel } = toReader(body)
  let resume = () => {}
  const onDrain = () => resume()
  const onClose = () => {
    cancel(new Error('Client disconnected'))
    resume()
  }
  // The listener is added once for the whole body, because `compression` adds `drain` listeners to another stream,
  // where `off` does not find them.
  res.on('drain', onDrain).on('close', onClose)
  limitIdleTime(res)
  try {
    let sentBytes = 0
    for (let chunk = await read(); !chunk.done; chunk = await read()) {
      // A closed response ends the loop, because a cancelled stream may go on giving chunks at once.
      if (isClosed(res)) return
      sentBytes += chunk.value.length
      checkLength(res, sentBytes, false)
      for (let at = 0; at < chunk.value.length && !isClosed(res); at += maxPieceBytes) {
        const piece = chunk.value.subarray(at, at + maxPieceBytes)
        if (!(res as ServerResponse).write(piece)) await new Promise<void>((resolve) => (resume = resolve))
      }
      // `compression` holds pieces back until it is told to send them.
      if ('flush' in res && typeof res.flush === 'function') res.flush()
    }
    if (isClosed(res)) return
    checkLength(res, sentBytes, true)
    res.end()
  } catch (error) {
    if (isClosed(res)) return
    breakOff(res)
    cancel(error)
    throw error
  } finally {
    res.off('drain', onDrain).off('close', onClose)
  }
}

/** Reads either kind of body chunk by chunk. */
function toReader(body: Readable | ReadableStream<Uint8Array>) {
  const chunks = isNodeStream(body) ? body[Symbol.asyncIterator]() : body.getReader()
  const read = () => ('read' in chunks ? chunks.read() : chunks.next())
  return { read, cancel: (reason: unknown) => discard('read' in chunks ? chunks : body, reason) }
}

function isNodeStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body
}

/** Cancels an unsent body, or the reader of a body. */
function discard(body: unknown, reason: unknown): void {
  if (isNodeStream(body)) body.on('error', () => {}).destroy()
  else if (typeof body === 'object' && body && 'cancel' in body) cancelBody(body as ReadableStream, reason)
}
