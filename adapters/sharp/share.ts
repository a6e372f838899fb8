import { createInFlight, type InFlight } from '../../core/single-flight.js'
import { untilAborted } from '../../core/timeout.js'

/** Work whose result is shared. */
export interface SharedWork {
  /** Aborts after the last use, and when nobody waits any more. */
  signal: AbortSignal
  /** From now on the work is finished although nobody may wait for it. */
  goOn(): void
}

/** Uses the result for a key, of work that begins unless it is in use already. The signal ends the wait. */
export type Use<Job, Result> = <Value>(
  key: string,
  job: Job,
  signal: AbortSignal | undefined,
  use: (result: Result) => Value | Promise<Value>,
) => Promise<Value>

/**
 * Creates a function that shares the work for each key among all that use its result at the same time. After the last
 * use, its result is forgotten.
 *
 * @example
 * const withOriginal = share((url: string, { signal }) => download(url, signal))
 * await withOriginal(url, url, request.signal, (original) => resize(original))
 */
export function share<Job, Result>(begin: (job: Job, work: SharedWork) => Promise<Result>): Use<Job, Result> {
  const shared = new Map<string, { users: InFlight<never>; result: Promise<Result> }>()

  const start = (key: string, job: Job) => {
    let goesOn = false
    const users = createInFlight<never>({ shouldContinue: () => goesOn, onEnd: () => shared.delete(key) })
    const goOn = () => {
      goesOn = true
    }
    const result = begin(job, { signal: users.signal, goOn })
    const onSettled = () => {
      goesOn = false
      if (users.countWaiting() === 0) users.reject(new Error('nobody waits'))
    }
    result.then(onSettled, onSettled)
    const started = { users, result }
    shared.set(key, started)
    return started
  }

  return async (key, job, signal, use) => {
    signal?.throwIfAborted()
    const { users, result } = shared.get(key) ?? start(key, job)
    const leave = users.join()
    try {
      return await use(await (signal ? untilAborted(result, signal) : result))
    } finally {
      leave()
    }
  }
}
