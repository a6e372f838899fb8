import { expect, test } from 'vitest'
import { attemptOf } from './image-names.js'

test('a purge makes another attempt of a remote original, and so does a tag index that begins anew', () => {
  const stamps = [{ epoch: 'a', sequence: 1 }, { epoch: 'a', sequence: 2 }, { epoch: 'b', sequence: 1 }, undefined]
  const attempts = stamps.map((stamp) => attemptOf({ version: 'v', purgeable: { tag: 'image', stamp } }))
  expect(new Set([...attempts, attemptOf({ version: 'v', purgeable: undefined })]).size).toBe(5)
})
