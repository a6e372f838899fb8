import type { ByteBudget } from '../../../byte-budget.js'

// A million pieces of a byte are more than a megabyte: from some number on, the memory of each counts as well.
const freePieces = 1000
const pieceOverhead = 256

/** A piece of a body; the last one of the list is the place of the piece to come. */
export interface Piece {
  bytes: Uint8Array<ArrayBuffer>
  /** Bytes that it takes from the budget. */
  cost: number
  /** How many readers read it next. */
  readers: number
  next: Piece | undefined
}

export type PieceList = ReturnType<typeof createPieceList>

/**
 * Creates the list of the pieces that are collected, or that some reader has not read yet, and reserves their bytes. To reserve may
 * drop readers, also those of this list.
 */
export function createPieceList(budget: ByteBudget) {
  let last = createPiece()
  let first = last
  let held = 0 // bytes
  let reserved = 0 // bytes of the budget
  let isUnread = false // whether they are reserved as unread
  const unreserved = new Set<Piece>() // pieces that the budget had no room for
  let count = 0 // of all pieces
  let isCollecting = true

  /** Removes what was read by all, unless it is collected. */
  const release = () => {
    for (let { next } = first; next && !isCollecting && first.readers === 0; { next } = first) {
      const { cost } = first
      if (!unreserved.delete(first)) {
        if (isUnread) budget.releaseUnread(cost)
        else budget.release(cost)
        reserved -= cost
      }
      held -= first.bytes.length
      first.next = undefined
      first = next
    }
  }

  return {
    release,
    isCollecting: () => isCollecting,
    first: () => first,
    last: () => last,
    held: () => held,
    /** Whether there was no room for some of it. */
    lacksRoom: () => unreserved.size > 0,

    /** Adds a piece; says whether the budget had room for it. */
    add(bytes: Uint8Array<ArrayBuffer>): { added: Piece; isReserved: boolean } {
      const cost = bytes.length + (++count > freePieces ? pieceOverhead : 0)
      const added = last
      last = createPiece()
      const isReserved = isCollecting ? budget.take(cost, reserved) : budget.takeUnread(cost)
      Object.assign(added, { bytes, cost, next: last })
      held += bytes.length
      if (isReserved) reserved += cost
      else unreserved.add(added)
      return { added, isReserved }
    },

    /** From now on, what was read by all is removed. */
    stopCollecting(): void {
      isCollecting = false
      release()
    },

    /** What is left is reserved as unread from now on. */
    markUnread(): void {
      isUnread = true
      budget.markUnread(reserved)
    },

    /** Reserves what there was no room for before, as far as there is some now. */
    reserveLater(): void {
      for (const piece of unreserved) {
        const isReserved = budget.takeUnread(piece.cost)
        // It is gone when its last reader was dropped to make room.
        if (!unreserved.has(piece)) {
          if (isReserved) budget.releaseUnread(piece.cost)
        } else if (isReserved) {
          unreserved.delete(piece)
          reserved += piece.cost
        } else return
      }
    },

    /** Joins all pieces in a buffer of its own. */
    join(length: number): Uint8Array<ArrayBuffer> {
      const joined = new Uint8Array(length)
      let offset = 0
      for (let piece = first; piece.next; piece = piece.next) {
        joined.set(piece.bytes, offset)
        offset += piece.bytes.length
      }
      return joined
    },
  }
}

/** Creates the place of a piece to come. */
export function createPiece(): Piece {
  return { bytes: new Uint8Array(0), cost: 0, readers: 0, next: undefined }
}
