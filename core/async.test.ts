import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createDetach } from './async.js'

test('detached work runs outside the context of its caller, and the caller keeps its context', async () => {
  const storage = new AsyncLocalStorage<string>()
  const detach = createDetach()
  const readStore = async () => {
    const seen = [storage.getStore()]
    await Promise.resolve()
    return [...seen, storage.getStore()]
  }
  const visit = (name: string) =>
    storage.run(name, async () => [await Promise.all([detach(readStore), detach(readStore)]), storage.getStore()])
  const noStore = [undefined, undefined]
  expect(await Promise.all([visit('Ann'), visit('Bob')])).toEqual([
    [[noStore, noStore], 'Ann'],
    [[noStore, noStore], 'Bob'],
  ])
})

test('detached work that fails rejects its caller, and later work still runs', async () => {
  const detach = createDetach()
  await expect(detach(() => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await detach(async () => 'up')).toBe('up')
})
