import { createBoundedMap } from './bounded-map.js'

/** Remembers failures, so that what failed is not retried at once. */
export interface Backoff {
  /** Whether a key failed so recently that it is not to be retried yet. */
  isActive(key: string): boolean
  fail(key: string): void
  succeed(key: string): void
}

const initialDelay = 1_000
const maxDelay = 60_000

/**
 * Creates a back-off: one second after the first failure in a row, twice as long after each further one, at most a minute.
 *
 * @param clock Milliseconds of a monotonic clock.
 */
export function createBackoff(clock: () => number = () => performance.now()): Backoff {
  const failures = createBoundedMap<{ count: number; until: number }>()
  return {
    isActive(key) {
      return failures.size > 0 && clock() < (failures.get(key)?.until ?? Number.NEGATIVE_INFINITY)
    },
    fail(key) {
      const count = failures.get(key)?.count ?? 0
      failures.set(key, { count: count + 1, until: clock() + Math.min(initialDelay * 2 ** count, maxDelay) })
    },
    succeed(key) {
      if (failures.size > 0) failures.delete(key)
    },
  }
}
