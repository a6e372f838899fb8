import { memoryStore, type Store } from '../index.js'

/**
 * Creates a store in memory that answers asynchronously, like a Redis for several processes. The clock returns
 * milliseconds.
 */
export function sharedStore(clock?: () => number): Store {
  const inner = memoryStore({ maxBytes: 1e7, clock })
  return {
    get: async (key) => inner.get(key),
    set: async (key, entry, age) => inner.set(key, entry, age),
    delete: async (key) => inner.delete(key),
  }
}
