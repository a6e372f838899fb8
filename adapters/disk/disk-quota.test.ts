import { setImmediate } from 'node:timers/promises'
import { array, assert, asyncProperty, boolean, constantFrom, integer, property, record } from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { createDiskQuota } from './disk-quota.js'

afterEach(() => vi.useRealTimers())

test('evicts the least recently used files after the clock was a day ahead for a while', async () => {
  const now = 1_700_000_000_000
  const day = 86_400_000
  vi.useFakeTimers({ toFake: ['Date'], now })
  const evicted: string[] = []
  const quota = createDiskQuota(4, (name) => evicted.push(name))
  const file = (name: string, lastUsed: number) => ({ name, size: 1, lastUsed })
  quota.touch('before', 1)
  vi.setSystemTime(now + day)
  quota.touch('ahead 1', 1)
  quota.touch('ahead 2', 1)
  vi.setSystemTime(now + 1000)
  quota.touch('after', 1)
  vi.setSystemTime(now + 2000)
  // On the disk, another process has read one of them since.
  const scanned = [
    file('before', now),
    file('after', now + 1000),
    file('ahead 2', now + 1500),
    file('ahead 1', now + day),
  ]
  await quota.reconcile(scanned, now + 2000)
  for (const name of ['new 1', 'new 2', 'new 3']) quota.touch(name, 1)
  expect(evicted).toEqual(['ahead 1', 'before', 'after'])
})

test('forgets a file that is gone, although it was used while the clock was ahead', async () => {
  const now = 1_700_000_000_000
  vi.useFakeTimers({ toFake: ['Date'], now: now + 86_400_000 })
  const evicted: string[] = []
  const quota = createDiskQuota(2, (name) => evicted.push(name))
  quota.touch('gone', 1)
  vi.setSystemTime(now)
  await quota.reconcile([], now)
  quota.touch('a', 1)
  quota.touch('b', 1)
  expect(evicted).toEqual([])
})

test('evicts in the order of last use, as many as necessary', () => {
  const uses = array(record({ name: constantFrom(...'abcdefgh'), size: integer({ min: 1, max: 5 }) }))
  assert(
    property(integer({ min: 5, max: 20 }), uses, (maxBytes, uses) => {
      // The model: a list.
      let files: { name: string; size: number }[] = []
      const evicted: string[] = []
      const quota = createDiskQuota(maxBytes, (name) => evicted.push(name))
      for (const file of uses) {
        quota.touch(file.name, file.size)
        files = [...files.filter(({ name }) => name !== file.name), file]
        const expected: string[] = []
        while (files.reduce((sum, { size }) => sum + size, 0) > maxBytes) expected.push(files.shift()?.name ?? '')
        expect(evicted.splice(0)).toEqual(expected)
        for (const name of 'abcdefgh') expect(quota.has(name)).toBe(files.some((each) => each.name === name))
      }
    }),
  )
})

test('what is used and removed while a scan is taken into account is not lost', async () => {
  const changes = array(record({ name: constantFrom(...'abcdefgh'), isRemoved: boolean(), waits: boolean() }))
  const scanned = Array.from({ length: 20_000 }, (_, number) => ({ name: `${number}`, size: 1, lastUsed: number }))
  await assert(
    asyncProperty(changes, async (changes) => {
      const evicted = new Set<string>()
      const quota = createDiskQuota(10_000, (name) => evicted.add(name))
      for (const name of 'abcd') quota.touch(name, 1)
      const known = new Set('abcd')
      const done = quota.reconcile(scanned, Date.now() - 60_000)
      for (const { name, isRemoved, waits } of changes) {
        if (isRemoved) quota.remove(name)
        else quota.touch(name, 1)
        known[isRemoved ? 'delete' : 'add'](name)
        if (waits) await setImmediate()
      }
      await done
      expect([...'abcdefgh'].filter((name) => quota.has(name))).toEqual([...known].sort())
      // The most recently used ones are left, as many as fit.
      const left = scanned.filter(({ name }) => quota.has(name))
      expect(left[0]).toBe(scanned[20_000 - left.length])
      expect(left.length + known.size).toBeLessThanOrEqual(10_000)
      expect(left.length + known.size + changes.length).toBeGreaterThanOrEqual(10_000)
      expect(evicted.size).toBe(20_000 - left.length)
    }),
    { numRuns: 20 },
  )
})

test('makes room on a full disk, and uses all of it again later', async () => {
  const evicted: string[] = []
  const quota = createDiskQuota(1_000, (name) => evicted.push(name))
  quota.touch('first', 10)
  expect(quota.shrink()).toBe(false)
  await quota.reconcile([], Date.now() + 1)
  for (let number = 0; number < 80; number++) quota.touch(`${number}`, 10)
  expect(quota.shrink()).toBe(true)
  expect(evicted).toEqual(Array.from({ length: 10 }, (_, number) => `${number}`))
  quota.touch('next', 10)
  expect(evicted).toHaveLength(11)
  for (let number = 100; number < 1_000; number++) quota.touch(`${number}`, 10)
  expect(Array.from({ length: 1_000 }, (_, number) => quota.has(`${number}`)).filter(Boolean)).toHaveLength(100)
})
