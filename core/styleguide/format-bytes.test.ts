import { expect, it } from 'vitest'
import { formatBytes } from './measure-images.js'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [48_213, '48.2 kB'],
  [99_960, '100 kB'],
  [384_000, '384 kB'],
  [999_960, '1.0 MB'],
  [12_345_678, '12.3 MB'],
])('%i bytes are formatted as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
