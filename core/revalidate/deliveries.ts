import { LRUCache } from 'lru-cache'

/**
 * Runs the work of a delivery. Returns `undefined` if work with the same id has already succeeded. Work that throws is forgotten,
 * because a CMS sends the very same delivery again. Deliveries with this id that arrive while the work runs wait for it, and share its
 * failure: if they ran one after the other, each would wait just as long.
 */
export type RunDelivery = <Result>(id: string, work: () => Promise<Result>) => Promise<Result | undefined>

/** Creates the memory of the deliveries that this process has accepted: the latest 10,000. */
export function createDeliveries(): RunDelivery {
  const succeeded = new LRUCache<string, true>({ max: 10_000 }) // 2 MB, with ids of some 100 characters
  const running = new Map<string, Promise<unknown>>()

  return async (id, work) => {
    if (succeeded.has(id)) return undefined
    const other = running.get(id)
    if (other) {
      await other
      return undefined
    }
    const working = work().finally(() => running.delete(id))
    running.set(id, working)
    const result = await working
    succeeded.set(id, true)
    return result
  }
}
