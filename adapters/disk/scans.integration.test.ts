import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createChanges } from './changes.js'
import { createDiskQuota } from './disk-quota.js'
import { fileNameOf, scanDirectory } from './scan-directory.js'
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

test('finds each of more files than are read at once', async () => {
  const directory = await folderWith()
  const names = Array.from({ length: 3_000 }, (_, number) => fileNameOf(String(number)))
  for (const name of names) await writeFile(join(directory, name), 'entry')
  const found = await scanDirectory(directory, { changes: createChanges(), maxFileBytes: 10, onError: vi.fn() })
  expect(found.map(({ name }) => name).sort()).toEqual(names.sort())
})
