import { describe, expect, it, vi } from 'vitest'
import { createByteBudget } from './byte-budget.js'
import { type HeldReader, setClient, setReader } from './held-reader.js'

function start() {
  let now = 0
  const budget = createByteBudget(100, { maxUnread: 50, clock: () => now })
  const dropped: string[] = []
  const progress: Record<string, number> = {}
  /** A reader that so many bytes are held for, as those of a body that is complete. */
  const hold = (name: string, bytes: number, connection?: object) => {
    let held = bytes
    const body = {}
    const reader: HeldReader = {
      unread: () => held,
      read: () => progress[name] ?? 0,
      drop() {
        dropped.push(name)
        budget.releaseUnread(held)
        held = 0
      },
    }
    setReader(body, reader)
    if (connection) setClient(body, { connection, taken: () => progress[name] ?? 0 })
    expect(budget.take(bytes)).toBe(true)
    budget.hold(reader)
    budget.markUnread(bytes)
    return reader
  }
  return {
    budget,
    dropped,
    progress,
    hold,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('what is held for readers only', () => {
  it('takes half at most: the slowest one makes room, whatever it reads', () => {
    const { budget, dropped, progress, hold, pass } = start()
    hold('slow', 38)
    hold('fast', 12)
    pass(1_000)
    Object.assign(progress, { slow: 100, fast: 1_000_000 })
    hold('new', 12)
    expect(dropped).toEqual(['slow'])
    expect([budget.hasRoom(76), budget.hasRoom(77)]).toEqual([true, false])
  })

  it('is not taken from the reader that asks for more, if that can wait', () => {
    const { budget, dropped, hold, pass } = start()
    const reader = hold('asking', 40)
    expect(budget.take(60)).toBe(true)
    pass(5_000)
    expect(budget.takeUnread(5, reader)).toBe(false)
    expect(dropped).toEqual([])
    expect(budget.takeUnread(5)).toBe(true)
    expect(dropped).toEqual(['asking'])
  })

  it('is looked through once in 100 ms while nobody may be dropped, however many ask', () => {
    const { budget, hold, pass } = start()
    const reader = hold('new', 45)
    const unread = vi.spyOn(reader, 'unread')
    for (let count = 0; count < 100; count++) expect(budget.takeUnread(10)).toBe(false)
    expect(unread).toHaveBeenCalledTimes(1)
    pass(1_000)
    expect(budget.takeUnread(10)).toBe(true)
  })

  it('is measured from when its reader could read, where that was before', () => {
    const { budget, dropped, progress, hold, pass } = start()
    progress.fast = 1_000_000
    pass(1_000)
    for (const name of ['fast', 'slow']) {
      const reader = hold(name, 20)
      budget.forget(reader)
      budget.hold(reader, 0)
    }
    hold('new', 20)
    expect(dropped).toEqual(['slow'])
  })

  it('counts together for all streams of a connection', () => {
    const { dropped, progress, hold, pass } = start()
    const connection = {}
    for (const name of ['a', 'b', 'c', 'd']) hold(name, 8, connection)
    hold('alone', 16)
    pass(1_000)
    for (const name of ['a', 'b', 'c', 'd', 'alone']) progress[name] = 1_000
    hold('new', 10)
    expect(dropped).toEqual(['a', 'b', 'c'])
  })

  it('is left to those who have not had any time yet, beside what is collected', () => {
    const { budget, dropped, hold, pass } = start()
    hold('first', 45)
    hold('second', 45)
    expect([budget.take(10), budget.take(1)]).toEqual([true, false])
    expect(dropped).toEqual([])
    pass(1_000)
    expect(budget.take(11)).toBe(true)
    expect(dropped).toEqual(['first', 'second'])
  })

  it('is read on from elsewhere, where that is possible, before anybody is cut off', () => {
    const { dropped, hold, pass } = start()
    hold('slow', 20)
    pass(1_000)
    hold('stored', 20).canReadOn = () => true
    hold('new', 20)
    expect(dropped).toEqual(['stored', 'slow'])
  })

  it('is not taken from those who read it for a client that reads a lot of other bodies, and nothing of its own', () => {
    const { dropped, progress, hold, pass } = start()
    const connection = { taken: 0 }
    const busy = hold('busy', 20)
    busy.client = { connection, taken: () => connection.taken }
    hold('steady', 25)
    for (let second = 0; second < 5; second++) {
      pass(1_000)
      connection.taken += 3_000_000
      progress.steady = (progress.steady ?? 0) + 1_000_000
    }
    hold('new', 10)
    expect(dropped).toEqual(['busy'])
  })

  it('is not taken from fast clients, when it is new ones that hold it', () => {
    const { budget, dropped, progress, hold, pass } = start()
    hold('fast', 1)
    hold('slow', 1)
    pass(1_000)
    progress.fast = 1_000_000
    hold('new', 48)
    expect(budget.takeUnread(1)).toBe(false)
    expect(dropped).toEqual([])
    pass(1_000)
    progress.fast = 2_000_000
    expect(budget.takeUnread(1)).toBe(true)
    expect(dropped).toEqual(['new'])
  })

  it('is not taken from clients that would be faster than one that wants a lot at once', () => {
    const { budget, dropped, progress, hold, pass } = start()
    hold('steady', 25)
    hold('slow', 20)
    pass(1_000)
    progress.steady = 1_000_000
    expect(budget.takeUnread(40)).toBe(false)
    expect(dropped).toEqual([])
    expect(budget.takeUnread(10)).toBe(true)
    expect(dropped).toEqual(['slow'])
  })

  it('is refused beyond that', () => {
    const { budget, hold } = start()
    hold('first', 45)
    expect([budget.takeUnread(6), budget.takeUnread(5)]).toEqual([false, true])
    expect([budget.take(50), budget.take(1)]).toEqual([true, false])
  })
})

it('leaves room for small bodies, whatever number of large ones is collected', () => {
  const budget = createByteBudget(1_000)
  const bodies = Array.from({ length: 9 }, () => 0)
  for (let piece = 0; piece < 100; piece++) {
    for (const [index, had] of bodies.entries()) if (budget.take(10, had)) bodies[index] = had + 10
  }
  expect(Math.max(...bodies)).toBeLessThanOrEqual(200)
  expect([budget.take(80), budget.take(1_000)]).toEqual([true, false])
  const alone = createByteBudget(1_000)
  for (let had = 0; had < 1_000; had += 10) expect(alone.take(10, had)).toBe(true)
})

it('asks a connection how much was taken once a second at most', () => {
  const { budget, hold, pass } = start()
  const taken = vi.fn(() => 0)
  const reader = hold('small pieces', 10, {})
  reader.client = { connection: {}, taken }
  for (let piece = 0; piece < 3_000; piece++) {
    pass(1)
    budget.hold(reader)
  }
  expect(taken.mock.calls.length).toBeLessThanOrEqual(3)
})
