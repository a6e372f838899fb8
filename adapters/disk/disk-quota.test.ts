import { afterEach, expect, test, vi } from 'vitest'
import { createDiskQuota } from './disk-quota.js'

afterEach(() => vi.useRealTimers())

test('evicts the least recently used files after the clock was a day ahead for a while', () => {
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
  quota.reconcile(scanned, now + 2000)
  for (const name of ['new 1', 'new 2', 'new 3']) quota.touch(name, 1)
  expect(evicted).toEqual(['ahead 1', 'before', 'after'])
})

test('forgets a file that is gone, although it was used while the clock was ahead', () => {
  const now = 1_700_000_000_000
  vi.useFakeTimers({ toFake: ['Date'], now: now + 86_400_000 })
  const evicted: string[] = []
  const quota = createDiskQuota(2, (name) => evicted.push(name))
  quota.touch('gone', 1)
  vi.setSystemTime(now)
  quota.reconcile([], now)
  quota.touch('a', 1)
  quota.touch('b', 1)
  expect(evicted).toEqual([])
})
