import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { short } from '../test/setup/long.js'
import { coalesceReads } from './single-flight.js'

const microtasks = async (count: number) => {
  for (let index = 0; index < count; index++) await undefined
}

test('in whatever microtask callers come, each gets what was read after its call, and one read is on its way', async () => {
  const arrival = fc.oneof(fc.constantFrom('answer' as const, 'failure' as const), fc.nat(6))
  const turns = fc.array(fc.array(arrival, { maxLength: 5 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(turns, async (arrivals) => {
      let value = 0 // a new one with each call
      let onTheWay = 0
      const replies: ((error?: Error) => void)[] = []
      const get = coalesceReads(async () => {
        const read = value
        expect(++onTheWay).toBe(1)
        try {
          await new Promise<void>((resolve, reject) => replies.push((error) => (error ? reject(error) : resolve())))
        } finally {
          onTheWay--
        }
        return read
      })
      const asked: Promise<void>[] = []
      const ask = async (delay: number) => {
        await microtasks(delay)
        const called = ++value
        const read = await Promise.resolve(get('key')).catch(({ message }) => {
          if (message !== 'no connection') throw new Error(message)
        })
        if (read !== undefined) expect(read).toBeGreaterThanOrEqual(called)
      }
      for (const some of arrivals) {
        for (const each of some) {
          if (typeof each === 'number') asked.push(ask(each))
          else replies.shift()?.(each === 'failure' ? new Error('no connection') : undefined)
        }
        await setImmediate()
      }
      const all = Promise.all(asked)
      for (let index = 0; index <= value + 1; index++) {
        replies.shift()?.()
        await setImmediate()
      }
      await all
    }),
    { numRuns: short(500, 3_000) },
  )
})

test('what answers at once is not shared, and a read that throws while others wait for the next one fails for them', async () => {
  const replies: (() => void)[] = []
  let calls = 0
  const get = coalesceReads((key: string) => {
    if (key === 'at once') return 1
    if (++calls === 2) throw new Error('no store')
    return new Promise<number>((resolve) => replies.push(() => resolve(2)))
  })
  expect(get('at once')).toBe(1)
  const [first, second] = [get('slow'), get('slow')]
  replies.shift()?.()
  expect(await first).toBe(2)
  await expect(second).rejects.toThrow('no store')
})
