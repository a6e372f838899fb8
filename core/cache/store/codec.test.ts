import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredResponse, StoredValue } from '../index.js'
import { decodeEntry, encodeEntry } from './codec.js'

const entry: StoredResponse = {
  kind: 'response',
  stamp: { epoch: 'e', sequence: 7 },
  tags: ['ä', 'b c'],
  status: 404,
  statusText: 'Not here',
  headers: [['etag', '"ü"']],
  body: new Uint8Array([0, 255, 10]),
  initialAge: 1.5,
  lifetime: 2 ** 31,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  mustRevalidate: false,
  hasGeneratedEtag: false,
  ttl: 60,
}
const value: StoredValue = { kind: 'value', metadata: { type: 'x' }, body: new Uint8Array([1]), ttl: 60 }

it('an entry is the same after it was encoded and decoded', () => {
  for (const stored of [entry, value]) expect(decodeEntry(encodeEntry(stored))).toEqual(stored)
  expect(decodeEntry(Buffer.from(encodeEntry(entry)))).toEqual(entry)
})

it('decodeEntry returns undefined for truncated, changed or other bytes', () => {
  const bytes = encodeEntry(entry)
  for (let end = 0; end < bytes.length; end++) expect(decodeEntry(bytes.slice(0, end))).toBeUndefined()
  expect(decodeEntry(new Uint8Array([...bytes, 0]))).toBeUndefined()
  expect(decodeEntry(new TextEncoder().encode('\0\0\0\u0002{}'))).toBeUndefined()
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (anyBytes) => decodeEntry(anyBytes) === undefined))
})
