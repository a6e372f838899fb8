import { readdir, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { array, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { fileNameOf } from './file.js'
import { createDiskQuota } from './quota.js'
import { folderWith } from './testing/folder.js'

vi.mock('node:fs/promises', { spy: true })
afterEach(() => vi.restoreAllMocks())

const block = Buffer.alloc(4096)

const start = async (blocks: number, directory?: string) => {
  const folder = directory ?? (await folderWith())
  const [onError, onDiskFull] = [vi.fn(), vi.fn()]
  const maxBytes = blocks * block.length
  const quota = createDiskQuota({ directory: folder, maxBytes, maxFileBytes: maxBytes, onError, onDiskFull })
  const names = async () => (await readdir(folder)).sort()
  return { ...quota, folder, names, onError, onDiskFull }
}

test('the quota keeps the most recently used files that fit, also across scans and restarts', async () => {
  const keys = [...'abcdefgh'].map(fileNameOf)
  const step = record({ name: constantFrom(...keys), action: constantFrom('write', 'touch', 'remove', 'scan') })
  await assert(
    asyncProperty(array(step, { maxLength: 30 }), async (steps) => {
      const quota = await start(4)
      let expected: string[] = []
      for (const { name, action } of steps) {
        if (action === 'write') await quota.write(name, block)
        else if (action === 'touch') quota.touch(name)
        else if (action === 'remove') await quota.remove(name)
        else await quota.scan()
        const isUsed = action === 'write' || (action === 'touch' && expected.includes(name))
        if (action !== 'scan') expected = expected.filter((file) => file !== name)
        if (isUsed) expected = [...expected, name].slice(-4)
        expect(await quota.names()).toEqual([...expected].sort())
        await new Promise((resolve) => setTimeout(resolve, 2)) // the times of files are in milliseconds
      }
      await (await start(2, quota.folder)).scan()
      expect((await quota.names()).length).toBe(Math.min(2, expected.length))
      expect(quota.onError).not.toHaveBeenCalled()
    }),
    { numRuns: 20 },
  )
})

// libuv has no name for the error of a user's quota.
const full = [
  Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }),
  Object.assign(new Error('Unknown system error'), { errno: -constants.errno.EDQUOT }),
]
test.each(full)(
  'on a full disk (%s), the quota removes as many bytes of the oldest files, and writes once more',
  async (error) => {
    const quota = await start(8)
    for (const key of 'abcd') await quota.write(fileNameOf(key), block)
    vi.mocked(writeFile).mockRejectedValueOnce(error)
    await quota.write(fileNameOf('e'), Buffer.alloc(5_000))
    expect(quota.onDiskFull).toHaveBeenCalledOnce()
    expect(await quota.names()).toEqual([...'cde'].map(fileNameOf).sort())
    vi.mocked(writeFile).mockRejectedValueOnce(error).mockRejectedValueOnce(error)
    await expect(quota.write(fileNameOf('f'), block)).rejects.toBe(error)
    expect(await quota.names()).toEqual([...'de'].map(fileNameOf).sort())
  },
)

test('after any other error, the quota removes nothing', async () => {
  const quota = await start(8)
  await quota.write(fileNameOf('a'), block)
  vi.mocked(writeFile).mockRejectedValueOnce(new Error('EIO'))
  await expect(quota.write(fileNameOf('b'), block)).rejects.toThrow('EIO')
  expect(await quota.names()).toEqual([fileNameOf('a')])
})
