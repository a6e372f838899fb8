import { expect, test } from 'vitest'
import { memoryTagIndex } from '../../../core/cache/index.js'
import { createSinceLastPurge } from './attempts.js'

const start = () => {
  let index = memoryTagIndex()
  const sinceLastPurge = createSinceLastPurge({ purgedSince: (stamp, tags) => index.purgedSince(stamp, tags) })
  const ask = (tag = 'a') => sinceLastPurge(`remote ${tag}`, { tag, stamp: index.stamp() as never })
  const beginAnew = () => {
    index = memoryTagIndex()
  }
  return { ask, beginAnew, purge: (tag: string, mode: 'hard' | 'soft') => index.purge([tag], mode) }
}

test('purges of others change nothing', () => {
  const { ask, purge } = start()
  const first = ask()
  for (const mode of ['hard', 'soft'] as const) purge('b', mode)
  expect(ask()).toBe(first)
  expect(ask('b')).not.toBe(first)
})

test.each(['hard', 'soft'] as const)('its own %s purge makes another attempt, and one only', (mode) => {
  const { ask, purge } = start()
  const first = ask()
  purge('a', mode)
  const second = ask()
  expect(second.valueOf()).not.toEqual(first)
  purge('b', mode)
  expect(ask()).toBe(second)
})

test('so does a tag index that begins anew, whatever its numbers are', () => {
  const { ask, beginAnew } = start()
  const first = ask()
  beginAnew()
  expect(ask()).not.toEqual(first)
})

test('without a stamp nothing is kept', () => {
  const sinceLastPurge = createSinceLastPurge({ purgedSince: () => 'none' })
  const unknown = () => sinceLastPurge('v', { tag: 'a', stamp: undefined })
  expect(unknown()).not.toBe(unknown())
})
