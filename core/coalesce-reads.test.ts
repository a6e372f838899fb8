import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coalesceReads } from './async.js'

const microtasks = async (count: number) => {
  for (let index = 0; index < count; index++) await undefined
}

test('each caller gets a value that was read after its call, and only one read is in flight at a time', async () => {
  const anyEvent = fc.oneof(fc.constantFrom('answer' as const, 'failure' as const), fc.nat(6))
  const schedules = fc.array(fc.array(anyEvent, { maxLength: 5 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      let value = 0 // increases with each call
      let inFlight = 0
      const replies: ((error?: Error) => void)[] = []
      const get = coalesceReads(async () => {
        const read = value
        expect(++inFlight).toBe(1)
        try {
          await new Promise<void>((resolve, reject) => replies.push((error) => (error ? reject(error) : resolve())))
        } finally {
          inFlight--
        }
        return read
      })
      const calls: Promise<void>[] = []
      const call = async (delay: number) => {
        await microtasks(delay)
        const called = ++value
        const read = await Promise.resolve(get('key')).catch(({ message }) => {
          if (message !== 'no connection') throw new Error(message)
        })
        if (read !== undefined) expect(read).toBeGreaterThanOrEqual(called)
      }
      for (const turn of schedule) {
        for (const event of turn) {
          if (typeof event === 'number') calls.push(call(event))
          else replies.shift()?.(event === 'failure' ? new Error('no connection') : undefined)
        }
        await setImmediate()
      }
      const settled = Promise.all(calls)
      for (let index = 0; index <= value + 1; index++) {
        replies.shift()?.()
        await setImmediate()
      }
      await settled
    }),
    { numRuns: 500 },
  )
})

test('a synchronous answer is not shared, and a read that throws rejects for the callers that wait for it', async () => {
  const replies: (() => void)[] = []
  let calls = 0
  const get = coalesceReads((key: string) => {
    if (key === 'synchronous') return 1
    if (++calls === 2) throw new Error('no store')
    return new Promise<number>((resolve) => replies.push(() => resolve(2)))
  })
  expect(get('synchronous')).toBe(1)
  const [first, second] = [get('slow'), get('slow')]
  replies.shift()?.()
  expect(await first).toBe(2)
  await expect(second).rejects.toThrow('no store')
})
