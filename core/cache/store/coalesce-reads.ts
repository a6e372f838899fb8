import type { MaybePromise } from '../../maybe-promise.js'

/** The read after the one that is in flight, once somebody waits for it. */
interface Next<T> {
  result?: Promise<T>
  begin?: () => void
}

/**
 * Creates a function that shares the reads of each key among concurrent callers. A caller that arrives while a read is in
 * flight waits for the next one, since a read that began before the call may return an older value: so however many there are,
 * one read of a key is on its way at most. What answers synchronously is shared with nobody.
 *
 * @example
 * const get = coalesceReads((key: string) => store.get(key))
 */
export function coalesceReads<T>(read: (key: string) => MaybePromise<T>): (key: string) => MaybePromise<T> {
  const reads = new Map<string, Next<T>>()
  const start = (key: string): MaybePromise<T> => {
    const inFlight = read(key)
    if (!(inFlight instanceof Promise)) return inFlight
    const next: Next<T> = {}
    reads.set(key, next)
    // In one step: who calls in between would begin another one beside the next.
    const end = () => {
      reads.delete(key)
      next.begin?.()
    }
    inFlight.then(end, end)
    return inFlight
  }
  return (key) => {
    const next = reads.get(key)
    if (!next) return start(key)
    next.result ??= new Promise((resolve) => {
      next.begin = () => resolve((async () => start(key))())
    })
    return next.result
  }
}
