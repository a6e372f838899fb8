import { optionError } from './option-error.js'

/** Thrown when work takes longer than its time limit. */
export class TimeoutError extends Error {
  override name = 'TimeoutError'
}

/** The longest delay that `setTimeout` supports, in milliseconds. Timers with a longer delay fire immediately. */
export const maxTimeout = 2 ** 31 - 1

/**
 * Returns a time limit in milliseconds, above 0 and at most 2^31 - 1.
 *
 * @throws TypeError that names the option if the value is not a valid time limit.
 */
export function checkTimeout(option: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= maxTimeout) return value
  throw optionError(option, `milliseconds > 0 and <= ${maxTimeout}, such as 10_000`, value)
}

/**
 * Calls a function when the time is over. If the event loop was blocked, the lost time is added once, up to the length
 * of the limit, because timers run before the event loop reads the responses that arrived in the meantime.
 *
 * @returns A function that stops the timer.
 */
export function startTimer(milliseconds: number, onOver: () => void): () => void {
  const due = performance.now() + milliseconds
  let timer = setTimeout(() => {
    const lost = Math.min(performance.now() - due, milliseconds)
    if (lost > 1) timer = setTimeout(onOver, lost)
    else onOver()
  }, milliseconds)
  return () => clearTimeout(timer)
}

/**
 * Waits for a promise until `milliseconds` have passed or a signal aborts. Neither the timer nor the listener
 * outlives the wait. The work itself goes on; use {@link startDeadline} to abort it.
 *
 * @param milliseconds `undefined` for no time limit.
 * @throws TimeoutError, the reason of the signal, or the reason of the promise.
 */
export function withTimeout<T>(milliseconds: number | undefined, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = <Result>(finish: (result: Result) => void, result: Result) => {
      stopTimer?.()
      signal?.removeEventListener('abort', onAbort)
      finish(result)
    }
    const onAbort = () => settle(reject, signal?.reason)
    const onOver = () => settle(reject, new TimeoutError(`not done within ${milliseconds} ms`))
    const stopTimer = milliseconds === undefined ? undefined : startTimer(milliseconds, onOver)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    // Handle the work even after an abort: its rejection must not be unhandled.
    work.then(
      (value) => settle(resolve, value),
      (reason) => settle(reject, reason),
    )
  })
}

/**
 * Waits for a promise until a signal aborts. No listener outlives the wait.
 *
 * @throws the reason of the signal, or the reason of the promise.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return withTimeout(undefined, work, signal)
}

/**
 * Creates a signal that also aborts when an outer signal aborts. Unlike with `AbortSignal.any`, `abort` and `end`
 * remove the listener on the outer signal, so that the listener does not outlive the work.
 */
export function linkSignal(outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer?.reason)
  const end = () => outer?.removeEventListener('abort', onAbort)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    /** Removes the listener. */
    end,
    abort(reason?: unknown) {
      end()
      controller.abort(reason)
    },
  }
}

/** A time limit for several steps. Its signal aborts them when the time is over. */
export interface Deadline {
  /** Aborts with a {@link TimeoutError} when the time is over, or with the reason of the outer signal. */
  readonly signal: AbortSignal
  /** Whether the time is over. */
  isOver(): boolean
  /** Removes the timer and the listener. Call it in `finally`. */
  end(): void
}

/**
 * Starts a time limit whose signal also aborts when an outer signal aborts. Unlike `AbortSignal.timeout`, it can be
 * ended, so that neither its timer nor its listener outlives the work.
 *
 * @param milliseconds Counted from now.
 */
export function startDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const { signal, abort, end } = linkSignal(outer)
  let over = false
  const stopTimer = startTimer(milliseconds, () => {
    over = true
    abort(new TimeoutError(`not done within ${milliseconds} ms`))
  })
  return {
    signal,
    isOver: () => over,
    end() {
      stopTimer()
      end()
    },
  }
}
