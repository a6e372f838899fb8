import { createHash } from 'node:crypto'
import type { StoredResponse, StoreHit } from '../../../core/cache/index.js'
import { createTestResponse } from '../../../core/cache/testing/entries.js'

/** An entry of some 200 kilobytes that follows from its name, so that a mixture of two is told from either. */
export const entryOf = (name: string, bytes = 200_000, given: Partial<StoredResponse> = {}): StoredResponse =>
  createTestResponse({
    stamp: { epoch: 'e', sequence: 1 },
    tags: ['a'],
    headers: [['name', name]],
    body: new Uint8Array(Buffer.alloc(bytes, createHash('sha512').update(name).digest())),
    lifetime: 60,
    ttl: 3600,
    ...given,
  })

/** The name of what was found, when it is what {@link entryOf} made, and whole. */
export const nameOf = (found: StoreHit | undefined): string | undefined => {
  if (found?.entry.kind !== 'response') return undefined
  const { headers, body } = found.entry
  const name = headers[0]?.[1] ?? ''
  return Buffer.from(entryOf(name, body.length).body).equals(body) ? name : `half of ${name}`
}
