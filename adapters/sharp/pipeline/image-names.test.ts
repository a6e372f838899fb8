import { expect, test, vi } from 'vitest'
import { attemptOf, sharedAttemptOf } from './image-names.js'

test('a purge makes another attempt of a remote original, and so does a tag index that begins anew', () => {
  const stamps = [{ epoch: 'a', sequence: 1 }, { epoch: 'a', sequence: 2 }, { epoch: 'b', sequence: 1 }, undefined]
  const attempts = stamps.map((stamp) => attemptOf({ version: 'v', purgeable: { tag: 'image', stamp } }))
  expect(new Set([...attempts, attemptOf({ version: 'v', purgeable: undefined })]).size).toBe(5)
})

test('while the tag index is unavailable, nobody joins what began more than a second ago', () => {
  const now = vi.spyOn(performance, 'now')
  const attemptsOf = (stamp?: { epoch: string; sequence: number }) =>
    [1_000, 1_900, 2_000, 60_000].map((time) => {
      now.mockReturnValue(time)
      return sharedAttemptOf({ version: 'v', purgeable: { tag: 'image', stamp } })
    })
  const [first, second, ...later] = attemptsOf()
  expect(second).toBe(first)
  expect(new Set([first, ...later]).size).toBe(3)
  expect(new Set(attemptsOf({ epoch: 'a', sequence: 1 })).size).toBe(1)
  now.mockRestore()
})
