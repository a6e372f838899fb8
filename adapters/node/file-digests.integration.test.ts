import fs from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import { createFileDigests } from './file-digests.js'

/** Each look at the clock takes so many milliseconds. */
const startClock = (step: number) => {
  const clock = {
    now: 0,
    read: () => {
      clock.now += step
      return clock.now
    },
  }
  return clock
}

const startFiles = async (count: number) => {
  const names = Array.from({ length: count }, (_, number) => `${number}.jpg`)
  const folder = await folderWith(Object.fromEntries(names.map((name) => [name, `image ${name}`])))
  return { names, folder, pathOf: (name: string) => join(folder, name) }
}

test('of more files than are remembered, few are read at a time, and nobody keeps the server reading', async () => {
  const { names, folder, pathOf } = await startFiles(50)
  const clock = startClock(400)
  const digestOf = createFileDigests(10, clock.read)
  const ask = (name: string) => digestOf(folder, pathOf(name))
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

test('of files that change, as those that are being written do all the time, few are read at a time', async () => {
  const { names, folder, pathOf } = await startFiles(100)
  const clock = startClock(20)
  const digestOf = createFileDigests(1_000, clock.read)
  const ask = () => names.map((name) => digestOf(folder, pathOf(name))).filter(Boolean).length
  expect(ask()).toBe(100)
  const change = async () => {
    for (const name of names) await appendFile(pathOf(name), 'more')
    clock.now += 1_000
  }
  await change()
  expect(ask()).toBeGreaterThan(40)
  await change()
  expect(ask()).toBeLessThan(20)
  clock.now += 100_000
  expect(ask()).toBeGreaterThan(40)
})

test('of files that requests name before a page did, few are read at a time, and all that a page names', async () => {
  const { names, folder, pathOf } = await startFiles(100)
  const digestOf = createFileDigests(1_000, startClock(100).read)
  const requested = names.map((name) => digestOf.requested(folder, pathOf(name))).filter(Boolean).length
  expect(requested).toBeGreaterThan(5)
  expect(requested).toBeLessThan(30)
  expect(names.map((name) => digestOf(folder, pathOf(name))).filter(Boolean)).toHaveLength(100)
  expect(names.map((name) => digestOf.requested(folder, pathOf(name))).filter(Boolean)).toHaveLength(100)
})

test('a file that cannot be read is tried again for a twentieth of the time', async () => {
  const { folder, pathOf } = await startFiles(1)
  const clock = startClock(100)
  const digestOf = createFileDigests(1_000, clock.read)
  // As when the folder is taken away in between.
  const tries = () => Array.from({ length: 100 }, () => digestOf(`${folder}/missing`, pathOf('0.jpg')))
  const isRead = vi.spyOn(fs, 'realpathSync')
  syncBuiltinESMExports()
  expect(tries()).toEqual(Array(100).fill(undefined))
  expect(isRead.mock.calls.length).toBeLessThan(15)
  isRead.mockRestore()
  syncBuiltinESMExports()
  clock.now += 60_000
  expect(digestOf(folder, pathOf('0.jpg'))).toMatch(/^[\w-]{16}$/)
})
