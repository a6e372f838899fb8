import { createByteBudget, stallTime } from '../../core/byte-budget.js'
import { breakOff, isDestroyed, isHttp2, type NodeResponse } from './http2.js'

// Of all responses of this process together.
const maxUnreadBytes = 64 * 1024 * 1024
// What Node 20 holds for a stream of HTTP/2 besides its body.
const responseOverhead = 10 * 1024
const budget = createByteBudget(maxUnreadBytes)

/**
 * Counts what waits for the client of a response. When there are more than 64 MiB in this process, clients that have taken
 * nothing for two seconds are disconnected, the longest one first.
 *
 * @param bytes What is held of the body.
 * @returns To be called when the client has taken them. When the response is closed, that is done already.
 */
export function countUnread(res: NodeResponse, bytes: number): () => void {
  if (!isUnread(res)) return () => {}
  const cost = bytes + responseOverhead
  let isHeld = true
  const release = () => {
    if (!isHeld) return
    isHeld = false
    res.off('close', release)
    clearTimeout(timer)
    budget.forget(reader)
    if (isCounted) budget.release(cost)
  }
  const reader = {
    drop() {
      release()
      if (isDestroyed(res)) return
      breakOff(res)
      // A client that reads nothing of its connection does not take the reset either.
      if (isHttp2(res)) res.stream.destroy()
    },
  }
  const isCounted = budget.take(cost)
  // Without room it has those two seconds, too.
  const timer = isCounted ? undefined : setTimeout(reader.drop, stallTime).unref()
  if (isCounted) budget.hold(reader)
  res.on('close', release)
  return release
}

/** Whether the operating system has not taken everything yet. Of HTTP/2 nobody knows before it is closed. */
function isUnread(res: NodeResponse): boolean {
  if (isDestroyed(res)) return false
  return isHttp2(res) || res.socket === null || res.socket.writableLength > 0
}
