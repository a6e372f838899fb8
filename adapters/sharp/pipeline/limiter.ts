import { ImageFailure } from '../failure.js'

/** Runs work in one of few slots; the signal ends the wait for a slot. */
export type Slots = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export interface SlotsOptions {
  /** Most pieces of work that run at once. */
  concurrency: number
  /** Most pieces of work that wait. */
  queue: number
}

/**
 * Creates a bounded queue in front of a fixed number of slots: first come, first served. What finds the queue full is
 * refused at once with an {@link ImageFailure} of status 503.
 *
 * @example
 * const inSlot = createSlots({ concurrency: 2, queue: 256 })
 * await inSlot(() => transform(original), request.signal)
 */
export function createSlots({ concurrency, queue }: SlotsOptions): Slots {
  const waiting = new Set<() => void>()
  let running = 0

  const waitForTurn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        reject(signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(start)
      signal.addEventListener('abort', leave, { once: true })
    })

  const passOn = () => {
    const [next] = waiting
    if (!next) running--
    else {
      // The slot goes over as it is, so that nobody who comes in between can take it.
      waiting.delete(next)
      next()
    }
  }

  return async (work, signal) => {
    signal.throwIfAborted()
    if (running < concurrency) running++
    else if (waiting.size < queue) await waitForTurn(signal)
    else throw new ImageFailure(503, 'The image service is busy')
    try {
      return await work()
    } finally {
      passOn()
    }
  }
}
