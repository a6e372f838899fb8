// This file imports types only, because the Hono adapter uses this file on runtimes without `node:http2`.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** A request of Node's `http`, `https` or `http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** A response of Node's `http`, `https` or `http2`. */
export type NodeResponse = ServerResponse | Http2ServerResponse

/**
 * Whether a response belongs to `http2`. Checks its shape, because frameworks put their own prototypes before Node's.
 */
export function isHttp2(res: NodeResponse): res is Http2ServerResponse {
  return 'stream' in res && res.stream !== undefined
}

/** Whether the client has disconnected, or everything was sent. */
export function isClosed(res: NodeResponse): boolean {
  return isHttp2(res) ? res.stream.destroyed : res.closed
}

/**
 * Waits until the earlier responses on a connection have been sent (pipelining: RFC 9112, section 9.3.2). Never
 * resolves once the client has left, because Node closes only the response that is being sent: the other responses
 * would never release their resources.
 *
 * @returns `undefined` when it is already the request's turn.
 */
export function waitForTurn({ socket }: NodeRequest, res: NodeResponse): Promise<void> | undefined {
  // Node assigns a socket to a response when its turn comes, even after the client has left.
  if (isHttp2(res) || res.socket) return undefined
  return new Promise((resolve) => res.once('socket', () => socket.destroyed || resolve()))
}

/** INTERNAL_ERROR of RFC 9113, section 7. */
const internalError = 2

/** Breaks off a response, so that the client sees a broken transfer instead of a complete one. */
export function breakOff(res: NodeResponse): void {
  if (!isHttp2(res)) return void res.destroy()
  // The listener ignores the reset, which Node emits as an error of the request, and which would end the process.
  res.req.on('error', () => {})
  // The stream is closed with an error code, because `destroy()` sends NO_ERROR, which some browsers take for a
  // complete response.
  res.stream.close(internalError)
}

export function unsentBytes(res: NodeResponse): number {
  return (isHttp2(res) ? res.stream : res.socket)?.writableLength ?? 0
}

const maxIdleTime = 60_000

/**
 * Disconnects a client that reads nothing of a response for a minute, as nginx does with `send_timeout`. A handler that
 * has nothing to send yet may take longer. If the server has its own time limit, that limit is kept.
 */
export function limitIdleTime(res: NodeResponse): void {
  const connection = isHttp2(res) ? res.stream : res.socket
  if (!connection || ('timeout' in connection && connection.timeout)) return
  // The bytes of the whole HTTP/2 connection count, because Node reports progress to only one of its streams.
  const countSent = () => (isHttp2(res) ? (res.stream.session?.socket.bytesWritten ?? 0) : 0)
  const limit = (sentBefore: number): unknown =>
    res.setTimeout(maxIdleTime, () => {
      if (isHttp2(res)) limit(countSent())
      if (unsentBytes(res) === 0 || countSent() > sentBefore) return
      breakOff(res)
      // A client that does not read from its connection does not receive the reset either.
      connection.destroy()
    })
  limit(countSent())
  // The limit is cleared before Node sets how long the connection may wait for its next request.
  if (!isHttp2(res)) res.prependOnceListener('finish', () => connection.setTimeout(0))
}
