/** What is kept under a key: bytes, and a few words about them. */
export interface StoredBytes {
  meta: Readonly<Record<string, string | number>>
  body: Uint8Array
}

/**
 * Keeps bytes by key, within bounds of its own: what it was given may be gone at any time, but comes back whole or not
 * at all. It never rejects; a store that cannot keep anything is one that always misses.
 */
export interface ByteStore {
  get(key: string): Promise<StoredBytes | undefined>
  set(key: string, stored: StoredBytes): Promise<void>
}

/**
 * Creates one store out of several, the fastest first. What only a later one has is copied to those before it; each is
 * given what is set, and nobody waits for the last but who asks to.
 *
 * @example createTieredStore([createMemoryStore(32_000_000), createDiskCache({ directory, maxBytes, log })])
 */
export function createTieredStore(tiers: readonly ByteStore[]): ByteStore {
  return {
    async get(key) {
      for (const [index, tier] of tiers.entries()) {
        const found = await tier.get(key)
        if (found) {
          await Promise.all(tiers.slice(0, index).map((earlier) => earlier.set(key, found)))
          return found
        }
      }
      return undefined
    },
    async set(key, stored) {
      await Promise.all(tiers.map((tier) => tier.set(key, stored)))
    },
  }
}
