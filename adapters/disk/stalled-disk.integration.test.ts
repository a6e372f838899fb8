import { readdirSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { entryOf, nameOf } from './testing/entries.js'
import { folderWith } from './testing/folder.js'

// While the writes of a disk stall, as while a snapshot is taken or a network file system is gone, whoever changes a file waits in a
// thread of libuv, of which there are four: what is read from there, from other disks, and the names of hosts would wait as well.
const disk = vi.hoisted(() => {
  const changes: (() => void)[] = []
  const reads: (() => void)[] = []
  let isStalled = false
  let isReadStalled = false
  return {
    /** Milliseconds that each change takes. */
    latency: 0,
    waiting: () => changes.length,
    waitingReads: () => reads.length,
    stall() {
      isStalled = true
    },
    stallReads() {
      isReadStalled = true
    },
    goOn() {
      isStalled = false
      isReadStalled = false
      for (const goOn of [...changes.splice(0), ...reads.splice(0)]) goOn()
    },
    async read() {
      if (isReadStalled) await new Promise<void>((resolve) => reads.push(resolve))
    },
    async change() {
      if (this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency))
      if (isStalled) await new Promise<void>((resolve) => changes.push(resolve))
    },
  }
})
vi.mock(import('node:fs/promises'), async (importOriginal) => {
  const fs = await importOriginal()
  const stalling = <Args extends unknown[], T>(change: (...args: Args) => Promise<T>) =>
    (async (...args: Args) => {
      await disk.change()
      return await change(...args)
    }) as typeof change
  const { lstat, lutimes, mkdir, open, rename, rm, writeFile } = fs
  const stallingRead = <Args extends unknown[], T>(read: (...args: Args) => Promise<T>) =>
    (async (...args: Args) => {
      await disk.read()
      return await read(...args)
    }) as typeof read
  return {
    ...fs,
    lstat: stallingRead(lstat) as typeof lstat,
    open: stallingRead(open),
    lutimes: stalling(lutimes),
    mkdir: stalling(mkdir) as typeof mkdir,
    rename: stalling(rename),
    rm: stalling(rm),
    writeFile: stalling(writeFile),
  }
})
const { diskStore, diskTagIndex } = await import('./index.js')

afterEach(() => {
  disk.latency = 0
  disk.goOn()
})

/** A store at its bound, with entries that have expired. */
const startStore = async (directory: string) => {
  let now = Date.now()
  const store = diskStore({ directory, maxBytes: 1024 ** 2, clock: () => now, log: () => {} })
  for (let index = 0; index < 80; index++) await store.set(`expired ${index}`, entryOf('old', 10_000, { ttl: 1 }))
  now += 2_000
  for (let index = 0; index < 10; index++) await store.set(`fresh ${index}`, entryOf('page', 10_000))
  return store
}

/** A tag index that is full. */
const startIndex = async (directory: string) => {
  const index = diskTagIndex({ directory, maxBytes: 64, log: () => {} })
  for (let purge = 0; purge < 2; purge++) await index.purge(['before'], 'hard')
  return index
}

test.each([1, 3])('whatever is asked of %i stores and a tag index, reads find a thread', async (count) => {
  const directories = await Promise.all(Array.from({ length: 3 }, () => folderWith()))
  const stores = await Promise.all(directories.slice(0, count).map(startStore))
  const index = await startIndex(directories[0] as string)
  disk.stall()
  const changes: unknown[] = [index.purge(['tag'], 'hard')]
  for (const store of stores) {
    for (let each = 60; each < 80; each++) {
      expect(await store.get(`expired ${each}`)).toBeUndefined()
      changes.push(
        store.set(`expired ${each}`, entryOf('new', 20_000)),
        store.set(`other ${each}`, entryOf('', 10_000)),
      )
    }
    for (let each = 0; each < 3; each++) changes.push(store.delete(`fresh ${each}`))
  }
  const stalled = Math.min(count, 2) + 1
  await vi.waitUntil(() => disk.waiting() >= stalled)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(disk.waiting()).toBe(stalled)
  for (const store of stores) {
    expect(nameOf(await store.get('fresh 9'))).toBe('page')
    expect(nameOf(await store.get('expired 79'))).toBe('new')
    expect(await store.get('fresh 0')).toBeUndefined()
  }
  disk.goOn()
  await Promise.all(changes)
  for (const store of stores) expect(nameOf(await store.get('expired 79'))).toBe('new')
})

test.each([1, 3])(
  'whatever is asked of %i stores while reads and writes stall, a thread is left for others',
  async (count) => {
    const directories = await Promise.all(Array.from({ length: count }, () => folderWith()))
    const stores = await Promise.all(directories.map(startStore))
    disk.stallReads()
    const reads = stores.flatMap((store) => Array.from({ length: 10 }, (_, each) => store.get(`fresh ${each}`)))
    await vi.waitUntil(() => disk.waitingReads() >= 2)
    disk.stall()
    const changes = stores.flatMap((store) => [
      ...Array.from({ length: 10 }, (_, each) => store.set(`other ${each}`, entryOf('', 10_000))),
      store.delete('made up'),
    ])
    await vi.waitUntil(() => disk.waiting() >= 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([disk.waitingReads(), disk.waiting()]).toEqual([2, 1])
    disk.goOn()
    expect((await Promise.all(reads)).map(nameOf)).toEqual(reads.map(() => 'page'))
    await Promise.all(changes)
  },
)

test('what is evicted while it waits to be written is not stored, and neither is what it was to replace', async () => {
  const store = diskStore({ directory: await folderWith(), maxBytes: 4 * 4096, log: () => {} })
  await store.set('a', entryOf('1', 10))
  disk.stall()
  const sets = [store.set('a', entryOf('2', 10)), store.set('a', entryOf('3', 10))]
  await vi.waitUntil(() => disk.waiting() > 0)
  for (const key of ['b', 'c']) sets.push(store.set(key, entryOf('other', 4096)))
  expect(await store.get('a')).toBeUndefined()
  disk.goOn()
  expect((await Promise.all(sets)).slice(1)).toEqual([false, true, true])
  expect(await store.get('a')).toBeUndefined()
})

test('what was never stored is removed at once, whatever number of keys somebody makes up', async () => {
  const store = diskStore({ directory: await folderWith(), maxBytes: 1024 ** 2, log: () => {} })
  await store.set('a', entryOf('page', 10))
  await new Promise((resolve) => setTimeout(resolve, 100)) // scans of the tests before
  disk.stall()
  await Promise.all(Array.from({ length: 1_000 }, (_, index) => store.delete(`made up ${index}`)))
  expect(disk.waiting()).toBe(0)
  const removed = Promise.resolve(store.delete('a'))
  expect(await store.get('a')).toBeUndefined()
  disk.goOn()
  await removed
  expect(await store.get('a')).toBeUndefined()
})

test('the bound holds while more is stored than a slow disk takes', async () => {
  const directory = await folderWith()
  const store = diskStore({ directory, maxBytes: 100 * 4096, log: () => {} })
  for (let index = 0; index < 100; index++) await store.set(`${index}`, entryOf('', 10))
  disk.latency = 20
  let most = 0
  for (let round = 0; round < 2; round++) {
    const sets = Array.from({ length: 100 }, (_, index) => store.set(`${round} ${index}`, entryOf('', 10)))
    await Promise.all(sets)
    most = Math.max(most, readdirSync(directory).length)
  }
  expect(most).toBeLessThanOrEqual(102)
})
