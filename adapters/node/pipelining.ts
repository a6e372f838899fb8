import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { NodeRequest, NodeResponse } from './http2.js'
import { admitStream } from './stream-limit.js'

// Browsers do not pipeline, and tools for measuring send some ten.
const maxWaiting = 100
const waiting = new WeakMap<Socket, number>()

/**
 * Waits until the responses to the earlier requests on a connection were sent (pipelining: RFC 9112, section 9.3.2). When
 * the client leaves before, it never resolves, so that nothing was begun. A client that has over 100 requests waiting is
 * disconnected. Over HTTP/2, where each has its turn at once, it never resolves for a stream beyond the server's
 * `maxConcurrentStreams`, which is 128 by default here, and which is refused.
 *
 * Without it, one client could have any number of requests handled at a time over one connection. And when it left, those
 * whose turn had not come would hold what they opened forever, such as connections to the image service: Node closes only
 * the response that is being sent.
 *
 * @returns `undefined` when it is the turn of the request already.
 * @example
 * await waitForTurn(req, res)
 * await sendResponse(res, await handler(toRequest(req, res)))
 */
export function waitForTurn(
  { socket }: Pick<NodeRequest, 'socket'>,
  res: Pick<NodeResponse, 'socket' | 'once'>,
): Promise<void> | undefined {
  if ('stream' in res && res.stream) {
    // A promise of its own: one for all would hold whoever waits for it.
    return admitStream(res.stream as ServerHttp2Stream) ? undefined : new Promise(() => {})
  }
  // Node assigns the socket when it is the turn of the response.
  if (res.socket !== null) return undefined
  const add = (count: number) => waiting.set(socket, (waiting.get(socket) ?? 0) + count).get(socket) as number
  if (add(1) > maxWaiting) socket.destroy()
  return new Promise((resolve) => {
    res.once('socket', () => {
      add(-1)
      // Node goes on with the next response when one ends, also after the client has left: the signal of that one would never
      // abort, and it would never be closed.
      if (!socket.destroyed) resolve()
    })
  })
}
