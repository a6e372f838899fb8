// Small entries are read and written at once. The body of a larger one is read and written in pieces, of which only so many bytes are
// on their way at the same time, fewer on a slow link: the stamps of the tag index wait behind them on the same connection. Pages of a
// usual size do not queue behind downloads.

/** Bytes of each piece but the last. An empty body is one piece. */
export const pieceBytes = 256 * 1024
/** Of head and body. */
export const maxSmallBytes = 80 * 1024
export const maxPageBytes = 1024 * 1024
const minInFlightBytes = 2 * pieceBytes
export const readBytesInFlight = { max: 8 * 1024 * 1024, min: minInFlightBytes }
export const writtenBytesInFlight = { max: 2 * 1024 * 1024, min: minInFlightBytes }

export function countPieces(bodyLength: number): number {
  return Math.max(1, Math.ceil(bodyLength / pieceBytes))
}
