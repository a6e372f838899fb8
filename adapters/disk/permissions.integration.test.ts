import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskStore, diskTagIndex } from './index.js'
import { entryOf } from './testing/entries.js'
import { folderWith } from './testing/folder.js'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

// A common umask, whatever the umask of this shell is.
let previous: number
beforeEach(() => {
  previous = process.umask(0o022)
})
afterEach(() => process.umask(previous))

async function fill(directory: string) {
  const store = diskStore({ directory, maxBytes: 1_000_000 })
  await store.set('key', entryOf('a page behind a login'))
  const index = diskTagIndex({ directory })
  await index.purge(['a'], 'hard')
  expect(await store.get('key')).toBeDefined()
}

test('only the owner can access the files, and the folders that the store creates', async () => {
  const parent = join(await folderWith(), 'cache')
  const directory = join(parent, 'pages')
  await fill(directory)
  expect([await modeOf(parent), await modeOf(directory)]).toEqual(['700', '700'])
  const names = await readdir(directory)
  expect(names).toHaveLength(2)
  for (const name of names) expect([name, await modeOf(join(directory, name))]).toEqual([name, '600'])
})

test('a folder that was removed is created again for its owner only', async () => {
  const directory = join(await folderWith(), 'pages')
  await fill(directory)
  const store = diskStore({ directory, maxBytes: 1_000_000 })
  await rm(directory, { recursive: true })
  await store.set('key', entryOf('again'))
  expect(await modeOf(directory)).toBe('700')
})

test.each([0o755, 0o700, 0o770])('a folder that the user created keeps its mode %o', async (mode) => {
  const directory = join(await folderWith(), 'theirs')
  await mkdir(directory)
  await chmod(directory, mode)
  await fill(directory)
  expect(await modeOf(directory)).toBe(mode.toString(8))
})
