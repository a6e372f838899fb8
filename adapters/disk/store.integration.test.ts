import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chmod, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createResponseCache, type StoredResponse } from '../../core/cache/index.js'
import { rounds } from '../../test/setup/rounds.js'
import { decodeEntryFile, encodeEntryFile, fileNameOf } from './file.js'
import { diskStore } from './index.js'
import { withScript } from './testing/bundle.js'
import { entryOf, nameOf } from './testing/entries.js'
import { folderWith } from './testing/folder.js'
import { mountSmallDisk } from './testing/small-disk.js'

const MiB = 1024 * 1024

const open = (directory: string, maxBytes = 64 * MiB) => {
  const logged: { message: string; detail: Record<string, unknown> }[] = []
  const log = (message: string, detail: Record<string, unknown>) => logged.push({ message, detail })
  return { ...diskStore({ directory, maxBytes, log }), logged }
}

const entriesIn = async (directory: string) => (await readdir(directory)).filter((name) => name.endsWith('.entry'))

/** Returns the size of all files in a directory, in bytes. */
const directorySize = async (directory: string) => {
  const sizes = (await readdir(directory)).map(
    async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0,
  )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}

test.each([
  [{ directory: '', maxBytes: 1 }, "directory: expected a path, got ''; such as '.cache/pages'"],
  [{ directory: 'x', maxBytes: 0.5 }, 'maxBytes: expected a whole number >= 1, got 0.5'],
])('%o is a TypeError that names the option', (options, message) => {
  expect(() => diskStore(options)).toThrow(new TypeError(message))
})

test('after a deployment, the pages of the release before leave the store first', async () => {
  const directory = await folderWith()
  const store = open(directory, 80 * 1024)
  const serve = (release: string) => {
    const headers = { 'Cache-Control': 's-maxage=60' }
    const cache = createResponseCache({ store, release, bypass: () => false })
    const handler = cache.wrap(async () => new Response(release.repeat(4000), { headers }))
    return async (path: string) => {
      const response = await handler(new Request(`https://site.test/${path}`))
      await response.text()
      return response.headers.get('cache-status')?.includes('hit')
    }
  }
  const [before, after] = [serve('a'), serve('b')]
  for (let page = 0; page < 8; page++) await before(`${page}`)
  await before('0')
  const longAgo = new Date(Date.now() - 120_000)
  for (const name of await entriesIn(directory)) await utimes(join(directory, name), longAgo, longAgo)
  for (let page = 0; page < 8; page++) await after(`${page}`)
  for (let page = 0; page < 8; page++) expect([page, await after(`${page}`)]).toEqual([page, true])
})

describe('a stored entry is found', () => {
  test('a stored entry is found immediately and after a restart, and no temporary file remains', async () => {
    const directory = await folderWith()
    const store = open(directory)
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', entryOf('a'))
    await store.set('empty', entryOf('empty', 0))
    for (const reopened of [store, open(directory)]) {
      expect(nameOf(await reopened.get('a'))).toBe('a')
      expect((await reopened.get('empty'))?.entry).toEqual(entryOf('empty', 0))
    }
    expect((await readdir(directory)).every((name) => name.endsWith('.entry'))).toBe(true)
  })

  test('an entry can be stored in a directory that does not exist, or was removed', async () => {
    const directory = join(await folderWith(), 'deep', 'down')
    const store = open(directory)
    await store.set('a', entryOf('a'))
    await rm(directory, { recursive: true })
    expect(await store.get('a')).toBeUndefined()
    await store.set('a', entryOf('a'))
    expect(nameOf(await store.get('a'))).toBe('a')
    expect(store.logged).toEqual([])
  })

  test('a stored entry is found by another process that shares the directory', async () => {
    const directory = await folderWith()
    const [writer, reader] = [open(directory), open(directory)]
    await writer.set('a', entryOf('a'))
    expect(nameOf(await reader.get('a'))).toBe('a')
    await reader.delete('a')
    expect(await writer.get('a')).toBeUndefined()
  })
})

describe('the age', () => {
  const start = Date.UTC(2030, 0, 1)
  afterEach(() => vi.restoreAllMocks())

  // The clock at the second start, in seconds; the age when stored; the age when found.
  test.each([
    ['of an entry continues across a restart', 50, 0, 50],
    ['of an entry includes its age when it was stored', 50, 10, 60],
    ['that equals the ttl is a hit', 3590, 10, 3600],
    ['beyond the ttl is a miss', 3591, 10, undefined],
    ['of an entry is 0 when the clock was set back by less than a second', -0.9, 0, 0],
    ['of an entry is unknown, and a miss, when the clock was a year ahead', -31_536_000, 0, undefined],
    ['of an entry is too high, not too low, when the clock was set ahead', 1800, 0, 1800],
  ])('the age %s', async (_, seconds, ageWhenStored, expected) => {
    const directory = await folderWith()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
    await open(directory, MiB).set('a', entryOf('a'), ageWhenStored)
    clock.mockReturnValue(start + seconds * 1000)
    const age = (await open(directory, MiB).get('a'))?.age
    if (expected === undefined) expect(age).toBeUndefined()
    else expect(age).toBeCloseTo(expected, 3)
    await until(async () => (await entriesIn(directory)).length === (expected === undefined ? 0 : 1))
  })

  test('an entry whose age is beyond its ttl is not stored, and the previous entry is removed', async () => {
    const store = open(await folderWith())
    await store.set('a', entryOf('old'))
    await store.set('a', entryOf('new'), 3601)
    expect(await store.get('a')).toBeUndefined()
  })
})

describe('concurrent calls', () => {
  test('concurrent calls take effect in the order of the calls', async () => {
    const store = open(await folderWith())
    void store.set('a', entryOf('one'))
    void store.set('a', entryOf('two'))
    expect(nameOf(await store.get('a'))).toBe('two')
    void store.set('a', entryOf('three'))
    await store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    void store.delete('a')
    await store.set('a', entryOf('four'))
    expect(nameOf(await store.get('a'))).toBe('four')
  })
})

describe('while a file is written', () => {
  test('an entry is found while its file is being written, until it is removed', async () => {
    const store = open(await folderWith())
    const order: string[] = []
    const body = new Uint8Array(randomBytes(4 * MiB))
    const entry = { ...entryOf('new'), body } as StoredResponse
    const written = Promise.resolve(store.set('a', entry, 5)).then(() => order.push('written'))
    const hit = await store.get('a')
    order.push('read')
    expect(hit?.age).toBeGreaterThanOrEqual(5)
    expect(hit?.entry.kind === 'response' && Buffer.compare(hit.entry.body, body)).toBe(0)
    const deleted = store.delete('a')
    expect(await store.get('a')).toBeUndefined()
    await Promise.all([written, deleted])
    expect(order).toEqual(['read', 'written'])
    expect(await store.get('a')).toBeUndefined()
  })

  test('files are written one at a time, so that reads are not delayed', async () => {
    const directory = await folderWith()
    const store = open(directory)
    let isOver = false
    const writes = Promise.all(Array.from({ length: 10 }, (_, index) => store.set(`${index}`, entryOf('', MiB))))
    void writes.then(() => {
      isOver = true
    })
    let maxTemporary = 0
    for (; !isOver; await setImmediate()) {
      const temporary = readdirSync(directory).filter((name) => name.endsWith('.tmp'))
      maxTemporary = Math.max(maxTemporary, temporary.length)
    }
    expect(maxTemporary).toBe(1)
  })
})

test('while too many writes wait for a slow disk, further writes are dropped, and the previous entry stays', async () => {
  const store = open(await folderWith())
  await store.set('a', entryOf('previous'))
  const size = 8 * MiB - 10_000
  const writes = Array.from({ length: 4 }, (_, index) => store.set(`${index}`, entryOf('other', size)))
  expect(await store.set('a', entryOf('new', size))).toBe(false)
  expect(await Promise.all(writes)).toEqual(writes.map(() => true))
  expect(nameOf(await store.get('a'))).toBe('previous')
  for (const index of [0, 3]) expect(nameOf(await store.get(`${index}`))).toBe('other')
  expect(await store.set('a', entryOf('new', size))).toBe(true)
  expect(nameOf(await store.get('a'))).toBe('new')
})

describe('concurrent reads', () => {
  test('concurrent reads do not find an entry that was replaced or removed before they began', async () => {
    const store = open(await folderWith())
    for (let round = 0; round < 5; round++) {
      await store.set('a', entryOf(`old ${round}`, MiB))
      const [readBefore, written] = [store.get('a'), store.set('a', entryOf(`new ${round}`))]
      const early = Array.from({ length: round }, () => store.get('a'))
      await written
      expect(nameOf(await store.get('a'))).toBe(`new ${round}`)
      for (const hit of await Promise.all(early)) expect(nameOf(hit)).toBe(`new ${round}`)
      await readBefore
      const [lastRead, removed] = [store.get('a'), store.delete('a')]
      await removed
      expect(await store.get('a')).toBeUndefined()
      await lastRead
    }
  })
})

describe('an entry file', () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  const name = fileNameOf('key')
  const fileOf = (body: Uint8Array, overrides = {}) => {
    const entry = entryOf('', 0, { body: new Uint8Array(body), ...overrides })
    return { file: encodeEntryFile(name, entry, 5), entry }
  }

  test('an entry file decodes to the same entry, even if its body or head is large, but only for its own key', () => {
    const tags = Array.from({ length: 20_000 }, (_, index) => `tag ${index}`)
    for (const { file, entry } of [fileOf(Buffer.alloc(1_000_000, 'x')), fileOf(Buffer.alloc(9), { tags })]) {
      const decoded = decodeEntryFile(name, file)
      expect(isDeepStrictEqual(decoded, { entry, createdAt: 5 })).toBe(true)
      expect(decodeEntryFile(fileNameOf('other'), file)).toBeUndefined()
    }
  })

  test('an entry file is invalid if any byte is changed, cut off or added', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, position, change) => {
        const { file } = fileOf(body)
        const at = position % file.length
        const changed = Buffer.from(file)
        changed[at] = (changed[at] as number) ^ change
        const [short, long] = [file.subarray(0, at), Buffer.concat([file, Buffer.alloc(change)])]
        for (const bytes of [changed, short, long]) expect(decodeEntryFile(name, bytes)).toBeUndefined()
      }),
      { numRuns: 200 },
    )
  })

  test('entry files of two keys have different names, even if the keys have the same UTF-8 bytes', () => {
    expect(fileNameOf('\ud800')).not.toBe(fileNameOf('\ud801'))
  })
})

describe('a broken file is a miss and is removed', () => {
  test.each<[string, (path: string) => Promise<void>]>([
    ['that is truncated', (path) => truncate(path, 1000)],
    ['that is empty', (path) => truncate(path, 0)],
    ['that was overwritten', (path) => writeFile(path, 'something else')],
    [
      'with a flipped bit',
      async (path) => {
        const file = await readFile(path)
        file[file.length - 1] = (file.at(-1) as number) ^ 1
        await writeFile(path, file)
      },
    ],
    ['of another key', async (path) => writeFile(path, encodeEntryFile(fileNameOf('b'), entryOf('b'), Date.now()))],
  ])('an entry file %s is a miss and is removed', async (_, damage) => {
    const directory = await folderWith()
    const store = open(directory)
    await store.set('a', entryOf('a'))
    await damage(join(directory, fileNameOf('a')))
    expect(await store.get('a')).toBeUndefined()
    await until(async () => (await readdir(directory)).length === 0)
    await store.set('a', entryOf('a'))
    expect(nameOf(await store.get('a'))).toBe('a')
  })

  test('an empty entry file, as after a power failure, counts toward maxBytes until it is evicted', async () => {
    const directory = await folderWith({ [fileNameOf('empty')]: '' })
    const store = open(directory, MiB)
    for (let index = 0; index < 6; index++) await store.set(`${index}`, entryOf('page'))
    expect(await entriesIn(directory)).not.toContain(fileNameOf('empty'))
    expect(store.logged).toEqual([])
  })
})

describe('maxBytes', () => {
  test('maxBytes holds, and the least recently used entries are evicted', async () => {
    const directory = await folderWith()
    const store = open(directory, MiB)
    for (let index = 0; index < 20; index++) {
      await store.set(`key ${index}`, entryOf(`${index}`))
      expect(nameOf(await store.get('key 0'))).toBe('0')
    }
    await until(async () => (await directorySize(directory)) <= MiB)
    expect(nameOf(await store.get('key 19'))).toBe('19')
    expect(await store.get('key 1')).toBeUndefined()
  })

  test('maxBytes holds for small entries, each of which takes a block of the disk', async () => {
    const directory = await folderWith()
    const store = open(directory, 100_000)
    for (let index = 0; index < 200; index++) await store.set(`key ${index}`, entryOf(`${index}`, 10))
    await until(async () => (await readdir(directory)).length <= 24) // of 4 kB each
    expect(nameOf(await store.get('key 199'))).toBe('199')
    expect(await store.get('key 1')).toBeUndefined()
  })

  test('maxBytes holds across restarts, and the least recently used entries are evicted', async () => {
    const directory = await folderWith()
    const firstStore = open(directory)
    for (const [index, key] of ['c', 'a', 'd', 'b'].entries()) {
      await firstStore.set(key, entryOf(key))
      const used = new Date(Date.now() - 100_000 + index * 1000)
      await utimes(join(directory, fileNameOf(key)), used, used)
    }
    // Until this read, the last use of `a` was as long ago as that of the other entries.
    expect(nameOf(await firstStore.get('a'))).toBe('a')
    const reopened = open(directory, 3 * 250_000)
    await reopened.set('e', entryOf('e'))
    await until(async () => (await directorySize(directory)) <= 3 * 250_000)
    for (const key of ['c', 'd']) expect(await reopened.get(key), key).toBeUndefined()
    for (const key of ['a', 'b', 'e']) expect(nameOf(await reopened.get(key))).toBe(key)
  })

  test('maxBytes holds for two stores that write to one directory', async () => {
    const directory = await folderWith()
    const stores = [open(directory, MiB), open(directory, MiB)]
    for (let index = 0; index < 30; index++) {
      await Promise.all(
        stores.map((store, storeNumber) => store.set(`key ${storeNumber} ${index}`, entryOf(`${index}`))),
      )
    }
    await stores[0]?.set('last', entryOf('last'))
    // Each store scans for the other's files after it has written an eighth of maxBytes.
    await until(async () => (await directorySize(directory)) <= 1.5 * MiB)
    expect(nameOf(await stores[1]?.get('last'))).toBe('last')
  })

  test('an entry that is larger than maxBytes is not stored', async () => {
    const directory = await folderWith()
    const store = open(directory, 100_000)
    await store.set('a', entryOf('a'))
    expect(await readdir(directory)).toEqual([])
  })

  test('a store leaves other files in its directory alone', async () => {
    const directory = await folderWith({ 'holiday.jpg': 'x', 'README.md': 'x', [`${'a'.repeat(64)}.entry.bak`]: 'x' })
    const store = open(directory, 250_000)
    for (const key of ['a', 'b', 'c']) await store.set(key, entryOf(key))
    expect(await readdir(directory)).toEqual(
      expect.arrayContaining(['holiday.jpg', 'README.md', `${'a'.repeat(64)}.entry.bak`]),
    )
  })
})

describe('disk errors', () => {
  let unmount: (() => void) | undefined
  afterEach(() => {
    unmount?.()
    unmount = undefined
  })

  test('on a full disk, the least recently used entries are evicted, and this is logged once', async () => {
    const directory = await folderWith()
    unmount = mountSmallDisk(directory)
    const store = open(directory)
    // Where mounting is not allowed, all entries fit.
    const keys = Array.from({ length: 50 }, (_, number) => `${number}`)
    for (const key of keys) {
      await store.set(key, entryOf(key, 20_000))
      expect(nameOf(await store.get(key))).toBe(key)
    }
    const names = await Promise.all(keys.map(async (key) => nameOf(await store.get(key))))
    const remaining = names.filter((name) => name !== undefined)
    expect(remaining).toEqual(keys.slice(-remaining.length))
    expect(remaining.length).toBeGreaterThan(unmount ? 6 : 49)
    expect(remaining.length).toBeLessThan(unmount ? 13 : 51)
    expect(store.logged.map(({ message }) => message)).toEqual(
      unmount ? [expect.stringContaining('the disk is full')] : [],
    )
  })

  test('a disk that other files fill is logged and left clean, and the store works again when there is room', async () => {
    const directory = await folderWith()
    unmount = mountSmallDisk(directory)
    const store = open(directory)
    const ballast = join(directory, 'ballast')
    const isFull = unmount !== undefined
    if (isFull) await writeFile(ballast, Buffer.alloc(250_000))
    else await chmod(directory, 0o555)
    for (let index = 0; index < 5; index++) await store.set(`key ${index}`, entryOf('too much'))
    const reasons = store.logged.map(({ detail }) => detail.reason)
    expect(reasons.filter(Boolean)).toEqual([expect.stringMatching(isFull ? /ENOSPC/ : /EACCES/)])
    expect(await readdir(directory)).toEqual(isFull ? ['ballast'] : [])
    if (isFull) await rm(ballast)
    else await chmod(directory, 0o755)
    await store.set('key 0', entryOf('fits', 150_000))
    expect(nameOf(await store.get('key 0'))).toBe('fits')
  })

  test('a directory that is a file is a miss, and is logged once', async () => {
    const folder = await folderWith({ file: 'x' })
    const store = open(join(folder, 'file'))
    await store.set('a', entryOf('a'))
    await store.set('a', entryOf('a'))
    expect(await store.get('a')).toBeUndefined()
    expect(store.logged).toHaveLength(1)
  })
})

test('an entry that is too large removes the previous one', async () => {
  const directory = await folderWith()
  const store = open(directory, 300_000)
  await store.set('a', entryOf('old'))
  await store.set('a', entryOf('too large', 400_000))
  expect(await store.get('a')).toBeUndefined()
  expect(await readdir(directory)).toEqual([])
})

test('old temporary files of interrupted writes are removed at the start', async () => {
  const tempFile = (name: string, id: string) => `${name}.${id}.tmp`
  const oldFiles = [tempFile(fileNameOf('a'), 'one'), tempFile('tags.log', 'two')]
  const currentFile = tempFile(fileNameOf('a'), 'three')
  const directory = await folderWith(Object.fromEntries([...oldFiles, currentFile].map((name) => [name, 'x'])))
  const minutesAgo = Date.now() / 1000 - 120
  for (const name of oldFiles) await utimes(join(directory, name), minutesAgo, minutesAgo)
  await open(directory).set('b', entryOf('b'))
  expect((await readdir(directory)).sort()).toEqual([currentFile, fileNameOf('b')].sort())
})

describe('kill -9 during writes', () => {
  test('kill -9 during writes never leads to a broken entry, in several rounds with two writers and a reader', async () => {
    const directory = await folderWith()
    const reader = open(directory)
    let readCount = 0
    let tempFiles = 0 // proves that some writers were killed in the middle of a write
    const readAll = async () => {
      for (let key = 0; key < 4; key++) {
        const hit = await reader.get(`key ${key}`)
        if (!hit) continue
        expect(nameOf(hit)).toMatch(new RegExp(`^(one|two) \\d+ ${key}$`))
        readCount++
      }
    }
    await withScript(new URL('testing/write-entries.ts', import.meta.url), async (script) => {
      for (let round = 0; round < rounds(3) || tempFiles === 0; round++) {
        const writers = ['one', 'two'].map((name) => spawn(process.execPath, [script, directory, name]))
        await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')))
        const countBefore = readCount
        // Reads long enough that the kill hits the middle of a write, at another point in each round.
        for (let reads = 0; reads < 3 + round || readCount === countBefore; reads++) await readAll()
        for (const writer of writers) writer.kill('SIGKILL')
        await Promise.all(writers.map((writer) => once(writer, 'exit')))
        await readAll()
        tempFiles += (await readdir(directory)).filter((name) => name.endsWith('.tmp')).length
      }
    })
    expect(readCount).toBeGreaterThan(25)
    expect(reader.logged).toEqual([])

    for (const name of await readdir(directory)) if (name.endsWith('.tmp')) await utimes(join(directory, name), 0, 0)
    const restarted = open(directory)
    await restarted.set('after', entryOf('after'))
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    await readAll()
    expect(nameOf(await reader.get('after'))).toBe('after')
  })
})
