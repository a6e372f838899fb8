import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSharedWork, type Work } from './single-flight.js'

/** Work that announces and ends when it is told to, and counts how often it was begun and aborted. */
const controlled = () => {
  const calls: { announce: (early: string) => void; resolve: (value: string) => void; signal: AbortSignal }[] = []
  const work: Work<string, string> = (signal, announce) =>
    new Promise((resolve, reject) => {
      calls.push({ announce, resolve, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { work, calls, at: (index: number) => calls[index] as (typeof calls)[number] }
}

test('fifty who want the same wait for one piece of work', async () => {
  const share = createSharedWork<string, string>()
  const { work, calls, at } = controlled()
  const waiting = Array.from({ length: 50 }, () => share('a', work))
  await setImmediate()
  at(0).resolve('done')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']))
  expect(calls.length).toBe(1)
})

test('other keys are other work, and nothing is kept', async () => {
  const share = createSharedWork<string, string>()
  const begun: string[] = []
  const work = (name: string) => async () => {
    begun.push(name)
    return name
  }
  await Promise.all([share('a', work('a')), share('b', work('b'))])
  expect(await share('a', work('a again'))).toBe('a again')
  expect(begun).toEqual(['a', 'b', 'a again'])
})

test('a failure reaches all and is not kept', async () => {
  const share = createSharedWork<string, string>()
  const fail = async () => {
    throw new Error('failed')
  }
  const results = await Promise.allSettled([share('a', fail), share('a', fail)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await share('a', async () => 'well')).toBe('well')
})

test('the work goes on while one is left, and is aborted when the last one leaves', async () => {
  const share = createSharedWork<string, string>()
  const { work, at, calls } = controlled()
  const leaving = [new AbortController(), new AbortController()]
  const waiting = leaving.map(({ signal }) => share('a', work, { signal }))
  await setImmediate()
  leaving[0]?.abort(new Error('gone'))
  await expect(waiting[0]).rejects.toThrow('gone')
  expect(at(0).signal.aborted).toBe(false)
  leaving[1]?.abort(new Error('gone too'))
  await expect(waiting[1]).rejects.toThrow('gone too')
  expect(at(0).signal.aborted).toBe(true)

  const next = share('a', work)
  await setImmediate()
  expect(calls.length).toBe(2)
  at(1).resolve('anew')
  expect(await next).toBe('anew')
})

test('who has left already begins nothing', async () => {
  const share = createSharedWork<string, string>()
  const { work, calls } = controlled()
  await expect(share('a', work, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  expect(calls.length).toBe(0)
})

test('whoever has enough with the announcement gets it, early or late; the others get the result', async () => {
  const share = createSharedWork<string, string>()
  const { work, at } = controlled()
  const enough = (early: string) => early === 'tag'
  const first = share('a', work, { enough })
  const second = share('a', work)
  await setImmediate()
  at(0).announce('tag')
  expect(await first).toBe('tag')
  expect(await share('a', work, { enough })).toBe('tag')
  expect(at(0).signal.aborted).toBe(false)
  at(0).resolve('result')
  expect(await second).toBe('result')
})

test('the work is aborted when all have enough', async () => {
  const share = createSharedWork<string, string>()
  const { work, at } = controlled()
  const only = share('a', work, { enough: () => true })
  await setImmediate()
  at(0).announce('tag')
  expect(await only).toBe('tag')
  expect(at(0).signal.aborted).toBe(true)
})
