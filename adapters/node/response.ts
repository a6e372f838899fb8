import {
  breakOff,
  createLengthCheck,
  isClosed,
  isDestroyed,
  isForbiddenField,
  isHttp2,
  type NodeResponse,
} from './http2.js'

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
  try {
    setHead(res, response)
    if (!response.body || res.req.method === 'HEAD') res.end()
  } catch (error) {
    // So that the server's own error handler can still answer.
    if (!res.headersSent) clearHead(res)
    response.body?.cancel().catch(() => {})
    throw error
  }
  if (!response.body || res.req.method === 'HEAD') await response.body?.cancel().catch(() => {})
  else await sendBody(res, response.body)
}

function setHead(res: NodeResponse, { status, statusText, headers, body }: Response): void {
  if (status < 200 || status > 599) throw new RangeError(`response: expected a status from 200 to 599, got ${status}`)
  res.statusCode = status
  if (!isHttp2(res)) {
    // The client would parse bytes beyond Content-Length as the next response on the connection.
    res.strictContentLength = true
    // What no status line can bear is left out: it is for people only (RFC 9112, section 4).
    if (/^[\t\x20-\x7e]+$/.test(statusText)) res.statusMessage = statusText
  }
  for (const [name, value] of headers) {
    if (name !== 'set-cookie' && !isForbiddenField(res, name)) res.setHeader(name, value)
  }
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)
  // Without a body there is no length but 0, whatever the headers say.
  if (!body && res.req.method !== 'HEAD' && status !== 304) res.removeHeader('Content-Length')
}

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

async function sendBody(res: NodeResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const cancel = () => reader.cancel(new Error('Client disconnected')).catch(() => {})
  if (isDestroyed(res)) return void cancel()
  res.once('close', cancel)
  const checkLength = createLengthCheck(res)
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      checkLength(chunk.value.byteLength)
      if (!writeChunk(res, chunk.value) && !isDestroyed(res)) await drained(res)
    }
    if (!isDestroyed(res)) checkLength('end')
    res.end()
  } catch (error) {
    if (isClosed(res)) return
    breakOff(res)
    cancel()
    throw error
  } finally {
    res.off('close', cancel)
  }
}

function writeChunk(res: NodeResponse, chunk: Uint8Array): boolean {
  return isHttp2(res) ? res.write(chunk) : res.write(chunk)
}

function drained(res: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle)
      resolve()
    }
    res.on('drain', settle).on('close', settle)
  })
}
