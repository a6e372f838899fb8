import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchReads } from './batch-reads.js'

const microtasks = async (count: number) => {
  for (let index = 0; index < count; index++) await undefined
}

test('each caller gets the answer to its own query, in whatever microtask it comes', async () => {
  // What arrives in one turn of the event loop: the answers to the last batch, and requests that ask some microtasks later.
  const arrival = fc.oneof(fc.constant('answers' as const), fc.nat(6))
  const turns = fc.array(fc.array(arrival, { maxLength: 5 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(turns, async (arrivals) => {
      const replies: (() => void)[] = []
      const query = batchReads(async (queries: readonly number[]) => {
        await new Promise<void>((resolve) => replies.push(resolve))
        return queries.map((each) => -each)
      })
      const asked: Promise<void>[] = []
      let count = 0
      const ask = async (delay: number) => {
        await microtasks(delay)
        const id = ++count
        expect(await query(id)).toBe(-id)
      }
      for (const some of arrivals) {
        for (const each of some) {
          if (each === 'answers') replies.shift()?.()
          else asked.push(ask(each))
        }
        await setImmediate()
        // One batch at a time.
        expect(replies.length).toBeLessThanOrEqual(1)
      }
      const all = Promise.all(asked)
      for (let index = 0; index <= count + 1; index++) {
        replies.shift()?.()
        await setImmediate()
      }
      await all
    }),
    { numRuns: 3_000 },
  )
})

test('a batch that fails, fails for its callers only', async () => {
  let calls = 0
  const query = batchReads(async (queries: readonly string[]) => {
    if (++calls === 1) throw new Error('no connection')
    return queries
  })
  const first = query('a')
  await microtasks(3)
  const [failed, second] = await Promise.allSettled([first, query('b')])
  expect([failed.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'b' }])
})

test('another number of answers than of queries is an error for all of them', async () => {
  const query = batchReads(async () => ['one'])
  const asked = await Promise.allSettled([query('a'), query('b')])
  const reason = new TypeError('expected one answer for each of 2 queries, got 1')
  expect(asked).toEqual([1, 2].map(() => ({ status: 'rejected', reason })))
})
