import { type EndLease, memoryStore, type Store } from '../index.js'
import { deferred } from './harness.js'

/** A store with leases, in memory: as several processes see one Redis. The clock has milliseconds. */
export function sharedStore(clock?: () => number) {
  const leases = new Map<string, { ended: Promise<void>; end: EndLease }>()
  const inner = memoryStore({ maxBytes: 1e7, clock })
  const store: Store = {
    get: async (key) => inner.get(key),
    set: async (key, entry, age) => inner.set(key, entry, age),
    delete: async (key) => inner.delete(key),
    async lease(name, timeout) {
      const held = leases.get(name)
      if (held) {
        if (timeout > 0) await held.ended
        return undefined
      }
      const { promise: ended, resolve } = deferred()
      const end = () => {
        leases.delete(name)
        resolve()
      }
      leases.set(name, { ended, end })
      return end
    },
  }
  return { store, leases }
}
