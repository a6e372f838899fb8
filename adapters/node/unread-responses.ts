import { createByteBudget, stallTime } from '../../core/byte-budget.js'
import { breakOff, isDestroyed, isHttp2, type NodeResponse } from './http2.js'

// Of all responses of this process together.
const maxUnreadBytes = 64 * 1024 * 1024
// What Node 20 holds for a stream of HTTP/2 besides its body.
const responseOverhead = 10 * 1024
const budget = createByteBudget(maxUnreadBytes)

// Of many responses, such as those of a stored page, each is counted once, and whole: a part of it keeps all of it in memory.
const buffers = new Map<ArrayBufferLike, { responses: number; isCounted: boolean }>()

/**
 * Counts what waits for the client of a response. When there are more than 64 MiB in this process, clients that have taken
 * nothing for two seconds are disconnected, the longest one first.
 *
 * @param content What is held of the body.
 * @returns To be called when the client has taken it. When the response is closed, that is done already.
 */
export function countUnread(res: NodeResponse, content: string | Uint8Array = ''): () => void {
  if (!isUnread(res)) return () => {}
  const cost = responseOverhead + (typeof content === 'string' ? content.length : 0)
  let isHeld = true
  const release = () => {
    if (!isHeld) return
    isHeld = false
    res.off('close', release)
    clearTimeout(timer)
    budget.forget(reader)
    if (isCounted) budget.release(cost)
    if (typeof content !== 'string') releaseBuffer(content)
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
  const hasRoom = typeof content === 'string' || takeBuffer(content)
  const isCounted = hasRoom && budget.take(cost)
  // Without room it has those two seconds, too.
  const timer = isCounted ? undefined : setTimeout(reader.drop, stallTime).unref()
  if (isCounted) budget.hold(reader)
  res.on('close', release)
  return release
}

function takeBuffer({ buffer }: Uint8Array): boolean {
  const counted = buffers.get(buffer) ?? { responses: 0, isCounted: false }
  counted.isCounted ||= budget.take(buffer.byteLength)
  counted.responses++
  buffers.set(buffer, counted)
  return counted.isCounted
}

function releaseBuffer({ buffer }: Uint8Array): void {
  const counted = buffers.get(buffer)
  if (!counted || --counted.responses > 0) return
  buffers.delete(buffer)
  if (counted.isCounted) budget.release(buffer.byteLength)
}

/** Whether the operating system has not taken everything yet. Of HTTP/2 nobody knows before it is closed. */
function isUnread(res: NodeResponse): boolean {
  if (isDestroyed(res)) return false
  return isHttp2(res) || res.socket === null || res.socket.writableLength > 0
}
