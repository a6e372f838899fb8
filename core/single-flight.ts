import { untilAborted } from './timeout.js'

/** Work whose result several callers use at the same time. */
export interface SharedWork {
  /** Aborts after the last use of the result, or when the last caller has left. */
  readonly signal: AbortSignal
  /** Adds a caller. Returns the function that removes the caller again. */
  join(): () => void
}

/**
 * Creates a function that shares the work for each key among all callers that use its result at the same time. After
 * the last use, the result is dropped.
 *
 * @example
 * const withOriginal = singleFlight((url: string, { signal }) => download(url, signal))
 * await withOriginal(url, url, request.signal, (original) => resize(original))
 */
export function singleFlight<Job, Result>(begin: (job: Job, work: SharedWork) => Promise<Result>) {
  const inFlight = new Map<string, { work: SharedWork; result: Promise<Result> }>()

  const start = (key: string, job: Job) => {
    const controller = new AbortController()
    let callers = 0
    const leave = () => {
      callers--
      // The work may end only once, because the same key may have new work by then.
      if (callers > 0 || controller.signal.aborted) return
      inFlight.delete(key)
      controller.abort(new Error('aborted: all clients disconnected'))
    }
    const join = () => {
      callers++
      return leave
    }
    const work = { signal: controller.signal, join }
    const started = { work, result: begin(job, work) }
    inFlight.set(key, started)
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
    const { work, result } = inFlight.get(key) ?? start(key, job)
    const leave = work.join()
    try {
      return await use(await (signal ? untilAborted(result, signal) : result))
    } finally {
      leave()
    }
  }
}
