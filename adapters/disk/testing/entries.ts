import { createHash } from 'node:crypto'
import type { Found, StoredResponse } from '../../../core/cache/index.js'

/** An entry of some 200 kilobytes that follows from its name, so that a mixture of two is told from either. */
export const entryOf = (name: string, bytes = 200_000, given: Partial<StoredResponse> = {}): StoredResponse => ({
  kind: 'response',
  stamp: { epoch: 'e', sequence: 1 },
  tags: ['a'],
  status: 200,
  statusText: '',
  headers: [['name', name]],
  body: new Uint8Array(Buffer.alloc(bytes, createHash('sha512').update(name).digest())),
  initialAge: 0,
  lifetime: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  mustRevalidate: false,
  noCache: false,
  forAuthorized: false,
  madeEtag: false,
  keepFor: 3600,
  ...given,
})

/** The name of what was found, when it is what {@link entryOf} made, and whole. */
export const nameOf = (found: Found | undefined): string | undefined => {
  if (found?.entry.kind !== 'response') return undefined
  const { headers, body } = found.entry
  const name = headers[0]?.[1] ?? ''
  return Buffer.from(entryOf(name, body.length).body).equals(body) ? name : `half of ${name}`
}
