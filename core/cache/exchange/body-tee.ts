/** Bounds the bytes that all bodies in transfer may hold together. */
export interface ByteBudget {
  /** Takes so many bytes, unless fewer are left. */
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
 * Reads a body for one reader and for the store at once. Up to `maxBytes` it does not wait for the reader, so that a slow
 * connection delays nobody else; beyond, nothing is collected, and the body is read at the reader's pace. A body that
 * fails or ends early counts as incomplete.
 */
export function teeBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: BodyTeeOptions): BodyTee {
  const { maxBytes, budget, expectedLength, onCollected, onReaderLeft } = options
  const source = body.getReader()
  const buffer = createCollectingBuffer(maxBytes, budget, expectedLength)
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
  let hasReaderLeft = false
  let isReported = false
  let onPull: (() => void) | undefined

  const report = (complete: Uint8Array<ArrayBuffer> | undefined) => {
    if (isReported) return undefined
    isReported = true
    return onCollected(complete)
  }
  const stop = (reason?: unknown) => {
    buffer.discard()
    report(undefined)
    source.cancel(reason).catch(() => {})
    onPull?.()
  }
  const pump = async () => {
    try {
      for (let piece = await source.read(); !piece.done; piece = await source.read()) {
        if (!(piece.value instanceof Uint8Array)) throw new TypeError('response body: expected a stream of bytes')
        if (!buffer.add(piece.value)) report(undefined)
        if (hasReaderLeft && buffer.isDiscarded()) return stop()
        if (!hasReaderLeft) controller.enqueue(piece.value)
        if (buffer.isDiscarded() && !hasReaderLeft && (controller.desiredSize ?? 0) <= 0) await nextPull()
      }
      await report(buffer.finish())
      if (!hasReaderLeft) controller.close()
    } catch (error) {
      buffer.discard()
      report(undefined)
      source.cancel(error).catch(() => {})
      if (!hasReaderLeft) controller.error(error)
    } finally {
      buffer.discard()
    }
  }
  const nextPull = () =>
    new Promise<void>((resolve) => {
      onPull = resolve
    })

  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(given) {
        controller = given
      },
      pull() {
        onPull?.()
        onPull = undefined
      },
      cancel() {
        hasReaderLeft = true
        // A body that is not collected is read for this reader only.
        if (buffer.isDiscarded()) stop()
        onReaderLeft()
      },
    },
    { highWaterMark: 1 },
  )
  void pump()
  return { stream, stop }
}

/** Collects pieces in a buffer of its own, so that no reader can change what is stored. */
function createCollectingBuffer(maxBytes: number, budget: ByteBudget, expectedLength: number | undefined) {
  let buffer: Uint8Array<ArrayBuffer> | undefined
  let length = 0
  let taken = 0
  const discard = () => {
    budget.release(taken)
    taken = 0
    buffer = undefined
  }
  const grow = (needed: number) => {
    const wanted = Math.min(maxBytes, Math.max(needed, expectedLength ?? 0, length === 0 ? 0 : 2 * length))
    if (needed > maxBytes || !budget.take(wanted - taken)) return discard()
    taken = wanted
    const larger = new Uint8Array(wanted)
    if (buffer) larger.set(buffer.subarray(0, length))
    buffer = larger
  }
  if ((expectedLength ?? 0) > maxBytes) discard()
  else buffer = new Uint8Array(0)
  return {
    discard,
    isDiscarded: () => buffer === undefined,
    /** Returns `false` once nothing is collected any more. */
    add(piece: Uint8Array): boolean {
      if (buffer && length + piece.length > buffer.length) grow(length + piece.length)
      buffer?.set(piece, length)
      length += piece.length
      return buffer !== undefined
    },
    /** Returns the body; `undefined` when it is incomplete or was discarded. */
    finish(): Uint8Array<ArrayBuffer> | undefined {
      if (!buffer || (expectedLength !== undefined && length !== expectedLength)) return undefined
      return length === buffer.length ? buffer : buffer.slice(0, length)
    },
  }
}
