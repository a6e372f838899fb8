import { atLeast, checkKnownOptions, integer, type OptionChecks } from './known-options.js'
import { checkFunction } from './option-error.js'

/** Receives warnings and errors for the operator: a message that is the same each time, and what it is about. */
export type Log = (message: string, detail: Record<string, unknown>) => void

/** Writes to `console.error`: the default of every option `log` unless documented otherwise. */
export const logError: Log = (message, detail) => console.error(message, detail)

export interface ThrottleOptions {
  /** Milliseconds for which a message is held back after it was written. Default 60,000. */
  interval?: number | undefined
  /** Returns what is held back separately, such as a message with its source. Default: the message. */
  keyOf?: ((message: string, detail: Record<string, unknown>) => string) | undefined
  /** Maximum number of keys per interval; of what is beyond them, each message is one key. Default 100. */
  maxKeys?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  clock?: (() => number) | undefined
}

const checks: OptionChecks<ThrottleOptions> = {
  interval: atLeast(0),
  keyOf: checkFunction,
  maxKeys: integer(),
  clock: checkFunction,
}

/**
 * Creates a log that writes each message once per interval at most. The next one says in `suppressed` how many were held
 * back.
 */
export function throttleLog(log: Log, options: ThrottleOptions = {}): Log {
  checkFunction('log', log)
  checkKnownOptions(options, checks, 'throttleLog(log)')
  const { interval = 60_000, keyOf = (message) => message, maxKeys = 100, clock = () => performance.now() } = options
  // The least recently written first.
  const written = new Map<string, { silentUntil: number; suppressed: number }>()

  // Held back under keys that made room for others; part of the next count.
  let forgotten = 0

  /** Whether there is room for another key. Those whose interval is over make room. */
  const hasRoom = (now: number) => {
    for (const [key, { silentUntil, suppressed }] of written) {
      if (written.size < maxKeys || now < silentUntil) break
      written.delete(key)
      forgotten += suppressed
    }
    return written.size < maxKeys
  }

  return (message, detail) => {
    const now = clock()
    const wanted = keyOf(message, detail)
    const key = written.has(wanted) || hasRoom(now) ? wanted : message
    const last = written.get(key)
    if (last && now < last.silentUntil) {
      last.suppressed++
      return
    }
    written.delete(key)
    written.set(key, { silentUntil: now + interval, suppressed: 0 })
    const suppressed = (last?.suppressed ?? 0) + forgotten
    forgotten = 0
    log(message, suppressed > 0 ? { ...detail, suppressed } : detail)
  }
}
