import { readdirSync, writeFileSync } from 'node:fs'
import { stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderWith } from './testing/folder.js'
import { createUsageMarks } from './usage-marks.js'

const longAgo = new Date('2020-01-01')

async function start(names: string[]) {
  const directory = await folderWith()
  for (const name of names) {
    writeFileSync(join(directory, name), name)
    await utimes(join(directory, name), longAgo, longAgo)
  }
  let now = 0
  const writes: (() => void)[] = []
  const run = (write: () => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      writes.push(() => void write().then(resolve, reject))
    })
  const marks = createUsageMarks(directory, { run }, () => now)
  return {
    directory,
    writes,
    marks,
    isMarked: async (name: string) => (await stat(join(directory, name))).mtime > longAgo,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

test('one write at a time waits for a disk that stalls, whatever number of files is used', async () => {
  const names = ['a', 'b', 'c']
  const { writes, marks, isMarked, directory } = await start(names)
  const onMarked = vi.fn()
  for (const name of [...names, 'missing']) marks.mark(name, onMarked)
  for (const name of names) {
    expect(writes).toHaveLength(1)
    writes.pop()?.()
    await vi.waitFor(async () => expect(await isMarked(name)).toBe(true), 20_000)
    await vi.waitFor(() => expect(writes).toHaveLength(1), 20_000)
  }
  writes.pop()?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(onMarked).toHaveBeenCalledTimes(3)
  expect(readdirSync(directory).sort()).toEqual(names)
})

test('a file is marked once a minute at most, and a thousand wait', async () => {
  const { writes, marks, isMarked, pass } = await start(['a'])
  const use = () => marks.mark('a', () => {})
  use()
  writes.pop()?.()
  await vi.waitFor(async () => expect(await isMarked('a')).toBe(true), 20_000)
  await new Promise((resolve) => setTimeout(resolve, 20))
  pass(59_000)
  use()
  expect(writes).toHaveLength(0)
  pass(1_000)
  use()
  expect(writes).toHaveLength(1)
  for (let index = 0; index < 5_000; index++) marks.mark(`other ${index}`, () => {})
  expect(writes).toHaveLength(1)
})
