import type { ServerResponse } from 'node:http'

/**
 * Sends a web `Response` through Node's `http`: each `Set-Cookie` as a header of its own, the body at the pace of the
 * client. When the body fails midway the socket is destroyed, so that the client sees a broken transfer and not a
 * complete one. When the client disconnects the body is cancelled.
 *
 * @throws the error of the body, after the socket was destroyed; nothing when the client disconnected.
 * @example await sendResponse(res, await handler(toRequest(req, res)))
 */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  // The client would parse bytes beyond Content-Length as the next response on the connection.
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
  const cancel = () => reader.cancel(new Error('Client disconnected')).catch(() => {})
  if (res.destroyed) return void cancel()
  res.once('close', cancel)
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (!res.write(chunk.value) && !res.destroyed) await drained(res)
    }
    res.end()
  } catch (error) {
    if (res.closed) return
    res.destroy()
    cancel()
    throw error
  } finally {
    res.off('close', cancel)
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
