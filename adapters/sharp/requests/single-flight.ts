import { createInFlight, type InFlight } from '../../../core/single-flight.js'

/** How one caller waits for work. */
export interface WaitOptions<Early> {
  /** Stops waiting when it aborts. */
  signal?: AbortSignal | undefined
  /** Whether an early result is all that this caller needs. Default: never. */
  isEnough?: ((early: Early) => boolean) | undefined
  /** The bound of work that goes on while nobody waits for it is for each group. Default: one group for all. */
  group?: string | undefined
}

/** Work that stops when the signal aborts, may publish an early result, and can ask whether nobody waits for it any more. */
export type Work<Early, Result> = (
  signal: AbortSignal,
  publish: (early: Early) => void,
  isAbandoned: () => boolean,
) => Promise<Result>

interface SharedWork<Early, Result> {
  inFlight: InFlight<Result>
  early?: { value: Early }
  onEarly: Set<(value: Early) => void>
  /** Whether the early result was not enough for someone. */
  isWanted: boolean
}

/**
 * Creates a function that runs work once for all callers with the same key at the same time. A caller stops waiting when
 * its signal aborts, or when an early result is enough. Once nobody waits, the work is aborted, and the next caller
 * starts it again; unless it has published its early result to one who waited for the whole: then it goes on, for the next
 * caller to join. Results are not kept.
 *
 * @param maxAbandoned Maximum number of works that go on at once without anyone who waits, of each group. Default 0.
 * @example
 * const runOnce = createSingleFlight<never, Uint8Array>()
 * await runOnce(key, (signal) => download(url, signal), { signal: request.signal })
 */
export function createSingleFlight<Early, Result>(maxAbandoned = 0) {
  const running = new Map<string, SharedWork<Early, Result>>()
  const abandoned = new Map<SharedWork<Early, Result>, string | undefined>()
  const countAbandoned = (group: string | undefined) => [...abandoned.values()].filter((each) => each === group).length

  const start = (key: string, work: Work<Early, Result>, group: string | undefined): SharedWork<Early, Result> => {
    const inFlight = createInFlight<Result>({
      shouldContinue() {
        if (!shared.isWanted || countAbandoned(group) >= maxAbandoned) return false
        abandoned.set(shared, group)
        return true
      },
      onEnd() {
        abandoned.delete(shared)
        running.delete(key)
      },
    })
    const shared: SharedWork<Early, Result> = { inFlight, onEarly: new Set(), isWanted: false }
    running.set(key, shared)
    const publish = (value: Early) => {
      shared.early = { value }
      for (const listener of [...shared.onEarly]) listener(value)
      shared.isWanted = shared.onEarly.size > 0
    }
    // In a microtask, so that the first caller has joined when the work starts.
    Promise.resolve()
      .then(() => work(inFlight.signal, publish, () => abandoned.has(shared)))
      .then(inFlight.resolve, inFlight.reject)
    return shared
  }

  return (key: string, work: Work<Early, Result>, options: WaitOptions<Early> = {}): Promise<Early | Result> => {
    const { signal, isEnough, group } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    const shared = running.get(key) ?? start(key, work, group)
    if (shared.early && isEnough?.(shared.early.value)) return Promise.resolve(shared.early.value)

    abandoned.delete(shared)
    return new Promise((resolve, reject) => {
      const leave = shared.inFlight.join()
      const end = () => {
        shared.onEarly.delete(onEarly)
        signal?.removeEventListener('abort', onAbort)
        leave()
      }
      const onEarly = (value: Early) => {
        if (!isEnough?.(value)) return
        end()
        resolve(value)
      }
      const onAbort = () => {
        end()
        reject(signal?.reason)
      }
      shared.onEarly.add(onEarly)
      signal?.addEventListener('abort', onAbort, { once: true })
      shared.inFlight.result.then(
        (result) => {
          end()
          resolve(result)
        },
        (reason) => {
          end()
          reject(reason)
        },
      )
    })
  }
}
