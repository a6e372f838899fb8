import type { MaybePromise } from '../../maybe-promise.js'

/**
 * Creates a function that shares the reads of each key among concurrent callers. A caller that arrives while a read is in
 * flight waits for the next one, since a read that began before the call may return an older value: so however many there are,
 * two reads of a key are on their way at most. What answers synchronously is shared with nobody.
 *
 * @example
 * const get = coalesceReads((key: string) => store.get(key))
 */
export function coalesceReads<T>(read: (key: string) => MaybePromise<T>): (key: string) => MaybePromise<T> {
  const reads = new Map<string, { next?: Promise<T>; begin?: () => void }>()
  const start = (key: string): MaybePromise<T> => {
    const inFlight = read(key)
    if (!(inFlight instanceof Promise)) return inFlight
    const current: { next?: Promise<T>; begin?: () => void } = {}
    reads.set(key, current)
    // In one step: who calls in between would begin another one beside the next.
    const end = () => {
      reads.delete(key)
      current.begin?.()
    }
    inFlight.then(end, end)
    return inFlight
  }
  return (key) => {
    const current = reads.get(key)
    if (!current) return start(key)
    current.next ??= new Promise((resolve) => {
      current.begin = () => resolve((async () => start(key))())
    })
    return current.next
  }
}
