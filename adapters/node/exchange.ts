import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'

/** A request of Node's `http`, `https` or `http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest

/** A response of Node's `http`, `https` or `http2`. */
export type NodeResponse = ServerResponse | Http2ServerResponse

/** Whether a response belongs to `http2`. Checks its shape, because frameworks put their own prototypes before Node's. */
export function isHttp2(res: NodeResponse): res is Http2ServerResponse {
  return 'stream' in res && res.stream !== undefined
}

/** Whether the client has disconnected, or everything was sent. */
export function isClosed(res: NodeResponse): boolean {
  return isHttp2(res) ? res.stream.destroyed : res.closed
}

/**
 * Waits until the earlier responses on a connection were sent (pipelining: RFC 9112, section 9.3.2). Never resolves
 * once the client has left: Node closes only the response that is being sent, so the other responses would never
 * release their resources.
 *
 * @returns `undefined` when it is already the request's turn.
 */
export function waitForTurn({ socket }: NodeRequest, res: NodeResponse): Promise<void> | undefined {
  // Node assigns a socket to a response when its turn comes, even after the client has left.
  if (isHttp2(res) || res.socket) return undefined
  return new Promise((resolve) => res.once('socket', () => socket.destroyed || resolve()))
}
