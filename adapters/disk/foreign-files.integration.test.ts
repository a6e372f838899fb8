import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, readdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Stamp } from '../../core/cache/index.js'
import { fileNameOf } from './file.js'
import { diskStore, diskTagIndex } from './index.js'
import { entryOf, nameOf } from './testing/entries.js'
import { folderWith } from './testing/folder.js'

const GiB = 1024 ** 3

const createPipe = (path: string) => execFileSync('sh', ['-c', 'mkfifo "$0"', path])

/** Creates something at a path that is not a file of the store or the tag index. */
const foreign: Record<string, (path: string) => Promise<unknown>> = {
  'a pipe': async (path) => createPipe(path),
  'a symlink to an endless device': (path) => symlink('/dev/zero', path),
  'a symlink to a pipe': async (path) => {
    const pipe = join(await folderWith(), 'pipe')
    createPipe(pipe)
    await symlink(pipe, path)
  },
  'a socket': async (path) => {
    // The path of a socket has at most 107 bytes.
    const socket = join(await folderWith(), 's')
    const server = createServer().listen(socket)
    await once(server, 'listening')
    // Node removes the file of a server that closes.
    await rename(socket, path)
    await new Promise((resolve) => server.close(resolve))
  },
  'a file larger than memory': async (path) => {
    await writeFile(path, '')
    await truncate(path, 1000 * GiB)
  },
}
const kinds = Object.entries(foreign)

const isMissing = async (path: string) => !(await lstat(path).catch(() => undefined))

describe('a store', () => {
  test.each(kinds)('a store treats %s as a miss, and removes it', async (_, putFile) => {
    const directory = await folderWith()
    const store = diskStore({ directory, maxBytes: 2000 * GiB, log: () => {} })
    await store.set('other', entryOf('other')) // the first scan is done
    const path = join(directory, fileNameOf('a'))
    await putFile(path)
    expect(await store.get('a')).toBeUndefined()
    await expect.poll(() => isMissing(path)).toBe(true)
    await putFile(path)
    await store.set('a', entryOf('a'))
    expect(nameOf(await store.get('a'))).toBe('a')
  })

  test.each(kinds)('a store removes %s when it starts, and evicts no entry for it', async (_, putFile) => {
    const directory = await folderWith()
    await diskStore({ directory, maxBytes: GiB }).set('a', entryOf('a'))
    const path = join(directory, fileNameOf('foreign'))
    await putFile(path)
    const store = diskStore({ directory, maxBytes: GiB, log: () => {} })
    await vi.waitFor(async () => expect(await isMissing(path)).toBe(true), 20_000)
    expect(nameOf(await store.get('a'))).toBe('a')
  })

  test('a store neither counts nor touches the target of a symlink', async () => {
    const directory = await folderWith()
    const target = join(await folderWith({ 'outside.bin': 'x' }), 'outside.bin')
    await truncate(target, 1000 * GiB)
    const longAgo = new Date('2020-01-01')
    await utimes(target, longAgo, longAgo)
    await diskStore({ directory, maxBytes: GiB }).set('a', entryOf('a'))
    await symlink(target, join(directory, fileNameOf('b')))
    const store = diskStore({ directory, maxBytes: GiB, log: () => {} })
    expect(await store.get('b')).toBeUndefined()
    expect(nameOf(await store.get('a'))).toBe('a')
    expect((await stat(target)).mtime).toEqual(longAgo)
  })

  test('a store treats a directory as a miss, and does not remove it', async () => {
    const directory = await folderWith()
    const path = join(directory, fileNameOf('a'))
    await mkdir(path)
    const log = vi.fn()
    const store = diskStore({ directory, maxBytes: GiB, log })
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', entryOf('a'))
    expect(await store.get('a')).toBeUndefined()
    expect((await stat(path)).isDirectory()).toBe(true)
    expect(log).toHaveBeenCalledOnce()
    await rm(path, { recursive: true })
    await store.set('a', entryOf('a'))
    expect(nameOf(await store.get('a'))).toBe('a')
  })
})

describe('a tag index', () => {
  test.each(kinds)('a tag index replaces %s, and treats every stored entry as purged', async (_, putFile) => {
    const directory = await folderWith()
    const log = vi.fn()
    const path = join(directory, 'tags.log')
    const oldStamp = (await diskTagIndex({ directory }).stamp()) as Stamp
    await rm(path)
    await putFile(path)
    const index = diskTagIndex({ directory, log })
    expect(await index.purgedSince(oldStamp, ['a'])).toBe('hard')
    await index.purge(['a'], 'hard')
    expect((await index.stamp())?.sequence).toBe(1)
    expect((await lstat(path)).isFile()).toBe(true)
    expect(log).toHaveBeenCalledOnce()
  })

  test.each(kinds)(
    'a tag index replaces %s that took the place of its file while it was running',
    async (_, putFile) => {
      const directory = await folderWith()
      const path = join(directory, 'tags.log')
      const index = diskTagIndex({ directory, log: () => {} })
      const oldStamp = await index.stamp()
      await rm(path)
      await putFile(path)
      expect((await index.stamp())?.epoch).not.toBe(oldStamp?.epoch)
      expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    },
  )

  test('a tag index resets a file that is larger than maxBytes', async () => {
    const directory = await folderWith()
    const large = diskTagIndex({ directory })
    await large.stamp() // creates the file
    await large.purge(
      Array.from({ length: 50 }, (_, number) => `${number}`),
      'hard',
    )
    const largeStamp = await large.stamp()
    const log = vi.fn()
    expect((await diskTagIndex({ directory, maxBytes: 11 * 32, log }).stamp())?.epoch).not.toBe(largeStamp?.epoch)
    expect(log).toHaveBeenCalledOnce()
  })
})
