import { createBoundedMap } from '../../bounded-map.js'

// Each time that `joinTimeout` is over for somebody who waits, one render more may run; from the sixth time on, twice as many as the
// time before. So nobody waits for ever, and a service that hangs is not asked by all at once.
const maxSingleTimeouts = 5

/**
 * How many renders of one page may run side by side: one, and as many as there were answers in a row that were of no use to
 * others. A page that is never shared so reaches any number soon, while each request of a stranger, whatever its answer is
 * due to, leads to one render more at most. The first answer that others can use ends it.
 */
export interface Parallelism {
  /**
   * Whether another render may begin beside those that run.
   *
   * @param isOrdinary Whether its request has no unusual fields.
   * @param disappointments How often the one who would begin it has waited in vain.
   * @param timeouts How many of these times `joinTimeout` was over.
   */
  allows(key: string, isOrdinary: boolean, running: number, disappointments: number, timeouts: number): boolean
  /** How many answers in a row said that they are not for others. Those that an unusual field may have led to count for its like. */
  countUnshared(key: string, isOrdinary: () => boolean): number
  /** How many failures there were in a row since somebody waits. */
  countFailures(key: string): number
  /** Notes what a render has led to, and whether its request had no unusual fields. */
  note(key: string, result: 'shared' | 'not-shared' | 'unavailable' | 'failed', isOrdinary: boolean): void
  /** Forgets failures, once nobody waits who has seen them: when a service has recovered, only one render is to begin. */
  beginAnew(key: string): void
}

/** Creates the record, bounded in bytes. */
export function createParallelism(): Parallelism {
  const unshared = createBoundedMap<number>()
  const failures = createBoundedMap<number>()
  const unusuallyUnshared = createBoundedMap<number>()
  const count = (map: typeof unshared, key: string) => (map.size > 0 ? (map.get(key) ?? 0) : 0)
  const countUnshared = (key: string, isOrdinary: () => boolean) => {
    const unusual = count(unusuallyUnshared, key)
    return count(unshared, key) + (unusual > 0 && !isOrdinary() ? unusual : 0)
  }
  return {
    allows(key, isOrdinary, running, disappointments, timeouts) {
      const hanging = timeouts > maxSingleTimeouts ? maxSingleTimeouts * 2 ** (timeouts - maxSingleTimeouts) : 1
      return running < Math.max(hanging, countUnshared(key, () => isOrdinary) + count(failures, key), disappointments)
    },
    countUnshared,
    countFailures: (key) => count(failures, key),
    note(key, result, isOrdinary) {
      const map = result !== 'not-shared' ? failures : isOrdinary ? unshared : unusuallyUnshared
      if (result !== 'shared') return void map.set(key, count(map, key) + 1)
      for (const each of [unshared, unusuallyUnshared, failures]) each.delete(key)
    },
    beginAnew: (key) => void failures.delete(key),
  }
}
