import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { createFileDigests } from './file-digests.js'

/** Each look at the clock takes a millisecond. */
const startClock = () => {
  const clock = { now: 0, read: () => clock.now++ }
  return clock
}

test('of more files than are remembered, few are read at a time, and nobody keeps the server reading', async () => {
  const names = Array.from({ length: 50 }, (_, number) => `${number}.jpg`)
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, `image ${name}`])))
  const clock = startClock()
  const digestOf = createFileDigests(10, clock.read)
  const ask = (name: string) => digestOf(folder, join(folder, name))
  const remembered = names.slice(0, 10)
  const others = names.slice(10)
  expect(remembered.map(ask).filter(Boolean).length).toBe(10)
  const answered = () => others.map(ask).filter(Boolean).length
  expect(answered()).toBeLessThan(8)
  clock.now += 10_000
  expect(ask('49.jpg')).toMatch(/^[\w-]{16}$/)
  // Those that are asked for are known without reading, also after they were looked at again.
  expect([ask('49.jpg'), ask('49.jpg')]).toEqual(Array(2).fill(ask('49.jpg')))
})
