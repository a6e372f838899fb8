/** Receives warnings and errors for the operator: a message that is the same each time, and what it is about. */
export type Log = (message: string, detail: Record<string, unknown>) => void

/** Writes to `console.error`: the default of every option `log` unless documented otherwise. */
export const logError: Log = (message, detail) => console.error(message, detail)

export interface ThrottleOptions {
  /** Milliseconds for which a message is held back after it was written. Default 60,000. */
  interval?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  clock?: (() => number) | undefined
}

/**
 * Creates a log that writes each message once per interval at most. The next one says in `suppressed` how many were held
 * back.
 */
export function throttleLog(log: Log, options: ThrottleOptions = {}): Log {
  const { interval = 60_000, clock = () => performance.now() } = options
  const written = new Map<string, { silentUntil: number; suppressed: number }>()
  return (message, detail) => {
    const now = clock()
    const last = written.get(message)
    if (last && now < last.silentUntil) {
      last.suppressed++
      return
    }
    written.set(message, { silentUntil: now + interval, suppressed: 0 })
    log(message, last?.suppressed ? { ...detail, suppressed: last.suppressed } : detail)
  }
}
