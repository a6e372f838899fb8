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
  // Each promise settles with the work of its delivery. They take some 3 MB, with ids of some 100 characters.
  const accepted = new LRUCache<string, Promise<undefined>>({ max: 10_000 })

  return async (id, work) => {
    if (id === undefined) return work()
    const earlier = accepted.get(id)
    if (earlier) return earlier
    const working = work()
    // The result is left out, because it would stay in memory together with the id.
    const done = working.then(() => undefined)
    done.catch(() => accepted.delete(id))
    accepted.set(id, done)
    await done
    return working
  }
}
