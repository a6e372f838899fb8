import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The abort listeners that the package has added since {@link watchAbortListeners}. */
export interface AbortListeners {
  /** Total number of added listeners. */
  added(): number
  /** Where those were added that were not removed again, and did not end by the signal's abort. */
  remaining(): string[]
  /** Stops watching. */
  restore(): void
}

/**
 * Watches which abort listeners the files of core, adapters and react add and remove. Others', such as undici's, do
 * not count.
 */
export function watchAbortListeners(): AbortListeners {
  const { addEventListener, removeEventListener } = AbortSignal.prototype
  const open = new Map<AbortSignal, Map<unknown, string>>()
  let added = 0
  const patched = AbortSignal.prototype as unknown as Record<string, unknown>
  patched.addEventListener = function (this: AbortSignal, ...args: Parameters<typeof addEventListener>) {
    const caller = new Error().stack?.split('\n')[2] ?? ''
    if (args[0] === 'abort' && isOurs(caller)) {
      added++
      open.set(this, (open.get(this) ?? new Map()).set(args[1], caller.trim()))
    }
    return addEventListener.apply(this, args)
  }
  patched.removeEventListener = function (this: AbortSignal, ...args: Parameters<typeof removeEventListener>) {
    open.get(this)?.delete(args[1])
    return removeEventListener.apply(this, args)
  }
  return {
    added: () => added,
    remaining: () => [...open].flatMap(([signal, places]) => (signal.aborted ? [] : [...places.values()])),
    restore: () => Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener }),
  }
}

function isOurs(caller: string): boolean {
  const path = caller.split(root)[1] ?? ''
  return /^(?:core|adapters|react)\//.test(path) && !/\.test\.|\/testing\//.test(path)
}
