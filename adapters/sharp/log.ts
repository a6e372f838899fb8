/** Tells an operator something. */
export type Log = (message: string, detail: Record<string, unknown>) => void

/** Makes a log that passes on each message once in a while only, and says with it how many it kept back. */
export function sparingly(log: Log, milliseconds: number): Log {
  const heard = new Map<string, { silentUntil: number; keptBack: number }>()
  return (message, detail) => {
    const { silentUntil, keptBack } = heard.get(message) ?? { silentUntil: 0, keptBack: 0 }
    if (Date.now() < silentUntil) return void heard.set(message, { silentUntil, keptBack: keptBack + 1 })
    heard.set(message, { silentUntil: Date.now() + milliseconds, keptBack: 0 })
    log(message, keptBack > 0 ? { ...detail, keptBack } : detail)
  }
}
