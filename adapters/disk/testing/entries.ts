import { createHash } from 'node:crypto'
import type { StoredResponse, StoreHit } from '../../../core/cache/index.js'
import { createTestResponse } from '../../../core/cache/testing/entries.js'

/** Creates an entry whose body is derived from its name, so that a mixture of two is detected. 200 kB by default. */
export const entryOf = (name: string, bytes = 200_000, overrides: Partial<StoredResponse> = {}): StoredResponse =>
  createTestResponse({
    stamp: { epoch: 'e', sequence: 1 },
    tags: ['a'],
    headers: [['name', name]],
    body: new Uint8Array(Buffer.alloc(bytes, createHash('sha512').update(name).digest())),
    lifetime: 60,
    ttl: 3600,
    ...overrides,
  })

/** Returns the name of an entry of {@link entryOf}, or `broken …` when its body does not match. */
export const nameOf = (hit: StoreHit | undefined): string | undefined => {
  if (hit?.entry.kind !== 'response') return undefined
  const { headers, body } = hit.entry
  const name = headers[0]?.[1] ?? ''
  return Buffer.from(entryOf(name, body.length).body).equals(body) ? name : `broken ${name}`
}
