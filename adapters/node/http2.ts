import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'

/** A request of Node's `http`, `https` or `http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** A response of Node's `http`, `https` or `http2`. */
export type NodeResponse = ServerResponse | Http2ServerResponse

// Fields about one connection, which HTTP/2 does not have (RFC 9113, section 8.2.2). Node throws on them.
const connectionFields = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** Whether a response is one of `http2`. By its shape, since frameworks put prototypes of their own before Node's. */
export function isHttp2(res: NodeResponse): res is Http2ServerResponse {
  return 'stream' in res && res.stream !== undefined
}

/** Whether a response must not have a header field: HTTP/2 has none about the connection. */
export function isForbiddenField(res: NodeResponse, name: string): boolean {
  return isHttp2(res) && connectionFields.has(name)
}

/** Whether nothing can be sent any more, since the client disconnected or the transfer was broken off. */
export function isDestroyed(res: NodeResponse): boolean {
  return (isHttp2(res) ? res.stream : res).destroyed
}

/** Whether `close` was emitted, or is about to be over HTTP/2, where `closed` is true as soon as a reset is queued. */
export function isClosed(res: NodeResponse): boolean {
  return isHttp2(res) ? res.stream.destroyed : res.closed
}

/** Calls back when the connection is closed, or the stream reset, before the response was complete. */
export function onDisconnect(res: NodeResponse, callback: () => void): void {
  let isComplete = false
  // At a reset Node finishes the stream, too, and `writableFinished` is then true of half a response.
  if (isHttp2(res)) res.once('finish', () => (isComplete = res.writableEnded && res.stream.rstCode === 0))
  res.once('close', () => {
    if (isHttp2(res) ? !isComplete : !res.writableFinished) callback()
  })
}

/** Ends a response before its end, so that the client sees a broken transfer and not a complete one. */
export function breakOff(res: NodeResponse): void {
  if (!isHttp2(res)) return void res.destroy()
  // Node emits the reset as an error of the request, and ends the process if nobody listens.
  res.req.on('error', () => {})
  // The code of `destroy()`, NO_ERROR, is a complete response to some browsers.
  res.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
}

/**
 * Creates a function that receives the size of each chunk and throws when they are more than `Content-Length`; called
 * with `'end'` also when they are less. `strictContentLength` does the same, over HTTP/1 only.
 */
export function createLengthCheck(res: NodeResponse): (bytes: number | 'end') => void {
  const field = isHttp2(res) ? res.getHeader('content-length') : undefined
  if (field === undefined) return () => {}
  const expected = Number(field)
  let sent = 0
  return (bytes) => {
    if (bytes !== 'end') sent += bytes
    if (bytes === 'end' ? sent === expected : sent <= expected) return
    throw new Error(`Response body: expected ${expected} bytes as in Content-Length, got ${sent}`)
  }
}
