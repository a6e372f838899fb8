import { createInFlight, type InFlight } from '../../core/single-flight.js'
import { untilAborted } from '../../core/timeout.js'

/** Work with a shared result. Its signal aborts after the last use, or when the last caller has left. */
export type SharedWork = Pick<InFlight<never>, 'signal' | 'join'>

/**
 * Creates a function that shares the work for each key among all callers that use its result at the same time. After
 * the last use, the result is dropped.
 *
 * @example
 * const withOriginal = share((url: string, { signal }) => download(url, signal))
 * await withOriginal(url, url, request.signal, (original) => resize(original))
 */
export function share<Job, Result>(begin: (job: Job, work: SharedWork) => Promise<Result>) {
  const shared = new Map<string, { work: SharedWork; result: Promise<Result> }>()

  const start = (key: string, job: Job) => {
    const work = createInFlight<never>({ onEnd: () => shared.delete(key) })
    const started = { work, result: begin(job, work) }
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
    const { work, result } = shared.get(key) ?? start(key, job)
    const leave = work.join()
    try {
      return await use(await (signal ? untilAborted(result, signal) : result))
    } finally {
      leave()
    }
  }
}
