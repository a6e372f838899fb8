/** How much all bodies that are being collected may take together. */
export interface Budget {
  /** Takes so many bytes, unless there are no more. */
  take(bytes: number): boolean
  give(bytes: number): void
}

/** Creates a budget of bytes. */
export function createBudget(bytes: number): Budget {
  let left = bytes
  return {
    take(wanted) {
      if (wanted > left) return false
      left -= wanted
      return true
    },
    give(returned) {
      left += returned
    },
  }
}

export interface CollectOptions {
  /** Largest body that is kept, in bytes. */
  maxBytes: number
  budget: Budget
  /** What `Content-Length` says, when there is one; another length is no whole body. */
  expected: number | undefined
  /** Told of the whole body, or of `undefined` as soon as it is known that there will be none. The reader's end waits. */
  onSettled(body: Uint8Array<ArrayBuffer> | undefined): void | Promise<void>
  /** Told that the reader left early. */
  onLeft(): void
}

export interface Collection {
  /** For the first reader: what comes, as it comes. */
  stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Ends it, and the body that it reads. */
  stop(reason?: unknown): void
}

/**
 * Reads a body for one reader and for the store at once. Up to `maxBytes` it does not wait for the reader, so that one
 * on a slow line holds up nobody; beyond, nothing is kept, and the body comes at the reader's pace. A body that fails,
 * or ends early, is never whole.
 */
export function collectBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, options: CollectOptions): Collection {
  const { maxBytes, budget, expected, onSettled, onLeft } = options
  const source = body.getReader()
  const gathering = createGathering(maxBytes, budget, expected)
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
  let isGone = false
  let isSettled = false
  let onPull: (() => void) | undefined

  const settle = (whole: Uint8Array<ArrayBuffer> | undefined) => {
    if (isSettled) return undefined
    isSettled = true
    return onSettled(whole)
  }
  const stop = (reason?: unknown) => {
    gathering.drop()
    settle(undefined)
    source.cancel(reason).catch(() => {})
    onPull?.()
  }
  const pump = async () => {
    try {
      for (let piece = await source.read(); !piece.done; piece = await source.read()) {
        if (!(piece.value instanceof Uint8Array)) throw new TypeError('The body of the response is no stream of bytes')
        if (!gathering.add(piece.value)) settle(undefined)
        if (isGone && gathering.isDropped()) return stop()
        if (!isGone) controller.enqueue(piece.value)
        if (gathering.isDropped() && !isGone && (controller.desiredSize ?? 0) <= 0) await demand()
      }
      await settle(gathering.finish())
      if (!isGone) controller.close()
    } catch (error) {
      gathering.drop()
      settle(undefined)
      source.cancel(error).catch(() => {})
      if (!isGone) controller.error(error)
    } finally {
      gathering.drop()
    }
  }
  const demand = () =>
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
        isGone = true
        // A body that is not kept is read for this reader alone.
        if (gathering.isDropped()) stop()
        onLeft()
      },
    },
    { highWaterMark: 1 },
  )
  void pump()
  return { stream, stop }
}

/** Gathers pieces into one buffer of its own, so that no reader can change what is kept. */
function createGathering(maxBytes: number, budget: Budget, expected: number | undefined) {
  let buffer: Uint8Array<ArrayBuffer> | undefined
  let length = 0
  let taken = 0
  const drop = () => {
    budget.give(taken)
    taken = 0
    buffer = undefined
  }
  const grow = (needed: number) => {
    const wanted = Math.min(maxBytes, Math.max(needed, expected ?? 0, length === 0 ? 0 : 2 * length))
    if (needed > maxBytes || !budget.take(wanted - taken)) return drop()
    taken = wanted
    const larger = new Uint8Array(wanted)
    if (buffer) larger.set(buffer.subarray(0, length))
    buffer = larger
  }
  if ((expected ?? 0) > maxBytes) drop()
  else buffer = new Uint8Array(0)
  return {
    drop,
    isDropped: () => buffer === undefined,
    /** Gives `false` once it keeps nothing. */
    add(piece: Uint8Array): boolean {
      if (buffer && length + piece.length > buffer.length) grow(length + piece.length)
      buffer?.set(piece, length)
      length += piece.length
      return buffer !== undefined
    },
    finish(): Uint8Array<ArrayBuffer> | undefined {
      if (!buffer || (expected !== undefined && length !== expected)) return undefined
      return length === buffer.length ? buffer : buffer.slice(0, length)
    },
  }
}
