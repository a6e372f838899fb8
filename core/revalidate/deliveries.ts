import { LRUCache } from 'lru-cache'

/**
 * Runs the work of a delivery. Returns `undefined` if work with the same id has already succeeded. A failed delivery is
 * forgotten, because the CMS sends it again with the same id. A delivery that arrives while work with the same id runs
 * waits for that work and shares its failure. If deliveries ran one after the other, each would wait just as long. Work
 * without an id always runs.
 */
export type RunDelivery = <Result>(id: string | undefined, work: () => Promise<Result>) => Promise<Result | undefined>

/** Creates a {@link RunDelivery} that remembers the latest 10,000 deliveries that this process has accepted. */
export function createDeliveries(): RunDelivery {
  const succeeded = new LRUCache<string, true>({ max: 10_000 }) // 2 MB, with ids of some 100 characters
  const inFlight = new Map<string, Promise<unknown>>()

  return async (id, work) => {
    if (id === undefined) return work()
    if (succeeded.has(id)) return undefined
    const running = inFlight.get(id)
    if (running) {
      await running
      return undefined
    }
    const working = work().finally(() => inFlight.delete(id))
    inFlight.set(id, working)
    const result = await working
    succeeded.set(id, true)
    return result
  }
}
