import type { ServerResponse } from 'node:http'

/**
 * Sends a web `Response` through Node's `http`: every `Set-Cookie` as its own header, the body at the pace of the
 * client. When the body fails midway the socket is torn down, so that the client sees a broken transfer and not a
 * complete one; when the client leaves, the body is cancelled.
 *
 * @throws what the body failed with, after the socket is gone; nothing when it was the client who left.
 */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  // Bytes beyond Content-Length would be read as the next response on the connection.
  res.strictContentLength = true
  res.statusCode = response.status
  if (response.statusText) res.statusMessage = response.statusText
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies)

  if (!response.body || res.req.method === 'HEAD') {
    res.end()
    await response.body?.cancel()
    return
  }
  await sendBody(res, response.body)
}

async function sendBody(res: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const leave = () => reader.cancel(new Error('The client left')).catch(() => {})
  if (res.destroyed) return void leave()
  res.once('close', leave)
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (!res.write(piece.value) && !res.destroyed) await drained(res)
    }
    res.end()
  } catch (error) {
    if (res.closed) return
    res.destroy()
    leave()
    throw error
  } finally {
    res.off('close', leave)
  }
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle)
      resolve()
    }
    res.on('drain', settle).on('close', settle)
  })
}
