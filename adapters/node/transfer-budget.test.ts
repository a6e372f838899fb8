import { expect, it, vi } from 'vitest'
import { createTransferBudget } from './transfer-budget.js'

/** Starts reads that end when the test lets them. */
function start(maxBytes: number, timeout: number) {
  const budget = createTransferBudget({ max: maxBytes })
  const ends = new Map<string, () => void>()
  const read = (name: string, bytes: number) =>
    budget(bytes, timeout, () => new Promise<string>((resolve) => ends.set(name, () => resolve(name))))
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
  const budget = createTransferBudget({ max: 10 })
  let fail: (error: Error) => void = () => {}
  const failing = budget(10, 20, () => new Promise((_, reject) => { fail = reject })) // biome-ignore format: a row
  expect(await budget(1, 20, async () => 'read')).toBeUndefined()
  fail(new Error('lost'))
  await expect(failing).rejects.toThrow('lost')
  expect(await budget(10, 20, async () => 'read')).toBe('read')
})

it('begins with the minimum, has more on its way while that is fast, and half as much after each that is slow', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  try {
    const budget = createTransferBudget({ max: 8, min: 2 })
    let running = 0
    /** Returns how many run at once. */
    const transfer = async (count: number, duration: number) => {
      let most = 0
      const ends: (() => void)[] = []
      const transfers = Array.from({ length: count }, () =>
        budget(1, 1_000, async () => {
          most = Math.max(most, ++running)
          await new Promise<void>((resolve) => ends.push(resolve))
          running--
        }),
      )
      for (let ended = 0; ended < count; ended++) {
        now += duration
        ends.shift()?.()
        await transfers[ended]
      }
      return most
    }
    expect(await transfer(2, 0)).toBe(2)
    expect(await transfer(4, 0)).toBe(4)
    expect(await transfer(20, 0)).toBe(8)
    await transfer(1, 100)
    expect(await transfer(4, 15)).toBe(4)
    await transfer(5, 100)
    expect(await transfer(2, 15)).toBe(2)
  } finally {
    clock.mockRestore()
  }
})
