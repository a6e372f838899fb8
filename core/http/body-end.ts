import { cancelBody } from './body.js'

/**
 * Passes a body on, piece by piece at the reader's pace, and calls `onEnd` once: when it was read to its end, failed or was
 * cancelled.
 *
 * @param onPiece Called with each piece, and with `undefined` at the end of a body that did not fail.
 */
export function withBodyEnd<Piece>(
  body: ReadableStream<Piece>,
  onEnd: () => void,
  onPiece?: (piece: Piece | undefined) => void,
): ReadableStream<Piece> {
  const reader = body.getReader()
  let isCancelled = false
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        try {
          const piece = await reader.read()
          // To cancel a body ends reads that wait, as its own end does.
          if (isCancelled) return
          onPiece?.(piece.value)
          if (!piece.done) return controller.enqueue(piece.value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        onEnd()
      },
      cancel(reason) {
        isCancelled = true
        onEnd()
        cancelBody(reader, reason)
      },
    },
    { highWaterMark: 0 },
  )
}
