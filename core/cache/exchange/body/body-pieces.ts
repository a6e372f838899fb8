import { type ByteBudget, type HeldReader, setReader } from '../../../byte-budget.js'
import type { MaybePromise } from '../../../maybe-promise.js'
import { withTimeout } from '../../../timeout.js'
import { createEvent } from './event.js'

// A million pieces of a byte are more than a megabyte: from some number on, the memory of each counts as well.
const freePieces = 1000
const pieceOverhead = 256
// What a reader takes is not counted any more, although a server may hold it for its client: no more than this at once.
const maxPartBytes = 64 * 1024
// Milliseconds for which a reader waits for others where the budget has no room for what only that one has read.
const maxLag = 1_000
// Milliseconds after which room is looked for again meanwhile.
const roomInterval = 100

/** A piece in the list, of which the last is the place of the piece to come. */
interface Piece {
  bytes: Uint8Array<ArrayBuffer>
  /** Bytes that it takes from the budget. */
  cost: number
  /** Whether they were there. */
  isReserved: boolean
  /** How many readers read it next. */
  readers: number
  next: Piece | undefined
}

interface PieceReader extends HeldReader {
  piece: Piece
}

export interface BodyPiecesOptions {
  /** Largest body that is collected, and the most that a reader may be behind the fastest one, in bytes. */
  maxBytes: number
  budget: ByteBudget
}

/** Reads a part of a body that is complete from where it is stored; `undefined` when it is not there any more. */
export type ReadStored = (start: number, end: number) => MaybePromise<Uint8Array | undefined>

/** Creates the list of a body's pieces that are collected, or that some reader has not read yet. */
export function createBodyPieces({ maxBytes, budget }: BodyPiecesOptions) {
  let last = createPiece()
  let first = last // of what is collected or unread
  let held = 0 // bytes from there on
  let reserved = 0 // bytes of the budget from there on
  let isUnread = false // whether they are reserved as unread
  let uncounted = 0 // pieces from there on that the budget had no room for
  let length = 0 // of the whole body
  let count = 0
  let isCollecting = true
  let ending: { error?: unknown } | undefined
  let readStored: ReadStored | undefined
  const readers = new Set<PieceReader>()
  const arrival = createEvent()
  const progress = createEvent()

  const release = () => {
    for (let { next } = first; next && !isCollecting && first.readers === 0; { next } = first) {
      const { cost, isReserved } = first
      if (!isReserved) uncounted--
      else {
        if (isUnread) budget.releaseUnread(cost)
        else budget.release(cost)
        reserved -= cost
      }
      held -= first.bytes.length
      first.next = undefined
      first = next
    }
    progress.notify()
  }
  /** From now on, what was read by all is released. */
  const stopCollecting = () => {
    if (!isCollecting) return
    isCollecting = false
    for (const reader of readers) if (reader.piece !== last) budget.hold(reader)
    release()
    isUnread = true
    budget.markUnread(reserved)
  }
  const leave = (reader: PieceReader) => {
    if (!readers.delete(reader)) return
    budget.forget(reader)
    reader.piece.readers--
    reader.piece = createPiece() // its stream may stay in memory, and would keep the rest of the list there
    release()
  }
  /** Reserves what there was no room for before. */
  const reserveLater = () => {
    for (let piece = first; piece.next; piece = piece.next) {
      const { cost } = piece
      if (piece.isReserved || !budget.takeUnread(cost)) continue
      if (!piece.next) {
        // Room was made by dropping its last reader.
        budget.releaseUnread(cost)
        break
      }
      piece.isReserved = true
      reserved += cost
      uncounted--
    }
  }
  const dropIf = (condition: (reader: PieceReader) => boolean) => {
    for (const reader of readers) if (reader.piece !== last && condition(reader)) reader.drop()
  }

  return {
    stopCollecting,
    isCollecting: () => isCollecting,
    isTooLarge: () => length > maxBytes,

    /** Adds a piece. */
    push(bytes: Uint8Array<ArrayBuffer>): void {
      length += bytes.length
      if (length > maxBytes) stopCollecting()
      if (bytes.length === 0 || (!isCollecting && readers.size === 0)) return
      while (last.readers > 0 && first !== last && held + bytes.length > maxBytes && !isCollecting) {
        dropIf(({ piece }) => piece === first)
      }
      const cost = bytes.length + (++count > freePieces ? pieceOverhead : 0)
      const full = last
      last = createPiece()
      const isReserved = isCollecting ? budget.take(cost) : budget.takeUnread(cost)
      Object.assign(full, { bytes, cost, isReserved, next: last })
      held += bytes.length
      if (isReserved) reserved += cost
      else {
        uncounted++
        stopCollecting()
      }
      if (!isCollecting) {
        for (const reader of readers) if (reader.piece === full) budget.hold(reader)
        release() // its last reader may have been dropped to make room for it
      }
      arrival.notify()
    },

    /** Ends the readers once they have read all pieces: with an error, if there is one. */
    end(result: { error?: unknown }): void {
      ending ??= result
      arrival.notify()
      progress.notify()
    },

    /** From now on, readers that are dropped read on from where the body is stored. It is complete. */
    readFrom(stored: ReadStored): void {
      readStored = stored
    },

    /** Joins all pieces, which were collected, in a buffer of its own. */
    join(): Uint8Array<ArrayBuffer> {
      const joined = new Uint8Array(length)
      let offset = 0
      for (let piece = first; piece.next; piece = piece.next) {
        joined.set(piece.bytes, offset)
        offset += piece.bytes.length
      }
      return joined
    },

    /**
     * Resolves when another piece is wanted; `false`: by nobody any more. What is collected is always wanted. What is not
     * is wanted at the pace of the fastest reader. While the budget lacks room, that one waits for a second for the others, which are
     * dropped then.
     */
    async wantsMore(): Promise<boolean> {
      let waitsSince: number | undefined
      while (!isCollecting && !ending && readers.size > 0) {
        const isDrained = last.readers > 0
        if (isDrained && uncounted > 0) {
          reserveLater()
          waitsSince ??= performance.now()
          if (uncounted > 0 && performance.now() - waitsSince >= maxLag) dropIf(() => true)
        }
        if (isDrained && uncounted === 0) return true
        const changed = progress.next()
        await (isDrained ? withTimeout(roomInterval, changed).catch(() => {}) : changed)
      }
      return isCollecting
    },

    /**
     * Opens a stream of all pieces; `undefined` when the first ones are not there any more.
     *
     * @param onEnd Called once: when it was read to its end, or its reader left or was dropped.
     */
    open(onEnd: () => void): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
      if (!isCollecting && length > 0) return undefined
      let offset = 0 // in the piece
      let position = 0 // in the body
      let failure: Error | undefined
      let readOn: ReadStored | undefined
      const end = () => {
        leave(reader)
        onEnd()
      }
      const fail = () => {
        failure = new Error('response body: dropped, since its reader was too slow')
        end()
      }
      const reader: PieceReader = {
        piece: first,
        unread: () => length - position,
        read: () => position,
        canReadOn: () => readStored !== undefined,
        drop() {
          readOn = readStored
          if (readOn) leave(reader)
          else fail()
          arrival.notify()
        },
      }
      const pullStored = async (controller: ReadableStreamDefaultController, read: ReadStored) => {
        const part = position < length && (await read(position, Math.min(position + maxPartBytes, length)))
        if (part && part.length > 0) {
          controller.enqueue(part.slice())
          position += part.length
        } else if (position < length) {
          fail()
          return controller.error(failure)
        }
        if (position < length) return
        end()
        controller.close()
      }
      first.readers++
      readers.add(reader)
      const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
        {
          async pull(controller) {
            while (!reader.piece.next && !ending && !failure && !readOn) await arrival.next()
            if (failure) return controller.error(failure)
            if (readOn) return pullStored(controller, readOn)
            const { piece } = reader
            if (!readers.has(reader)) return
            if (!piece.next) {
              end()
              return ending && 'error' in ending ? controller.error(ending.error) : controller.close()
            }
            const part = piece.bytes.subarray(offset, offset + maxPartBytes)
            // A view would keep the whole piece in memory, and let its reader change what is stored or read by others.
            const isShared = isCollecting || readers.size > 1 || part.length < piece.bytes.length
            controller.enqueue(isShared ? part.slice() : part)
            offset += part.length
            position += part.length
            if (!isCollecting) budget.hold(reader)
            if (offset < piece.bytes.length) return
            offset = 0
            piece.readers--
            reader.piece = piece.next
            reader.piece.readers++
            if (reader.piece === last) budget.forget(reader)
            release()
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      )
      setReader(stream, reader)
      return stream
    },
  }
}

function createPiece(): Piece {
  return { bytes: new Uint8Array(0), cost: 0, isReserved: true, readers: 0, next: undefined }
}
