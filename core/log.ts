/** Receives warnings and errors for the operator: a message that is the same each time, and its details. */
export type Log = (message: string, detail: Record<string, unknown>) => void

/** Writes to `console.error`: the default of every `log` option unless documented otherwise. */
export const logError: Log = (message, detail) => console.error(message, detail)

interface ThrottleOptions {
  /**
   * Returns the key of a message, such as the message with its source. Messages with the same key are repetitions.
   * Default: the message.
   */
  keyOf?: ((message: string, detail: Record<string, unknown>) => string) | undefined
}

const interval = 60_000
const maxKeys = 100

/**
 * Creates a log that writes each message at most once a minute. The next message says in `suppressed` how many
 * repetitions were held back. Beyond 100 keys per minute, a message is its own key.
 */
export function throttleLog(log: Log, { keyOf = (message) => message }: ThrottleOptions = {}): Log {
  // The least recently written message comes first.
  const written = new Map<string, { silentUntil: number; suppressed: number }>()

  // The number of messages held back under keys that were removed is added to the next count.
  let forgotten = 0

  /** Makes room for another key: removes the keys whose interval is over. Returns whether there is room. */
  const hasRoom = (now: number) => {
    for (const [key, { silentUntil, suppressed }] of written) {
      if (written.size < maxKeys || now < silentUntil) break
      written.delete(key)
      forgotten += suppressed
    }
    return written.size < maxKeys
  }

  return (message, detail) => {
    const now = performance.now()
    const messageKey = keyOf(message, detail)
    const key = written.has(messageKey) || hasRoom(now) ? messageKey : message
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

/**
 * Describes an error for a log: its message, then the messages of its causes, because `fetch` throws a bare "fetch
 * failed". If a message already ends with the message of its cause, the cause is not repeated. An error without a
 * message is described by its code; Node throws such an error when several addresses refuse the connection.
 *
 * @example describeError(new Error('fetch failed', { cause: new Error('no route') })) // 'fetch failed: no route'
 */
export function describeError(error: unknown): string {
  return describe(error, 5)
}

/** @param maxCauses Limits the number of causes, because they may be circular. */
function describe(error: unknown, maxCauses: number): string {
  try {
    if (!(error instanceof Error)) return String(error)
    const message = error.message || String((error as { code?: unknown }).code ?? error.name)
    if (!error.cause || maxCauses === 0) return message
    const cause = describe(error.cause, maxCauses - 1)
    if (message.endsWith(cause)) return message
    return cause.startsWith(message) ? cause : `${message}: ${cause}`
  } catch {
    // Any value can be thrown, such as an object without a prototype or with properties that throw.
    return 'a value that cannot be described'
  }
}
