import type { Socket } from 'node:net'
import type { NodeRequest, NodeResponse } from './http2.js'

// Browsers do not pipeline, and tools for measuring send some ten.
const maxWaiting = 100
const waiting = new WeakMap<Socket, number>()

/**
 * Waits until the responses to the earlier requests on a connection were sent (pipelining: RFC 9112, section 9.3.2). When
 * the client leaves before, it never resolves, so that nothing was begun. A client that has over 100 requests waiting is
 * disconnected.
 *
 * Without it, one client could have any number of requests handled at a time over one connection. And when it left, those
 * whose turn had not come would hold what they opened forever, such as connections to the image service: Node closes only
 * the response that is being sent.
 *
 * @returns `undefined` when it is the turn of the request already, as it is over HTTP/2.
 * @example
 * await waitForTurn(req, res)
 * await sendResponse(res, await handler(toRequest(req, res)))
 */
export function waitForTurn(
  { socket }: Pick<NodeRequest, 'socket'>,
  res: Pick<NodeResponse, 'socket' | 'once'>,
): Promise<void> | undefined {
  // Node assigns the socket when it is the turn of the response.
  if (res.socket !== null) return undefined
  const add = (count: number) => waiting.set(socket, (waiting.get(socket) ?? 0) + count).get(socket) as number
  if (add(1) > maxWaiting) socket.destroy()
  return new Promise((resolve) => {
    res.once('socket', () => {
      add(-1)
      resolve()
    })
  })
}
