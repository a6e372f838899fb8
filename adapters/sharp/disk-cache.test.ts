import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createDiskCache } from './disk-cache.js'
import { decodeEntry, encodeEntry } from './disk-entry.js'
import { fileNameOf } from './disk-files.js'
import { withScript } from './testing/bundle.js'
import { entryOf, isIntact } from './testing/entries.js'
import { folderWith } from './testing/service.js'

const MiB = 1024 * 1024

const open = (directory: string, maxBytes = 64 * MiB) => {
  const logged: { message: string; detail: Record<string, unknown> }[] = []
  const cache = createDiskCache({ directory, maxBytes, log: (message, detail) => logged.push({ message, detail }) })
  return { ...cache, logged }
}

/** Bytes of all files in a directory. */
const sizeOf = async (directory: string) => {
  const sizes = (await readdir(directory)).map(
    async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

const until = async (isSo: () => Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('what was set comes back', () => {
  test('at once and after a restart', async () => {
    const directory = await folderWith()
    const cache = open(directory)
    expect(await cache.get('a')).toBeUndefined()
    await cache.set('a', entryOf('a'))
    await cache.set('empty', { meta: { digest: 'x', at: 5 }, body: new Uint8Array() })
    for (const reopened of [cache, open(directory)]) {
      expect(isIntact((await reopened.get('a')) ?? entryOf(''))).toBe(true)
      expect(await reopened.get('empty')).toEqual({ meta: { digest: 'x', at: 5 }, body: Buffer.alloc(0) })
    }
    expect((await readdir(directory)).every((name) => name.endsWith('.entry'))).toBe(true)
  })

  test('the latest of several', async () => {
    const cache = open(await folderWith())
    for (const name of ['one', 'two', 'three']) await cache.set('a', entryOf(name))
    expect((await cache.get('a'))?.meta.name).toBe('three')
  })

  test('in a directory that is yet to be made, or was removed meanwhile', async () => {
    const directory = join(await folderWith(), 'deep', 'down')
    const cache = open(directory)
    await cache.set('a', entryOf('a'))
    await rm(directory, { recursive: true })
    expect(await cache.get('a')).toBeUndefined()
    await cache.set('a', entryOf('a'))
    expect((await cache.get('a'))?.meta.name).toBe('a')
    expect(cache.logged).toEqual([])
  })

  test('from another process that shares the directory', async () => {
    const directory = await folderWith()
    const [one, two] = [open(directory), open(directory)]
    await one.set('a', entryOf('a'))
    expect((await two.get('a'))?.meta.name).toBe('a')
  })
})

describe('an entry', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })

  test('is read as it was written, by its own key only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), bytes, (key, type, body) => {
        const file = encodeEntry(key, { meta: { type }, body })
        expect(decodeEntry(key, file)).toEqual({ meta: { type }, body: Buffer.from(body) })
        expect(decodeEntry(`${key}.`, file)).toBeUndefined()
      }),
    )
  })

  test('is nothing once any byte is changed, cut off or added', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, position, change) => {
        const file = encodeEntry('key', { meta: {}, body })
        const at = position % file.length
        const changed = Buffer.from(file)
        changed[at] = (changed[at] as number) ^ change
        expect(decodeEntry('key', changed)).toBeUndefined()
        expect(decodeEntry('key', file.subarray(0, at))).toBeUndefined()
        expect(decodeEntry('key', Buffer.concat([file, Buffer.alloc(change)]))).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })
})

describe('a broken file is a miss and is removed', () => {
  test.each<[string, (path: string) => Promise<void>]>([
    ['truncated', (path) => truncate(path, 1000)],
    ['empty', (path) => truncate(path, 0)],
    ['overwritten', (path) => writeFile(path, 'something else')],
    [
      'with one bit turned',
      async (path) => {
        const file = await readFile(path)
        file[file.length - 1] = (file.at(-1) as number) ^ 1
        await writeFile(path, file)
      },
    ],
    ['of another key', async (path) => writeFile(path, encodeEntry('b', entryOf('b')))],
  ])('%s', async (_, damage) => {
    const directory = await folderWith()
    const cache = open(directory)
    await cache.set('a', entryOf('a'))
    await damage(join(directory, fileNameOf('a')))
    expect(await cache.get('a')).toBeUndefined()
    expect(await readdir(directory)).toEqual([])
    await cache.set('a', entryOf('a'))
    expect((await cache.get('a'))?.meta.name).toBe('a')
  })
})

describe('the bound', () => {
  test('holds, and what was used last stays', async () => {
    const directory = await folderWith()
    const cache = open(directory, MiB)
    for (let index = 0; index < 20; index++) {
      await cache.set(`key ${index}`, entryOf(`${index}`))
      expect((await cache.get('key 0'))?.meta.name).toBe('0')
    }
    await until(async () => (await sizeOf(directory)) <= MiB)
    expect((await cache.get('key 19'))?.meta.name).toBe('19')
    expect(await cache.get('key 1')).toBeUndefined()
  })

  test('holds over restarts, by when the files were used', async () => {
    const directory = await folderWith()
    const before = open(directory)
    for (const [index, key] of ['c', 'a', 'd', 'b'].entries()) {
      await before.set(key, entryOf(key))
      const used = new Date(Date.now() - 100_000 + index * 1000)
      await utimes(join(directory, fileNameOf(key)), used, used)
    }
    const after = open(directory, 3 * 250_000)
    await after.set('e', entryOf('e'))
    await until(async () => (await sizeOf(directory)) <= 3 * 250_000)
    expect(await after.get('c')).toBeUndefined()
    expect(await after.get('a')).toBeUndefined()
    for (const key of ['d', 'b', 'e']) expect((await after.get(key))?.meta.name).toBe(key)
  })

  test('holds for two who write into one directory', async () => {
    const directory = await folderWith()
    const both = [open(directory, MiB), open(directory, MiB)]
    for (let index = 0; index < 30; index++) {
      await Promise.all(both.map((cache, which) => cache.set(`key ${which} ${index}`, entryOf(`${index}`))))
    }
    await both[0]?.set('last', entryOf('last'))
    // Each knows of the other's files once it has written an eighth of the bound.
    await until(async () => (await sizeOf(directory)) <= 1.5 * MiB)
    expect((await both[1]?.get('last'))?.meta.name).toBe('last')
  })

  test('what is larger than all of it is not written', async () => {
    const directory = await folderWith()
    const cache = open(directory, 100_000)
    await cache.set('a', entryOf('a'))
    expect(await readdir(directory)).toEqual([])
  })

  test('what a slow disk holds back is bounded', async () => {
    const directory = await folderWith()
    const cache = open(directory, 1000 * MiB)
    await Promise.all(Array.from({ length: 40 }, (_, index) => cache.set(`key ${index}`, entryOf('', MiB))))
    expect((await readdir(directory)).length).toBeLessThan(32)
  })

  test('files of others are left alone', async () => {
    const directory = await folderWith({ 'holiday.jpg': 'x', 'README.md': 'x', [`${'a'.repeat(64)}.entry.bak`]: 'x' })
    const cache = open(directory, 250_000)
    for (const key of ['a', 'b', 'c']) await cache.set(key, entryOf(key))
    expect(await readdir(directory)).toEqual(
      expect.arrayContaining(['holiday.jpg', 'README.md', `${'a'.repeat(64)}.entry.bak`]),
    )
  })
})

describe('a disk that refuses', () => {
  let mounted: string | undefined
  afterEach(() => {
    if (mounted) execFileSync('sh', ['-c', 'umount "$0"', mounted])
    mounted = undefined
  })

  /** Makes a directory that has room for one entry only: a full disk where that may be mounted, else a forbidden one. */
  const fill = async (directory: string) => {
    try {
      execFileSync('sh', ['-c', 'mount -t tmpfs -o size=256k tmpfs "$0"', directory], { stdio: 'ignore' })
      mounted = directory
      return { reason: /ENOSPC/, close: async () => {}, open: async () => {} }
    } catch {
      return { reason: /EACCES/, close: () => chmod(directory, 0o555), open: () => chmod(directory, 0o755) }
    }
  }

  test('for it is full: told once, nothing left behind, and well again when there is room', async () => {
    const directory = await folderWith()
    const disk = await fill(directory)
    const cache = open(directory)
    await cache.set('fits', entryOf('fits', 100_000))
    await disk.close()
    for (let index = 0; index < 5; index++) await cache.set(`key ${index}`, entryOf('too much'))
    expect(cache.logged).toHaveLength(1)
    expect(cache.logged[0]?.detail.reason).toMatch(disk.reason)
    expect(await readdir(directory)).toEqual([fileNameOf('fits')])
    expect(isIntact((await cache.get('fits')) ?? entryOf('', 0))).toBe(true)
    await disk.open()
    await rm(join(directory, fileNameOf('fits')))
    await cache.set('key 0', entryOf('fits again', 150_000))
    expect((await cache.get('key 0'))?.meta.name).toBe('fits again')
  })

  test('for the directory is a file', async () => {
    const folder = await folderWith({ file: 'x' })
    const cache = open(join(folder, 'file'))
    await cache.set('a', entryOf('a'))
    await cache.set('a', entryOf('a'))
    expect(await cache.get('a')).toBeUndefined()
    expect(cache.logged).toHaveLength(1)
  })
})

describe('leftovers', () => {
  const leftover = (name: string) => `${fileNameOf('a')}.${name}.tmp`

  test('of killed writers are removed at the start, those of living ones stay until they are old', async () => {
    const host = (await import('node:os')).hostname().replace(/[^\w-]/g, '-')
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    const directory = await folderWith({
      [leftover(`${host}.${child.pid}.gone-1`)]: 'x',
      [leftover(`${host}.${process.pid}.an-earlier-life-2`)]: 'x',
      [leftover(`${host}.${process.ppid}.alive-3`)]: 'x',
      [leftover('another-host.1.unknown-4')]: 'x',
      [leftover('another-host.1.old-5')]: 'x',
    })
    await utimes(join(directory, leftover('another-host.1.old-5')), 0, 0)
    const cache = open(directory)
    await cache.set('b', entryOf('b')) // waits for the start
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp')).sort()).toEqual(
      [leftover('another-host.1.unknown-4'), leftover(`${host}.${process.ppid}.alive-3`)].sort(),
    )
  })
})

describe('kill -9 in the middle of writes', () => {
  test('leaves nothing that is read broken, twelve times over, with two writers and a reader at once', async () => {
    const directory = await folderWith()
    const reader = open(directory)
    let read = 0
    let leftovers = 0
    const readAll = async () => {
      for (let key = 0; key < 4; key++) {
        const entry = await reader.get(`key ${key}`)
        if (!entry) continue
        expect(isIntact(entry)).toBe(true)
        read++
      }
    }
    await withScript('write-entries', async (script) => {
      for (let round = 0; round < 12; round++) {
        const writers = ['one', 'two'].map((name) => spawn(process.execPath, [script, directory, name]))
        await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')))
        const seen = read
        // Long enough to be in the middle of some write or other, and never at the same point.
        for (let reads = 0; reads < 3 + round || read === seen; reads++) await readAll()
        for (const writer of writers) writer.kill('SIGKILL')
        await Promise.all(writers.map((writer) => once(writer, 'exit')))
        await readAll()
        leftovers += (await readdir(directory)).filter((name) => name.endsWith('.tmp')).length
      }
    })
    expect(read).toBeGreaterThan(100)
    expect(leftovers).toBeGreaterThan(0) // so some of them were killed in the middle of it

    const restarted = open(directory)
    await restarted.set('after', entryOf('after'))
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await readAll()
  })
})
