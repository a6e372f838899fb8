import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  open as openFile,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createResponseCache,
  memoryTagIndex,
  type PurgeMode,
  type PurgeState,
  type Stamp,
} from '../../core/cache/index.js'
import { rounds } from '../../test/setup/rounds.js'
import { openRegularFile } from '../node/regular-file.js'
import { writeFileAtomic } from './file.js'
import { type DiskTagIndexOptions, diskStore, diskTagIndex } from './index.js'
import { withScript } from './testing/bundle.js'
import { folderWith } from './testing/folder.js'
import { mountSmallDisk } from './testing/small-disk.js'

vi.mock('../node/regular-file.js', { spy: true })
vi.mock('./file.js', { spy: true })

const open = (directory: string, options: Partial<DiskTagIndexOptions> = {}) => {
  const log = vi.fn()
  const index = diskTagIndex({ directory, log, ...options })
  const stamp = async () => (await index.stamp()) as Stamp
  const purge = async (tags: readonly string[], mode: PurgeMode) => index.purge(tags, mode)
  return { ...index, stamp, purge, log, file: join(directory, 'tags.log') }
}

/** Returns the prototype of all file handles. */
async function handlePrototype(file: string) {
  const handle = await openFile(file)
  await handle.close()
  return Object.getPrototypeOf(handle)
}

test.each([
  [{ directory: '' }, "directory: expected a path, got ''; such as '.cache/pages'"],
  [{ directory: 'x', maxBytes: 63 }, 'maxBytes: expected a whole number >= 64, got 63'],
])('%o is a TypeError that names the option', (options, message) => {
  expect(() => diskTagIndex(options)).toThrow(new TypeError(message))
})

test('a directory that is only moved keeps its epoch', async () => {
  const directory = await folderWith()
  const stamp = await open(directory).stamp()
  await rename(directory, `${directory}-moved`)
  expect(await open(`${directory}-moved`).stamp()).toEqual(stamp)
  await rename(`${directory}-moved`, directory)
})

describe('a purge', () => {
  test('a purge survives a restart, and purges no other tag', async () => {
    const directory = await folderWith()
    const firstIndex = open(directory)
    const stamp = await firstIndex.stamp()
    await firstIndex.purge(['hard', 'both'], 'hard')
    await firstIndex.purge(['soft', 'both'], 'soft')
    const restarted = open(directory)
    expect(await restarted.stamp()).toEqual(await firstIndex.stamp())
    for (const [tag, purge] of [
      ['hard', 'hard'],
      ['both', 'hard'],
      ['soft', 'soft'],
      ['other', 'none'],
    ] as const) {
      expect([tag, await restarted.purgedSince(stamp, [tag])]).toEqual([tag, purge])
    }
    expect(restarted.log).not.toHaveBeenCalled()
  })

  test('a purge is immediately visible to other indexes on the same directory', async () => {
    const directory = await folderWith()
    const indexes = [open(directory), open(directory), open(directory)]
    for (const purging of indexes) {
      const stamps = await Promise.all(indexes.map((index) => index.stamp()))
      await purging.purge(['a'], 'hard')
      for (const [number, index] of indexes.entries()) {
        expect(await index.purgedSince(stamps[number] as Stamp, ['a'])).toBe('hard')
        expect(await index.purgedSince(await index.stamp(), ['a'])).toBe('none')
      }
    }
  })

  test('purgedSince answers synchronously while the file is unchanged', async () => {
    const index = diskTagIndex({ directory: await folderWith() })
    await index.stamp() // creates the file
    const stamp = (await index.stamp()) as Stamp
    expect(index.stamp()).toEqual(stamp)
    expect(index.purgedSince(stamp, ['a'])).toBe('none')
    await index.purge(['a'], 'hard')
    expect(index.purgedSince(stamp, ['a'])).toBe('hard')
  })

  test('no purge is lost when two indexes purge at the same time', async () => {
    const directory = await folderWith()
    const indexes = [open(directory), open(directory)]
    const stamp = (await indexes[0]?.stamp()) as Stamp
    const tags = Array.from({ length: 200 }, (_, index) => `${index}`)
    await Promise.all(tags.map((tag, index) => indexes[index % 2]?.purge([tag], 'hard')))
    const restarted = open(directory)
    for (const tag of tags) expect(await restarted.purgedSince(stamp, [tag])).toBe('hard')
    expect((await restarted.stamp()).sequence).toBe(200)
  })
})

test('the index agrees with memoryTagIndex, through either of two indexes and across restarts', async () => {
  const tag = fc.constantFrom('a', 'b', 'c', 'd')
  const mode = fc.constantFrom<PurgeMode>('hard', 'soft')
  const step = fc.oneof(
    fc.record({ tags: fc.uniqueArray(tag, { minLength: 1 }), mode, indexNumber: fc.nat(1) }),
    fc.constant('restart' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const directory = await folderWith()
      const model = memoryTagIndex()
      let indexes = [open(directory), open(directory)]
      const stamps: { model: Stamp; disk: Stamp }[] = []
      for (const step of steps) {
        const disk = (await indexes[0]?.stamp()) as Stamp
        stamps.push({ model: (await model.stamp()) as Stamp, disk })
        if (step === 'restart') indexes = [open(directory), open(directory)]
        else {
          await model.purge(step.tags, step.mode)
          await indexes[step.indexNumber]?.purge(step.tags, step.mode)
        }
        for (const stamp of stamps) {
          for (const tags of [['a'], ['b', 'c'], ['d'], []]) {
            const expected = await model.purgedSince(stamp.model, tags)
            for (const index of indexes) expect(await index.purgedSince(stamp.disk, tags)).toBe(expected)
          }
        }
      }
    }),
    { numRuns: 15 },
  )
})

describe('a tag log that', () => {
  const faults: [string, (file: string) => Promise<unknown>][] = [
    ['is cut off in a record', async (file) => truncate(file, (await stat(file)).size - 1)],
    ['is empty', (file) => truncate(file, 0)],
    ['ends with half a record', (file) => appendFile(file, 'half')],
    ['ends with zeros, as after a power failure', (file) => appendFile(file, Buffer.alloc(32))],
    ['has a flipped bit in its header', (file) => flipBit(file, 9)],
    ['has a flipped bit in a record', (file) => flipBit(file, 40)],
    ['is garbage', (file) => writeFile(file, 'x'.repeat(3200))],
    ['is missing', (file) => rm(file)],
    ['is missing with its directory', (file) => rm(join(file, '..'), { recursive: true })],
    ['was overwritten by another log', async (file) => copyFile((await otherLog()).file, file)],
    ['was replaced by another log', async (file) => rename((await otherLog()).file, file)],
  ]
  const flipBit = async (file: string, at: number) => {
    const bytes = await readFile(file)
    bytes[at] = (bytes[at] as number) ^ 1
    await writeFile(file, bytes)
  }
  const otherLog = async () => {
    const otherIndex = open(await folderWith())
    await otherIndex.purge(['x', 'y'], 'hard')
    return otherIndex
  }

  test.each(faults)('a tag log that %s purges every stored entry after a restart', async (_, inject) => {
    const directory = await folderWith()
    const firstIndex = open(directory)
    const stamp = await firstIndex.stamp()
    await firstIndex.purge(['a', 'b'], 'hard')
    await inject(firstIndex.file)
    const restarted = open(directory)
    expect((await restarted.stamp()).epoch).not.toBe(stamp.epoch)
    expect(await restarted.purgedSince(stamp, ['untouched'])).toBe('hard')
    const freshStamp = await restarted.stamp()
    await restarted.purge(['c'], 'soft')
    expect(await open(directory).purgedSince(freshStamp, ['c'])).toBe('soft')
  })

  test('a tag log that lost whole records is reset as soon as an entry has a number beyond it', async () => {
    const directory = await folderWith()
    const firstIndex = open(directory)
    const oldStamp = await firstIndex.stamp()
    await firstIndex.purge(['a'], 'hard')
    const lostStamp = await firstIndex.stamp()
    await truncate(firstIndex.file, 32)
    const indexes = [open(directory), open(directory)]
    for (const index of indexes) expect(await index.purgedSince(lostStamp, ['untouched'])).toBe('hard')
    for (const index of indexes) expect(await index.purgedSince(oldStamp, ['a'])).toBe('hard')
    const epochs = await Promise.all(indexes.map(async (index) => (await index.stamp()).epoch))
    expect(epochs).not.toContain(oldStamp.epoch)
    expect(epochs[0]).toBe(epochs[1])
    const reasons = indexes.flatMap(({ log }) => log.mock.calls.map(([, { reason }]) => reason))
    expect(reasons).toEqual([expect.stringContaining('tag log is truncated')])
  })

  // An overwrite in place with the same length is noticed only at the next start.
  test.each(faults.filter(([name]) => !/flipped bit/.test(name)))(
    'a tag log that %s purges every stored entry immediately',
    async (_, inject) => {
      const directory = await folderWith()
      const indexes = [open(directory), open(directory)]
      const stamps = await Promise.all(indexes.map((index) => index.stamp()))
      await indexes[0]?.purge(['a', 'b', 'c'], 'hard')
      await inject(indexes[0]?.file as string)
      const purges = await Promise.all(indexes.map((index) => index.purgedSince(stamps[0] as Stamp, ['untouched'])))
      expect(purges).toEqual(['hard', 'hard'])
      const [firstStamp, secondStamp] = await Promise.all(indexes.map((index) => index.stamp()))
      expect([firstStamp?.epoch === stamps[0]?.epoch, firstStamp?.epoch === secondStamp?.epoch]).toEqual([false, true])
    },
  )
})

describe('a record that is not flushed yet', () => {
  afterEach(() => vi.restoreAllMocks())
  const holdFlushes = async (directory: string) => {
    const prototype = await handlePrototype(join(directory, 'tags.log'))
    const flushes: { resolve: () => void; reject: (error: Error) => void }[] = []
    vi.spyOn(prototype, 'datasync').mockImplementation(
      () => new Promise<void>((resolve, reject) => flushes.push({ resolve, reject })),
    )
    return flushes
  }
  const wait = () => new Promise((resolve) => setTimeout(resolve, 20))

  test('until a record is flushed, its purge is not acknowledged and its sequence number is not given out', async () => {
    const directory = await folderWith()
    const indexes = [open(directory), open(directory)] as const
    const [stampBefore] = await Promise.all(indexes.map((index) => index.stamp()))
    const flushes = await holdFlushes(directory)
    const settled: string[] = []
    const purging = indexes[0].purge(['a'], 'hard').then(() => settled.push('purged'))
    await vi.waitFor(() => expect(flushes.length).toBeGreaterThan(0), 20_000)
    const stamps = indexes.map((index) =>
      Promise.resolve(index.stamp()).then(({ sequence }) => settled.push(`${sequence}`)),
    )
    await wait()
    // The first index knows that only its own purge is new, and that purge is not acknowledged yet.
    expect(settled).toEqual(['0'])
    // On a busy machine, the flushes of the stamps begin only now.
    const flush = () => {
      for (const { resolve } of flushes.splice(0)) resolve()
    }
    const flushing = setInterval(flush, 5)
    await Promise.all([purging, ...stamps]).finally(() => clearInterval(flushing))
    expect(settled.sort()).toEqual(['0', '1', 'purged'])
    expect(stampBefore?.sequence).toBe(0)
  })

  test('a record that cannot be flushed resets the log, and the new epoch purges everything', async () => {
    const directory = await folderWith()
    const index = open(directory)
    const stampBefore = await index.stamp()
    const flushes = await holdFlushes(directory)
    const purging = index.purge(['a'], 'hard').catch((error) => error)
    await vi.waitFor(() => expect(flushes).toHaveLength(1), 20_000)
    vi.restoreAllMocks()
    flushes[0]?.reject(new Error('EIO'))
    expect(await purging).toBeUndefined()
    expect(index.log).toHaveBeenCalledTimes(1)
    expect(await index.purgedSince(stampBefore, ['untouched'])).toBe('hard')
  })
})

describe('concurrent purges and reads', () => {
  afterEach(() => vi.restoreAllMocks())
  const manyTags = Array.from({ length: 50 }, (_, number) => `${number}`)
  /** Returns what a read returned without waiting for the disk. */
  const settlesNow = async (read: unknown) =>
    Promise.race([read, new Promise((resolve) => setImmediate(resolve, 'waits'))])

  /** Holds the first flush of a purge, and counts the file operations from then on. */
  const holdFirstFlush = async (index: ReturnType<typeof open>) => {
    const prototype = await handlePrototype(index.file)
    const { datasync } = prototype
    let release = () => {}
    const flushes = vi.spyOn(prototype, 'datasync').mockImplementationOnce(async function (this: unknown) {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return datasync.call(this)
    })
    const opens = vi.mocked(openRegularFile).mockClear()
    const appends = vi.spyOn(prototype, 'appendFile')
    const first = index.purge(['first'], 'hard')
    await vi.waitFor(() => expect(flushes).toHaveBeenCalledTimes(1), 20_000)
    return { first, flushes, opens, appends, release: () => release() }
  }

  test('concurrent purges share one write and one flush, and concurrent reads share one read', async () => {
    const index = open(await folderWith())
    const stampBefore = await index.stamp()
    const { first, flushes, opens, appends, release } = await holdFirstFlush(index)
    const purges = manyTags.map((tag, number) => index.purge([tag], number % 2 ? 'soft' : 'hard'))
    const reads = manyTags.map(() => index.stamp())
    release()
    await Promise.all([first, ...purges, ...reads])
    expect(appends).toHaveBeenCalledTimes(2)
    expect(flushes).toHaveBeenCalledTimes(2)
    expect(opens).toHaveBeenCalledTimes(2)
    for (const [number, tag] of manyTags.entries())
      expect(await index.purgedSince(stampBefore, [tag])).toBe(number % 2 ? 'soft' : 'hard')
    expect((await index.stamp()).sequence).toBe(51)
  })

  test('reads do not wait for a purge, and see the purges that were acknowledged before', async () => {
    const index = open(await folderWith())
    const stampBefore = await index.stamp()
    const { first, release } = await holdFirstFlush(index)
    for (const _ of manyTags) expect(await settlesNow(index.purgedSince(stampBefore, ['first']))).toBe('none')
    const second = index.purge(['second'], 'hard')
    expect(await settlesNow(index.stamp())).toEqual(stampBefore)
    release()
    await first
    expect(await index.purgedSince(stampBefore, ['first'])).toBe('hard')
    await second
    expect(await index.purgedSince(stampBefore, ['second'])).toBe('hard')
  })

  test('a read during a flush of the same index includes a purge that another index has acknowledged', async () => {
    const directory = await folderWith()
    const [index, otherIndex] = [open(directory), open(directory)]
    const stampBefore = await index.stamp()
    await otherIndex.stamp()
    const { first, release } = await holdFirstFlush(index)
    await otherIndex.purge(['of the other'], 'hard')
    const read = Promise.resolve(index.purgedSince(stampBefore, ['of the other']))
    await new Promise((resolve) => setTimeout(resolve, 20))
    release()
    expect(await read).toBe('hard')
    await first
  })

  test('a number that another index has read before the purge is acknowledged here purges nothing', async () => {
    const directory = await folderWith()
    const [index, otherIndex] = [open(directory), open(directory)]
    await Promise.all([index.stamp(), otherIndex.stamp()])
    const { first, release } = await holdFirstFlush(index)
    const laterStamp = await otherIndex.stamp()
    expect(laterStamp.sequence).toBe(1)
    const read = Promise.resolve(index.purgedSince(laterStamp, ['first']))
    release()
    expect(await read).toBe('none')
    await first
    expect(index.log).not.toHaveBeenCalled()
  })

  test('a purge keeps its tags even if the caller changes the list', async () => {
    const index = open(await folderWith())
    const stampBefore = await index.stamp()
    const tags = ['a', 'b']
    const purging = index.purge(tags, 'hard')
    tags.length = 0
    await purging
    expect(await index.purgedSince(stampBefore, ['b'])).toBe('hard')
  })

  test('if the log is cut off during a purge, a new epoch purges everything', async () => {
    const index = open(await folderWith())
    await index.stamp()
    await index.purge(['old'], 'hard')
    const stampBefore = await index.stamp()
    const prototype = await handlePrototype(index.file)
    const { appendFile } = prototype
    vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: unknown, ...args: unknown[]) {
      await truncate(index.file, 32)
      return appendFile.apply(this, args)
    })
    await index.purge(['new'], 'hard')
    expect(await index.purgedSince(stampBefore, ['new'])).toBe('hard')
    expect(index.log).toHaveBeenCalledTimes(1)
  })

  test('no purge of another process is missed when a full disk cuts the log off between the reads of its size and content', async () => {
    const directory = await folderWith()
    const [index, otherIndex] = [open(directory), open(directory)]
    const stampBefore = await otherIndex.stamp()
    await index.purge(['a'], 'hard')
    const prototype = await handlePrototype(index.file)
    const { read } = prototype
    vi.spyOn(prototype, 'read').mockImplementation(async function (this: unknown, ...args: unknown[]) {
      if (args[3] === 32) await truncate(index.file, 0)
      return read.apply(this, args)
    })
    expect(await otherIndex.purgedSince(stampBefore, ['a'])).toBe('hard')
    expect((await otherIndex.stamp()).epoch).not.toBe(stampBefore.epoch)
  })

  test('a purge that is written, but whose log can be neither read nor replaced, rejects; later reads see it', async () => {
    const directory = await folderWith()
    const index = open(directory)
    const stampBefore = await index.stamp()
    const prototype = await handlePrototype(index.file)
    const { appendFile } = prototype
    vi.spyOn(prototype, 'appendFile').mockImplementationOnce(async function (this: unknown, ...args: unknown[]) {
      await appendFile.apply(this, args)
      vi.spyOn(prototype, 'read').mockRejectedValue(new Error('EIO'))
      vi.mocked(writeFileAtomic).mockRejectedValueOnce(new Error('EIO'))
    })
    await expect(index.purge(['a'], 'hard')).rejects.toThrow('EIO')
    vi.restoreAllMocks()
    expect(await index.purgedSince(stampBefore, ['a'])).toBe('hard')
  })

  test('purges that cannot be appended all purge everything, or all reject', async () => {
    const index = open(await folderWith())
    const stampBefore = await index.stamp()
    for (const isReplaced of [true, false]) {
      const { first, appends, release } = await holdFirstFlush(index)
      appends.mockRejectedValueOnce(new Error('EIO'))
      const purges = manyTags.map((tag) => index.purge([tag], 'hard'))
      if (!isReplaced) vi.mocked(writeFileAtomic).mockRejectedValueOnce(new Error('EIO'))
      release()
      await first
      const results = await Promise.allSettled(purges)
      expect(results.map(({ status }) => status)).toEqual(manyTags.map(() => (isReplaced ? 'fulfilled' : 'rejected')))
      vi.restoreAllMocks()
      if (isReplaced) expect(await index.purgedSince(stampBefore, ['untouched'])).toBe('hard')
    }
    const lastStamp = await index.stamp()
    await index.purge(['later'], 'hard')
    expect(await index.purgedSince(lastStamp, ['later'])).toBe('hard')
  })

  test('each read by either of two indexes includes every acknowledged purge', async () => {
    const directory = await folderWith()
    const indexes = [open(directory), open(directory)]
    const publish = async (tag: string, purging: ReturnType<typeof open>) => {
      for (let round = 0; round < 4; round++) {
        const stamps = await Promise.all(indexes.map((index) => index.stamp()))
        await purging.purge([tag], 'hard')
        const oldReads = indexes.flatMap((index) => stamps.map((stamp) => index.purgedSince(stamp, [tag])))
        expect(await Promise.all(oldReads)).toEqual(['hard', 'hard', 'hard', 'hard'])
        const laterStamps = await Promise.all(indexes.map((index) => index.stamp()))
        const laterReads = indexes.flatMap((index) => laterStamps.map((stamp) => index.purgedSince(stamp, [tag])))
        expect(await Promise.all(laterReads)).toEqual(['none', 'none', 'none', 'none'])
      }
    }
    await Promise.all(manyTags.map((tag, number) => publish(tag, indexes[number % 2] as ReturnType<typeof open>)))
    expect((await indexes[0]?.stamp())?.sequence).toBe(50 * 4)
  })
})

describe('maxBytes', () => {
  test('a log that reaches maxBytes is reset, which purges every stored entry and is logged', async () => {
    const directory = await folderWith()
    const maxBytes = 51 * 32 + 31 // the header and 50 records
    const indexes = [open(directory, { maxBytes }), open(directory, { maxBytes })]
    for (let round = 0; round < 120; round++) {
      const [purging, asked] = round % 2 ? indexes : indexes.toReversed()
      const stamp = (await asked?.stamp()) as Stamp
      await purging?.purge([`${round}`], 'soft')
      expect(await asked?.purgedSince(stamp, [`${round}`])).not.toBe('none')
      expect((await stat(indexes[0]?.file as string)).size).toBeLessThanOrEqual(maxBytes)
    }
    const stamp = (await indexes[0]?.stamp()) as Stamp
    await indexes[0]?.purge(
      Array.from({ length: 1000 }, (_, index) => `${index}`),
      'soft',
    )
    expect(await indexes[1]?.purgedSince(stamp, ['999'])).toBe('hard')
    for (const index of indexes) {
      expect(index.log.mock.calls).toEqual([
        [
          'Disk tag index: tag log reset; every stored entry is treated as purged',
          { path: index.file, reason: expect.stringContaining(`tag log is full: maxBytes is ${maxBytes}`) },
        ],
      ])
    }
  })
})

describe('disk errors', () => {
  let unmount: (() => void) | undefined
  afterEach(() => {
    unmount?.()
    unmount = undefined
  })

  /** Fills the disk of a directory if mounting is allowed, else makes the directory read-only. */
  const fill = async (directory: string) => {
    unmount = mountSmallDisk(directory)
    if (!unmount) return { full: () => chmod(directory, 0o555), empty: () => chmod(directory, 0o755) }
    const ballast = join(directory, 'ballast')
    return {
      full: () => writeFile(ballast, Buffer.alloc(1_000_000)).catch(() => {}),
      empty: () => rm(ballast),
    }
  }

  test('on a full disk, a purge purges everything for all processes, and the next purge finds room', async () => {
    const directory = await folderWith()
    const disk = await fill(directory)
    const [index, other] = [open(directory), open(directory)]
    const stamp = await index.stamp()
    await index.purge(['a'], 'hard')
    await disk.full()
    if (!unmount) await chmod(index.file, 0o444)
    const tags = Array.from({ length: 5000 }, (_, number) => `${number}`) // more than fit in the last page of the file
    const later = await index.stamp()
    if (unmount) {
      await index.purge(tags, 'hard')
      for (const each of [index, other, open(directory)]) expect(await each.purgedSince(later, ['b'])).toBe('hard')
      const afterwards = await other.stamp()
      await index.purge(['c'], 'soft')
      for (const each of [index, other]) {
        expect(await each.purgedSince(afterwards, ['b'])).toBe('none')
        expect(await each.purgedSince(afterwards, ['c'])).toBe('soft')
      }
    }
    expect(await index.purgedSince(stamp, ['a'])).toBe('hard')
    expect(await index.purgedSince(await index.stamp(), ['a'])).toBe('none')
    await disk.empty()
    const last = await index.stamp()
    await index.purge(tags, 'hard')
    expect(await index.purgedSince(last, ['4999'])).toBe('hard')
    expect(await open(directory).purgedSince(stamp, ['a'])).toBe('hard')
  })

  test('an unusable directory leaves pages uncached, and a purge rejects', async () => {
    const folder = await folderWith({ file: 'x' })
    const directory = join(folder, 'file')
    const tagIndex = open(directory)
    const pages = createResponseCache({
      store: diskStore({ directory, maxBytes: 1e6, log: () => {} }),
      tagIndex,
      log: () => {},
    })
    let renders = 0
    const read = pages.wrap(
      async () => new Response(`${++renders}`, { headers: { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'a' } }),
    )
    for (const expected of ['1', '2'])
      expect(await (await read(new Request('https://site.test/'))).text()).toBe(expected)
    await expect(pages.invalidate(['a'])).rejects.toThrow(/ENOTDIR|EEXIST/)
    await rm(directory)
    await mkdir(directory)
    await pages.invalidate(['a'])
    for (const expected of ['3', '3'])
      expect(await (await read(new Request('https://site.test/'))).text()).toBe(expected)
  })
})

/** Starts processes and kills all of them after they have written some lines, a little later in each round. */
const killRepeatedly = async (
  script: string,
  kills: number,
  start: (round: number) => string[][],
  check: (lines: string[][], round: number) => Promise<void>,
  isDone = () => true,
) => {
  for (let round = 0; round < kills || !isDone(); round++) {
    const lines: string[][] = []
    const children = start(round).map((args, number) => {
      const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
      let text = ''
      child.stdout.on('data', (piece) => {
        text += piece
        lines[number] = text.split('\n').slice(0, -1) // an incomplete line does not count
      })
      return child
    })
    await vi.waitFor(() => expect(children.every((_, number) => (lines[number]?.length ?? 0) > 2 + round)).toBe(true), {
      timeout: 20_000,
      interval: 1,
    })
    // The kill should not always come just after a line was written.
    await delay(round % 10)
    const closed = children.map((child) => once(child, 'close'))
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(closed)
    await check(lines, round)
  }
}

describe('kill -9', () => {
  const kills = rounds(3)

  test.each([
    ['with room for all', undefined],
    ['with a log that is often full', 101 * 32], // 100 records: the children purge at least 110 tags, so the log fills
  ])('kill -9 during purges of two processes loses no acknowledged purge, %s', async (_, maxBytes) => {
    const directory = await folderWith()
    const purges: { tag: string; before: Stamp }[] = []
    const epochs = new Set<string>()
    await withScript(new URL('testing/purge.ts', import.meta.url), (script) =>
      killRepeatedly(
        script,
        kills,
        () => ['one', 'two'].map((name) => [directory, name, `${maxBytes ?? ''}`]),
        async (lines) => {
          for (const line of lines.flat()) purges.push(JSON.parse(line))
          const index = open(directory)
          epochs.add((await index.stamp()).epoch)
          const found = await Promise.all(purges.map(({ tag, before }) => index.purgedSince(before, [tag])))
          expect(found.filter((purge: PurgeState) => purge === 'none')).toEqual([])
          expect(index.log).not.toHaveBeenCalled()
        },
      ),
    )
    expect(purges.length).toBeGreaterThan(kills * 5)
    expect(epochs.size === 1).toBe(maxBytes === undefined)
  })

  test('kill -9 during writes and purges never leads to serving a purged page', async () => {
    const directory = await folderWith()
    const names = ['one', 'two']
    const versions = new Map(names.map((name) => [name, 0]))
    let hits = 0
    await withScript(new URL('testing/publish.ts', import.meta.url), (script) =>
      killRepeatedly(
        script,
        kills,
        // A version that was published but not acknowledged may be stored already.
        () => names.map((name) => [directory, name, `${versions.set(name, (versions.get(name) ?? 0) + 1).get(name)}`]),
        async (lines) => {
          const store = diskStore({ directory, maxBytes: 64 * 1024 * 1024 })
          const pages = createResponseCache({ store, tagIndex: open(directory) })
          const read = pages.wrap(async () => new Response('rendered'))
          for (const [number, name] of names.entries()) {
            const acknowledged = Number(lines[number]?.at(-1))
            versions.set(name, acknowledged + 1)
            for (const page of [1, 2, 3]) {
              const body = await (await read(new Request(`https://site.test/${name}/${page}`))).text()
              if (body === 'rendered') continue
              expect(body).toHaveLength(100_000)
              expect(Number(body)).toBeGreaterThanOrEqual(acknowledged)
              hits++
            }
          }
        },
        () => hits > 0, // none, if every process was killed between the purge of a page and its render
      ),
    )
    expect(hits).toBeGreaterThan(0)
  })
})
