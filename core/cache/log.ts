/** Tells an operator something. */
export type Log = (message: string, detail: Record<string, unknown>) => void

/** Keeps back what was said in the last minute already. */
export function sparingly(log: Log, clock: () => number = () => performance.now()): Log {
  const silentUntil = new Map<string, number>()
  return (message, detail) => {
    const now = clock()
    if (now < (silentUntil.get(message) ?? Number.NEGATIVE_INFINITY)) return
    silentUntil.set(message, now + 60_000)
    log(message, detail)
  }
}
