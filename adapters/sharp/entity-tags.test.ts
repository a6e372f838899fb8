import { expect, test, vi } from 'vitest'
import { memoryStore } from '../../core/cache/index.js'
import { createImageCache, refinedTagOf, variantOf } from './image-cache.js'
import type { ModernFormat } from './transforms/encoders.js'
import type { ImageBox } from './transforms/task.js'

const store = memoryStore({ maxBytes: 1_000_000 })
const tagIndex = {} as Parameters<typeof createImageCache>[1]
const cache = createImageCache(store as Parameters<typeof createImageCache>[0], tagIndex, 'encoders 1')
const digest = 'V1hF2bP3n1lHqjOqW8kQ0oZz1d6yqfJcmlQ0vY8W2xk'

// Recorded before services were asked for images instead of URLs. If one of them changes, every stored image is made again.
test.each<[string, ImageBox, ModernFormat[], boolean, string]>([
  [
    'a width',
    { width: 640, height: 0, gravity: undefined },
    ['avif', 'webp'],
    false,
    '"xjZFCqU6_fvP3r4Yv6qKqw6ZZwMeYjJQGax5G7r0oEg"',
  ],
  [
    'a width, for a client without modern formats',
    { width: 640, height: 0, gravity: undefined },
    [],
    false,
    '"97nGni2tnSnwt8VWHDruDr5zDqtX8FKHcpxyCiTECy0"',
  ],
  [
    'a ratio',
    { width: 640, height: 360, gravity: 'attention' },
    ['webp'],
    false,
    '"v2r3OoidYhcrAGuQqGDRIeJd0YtfxTSIDGHlMyJWddo"',
  ],
  [
    'a focus',
    { width: 640, height: 360, gravity: { x: 0.3, y: 0.7 } },
    ['avif', 'webp'],
    false,
    '"aZm4XjY5PTIqAKu1Aw4f7iXvA0IJrSd9hM4XIAkUQnc"',
  ],
  [
    'a focus in a corner',
    { width: 16, height: 12, gravity: { x: 1, y: 0 } },
    ['avif'],
    false,
    '"lcA3VemEYm9VYApIvM8TscuwGh343CWy2B6upPZn18g"',
  ],
  [
    'a description',
    { width: 0, height: 0, gravity: undefined },
    [],
    true,
    '"FWOZwIs2tQLfvz2ag7drGGzADuy4W9RdCxsMUrBLFmk"',
  ],
])('%s has the entity tag that it has always had', (_, box, accepted, isDescription, etag) => {
  expect(cache.etagOf(digest, variantOf({ box, accepted, isDescription }))).toBe(etag)
})

test('an image and the digest of an original have the keys that they have always had', async () => {
  const set = vi.spyOn(store, 'set')
  cache.setImage('"a"', { format: 'avif', body: new Uint8Array([1]) })
  cache.setImage('"a"', { format: 'avif', body: new Uint8Array([1]) }, true)
  const bytes = new Uint8Array()
  cache.setDigest({ bytes, digest, version: 'file\n/media/cat.jpg\n1' }, undefined)
  expect(set.mock.calls.map(([key, entry]) => [key, entry.kind === 'value' && entry.metadata])).toEqual([
    ['image\n"a"', { type: 'image/avif', isRefined: false }],
    ['image\n"a"', { type: 'image/avif', isRefined: true }],
    ['original\nfile\n/media/cat.jpg\n1', { digest }],
  ])
  expect(refinedTagOf('"a"')).toBe('"a-refined"')
})
