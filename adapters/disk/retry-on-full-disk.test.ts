import { constants } from 'node:os'
import { beforeEach, expect, test, vi } from 'vitest'
import { createRetryOnFullDisk } from './retry-on-full-disk.js'

const errorOf = (code: string, errno?: number) => Object.assign(new Error(code), { code, errno })
// libuv has no name for the error of a quota.
const full = [errorOf('ENOSPC'), errorOf('EDQUOT'), errorOf('Unknown system error', -constants.errno.EDQUOT)]
const makeRoom = vi.fn(() => Promise.resolve())
const write = vi.fn(() => Promise.resolve(true))
beforeEach(() => {
  vi.resetAllMocks()
  makeRoom.mockResolvedValue()
  write.mockResolvedValue(true)
})

test.each(full)('after %s room is made, and the file written', async (error) => {
  const withRoom = createRetryOnFullDisk(makeRoom)
  for (let time = 0; time < 3; time++) {
    write.mockRejectedValueOnce(error)
    await withRoom(write)
  }
  expect([makeRoom, write].map(({ mock }) => mock.calls.length)).toEqual([3, 6])
})

test('another error makes no room', async () => {
  write.mockRejectedValueOnce(errorOf('EIO'))
  await expect(createRetryOnFullDisk(makeRoom)(write)).rejects.toThrow('EIO')
  expect(makeRoom).not.toHaveBeenCalled()
})

test('where room is of no use, none is made for a minute', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const withRoom = createRetryOnFullDisk(makeRoom)
  write.mockRejectedValue(errorOf('ENOSPC'))
  for (let time = 0; time < 10; time++) await expect(withRoom(write)).rejects.toThrow('ENOSPC')
  expect(makeRoom).toHaveBeenCalledTimes(1)
  now.mockReturnValue(60_000)
  await expect(withRoom(write)).rejects.toThrow('ENOSPC')
  expect(makeRoom).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

test('while no room can be made, each write tries', async () => {
  const withRoom = createRetryOnFullDisk(() => undefined)
  write.mockRejectedValue(errorOf('ENOSPC'))
  for (let time = 0; time < 2; time++) await expect(withRoom(write)).rejects.toThrow('ENOSPC')
  expect(write).toHaveBeenCalledTimes(2)
})

test('what is not wanted any more after room was made is an error, and none is made for a minute', async () => {
  const withRoom = createRetryOnFullDisk(makeRoom)
  for (let time = 0; time < 3; time++) {
    write.mockRejectedValueOnce(errorOf('ENOSPC')).mockResolvedValueOnce(false)
    await expect(withRoom(write)).rejects.toThrow('ENOSPC')
    write.mockReset()
  }
  expect(makeRoom).toHaveBeenCalledTimes(1)
})
