import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createByteBudget } from '../../core/byte-budget.js'
import { type HeldReader, setClient } from '../../core/held-reader.js'
import { readAhead } from './read-ahead.js'

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
)
afterEach(() => vi.useRealTimers())

/** A budget that knows what is left of it. */
function startBudget(bytes: number) {
  const budget = createByteBudget(bytes)
  let taken = 0
  return {
    ...budget,
    taken: () => taken,
    takeUnread(wanted: number, except?: HeldReader) {
      const isTaken = budget.takeUnread(wanted, except)
      if (isTaken) taken += wanted
      return isTaken
    },
    releaseUnread(returned: number) {
      taken -= returned
      budget.releaseUnread(returned)
    },
  }
}

const bodyOf = (parts: number, bytes = 1_000) =>
  new Readable({
    highWaterMark: 1,
    read() {
      this.push(parts-- > 0 ? Buffer.alloc(bytes, parts) : null)
    },
  })
const rest = () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
const settle = async () => {
  for (let round = 0; round < 50; round++) await rest()
}
const lengthOf = async (body: Readable) => {
  let length = 0
  for await (const chunk of body) length += chunk.length
  return length
}

describe('a body that is read ahead', () => {
  test('is read to its end before its reader reads, and given whole', async () => {
    const budget = startBudget(1_000_000)
    const body = bodyOf(20)
    const ahead = readAhead(body, budget, 10_000)
    await settle()
    expect(body.readableEnded).toBe(true)
    expect(budget.taken()).toBeGreaterThan(20_000)
    expect(await lengthOf(ahead)).toBe(20_000)
    expect(budget.taken()).toBe(0)
  })

  test('in small pieces is given in large ones', async () => {
    const budget = startBudget(100_000_000)
    const ahead = readAhead(bodyOf(100_000, 1), budget, 10_000)
    await settle()
    const lengths: number[] = []
    for await (const { length } of ahead) lengths.push(length)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(100_000)
    expect(lengths.length).toBeLessThan(1_000)
    expect(budget.taken()).toBe(0)
  })

  test.each([0, 1, 3_000, 25_000])(
    'is given whole at the pace of its reader with a budget of %s bytes',
    async (bytes) => {
      const budget = startBudget(bytes)
      const body = bodyOf(20)
      const ahead = readAhead(body, budget, 10_000)
      await settle()
      expect(body.readableEnded).toBe(bytes > 20_000)
      let length = 0
      for await (const chunk of ahead) {
        length += chunk.length
        await rest()
        vi.advanceTimersByTime(1_900) // slow, but not too slow
        await rest()
      }
      expect(length).toBe(20_000)
      expect(budget.taken()).toBe(0)
    },
  )

  test('is closed beyond the budget when its reader takes nothing for two seconds', async () => {
    const budget = startBudget(5_000)
    const body = bodyOf(20)
    const ahead = readAhead(body, budget, 10_000)
    await settle()
    vi.advanceTimersByTime(1_999)
    expect(body.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(body.destroyed).toBe(true)
    expect(budget.taken()).toBe(0)
    await expect(lengthOf(ahead)).rejects.toThrow()
  })

  test('is dropped when others need room, once its reader has taken nothing for two seconds', async () => {
    const budget = startBudget(25_000)
    const [first, second] = [readAhead(bodyOf(15), budget, 10_000), bodyOf(15)]
    await settle()
    vi.advanceTimersByTime(2_000)
    const last = readAhead(second, budget, 10_000)
    await settle()
    expect([first.destroyed, second.readableEnded]).toEqual([true, true])
    expect(await lengthOf(last)).toBe(15_000)
    expect(budget.taken()).toBe(0)
  })

  test('is dropped when others need room after a second, if its client takes longest for all that waits for it', async () => {
    const budget = startBudget(100_000)
    const [slow, fast] = [readAhead(bodyOf(45), budget, 10_000), readAhead(bodyOf(45), budget, 10_000)]
    await settle()
    const reader = fast[Symbol.asyncIterator]()
    await reader.next()
    vi.advanceTimersByTime(1_000)
    const last = readAhead(bodyOf(90), budget, 10_000)
    await settle()
    expect([slow.destroyed, fast.destroyed, last.destroyed]).toEqual([true, false, false])
    expect(await lengthOf(last)).toBe(90_000)
  })

  test('is not dropped while its client takes other streams of its connection, for a minute', async () => {
    const budget = startBudget(5_000)
    const body = bodyOf(20)
    const ahead = readAhead(body, budget, 10_000)
    let taken = 0
    setClient(ahead, { connection: {}, taken: () => taken })
    const takeOthers = (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        taken += 10_000
        vi.advanceTimersByTime(1_000)
      }
    }
    await settle()
    takeOthers(58)
    expect(body.destroyed).toBe(false)
    expect(await lengthOf(ahead)).toBe(20_000)
    const abandoned = readAhead(bodyOf(20), budget, 10_000)
    setClient(abandoned, { connection: {}, taken: () => taken })
    await settle()
    takeOthers(63)
    expect(abandoned.destroyed).toBe(true)
    expect(budget.taken()).toBe(0)
  })

  test('that has waited for room is read on as soon as there is some', async () => {
    const budget = startBudget(25_000)
    const [first, second] = [readAhead(bodyOf(19), budget, 10_000), bodyOf(19)]
    readAhead(second, budget, 10_000)
    await settle()
    expect(second.readableEnded).toBe(false)
    first.destroy()
    vi.advanceTimersByTime(300)
    await settle()
    expect(second.readableEnded).toBe(true)
  })

  test('holds 8 MiB at most', async () => {
    const budget = startBudget(100_000_000)
    const ahead = readAhead(bodyOf(400, 64 * 1024), budget, 10_000)
    await settle()
    await settle()
    expect(budget.taken()).toBeGreaterThan(8 * 1024 * 1024 - 1)
    expect(budget.taken()).toBeLessThan(8.1 * 1024 * 1024)
    expect(await lengthOf(ahead)).toBe(400 * 64 * 1024)
    expect(budget.taken()).toBe(0)
  })

  test.each([
    ['fails', (body: Readable) => body.destroy(new Error('reset'))],
    ['is closed early', (body: Readable) => body.destroy()],
  ])('fails when it %s, after what was read of it', async (_, end) => {
    const budget = startBudget(100_000)
    const body = new Readable({ read() {} })
    body.push(Buffer.alloc(1_000))
    const ahead = readAhead(body, budget, 10_000)
    await settle()
    end(body)
    await settle()
    const read: number[] = []
    const reading = (async () => {
      for await (const chunk of ahead) read.push(chunk.length)
    })()
    await expect(reading).rejects.toThrow(/reset|ended early/)
    expect(read).toEqual([1_000])
    expect(budget.taken()).toBe(0)
  })

  test('is closed when its reader leaves', async () => {
    const budget = startBudget(5_000)
    const body = bodyOf(20)
    readAhead(body, budget, 10_000).destroy()
    await settle()
    expect(body.destroyed).toBe(true)
    expect(budget.taken()).toBe(0)
  })
})
