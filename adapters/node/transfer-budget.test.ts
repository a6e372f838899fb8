import { expect, it, vi } from 'vitest'
import { createTransferBudget } from './transfer-budget.js'

/** Starts reads that end when the test lets them. */
function start(maxBytes: number, timeout: number) {
  const budget = createTransferBudget(maxBytes, timeout)
  const ends = new Map<string, () => void>()
  const read = (name: string, bytes: number) =>
    budget(bytes, () => new Promise<string>((resolve) => ends.set(name, () => resolve(name))))
  return { read, running: () => [...ends.keys()].join(), end: (name: string) => ends.get(name)?.() }
}

it('begins as many reads as fit, the others in the order in which they came', async () => {
  const { read, running, end } = start(10, 1_000_000)
  const reads = [read('a', 6), read('b', 4), read('c', 5), read('d', 1)]
  await vi.waitUntil(() => running() === 'a,b')
  end('b')
  expect(await reads[1]).toBe('b')
  await Promise.resolve()
  // There is room for d, but c came before.
  expect(running()).toBe('a,b')
  end('a')
  await vi.waitUntil(() => running() === 'a,b,c,d')
  end('c')
  end('d')
  expect(await Promise.all(reads)).toEqual(['a', 'b', 'c', 'd'])
})

it('runs alone what is larger than all', async () => {
  const { read, running, end } = start(10, 1_000_000)
  const reads = [read('a', 100), read('b', 1)]
  await vi.waitUntil(() => running() === 'a')
  end('a')
  await vi.waitUntil(() => running() === 'a,b')
  end('b')
  expect(await Promise.all(reads)).toEqual(['a', 'b'])
})

it('gives up what finds no room in time, and has the room of what fails', async () => {
  const budget = createTransferBudget(10, 20)
  let fail: (error: Error) => void = () => {}
  const failing = budget(10, () => new Promise((_, reject) => { fail = reject })) // biome-ignore format: a row
  expect(await budget(1, async () => 'read')).toBeUndefined()
  fail(new Error('lost'))
  await expect(failing).rejects.toThrow('lost')
  expect(await budget(10, async () => 'read')).toBe('read')
})
