import type { ByteBudget } from '../../../byte-budget.js'
import { type HeldReader, setReader } from '../../../held-reader.js'
import type { MaybePromise } from '../../../maybe-promise.js'
import { createDemand } from './demand.js'
import { createEvent } from './event.js'
import { createPiece, createPieceList, type Piece } from './piece-list.js'

// What a reader takes is not counted any more, although a server may hold it for its client: no more than this at once.
const maxPartBytes = 64 * 1024

interface PieceReader extends HeldReader {
  piece: Piece
  since: number
}

export interface BodyPiecesOptions {
  /** Largest body that is collected, and the most that a reader may be behind the fastest one, in bytes. */
  maxBytes: number
  budget: ByteBudget
  /** Whether others wait for the complete body. Default: never. */
  isAwaited?(): boolean
}

/** Reads a part of a body that is complete from where it is stored; `undefined` when it is not there any more. */
export type ReadStored = (start: number, end: number) => MaybePromise<Uint8Array | undefined>

/** Creates the pieces of a body that are collected, or that some reader has not read yet, and its readers. */
export function createBodyPieces({ maxBytes, budget, isAwaited = () => false }: BodyPiecesOptions) {
  const list = createPieceList(budget)
  let length = 0 // of the whole body
  let ending: { error?: unknown } | undefined
  let readStored: ReadStored | undefined
  const readers = new Set<PieceReader>()
  const arrival = createEvent()
  const progress = createEvent()

  const release = () => {
    list.release()
    progress.notify()
  }
  /** From now on, what was read by all is released. */
  const stopCollecting = () => {
    if (!list.isCollecting()) return
    for (const reader of readers) if (reader.piece !== list.last()) budget.hold(reader, reader.since)
    list.stopCollecting()
    list.markUnread()
    progress.notify()
  }
  const leave = (reader: PieceReader) => {
    if (!readers.delete(reader)) return
    budget.forget(reader)
    reader.piece.readers--
    reader.piece = createPiece() // its stream may stay in memory, and would keep the rest of the list there
    release()
  }
  const dropIf = (condition: (reader: PieceReader) => boolean) => {
    for (const reader of readers) if (reader.piece !== list.last() && condition(reader)) reader.drop()
  }

  const wantsMore = createDemand({
    list,
    readers,
    progress,
    budget,
    isAwaited,
    isEnded: () => ending !== undefined,
    dropUnread: () => dropIf(() => true),
  })

  return {
    stopCollecting,
    wantsMore,
    isCollecting: list.isCollecting,
    isTooLarge: () => length > maxBytes,

    /** Adds a piece. */
    push(bytes: Uint8Array<ArrayBuffer>): void {
      length += bytes.length
      if (length > maxBytes) stopCollecting()
      if (bytes.length === 0 || (!list.isCollecting() && readers.size === 0)) return
      const isTooMuch = () => list.held() + bytes.length > maxBytes && list.first() !== list.last()
      while (list.last().readers > 0 && isTooMuch() && !list.isCollecting()) {
        dropIf(({ piece }) => piece === list.first())
      }
      const { added, isReserved } = list.add(bytes)
      if (!isReserved) stopCollecting()
      if (!list.isCollecting()) {
        for (const reader of readers) if (reader.piece === added) budget.hold(reader)
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
    join: () => list.join(length),

    /**
     * Opens a stream of all pieces; `undefined` when the first ones are not there any more.
     *
     * @param onEnd Called once: when it was read to its end, or its reader left or was dropped.
     */
    open(onEnd: () => void): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
      if (!list.isCollecting() && length > 0) return undefined
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
        piece: list.first(),
        since: budget.clock(),
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
        const part = await read(position, Math.min(position + maxPartBytes, length))
        if (!part?.length) {
          fail()
          return controller.error(failure)
        }
        controller.enqueue(part.slice())
        position += part.length
        if (position < length) return
        end()
        controller.close()
      }
      reader.piece.readers++
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
            const isShared = list.isCollecting() || readers.size > 1 || part.length < piece.bytes.length
            controller.enqueue(isShared ? part.slice() : part)
            offset += part.length
            position += part.length
            if (!list.isCollecting()) budget.hold(reader)
            if (offset < piece.bytes.length) return
            offset = 0
            piece.readers--
            reader.piece = piece.next
            reader.piece.readers++
            if (reader.piece === list.last()) budget.forget(reader)
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
