import { describe, expect, it, vi } from 'vitest'
import { memoryTagIndex, type Stamp } from '../index.js'

describe('beyond maxPurgedTags', () => {
  it('beyond maxPurgedTags, the index logs that purges were forgotten, at most once a minute', () => {
    const log = vi.fn()
    const index = memoryTagIndex({ maxPurgedTags: 10, log })
    for (let tag = 0; tag < 10; tag++) index.purge([`${tag}`], 'hard')
    expect(log).not.toHaveBeenCalled()
    for (let tag = 10; tag < 100; tag++) index.purge([`${tag}`], 'hard')
    expect(log.mock.calls).toEqual([
      ['Memory tag index: purges were forgotten; what was stored before counts as purged', { maxPurgedTags: 10 }],
    ])
  })

  it('tags that are purged repeatedly take no more room', () => {
    const log = vi.fn()
    const index = memoryTagIndex({ maxPurgedTags: 10, log })
    for (let round = 0; round < 100; round++) index.purge(['a', 'b', 'c', 'd', 'e'], round % 2 ? 'hard' : 'soft')
    expect(log).not.toHaveBeenCalled()
    expect(index.purgedSince({ ...(index.stamp() as Stamp), sequence: 0 }, ['z'])).toBe('none')
  })

  it.each(['hard', 'soft'] as const)(
    'beyond maxPurgedTags, no %s purge is missed, and forgotten tags count as purged hard',
    (mode) => {
      const index = memoryTagIndex({ maxPurgedTags: 10, log: () => {} })
      const first = index.stamp() as Stamp
      for (let purge = 1; purge <= 100; purge++) {
        const tags = [`${purge}`, `${purge}-a`, `${purge}-b`]
        const before = index.stamp() as Stamp
        index.purge(tags, mode)
        for (const tag of tags) expect(index.purgedSince(before, [tag])).not.toBe('none')
        expect(index.purgedSince(index.stamp() as Stamp, tags)).toBe('none')
        if (purge > 4) expect(index.purgedSince(first, ['z'])).toBe('hard')
      }
    },
  )
})

it('the age of a purge is that of the last purge of any of the tags, and never below 0', () => {
  vi.useFakeTimers({ now: 1_000_000 })
  const index = memoryTagIndex({ maxPurgedTags: 3, log: () => {} })
  const ageOf = (...tags: string[]) => index.purgeAge?.(tags)
  expect(ageOf('a')).toBe(Number.POSITIVE_INFINITY)
  index.purge(['a', 'b'], 'hard')
  vi.setSystemTime(1_005_000)
  index.purge(['b'], 'soft')
  vi.setSystemTime(1_006_000)
  expect([ageOf('a'), ageOf('a', 'b'), ageOf('z'), ageOf()]).toEqual([6_000, 1_000, Infinity, Infinity])
  vi.setSystemTime(1_000_000)
  expect(ageOf('b')).toBe(0)
  vi.setSystemTime(1_020_000)
  index.purge(['c', 'd'], 'hard') // forgets the others
  vi.setSystemTime(1_021_000)
  expect(ageOf('z')).toBe(1_000)
  vi.useRealTimers()
})

it.each<[string, Record<string, string>, boolean]>([
  ['a worker of cluster', { NODE_UNIQUE_ID: '1' }, true],
  ['another instance of PM2', { NODE_APP_INSTANCE: '1' }, true],
  ['the only instance of PM2', { NODE_APP_INSTANCE: '0' }, false],
  ['a single process', {}, false],
])(
  'the tag index in memory warns once, also in production, if its process is one of several: %s',
  async (_, environment, isWarned) => {
    vi.resetModules()
    vi.stubEnv('NODE_ENV', 'production')
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    const { memoryTagIndex } = await import('./tag-index.js')
    const log = vi.fn()
    for (let index = 0; index < 2; index++) memoryTagIndex({ log })
    const message = 'Memory tag index: several processes, each with an index of its own'
    expect(log.mock.calls).toEqual(isWarned ? [[message, { advice: expect.stringContaining('redisTagIndex') }]] : [])
    vi.unstubAllEnvs()
  },
)
