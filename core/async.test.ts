import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createDetach } from './async.js'

test('runs work outside of the context of its caller, who keeps it', async () => {
  const storage = new AsyncLocalStorage<string>()
  const detach = createDetach()
  const look = async () => {
    const seen = [storage.getStore()]
    await Promise.resolve()
    return [...seen, storage.getStore()]
  }
  const visit = (name: string) =>
    storage.run(name, async () => [await Promise.all([detach(look), detach(look)]), storage.getStore()])
  const nothing = [undefined, undefined]
  expect(await Promise.all([visit('Ann'), visit('Bob')])).toEqual([
    [[nothing, nothing], 'Ann'],
    [[nothing, nothing], 'Bob'],
  ])
})

test('rejects as the work does, and goes on', async () => {
  const detach = createDetach()
  await expect(detach(() => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await detach(async () => 'up')).toBe('up')
})
