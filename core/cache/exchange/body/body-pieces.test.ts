import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createByteBudget } from '../../../byte-budget.js'
import { createBodyPieces } from './body-pieces.js'

const budgetBytes = 1_000
const [push, read, open, leave, stop, wait, want, store, other, release, end] = [
  fc.record({
    do: fc.constant('push' as const),
    bytes: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 300 })),
  }),
  fc.record({ do: fc.constant('read' as const), reader: fc.nat(5) }),
  fc.record({ do: fc.constant('open' as const) }),
  fc.record({ do: fc.constant('leave' as const), reader: fc.nat(5) }),
  fc.record({ do: fc.constant('stop' as const) }),
  fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(100, 1_100, 6_000) }),
  fc.record({ do: fc.constant('want' as const) }),
  fc.record({ do: fc.constant('store' as const) }),
  fc.record({ do: fc.constant('other' as const), bytes: fc.constantFrom(50, 300, 450, 480) }),
  fc.record({ do: fc.constant('release' as const) }),
  fc.record({ do: fc.constant('end' as const) }),
]
const weights = [
  [push, 4],
  [read, 4],
  [want, 3],
  [wait, 2],
  [other, 1],
  [release, 1],
  [open, 1],
] as const
const operation = fc.oneof(...weights.map(([arbitrary, weight]) => ({ arbitrary, weight })))
const operations = fc.array(fc.oneof({ arbitrary: operation, weight: 20 }, leave, stop, store, end), {
  maxLength: 60,
  size: 'max',
})

/** Opens a body for two readers. */
const openTwice = (budget: ReturnType<typeof createByteBudget>) => {
  const pieces = createBodyPieces({ maxBytes: 5_000, budget })
  const [slow, fast] = [pieces.open(() => {})?.getReader(), pieces.open(() => {})?.getReader()]
  slow?.closed.catch(() => {})
  return { pieces, slow, fast }
}

test('whatever happens to a body, nothing of it is reserved in the end, and readers get its bytes', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (steps) => {
      let now = 0
      const budget = createByteBudget(budgetBytes, {
        maxUnread: budgetBytes / 2,
        stallTime: 5_000,
        clock: () => now,
      })
      const body: number[] = []
      const pieces = createBodyPieces({ maxBytes: 700, budget })
      const readers: { reader: ReadableStreamDefaultReader<Uint8Array>; position: number; pending: Promise<void>[] }[] =
        []
      const others: number[] = []
      let isOver = false
      let wanted: Promise<unknown> | undefined
      for (const step of [{ do: 'open' as const }, { do: 'open' as const }, ...steps]) {
        if (step.do === 'push' && !isOver) {
          const bytes = Uint8Array.from({ length: step.bytes }, (_, index) => (body.length + index) % 251)
          body.push(...bytes)
          pieces.push(bytes)
        } else if (step.do === 'open') {
          const reader = pieces.open(() => {})?.getReader()
          reader?.closed.catch(() => {})
          if (reader) readers.push({ reader, position: 0, pending: [] })
        } else if (step.do === 'read') {
          const open = readers[step.reader]
          const check = async () => {
            const part = await open?.reader.read()
            if (!open || !part?.value) return
            expect([...part.value]).toEqual(body.slice(open.position, open.position + part.value.length))
            open.position += part.value.length
          }
          // A read waits for what comes. One at a time, as servers read.
          if (open) open.pending = [Promise.all(open.pending).then(check)]
          open?.pending[0]?.catch(() => {})
        } else if (step.do === 'leave') await readers[step.reader]?.reader.cancel().catch(() => {})
        else if (step.do === 'stop') pieces.stopCollecting()
        else if (step.do === 'wait') now += step.milliseconds
        else if (step.do === 'want') wanted ??= pieces.wantsMore().finally(() => (wanted = undefined))
        else if (step.do === 'store' && isOver)
          pieces.readFrom((start, stop) => Uint8Array.from(body.slice(start, stop)))
        else if (step.do === 'other') {
          if (budget.take(step.bytes)) budget.release(step.bytes)
          if (budget.takeUnread(step.bytes)) others.push(step.bytes)
        } else if (step.do === 'release') budget.releaseUnread(others.pop() ?? 0)
        else if (step.do === 'end') {
          isOver = true
          pieces.end({})
        }
        for (let turn = 0; turn < 10; turn++) await undefined
      }
      pieces.stopCollecting()
      pieces.end({})
      await Promise.all(readers.map(({ reader }) => reader.cancel().catch(() => {})))
      for (const { pending } of readers) {
        await Promise.all(pending).catch((error) => {
          if (!/too slow/.test(error.message)) throw error
        })
      }
      await wanted
      for (const bytes of others) budget.releaseUnread(bytes)
      expect([budget.takeUnread(budgetBytes / 2), budget.take(budgetBytes / 2)]).toEqual([true, true])
    }),
    { numRuns: 8_000 },
  )
})

test('room that is made by dropping the reader of the very piece is returned, and the reader beside it goes on', async () => {
  let now = 0
  const budget = createByteBudget(1_000, { maxUnread: 500, stallTime: 5_000, clock: () => now })
  const { pieces, slow, fast } = openTwice(budget)
  pieces.push(new Uint8Array(300))
  expect(budget.take(700)).toBe(true)
  pieces.push(new Uint8Array(200)) // finds no room
  for (const length of [300, 200]) expect((await fast?.read())?.value).toHaveLength(length)
  now = 6_000
  expect(await pieces.wantsMore()).toBe(true)
  await expect(slow?.read()).rejects.toThrow('its reader was too slow')
  budget.release(700)
  await fast?.cancel()
  expect(budget.take(1_000)).toBe(true)
})

test('a reader that is dropped although that makes too little room is gone, and the one beside it goes on', async () => {
  let now = 0
  const budget = createByteBudget(1_000, { maxUnread: 500, stallTime: 5_000, clock: () => now })
  expect(budget.takeUnread(480)).toBe(true)
  const { pieces, slow, fast } = openTwice(budget)
  pieces.stopCollecting()
  for (const length of [10, 50, 50]) {
    pieces.push(new Uint8Array(length))
    expect((await fast?.read())?.value).toHaveLength(length)
  }
  now = 2_000
  expect(await pieces.wantsMore()).toBe(true)
  await expect(slow?.read()).rejects.toThrow('its reader was too slow')
  budget.releaseUnread(480)
  await fast?.cancel()
  expect(budget.takeUnread(500)).toBe(true)
})

test('a fast reader waits for a slow one for a second in all, not for each piece', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const budget = createByteBudget(1_000, { maxUnread: 500, stallTime: 5_000 })
  const { pieces, slow, fast } = openTwice(budget)
  pieces.stopCollecting()
  expect(budget.take(1_000)).toBe(true)
  for (const milliseconds of [600, 1_200]) {
    pieces.push(new Uint8Array(10))
    await fast?.read()
    const wanted = pieces.wantsMore()
    now.mockReturnValue(milliseconds)
    await slow?.read()
    expect(await wanted).toBe(true)
  }
  pieces.push(new Uint8Array(10))
  await fast?.read()
  expect(await pieces.wantsMore()).toBe(true)
  await expect(slow?.read()).rejects.toThrow('its reader was too slow')
})
