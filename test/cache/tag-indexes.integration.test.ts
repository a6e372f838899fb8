import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskTagIndex } from '../../adapters/disk/index.js'
import { redisTagIndex } from '../../adapters/redis/index.js'
import { connect, startRedis } from '../../adapters/redis/testing/redis-server.js'
import { memoryTagIndex, type PurgeMode, type PurgeState, type Stamp, type TagIndex } from '../../core/cache/index.js'

let server: Awaited<ReturnType<typeof startRedis>>
let connection: Awaited<ReturnType<typeof connect>>
const redisIndexes: ReturnType<typeof redisTagIndex>[] = []
beforeAll(async () => {
  server = await startRedis()
  connection = await connect('redis', server.port)
})
afterAll(async () => {
  for (const index of redisIndexes) index.close()
  await connection.close()
  await server.stop()
})

/** Every tag index that limits its own size. */
const boundedIndexes: [string, (bound?: number) => TagIndex | Promise<TagIndex>][] = [
  ['memoryTagIndex', (maxPurgedTags) => memoryTagIndex({ maxPurgedTags, log: () => {} })],
  [
    'diskTagIndex',
    async (bound) => {
      const directory = await mkdtemp(join(tmpdir(), 'sitewright-'))
      return diskTagIndex({ directory, maxBytes: bound && 32 * (bound + 1), log: () => {} })
    },
  ],
]

const indexes: typeof boundedIndexes = [
  ...boundedIndexes,
  [
    'redisTagIndex',
    () => {
      const { client } = connection
      const index = redisTagIndex({ client, prefix: `${redisIndexes.length}:`, timeout: 20_000, log: () => {} })
      redisIndexes.push(index)
      return index
    },
  ],
]

const stampOf = async (index: TagIndex) => (await index.stamp()) as Stamp

describe.each(indexes)('%s', (_, open) => {
  test.each<[string, [PurgeMode, string[]][], string[], PurgeState]>([
    ['nothing purged', [], ['a'], 'none'],
    ['another tag purged', [['hard', ['b']]], ['a'], 'none'],
    ['soft purge', [['soft', ['a']]], ['a'], 'soft'],
    ['hard purge', [['hard', ['a']]], ['a'], 'hard'],
    ['hard purge, then soft', [['hard', ['a']], ['soft', ['a']]], ['a'], 'hard'], // biome-ignore format: a row
    ['soft purge, then hard', [['soft', ['a']], ['hard', ['a']]], ['a'], 'hard'], // biome-ignore format: a row
    ['one of several tags purged', [['soft', ['c']]], ['a', 'b', 'c'], 'soft'],
    ['one tag soft-purged, one hard', [['hard', ['b']], ['soft', ['a']]], ['a', 'b'], 'hard'], // biome-ignore format: a row
    ['several tags in one purge', [['soft', ['x', 'y', 'a']]], ['a'], 'soft'],
    ['different letter case', [['hard', ['A']]], ['a'], 'none'],
    ['non-ASCII tag', [['hard', ['ä 🐈']]], ['ä 🐈'], 'hard'],
    ['no tags', [['hard', ['a']]], [], 'none'],
    ['names of object properties', [['hard', ['a']]], ['__proto__', 'constructor'], 'none'],
  ])('purgedSince returns the strongest purge of the tags: %s', async (_, purges, tags, expected) => {
    const index = await open()
    const stampBefore = await stampOf(index)
    for (const [mode, purged] of purges) await index.purge(purged, mode)
    expect(await index.purgedSince(stampBefore, tags)).toBe(expected)
    expect(await index.purgedSince(await stampOf(index), tags)).toBe('none')
  })

  test('sequence numbers only rise, and each index has its own epoch', async () => {
    const [index, otherIndex] = [await open(), await open()]
    const stamps = [await stampOf(index)]
    for (let round = 0; round < 5; round++) {
      await index.purge(['a'], 'soft')
      stamps.push(await stampOf(index))
    }
    const numbers = stamps.map(({ sequence }) => sequence)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(new Set(stamps.map(({ epoch }) => epoch)).size).toBe(1)
    expect(await index.purgedSince(await stampOf(otherIndex), ['untouched'])).toBe('hard')
  })

  test('one call purges ten thousand tags', async () => {
    const index = await open()
    const before = await stampOf(index)
    await index.purge(
      Array.from({ length: 10_000 }, (_, number) => `tag ${number}`),
      'soft',
    )
    expect(await index.purgedSince(before, ['tag 9999'])).toBe('soft')
  })
})

describe.each(boundedIndexes)('%s', (_, open) => {
  test('beyond its maximum, the index loses no purge, but treats more entries as purged', async () => {
    const index = await open(10)
    const before = await stampOf(index)
    await index.purge(['first'], 'soft')
    for (let number = 0; number < 30; number++) await index.purge([`${number}`], 'soft')
    expect(await index.purgedSince(before, ['first'])).not.toBe('none')
    expect(await index.purgedSince(before, ['untouched'])).toBe('hard')
    const laterStamp = await stampOf(index)
    await index.purge(['a'], 'soft')
    expect(await index.purgedSince(laterStamp, ['a'])).not.toBe('none')
  })
})
