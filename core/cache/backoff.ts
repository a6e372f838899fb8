import { rememberByKey } from './remember.js'

/** Remembers what failed, so that it is not tried again at once. */
export interface Backoff {
  isResting(key: string): boolean
  fail(key: string): void
  succeed(key: string): void
}

const firstRest = 1_000
const longestRest = 60_000

/**
 * Creates a back-off: a second after the first failure in a row, twice as long after each further one, a minute at most.
 *
 * @param clock Milliseconds of a clock that never goes back.
 */
export function createBackoff(clock: () => number = () => performance.now()): Backoff {
  const failures = rememberByKey<{ count: number; until: number }>()
  return {
    isResting(key) {
      return failures.size > 0 && clock() < (failures.get(key)?.until ?? Number.NEGATIVE_INFINITY)
    },
    fail(key) {
      const count = failures.get(key)?.count ?? 0
      failures.set(key, { count: count + 1, until: clock() + Math.min(firstRest * 2 ** count, longestRest) })
    },
    succeed(key) {
      if (failures.size > 0) failures.delete(key)
    },
  }
}
