/** What a call has while it runs. */
export interface Place {
  /** Aborts when the caller's signal does, or when the place is given to another origin. */
  signal: AbortSignal
  /** From now on the place is not given to another origin. */
  keep(): void
}

/** Calls whose places can be taken back, each of a group. */
export interface RevocableCalls<Group> {
  run<T>(group: Group, work: (place: Place) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Aborts the call that has run longest, of the group that has most, unless all are younger than `minTime`. */
  revokeLongest(reason: unknown): void
}

/**
 * Creates an empty set of calls.
 *
 * @param minTime Milliseconds for which a call is left alone.
 * @param countOf Returns the number of places that a group has.
 */
export function createRevocableCalls<Group>(minTime: number, countOf: (group: Group) => number): RevocableCalls<Group> {
  const running = new Set<{ group: Group; startedAt: number; revoke(reason: unknown): void }>()
  return {
    async run(group, work, signal) {
      signal.throwIfAborted()
      const controller = new AbortController()
      const onAbort = () => controller.abort(signal.reason)
      const revoke = (reason: unknown) => {
        keep()
        controller.abort(reason)
      }
      const call = { group, startedAt: performance.now(), revoke }
      const keep = () => void running.delete(call)
      signal.addEventListener('abort', onAbort, { once: true })
      running.add(call)
      try {
        return await work({ signal: controller.signal, keep })
      } finally {
        keep()
        signal.removeEventListener('abort', onAbort)
      }
    },

    revokeLongest(reason) {
      const calls = [...running].filter(({ startedAt }) => performance.now() - startedAt >= minTime)
      const [longest] = calls.sort((a, b) => countOf(b.group) - countOf(a.group) || a.startedAt - b.startedAt)
      longest?.revoke(reason)
    },
  }
}
