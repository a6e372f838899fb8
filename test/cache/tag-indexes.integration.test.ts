import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diskTagIndex } from '../../adapters/disk/index.js'
import { memoryTagIndex, type PurgeMode, type PurgeState, type Stamp, type TagIndex } from '../../core/cache/index.js'

/** What every tag index does. The bound is of the purges that are remembered. */
const indexes: [string, (bound?: number) => TagIndex | Promise<TagIndex>][] = [
  ['memoryTagIndex', (maxTags) => memoryTagIndex({ maxTags })],
  [
    'diskTagIndex',
    async (maxPurges) => diskTagIndex({ directory: await mkdtemp(join(tmpdir(), 'sitewright-')), maxPurges }),
  ],
]

const stampOf = async (index: TagIndex) => (await index.stamp()) as Stamp

describe.each(indexes)('%s', (_, open) => {
  test.each<[string, [PurgeMode, string[]][], string[], PurgeState]>([
    ['nothing was purged', [], ['a'], 'none'],
    ['another tag was', [['hard', ['b']]], ['a'], 'none'],
    ['it was, soft', [['soft', ['a']]], ['a'], 'soft'],
    ['it was, hard', [['hard', ['a']]], ['a'], 'hard'],
    ['hard, then soft', [['hard', ['a']], ['soft', ['a']]], ['a'], 'hard'], // biome-ignore format: a row
    ['soft, then hard', [['soft', ['a']], ['hard', ['a']]], ['a'], 'hard'], // biome-ignore format: a row
    ['one of its tags was', [['soft', ['c']]], ['a', 'b', 'c'], 'soft'],
    ['one was soft, one hard', [['hard', ['b']], ['soft', ['a']]], ['a', 'b'], 'hard'], // biome-ignore format: a row
    ['several were at once', [['soft', ['x', 'y', 'a']]], ['a'], 'soft'],
    ['letter case differs', [['hard', ['A']]], ['a'], 'none'],
    ['of any language', [['hard', ['ä 🐈']]], ['ä 🐈'], 'hard'],
    ['it has no tags', [['hard', ['a']]], [], 'none'],
    ['its name is that of a property', [['hard', ['a']]], ['__proto__', 'constructor'], 'none'],
  ])('%s', async (_, purges, tags, expected) => {
    const index = await open()
    const before = await stampOf(index)
    for (const [mode, purged] of purges) await index.purge(purged, mode)
    expect(await index.purgedSince(before, tags)).toBe(expected)
    expect(await index.purgedSince(await stampOf(index), tags)).toBe('none')
  })

  test('numbers only rise, and those of the same epoch are of the same index', async () => {
    const [index, other] = [await open(), await open()]
    const stamps = [await stampOf(index)]
    for (let round = 0; round < 5; round++) {
      await index.purge(['a'], 'soft')
      stamps.push(await stampOf(index))
    }
    const numbers = stamps.map(({ sequence }) => sequence)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(new Set(stamps.map(({ epoch }) => epoch)).size).toBe(1)
    expect(await index.purgedSince(await stampOf(other), ['untouched'])).toBe('hard')
  })

  test('ten thousand tags are purged at once', async () => {
    const index = await open()
    const before = await stampOf(index)
    await index.purge(
      Array.from({ length: 10_000 }, (_, number) => `tag ${number}`),
      'soft',
    )
    expect(await index.purgedSince(before, ['tag 9999'])).toBe('soft')
  })

  test('beyond its bound it forgets no purge, but takes more for purged', async () => {
    const index = await open(10)
    const before = await stampOf(index)
    await index.purge(['first'], 'soft')
    for (let number = 0; number < 30; number++) await index.purge([`${number}`], 'soft')
    expect(await index.purgedSince(before, ['first'])).not.toBe('none')
    expect(await index.purgedSince(before, ['untouched'])).toBe('hard')
    const after = await stampOf(index)
    await index.purge(['a'], 'soft')
    expect(await index.purgedSince(after, ['a'])).not.toBe('none')
  })
})
