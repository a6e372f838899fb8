import { createInFlight, type InFlight } from '../../core/single-flight.js'
import { untilAborted } from '../../core/timeout.js'

/** Work with a shared result. */
export interface SharedWork {
  /** Aborts after the last use, or when the last caller has left. */
  signal: AbortSignal
  /** Set it to let the work finish even if the last caller leaves. */
  goesOn: boolean
}

/**
 * Creates a function that shares the work for each key among all callers that use its result at the same time. After
 * the last use, the result is dropped.
 *
 * @example
 * const withOriginal = share((url: string, { signal }) => download(url, signal))
 * await withOriginal(url, url, request.signal, (original) => resize(original))
 */
export function share<Job, Result>(begin: (job: Job, work: SharedWork) => Promise<Result>) {
  const shared = new Map<string, { users: InFlight<never>; result: Promise<Result> }>()

  const start = (key: string, job: Job) => {
    const users: InFlight<never> = createInFlight({
      shouldContinue: () => work.goesOn,
      onEnd: () => shared.delete(key),
    })
    const work = { signal: users.signal, goesOn: false }
    const result = begin(job, work)
    const onSettled = () => {
      work.goesOn = false
      if (users.countWaiting() === 0) users.reject(new Error('no caller waits'))
    }
    result.then(onSettled, onSettled)
    const started = { users, result }
    shared.set(key, started)
    return started
  }

  /** Uses the result for a key. Starts the work, unless the result is already in use. The signal ends the wait. */
  return async <Value>(
    key: string,
    job: Job,
    signal: AbortSignal | undefined,
    use: (result: Result) => Value | Promise<Value>,
  ): Promise<Value> => {
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
