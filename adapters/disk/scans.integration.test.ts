import { expect, test, vi } from 'vitest'
import { createChanges } from './changes.js'
import { createDiskQuota } from './disk-quota.js'
import { createScans } from './scans.js'
import { folderWith } from './testing/folder.js'

test('however much is written during a scan, one more follows', async () => {
  const maxBytes = 8_000
  let count = 0
  const scans = createScans({
    directory: await folderWith(),
    changes: createChanges(),
    quota: createDiskQuota(maxBytes, () => {}),
    maxBytes,
    maxFileBytes: 1_000,
    waiting() {
      count++
      scans.countWritten(1)
      return []
    },
    isRemoved: () => false,
    onError: vi.fn(),
  })
  for (let write = 0; write < 100; write++) scans.countWritten(1_000)
  await vi.waitFor(() => expect(count).toBe(2))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(count).toBe(2)
  // And another one after as much again.
  scans.countWritten(1_000)
  await vi.waitFor(() => expect(count).toBe(3))
})
