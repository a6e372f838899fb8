import { blockBytes } from './entry-source.js'

// Small entries are read and written at once. A larger one is read and written in pieces, of which only so many bytes are on their way
// at the same time, fewer on a slow link: the stamps of the tag index wait behind them on the same connection. Pages of a usual size
// do not queue behind downloads.

const blocksPerPiece = 4
/** Of head and body. */
export const maxSmallBytes = blockBytes + 16 * 1024
export const maxPageBytes = 1024 * 1024
const minInFlightBytes = 2 * blocksPerPiece * blockBytes
export const readBytesInFlight = { max: 8 * 1024 * 1024, min: minInFlightBytes }
export const writtenBytesInFlight = { max: 2 * 1024 * 1024, min: minInFlightBytes }

/** Blocks of a body, from the first to the one before the end. */
export interface Piece {
  start: number
  end: number
}

/** Divides blocks, none of which make one piece without any. */
export function toPieces(first: number, end: number): Piece[] {
  const count = Math.max(1, Math.ceil((end - first) / blocksPerPiece))
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * blocksPerPiece
    return { start, end: Math.min(start + blocksPerPiece, end) }
  })
}
