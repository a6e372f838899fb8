import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { expect, it } from 'vitest'
import { rest } from '../../../core/cache/testing/harness.js'
import { createRequestStamps } from './request-stamps.js'

const stampOf = (sequence: number, epoch = 'e') => ({ epoch, sequence })

/** Starts a record with a clock, and a request that is the current one until another is. */
function start(settle: (() => Promise<unknown>) | undefined = async () => {}) {
  let time = 0
  let work: { requestStartTime: number } | undefined
  const record = createRequestStamps(
    () => time,
    () => work,
    settle,
  )
  return {
    ...record,
    request: (requestStartTime = time) => ({ requestStartTime }),
    enter(next: typeof work) {
      work = next
    },
    pass(milliseconds: number) {
      time += milliseconds
    },
  }
}

it('the result of a function is as old as what its request has read first', async () => {
  const { note, beginFill, request, enter } = start()
  enter(request())
  for (const sequence of [3, 5]) note(stampOf(sequence))
  expect(await beginFill()(stampOf(5))).toEqual(stampOf(3))
  enter(request())
  note(stampOf(5))
  expect(await beginFill()(stampOf(4))).toEqual(stampOf(3)) // the other result ended after it had begun
})

it('it is as old as any that another request has made since its own began, and not older', async () => {
  const { note, beginFill, request, enter, pass } = start()
  enter(request())
  note(stampOf(1))
  const end = beginFill()
  pass(10)
  const second = request()
  pass(10)
  await end(stampOf(2))
  enter(second)
  note(stampOf(7))
  expect(await beginFill()(stampOf(7))).toEqual(stampOf(1))
  pass(10)
  enter(request())
  note(stampOf(9))
  expect(await beginFill()(stampOf(9))).toEqual(stampOf(9))
})

it('it is not known how old it is with stamps of two epochs, or without one', async () => {
  const { note, beginFill, request, enter } = start()
  enter(request())
  note(stampOf(1, 'other'))
  expect(await beginFill()(stampOf(2))).toBeUndefined()
  expect(await beginFill()(undefined)).toBeUndefined()
})

it('outside of Next.js it is as old as its render', async () => {
  const { note, beginFill, pass } = start()
  note(stampOf(1))
  beginFill()(stampOf(2))
  pass(1)
  expect(await beginFill()(stampOf(3))).toEqual(stampOf(3))
})

it('results of long ago are forgotten', async () => {
  const { beginFill, request, enter, pass } = start()
  enter(undefined)
  beginFill()(stampOf(1))
  pass(200_000)
  beginFill()(stampOf(2))
  enter({ ...request(), requestStartTime: 0 })
  expect(await beginFill()(stampOf(3))).toEqual(stampOf(2))
})

it('one that is still running is no part of it, and makes it no older', async () => {
  const { beginFill, note, request, enter } = start()
  enter(request())
  note(stampOf(1))
  beginFill() // never ends
  enter(request())
  expect(await beginFill()(stampOf(2))).toEqual(stampOf(2))
})

it('one that was read from the same stream may be noted a moment later', async () => {
  const { beginFill, note, request, enter } = start(rest)
  enter(request())
  note(stampOf(1))
  const endInner = beginFill()
  enter(request())
  const outer = beginFill()(stampOf(2))
  void endInner(stampOf(2))
  expect(await outer).toEqual(stampOf(1))
})

it('is the oldest of all that count, in any order of fills', async () => {
  const step = record({
    kind: constantFrom('begin', 'end', 'pass'),
    number: nat(9),
    epoch: constantFrom('e', 'e', 'e', 'f'),
  })
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), async (steps) => {
      const { beginFill, request, enter, pass } = start()
      let time = 0
      const fills: {
        since: number
        endedAt: number
        known?: ReturnType<typeof stampOf>
        end: ReturnType<typeof beginFill>
      }[] = []
      for (const { kind, number, epoch } of steps) {
        const running = fills.filter(({ endedAt }) => endedAt === Number.POSITIVE_INFINITY)
        const fill = running[number % Math.max(1, running.length)]
        if (kind === 'pass') {
          pass(number)
          time += number
        } else if (kind === 'begin') {
          const since = Math.max(0, time - number)
          enter(request(since))
          fills.push({ since, endedAt: Number.POSITIVE_INFINITY, end: beginFill() })
        } else if (fill) {
          fill.known = stampOf(number, epoch)
          fill.endedAt = time
          const counting = fills.flatMap(({ endedAt, known }) => (endedAt >= fill.since && known ? [known] : []))
          const isOneEpoch = counting.every((stamp) => stamp.epoch === epoch)
          const oldest = Math.min(...counting.map(({ sequence }) => sequence))
          expect(await fill.end(fill.known)).toEqual(isOneEpoch ? stampOf(oldest, epoch) : undefined)
        }
      }
    }),
    { numRuns: 1_000 },
  )
})

it('many fills in two minutes take no longer each than few', async () => {
  const { beginFill, request, enter, pass } = start()
  for (let number = 0; number < 100_000; number++) {
    enter(request())
    expect((await beginFill()(stampOf(number)))?.sequence).toBe(number - (number % 2))
    if (number % 2 === 1) pass(0.1)
  }
})
