/** A limit of time over several steps. */
export interface TimeLimit {
  /** Aborts when the time is over, or when the outer signal does. */
  signal: AbortSignal
  /** Whether the time is over. */
  isOver(): boolean
  /** Forgets about it. */
  end(): void
}

/**
 * Starts a limit of time below another signal.
 *
 * @param milliseconds From now on.
 */
export function startTimeLimit(outer: AbortSignal, milliseconds: number): TimeLimit {
  // AbortSignal.timeout cannot be ended, and would keep what hangs on it for all its time.
  const controller = new AbortController()
  const leave = () => controller.abort(outer.reason)
  let over = false
  const timer = setTimeout(() => {
    over = true
    controller.abort(new Error(`Not complete within ${milliseconds} ms`))
  }, milliseconds)
  if (outer.aborted) leave()
  else outer.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    isOver: () => over,
    end() {
      clearTimeout(timer)
      outer.removeEventListener('abort', leave)
    },
  }
}
