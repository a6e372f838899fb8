import { optionError } from '../../option-error.js'

/** Bounds the bytes that all bodies in transfer may hold together. */
export interface ByteBudget {
  /** Reserves bytes. Returns `false` when too few are left. */
  take(bytes: number): boolean
  release(bytes: number): void
}

/** Creates a budget of bytes. */
export function createByteBudget(bytes: number): ByteBudget {
  let left = bytes
  return {
    take(wanted) {
      if (wanted > left) return false
      left -= wanted
      return true
    },
    release(returned) {
      left += returned
    },
  }
}

export interface BodyTeeOptions {
  /** Largest body that is collected, in bytes. */
  maxBytes: number
  budget: ByteBudget
  /** Value of `Content-Length`, if any; a body of another length is incomplete. */
  expectedLength: number | undefined
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
 * the reader's pace. Every byte counts against the budget until it was read and is no longer collected. A body that fails
 * or ends early counts as incomplete.
 */
export function teeBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: BodyTeeOptions): BodyTee {
  const { expectedLength, onCollected, onReaderLeft } = options
  const source = body.getReader()
  const pieces = createPieces(options)
  let isReported = false

  const report = (complete: Uint8Array<ArrayBuffer> | undefined) => {
    if (isReported) return undefined
    isReported = true
    return onCollected(complete)
  }
  const stop = (reason?: unknown) => {
    pieces.stopCollecting()
    report(undefined)
    pieces.end('failed', reason)
    source.cancel(reason).catch(() => {})
  }
  const pump = async () => {
    try {
      for (let piece = await source.read(); !piece.done; piece = await source.read()) {
        if (!(piece.value instanceof Uint8Array)) throw optionError('response body', 'a stream of bytes', piece.value)
        pieces.push(piece.value)
        if (pieces.isCollecting()) continue
        report(undefined)
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
        onReaderLeft()
      },
    },
    { highWaterMark: 0 },
  )
  void pump()
  return { stream, stop }
}

// A million pieces of a byte are more than a megabyte: from some number on, the memory of each counts as well.
const freePieces = 1000
const pieceOverhead = 256
const noPiece = { bytes: new Uint8Array(0), counted: 0 }

/** The pieces of a body that its reader has not read yet, or that are collected. */
function createPieces({ maxBytes, budget, expectedLength }: BodyTeeOptions) {
  let list: { bytes: Uint8Array<ArrayBuffer>; counted: number }[] = []
  let unread = 0 // position in the list
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
    // Now and then, since to move all that is left at each read would cost the square of the number of pieces.
    if (released < 1000 || released * 2 < list.length) return
    list = list.slice(released)
    unread -= released
    released = 0
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
    /** Gives the reader the next piece: a copy of what is collected, so that it cannot change what is stored. */
    async read(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
      while (unread === list.length && state === 'open') await changed()
      const next = list[unread]
      if (next) {
        unread++
        controller.enqueue(isCollecting ? next.bytes.slice() : next.bytes)
        if (!isCollecting) release()
        wake()
      } else if (state === 'closed') controller.close()
      else if (state === 'failed') controller.error(failure)
    },
    end(ended: typeof state, error?: unknown): void {
      if (state === 'open') state = ended
      failure = error
      if (!isCollecting) release()
      wake()
    },
  }
}

/** Stops a tee when a signal aborts, until its work is done: no listener outlives it. */
export function stopWithSignal(tee: BodyTee, signal: AbortSignal, done: Promise<unknown>): void {
  const onAbort = () => tee.stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  void done.finally(() => signal.removeEventListener('abort', onAbort))
}
