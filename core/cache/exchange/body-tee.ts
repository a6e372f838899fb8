import { optionError } from '../../option-error.js'
import { type BodyPiecesOptions, createBodyPieces } from './body-pieces.js'

export interface BodyTeeOptions extends BodyPiecesOptions {
  /**
   * Receives the complete body, or `undefined` as soon as it is known that there will be none. The reader's stream ends
   * only after the returned promise has settled.
   */
  onCollected(body: Uint8Array<ArrayBuffer> | undefined): void | Promise<void>
  /** Called when the reader cancels before the end. */
  onReaderLeft(): void
}

export interface BodyTee {
  /** The body, for the first reader, piece by piece as it arrives. */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Stops reading and cancels the source. */
  stop(reason?: unknown): void
}

/**
 * Reads a body for one reader and for the store at once. Up to `maxBytes`, and as long as the budget lasts, it does not
 * wait for the reader, so that a slow connection delays nobody else; beyond, nothing is collected, and the body is read at
 * the reader's pace. Every byte counts against the budget until it was read and is no longer collected; a reader that reads
 * nothing while the budget is used up gets an error. A body that fails, or is not as long as `Content-Length` says, counts as
 * incomplete.
 */
export function teeBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: BodyTeeOptions): BodyTee {
  const { expectedLength } = options
  const source = body.getReader()
  const pieces = createBodyPieces(options, (reason) => stop(reason))
  // Only until the body was reported: a slow reader must not keep what became of it, such as a copy, in memory.
  let listener: BodyTeeOptions | undefined = options
  let isReported = false

  const report = async (complete: Uint8Array<ArrayBuffer> | undefined) => {
    if (isReported) return
    isReported = true
    await listener?.onCollected(complete)
    listener = undefined
  }
  const stop = (reason?: unknown) => {
    pieces.stopCollecting()
    void report(undefined)
    pieces.end('failed', reason)
    source.cancel(reason).catch(() => {})
  }
  const pump = async () => {
    try {
      for (let piece = await source.read(); !piece.done; piece = await source.read()) {
        if (!(piece.value instanceof Uint8Array)) throw optionError('response body', 'a stream of bytes', piece.value)
        pieces.push(piece.value)
        if (pieces.isCollecting()) continue
        void report(undefined)
        if (pieces.isCancelled()) return stop()
        await pieces.drained()
      }
      const complete = pieces.isCollecting() ? pieces.join() : undefined
      await report(expectedLength === undefined || complete?.length === expectedLength ? complete : undefined)
      pieces.stopCollecting()
      pieces.end('closed')
    } catch (error) {
      stop(error)
    }
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => pieces.read(controller),
      cancel() {
        pieces.end('cancelled')
        // A body that is not collected is read for this reader only.
        if (!pieces.isCollecting()) stop()
        listener?.onReaderLeft()
      },
    },
    { highWaterMark: 0 },
  )
  void pump()
  return { stream, stop }
}

/** Stops a tee when a signal aborts, until its work is done: no listener outlives it. */
export function stopWithSignal(tee: BodyTee, signal: AbortSignal, done: Promise<unknown>): void {
  const onAbort = () => tee.stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  void done.finally(() => signal.removeEventListener('abort', onAbort))
}
