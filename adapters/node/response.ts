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
  res.statusCode = response.status
  if (!isHttp2(res)) {
    // The client would parse bytes beyond Content-Length as the next response on the connection.
    res.strictContentLength = true
    if (response.statusText) res.statusMessage = response.statusText
  }
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie' && !isForbiddenField(res, name)) res.setHeader(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)

  if (!response.body || res.req.method === 'HEAD') {
    res.end()
    await response.body?.cancel()
    return
  }
  await sendBody(res, response.body)
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
