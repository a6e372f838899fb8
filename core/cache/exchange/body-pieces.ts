import type { ByteBudget, HeldReader } from './byte-budget.js'

// A million pieces of a byte are more than a megabyte: from some number on, the memory of each counts as well.
const freePieces = 1000
const pieceOverhead = 256
// What a reader takes is not counted any more, although a server may hold it for its client: no more than this at once.
const maxPartBytes = 64 * 1024
const noPiece = { bytes: new Uint8Array(0), counted: 0 }

export interface BodyPiecesOptions {
  /** Largest body that is collected, in bytes. */
  maxBytes: number
  budget: ByteBudget
  /** Value of `Content-Length`, if any. */
  expectedLength: number | undefined
}

/**
 * Creates the pieces of a body that its reader has not read yet, or that are collected.
 *
 * @param onDropped Called when the reader was dropped, since it read nothing while the budget was used up.
 */
export function createBodyPieces(
  { maxBytes, budget, expectedLength }: BodyPiecesOptions,
  onDropped: (reason: Error) => void,
) {
  let list: { bytes: Uint8Array<ArrayBuffer>; counted: number }[] = []
  let unread = 0 // position in the list
  let offset = 0 // of what is unread in the piece at this position
  let released = 0 // position in the list: what is before it is neither unread nor collected
  let pieceCount = 0
  let length = 0
  let isCollecting = (expectedLength ?? 0) <= maxBytes
  let state: 'open' | 'closed' | 'failed' | 'cancelled' = 'open'
  let failure: unknown
  let wake = () => {}

  /** Waits until `wake` is called: by the other side, or at the end. */
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const release = () => {
    if (state === 'cancelled') unread = list.length
    for (; released < unread; released++) {
      budget.release(list[released]?.counted ?? 0)
      list[released] = noPiece
    }
    if (unread < list.length) budget.hold(reader)
    else budget.forget(reader)
    // Now and then, since to move all that is left at each read would cost the square of the number of pieces.
    if (released < 1000 || released * 2 < list.length) return
    list = list.slice(released)
    unread -= released
    released = 0
  }
  const reader: HeldReader = {
    drop() {
      state = 'failed'
      const reason = new Error('response body: dropped, since its reader was too slow')
      failure = reason
      unread = list.length
      release()
      wake()
      onDropped(reason)
    },
  }
  const stopCollecting = () => {
    isCollecting = false
    release()
  }
  return {
    stopCollecting,
    isCollecting: () => isCollecting,
    isCancelled: () => state === 'cancelled',
    push(bytes: Uint8Array<ArrayBuffer>): void {
      length += bytes.length
      if (length > maxBytes && isCollecting) stopCollecting()
      if (state === 'cancelled' && !isCollecting) return
      const cost = bytes.length + (++pieceCount > freePieces ? pieceOverhead : 0)
      const fits = budget.take(cost)
      list.push({ bytes, counted: fits ? cost : 0 })
      if (!fits && isCollecting) stopCollecting()
      else if (!isCollecting) budget.hold(reader)
      wake()
    },
    /** Joins all pieces in a buffer of its own. */
    join(): Uint8Array<ArrayBuffer> {
      const joined = new Uint8Array(length)
      let offset = 0
      for (const { bytes } of list) {
        joined.set(bytes, offset)
        offset += bytes.length
      }
      return joined
    },
    /** Resolves once the reader has read every piece, or has left. */
    async drained(): Promise<void> {
      while (unread < list.length && state === 'open') await changed()
    },
    /** Gives the reader the next piece, or a part of it: a copy of what is collected, so that it cannot change what is stored. */
    async read(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
      while (unread === list.length && state === 'open') await changed()
      const next = list[unread]
      if (next) {
        const part = next.bytes.subarray(offset, offset + maxPartBytes)
        offset += part.length
        if (offset >= next.bytes.length) {
          unread++
          offset = 0
        }
        // A view would keep the whole piece in memory.
        controller.enqueue(isCollecting || part.length < next.bytes.length ? part.slice() : part)
        if (!isCollecting) release()
        wake()
      } else if (state === 'closed') controller.close()
      else if (state === 'failed') controller.error(failure)
    },
    end(ended: typeof state, error?: unknown): void {
      if (state === 'open') {
        state = ended
        failure = error
      }
      if (!isCollecting) release()
      wake()
    },
  }
}
