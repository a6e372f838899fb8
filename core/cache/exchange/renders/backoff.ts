import { createBoundedMap } from '../../bounded-map.js'

/**
 * Remembers failures, so that what failed is not retried at once. One that may be due to its client counts for clients
 * alike only: otherwise a client whose header makes the handler throw would keep a page old for all.
 */
export interface Backoff {
  /**
   * Whether a key failed so recently that it is not to be retried yet.
   *
   * @param clients Describe the client; called only when something has failed.
   */
  isActive(key: string, clients: () => readonly string[]): boolean
  /**
   * @param client Describes the client; without it, the failure counts for all.
   * @param times As how many failures it counts. Default 1.
   */
  fail(key: string, client?: string, times?: number): void
  /** @param clients Describe the client that succeeded; called only when something has failed. */
  succeed(key: string, clients: () => readonly string[]): void
}

export interface BackoffOptions {
  /** Milliseconds. Default: a minute. */
  maxDelay?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
}

const initialDelay = 1_000

/** Creates a back-off: one second after the first failure in a row, twice as long after each further one. */
export function createBackoff({ maxDelay = 60_000, clock = () => performance.now() }: BackoffOptions = {}): Backoff {
  const failures = createBoundedMap<{ count: number; until: number }>()
  const hasFailed = (key: string) => clock() < (failures.get(key)?.until ?? Number.NEGATIVE_INFINITY)
  return {
    isActive(key, clients) {
      return failures.size > 0 && (hasFailed(key) || clients().some((client) => hasFailed(keyOf(key, client))))
    },
    fail(failed, client, times = 1) {
      const key = client === undefined ? failed : keyOf(failed, client)
      const count = (failures.get(key)?.count ?? 0) + times
      failures.set(key, { count, until: clock() + Math.min(initialDelay * 2 ** (count - 1), maxDelay) })
    },
    succeed(key, clients) {
      if (failures.size === 0) return
      failures.delete(key)
      for (const client of clients()) failures.delete(keyOf(key, client))
    },
  }
}

// No URL has a line break.
function keyOf(key: string, client: string): string {
  return `${key}\n${client}`
}
