import { createDeferred, createEvent } from '../async.js'
import { cancelBody, joinBytes } from '../http/body.js'
import { optionError } from '../option-error.js'
import { withTimeout } from '../timeout.js'

export interface CollectOptions {
  /**
   * Maximum size of a body that is collected for the store, in bytes. The readers of a body that is no longer
   * collected may be at most this many bytes behind the fastest reader, or an eighth of this if no `room` is left.
   */
  maxBytes: number
  /** Bytes that all bodies together may still hold. Each body subtracts the memory of the pieces that it holds. */
  room: { left: number }
  /** Longest time without data from the body, in milliseconds. */
  idleTimeout: number
  /** Longest time that the body's readers wait for the store, in milliseconds. */
  storeTime: number
  /** Value of `Content-Length`, if any. */
  expectedLength: number | undefined
  /** Aborts the reading of the body. */
  signal: AbortSignal
  /**
   * Called with the whole body, or with `undefined` as soon as collecting stops early. `detail` is the reason; it is
   * missing if the signal was aborted. The readers' streams end once the returned promise has settled, or at the latest
   * after `storeTime`.
   */
  onCollected(body: Uint8Array<ArrayBuffer> | undefined, detail?: 'too-large' | 'store' | 'broken-off'): Promise<void>
}

/** The place of a reader in the body: the index of the next piece, and the position in bytes. */
type Reader = { index: number; position: number }

// Maximum size of a piece. A server may hold a piece in memory for each client that does not read.
const maxPieceBytes = 64 * 1024
// Memory that a piece takes in addition to its bytes: a million pieces of one byte take more than a megabyte.
const pieceOverhead = 200

type Body = ReturnType<typeof createBody>

/** Creates the state of a body: the pieces that are still needed, and the readers. */
const createBody = () => ({
  pieces: [] as Uint8Array<ArrayBuffer>[],
  /** Index of the first piece. */
  start: 0,
  /** Length of the body read so far, in bytes. */
  length: 0,
  isCollecting: true,
  ending: undefined as { error?: unknown } | undefined,
  readers: new Set<Reader>(),
  /** Notified when a piece or the end of the body has arrived. */
  arrival: createEvent(),
  /** Notified when a reader has read a piece, or has left. */
  progress: createEvent(),
})

/**
 * Reads a body for any number of readers and for the store at the same time. While the body is collected, reading does
 * not wait for any reader. As soon as the body is too large, or there is no room, it is read at the pace of its fastest
 * reader, and a reader that is too far behind is cut off.
 */
export function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>, options: CollectOptions) {
  const { maxBytes, room, idleTimeout, storeTime, expectedLength, signal, onCollected } = options
  const source = stream.getReader()
  const body = createBody()
  const { arrival, progress } = body

  const stopCollecting = (detail?: 'too-large' | 'store' | 'broken-off') => {
    if (body.isCollecting) void onCollected(undefined, detail)
    body.isCollecting = false
  }
  /** Cuts off the readers that are too far behind, and releases the pieces that all remaining readers have read. */
  const trim = () => {
    if (body.isCollecting) return
    const maxBehind = room.left < 0 ? maxBytes / 8 : maxBytes
    let fastest = 0
    for (const { position } of body.readers) fastest = Math.max(fastest, position)
    for (const reader of body.readers) if (fastest - reader.position > maxBehind) body.readers.delete(reader)
    let first = body.start + body.pieces.length
    for (const { index } of body.readers) first = Math.min(first, index)
    for (const piece of body.pieces.splice(0, first - body.start)) room.left += piece.length + pieceOverhead
    body.start = first
  }
  const end = (ending: { error?: unknown }) => {
    body.ending ??= ending
    body.isCollecting = false
    signal.removeEventListener('abort', onAbort)
    trim()
    arrival.notify()
    progress.notify()
  }
  const stop = (error: unknown, detail?: 'broken-off') => {
    stopCollecting(detail)
    end({ error })
    cancelBody(source, error)
  }
  const onAbort = () => stop(signal.reason)
  const push = (value: unknown) => {
    if (!(value instanceof Uint8Array)) throw optionError('response body', 'a stream of bytes', value)
    for (let at = 0; at < value.length; at += maxPieceBytes) {
      const piece = new Uint8Array(value.subarray(at, at + maxPieceBytes))
      body.pieces.push(piece)
      room.left -= piece.length + pieceOverhead
    }
    body.length += value.length
    if (body.length > maxBytes) stopCollecting('too-large')
    else if (room.left < 0) stopCollecting('store')
    trim()
    arrival.notify()
  }
  const isAheadOfReaders = () => ![...body.readers].some(({ index }) => index === body.start + body.pieces.length)
  const opening = createDeferred<void>()
  const pump = async () => {
    await opening.promise
    for (;;) {
      while (!body.isCollecting && !body.ending && body.readers.size > 0 && isAheadOfReaders()) await progress.next()
      if (!body.isCollecting && body.readers.size === 0) throw new Error('response body: all readers have left')
      const { done, value } = await withTimeout(idleTimeout, source.read())
      if (body.ending) return
      if (!done) push(value)
      else {
        const isWhole = body.isCollecting && (expectedLength ?? body.length) === body.length
        if (isWhole) await withTimeout(storeTime, onCollected(joinBytes(body.pieces))).catch(() => {})
        else stopCollecting('broken-off')
        return end({})
      }
    }
  }

  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  pump().catch((error) => stop(error, 'broken-off'))
  return {
    /** Begins to read the body even without a reader. */
    begin: opening.resolve as () => void,
    /**
     * Opens a stream of the body from its first byte on. Returns `undefined` if the first byte is gone, or if reading
     * has failed. The first stream starts the reading.
     *
     * @param onEnd Called at the end of the body, or when the reader has left or was cut off. Receives whether the
     *   reader has got the whole body.
     */
    open(onEnd: (hasAll: boolean) => void): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
      if (body.start > 0 || (body.ending && 'error' in body.ending)) return undefined
      const stream = openStream(body, trim, onEnd)
      opening.resolve()
      return stream
    },
  }
}

function openStream(body: Body, trim: () => void, onEnd: (hasAll: boolean) => void) {
  const { pieces, readers, arrival, progress } = body
  const reader: Reader = { index: 0, position: 0 }
  readers.add(reader)
  const leave = (hasAll: boolean) => {
    readers.delete(reader)
    trim()
    progress.notify()
    onEnd(hasAll)
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
    while (readers.has(reader) && reader.index === body.start + pieces.length && !body.ending) await arrival.next()
    const isCutOff = !readers.has(reader)
    const piece = isCutOff ? undefined : pieces[reader.index - body.start]
    if (piece) {
      reader.index++
      reader.position += piece.length
      controller.enqueue(piece.slice()) // a copy, because other readers get the piece, too
      trim()
      return progress.notify()
    }
    const hasFailed = body.ending !== undefined && 'error' in body.ending
    leave(!isCutOff && !hasFailed)
    if (isCutOff) controller.error(new Error('response body: cut off, since its reader was too slow'))
    else if (hasFailed) controller.error(body.ending?.error)
    else controller.close()
  }
  return new ReadableStream({ pull, cancel: () => leave(false) }, { highWaterMark: 0 })
}
