/** One who waits for shared work. */
export interface Waiter<Early> {
  /** Stops waiting. */
  signal?: AbortSignal | undefined
  /** Whether what the work found out on its way is all that this one needs. Default: never. */
  enough?: ((early: Early) => boolean) | undefined
}

/** The work: stops at the signal, and may announce what it found out on its way. */
export type Work<Early, Result> = (signal: AbortSignal, announce: (early: Early) => void) => Promise<Result>

interface Place<Early, Result> extends Waiter<Early> {
  resolve(value: Early | Result): void
  reject(reason: unknown): void
}

interface Piece<Early, Result> {
  controller: AbortController
  places: Set<Place<Early, Result>>
  early?: { value: Early }
}

/**
 * Creates a function with which all who want the same thing at the same time wait for one piece of work. A waiter who
 * leaves, or who has enough with what was announced, is no longer counted; when none is left, the work is aborted, and
 * whoever comes then begins anew. Nothing is kept once the work has ended.
 *
 * @example
 * const share = createSharedWork<never, Uint8Array>()
 * await share(key, (signal) => download(url, signal), { signal: request.signal })
 */
export function createSharedWork<Early, Result>() {
  const underWay = new Map<string, Piece<Early, Result>>()

  const forget = (key: string, piece: Piece<Early, Result>) => {
    if (underWay.get(key) === piece) underWay.delete(key)
  }

  const begin = (key: string, work: Work<Early, Result>): Piece<Early, Result> => {
    const piece: Piece<Early, Result> = { controller: new AbortController(), places: new Set() }
    underWay.set(key, piece)
    const announce = (value: Early) => {
      piece.early = { value }
      for (const place of [...piece.places]) if (place.enough?.(value)) place.resolve(value)
    }
    // In a microtask, so that the first waiter is in its place when the work begins.
    Promise.resolve()
      .then(() => work(piece.controller.signal, announce))
      .then(
        (result) => {
          for (const place of [...piece.places]) place.resolve(result)
        },
        (reason) => {
          for (const place of [...piece.places]) place.reject(reason)
        },
      )
      .finally(() => forget(key, piece))
    return piece
  }

  return (key: string, work: Work<Early, Result>, { signal, enough }: Waiter<Early> = {}): Promise<Early | Result> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const piece = underWay.get(key) ?? begin(key, work)
      if (piece.early && enough?.(piece.early.value)) return resolve(piece.early.value)

      const leave = () => {
        piece.places.delete(place)
        signal?.removeEventListener('abort', onAbort)
        if (piece.places.size > 0) return
        forget(key, piece)
        piece.controller.abort(new Error('Nobody waits for it any more'))
      }
      const onAbort = () => place.reject(signal?.reason)
      const place: Place<Early, Result> = {
        enough,
        resolve(value) {
          leave()
          resolve(value)
        },
        reject(reason) {
          leave()
          reject(reason)
        },
      }
      piece.places.add(place)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
}
