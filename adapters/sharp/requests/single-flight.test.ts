import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSingleFlight, type Work } from './single-flight.js'

/** Work that publishes and ends when the test says so, with a list of its calls. */
const controlled = () => {
  const calls: { publish: (early: string) => void; resolve: (value: string) => void; signal: AbortSignal }[] = []
  const work: Work<string, string> = (signal, publish) =>
    new Promise((resolve, reject) => {
      calls.push({ publish, resolve, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  return { work, calls, at: (index: number) => calls[index] as (typeof calls)[number] }
}

test('fifty callers with the same key share one run', async () => {
  const runOnce = createSingleFlight<string, string>()
  const { work, calls, at } = controlled()
  const waiting = Array.from({ length: 50 }, () => runOnce('a', work))
  await setImmediate()
  at(0).resolve('done')
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['done']))
  expect(calls.length).toBe(1)
})

test('other keys run on their own, and results are not kept', async () => {
  const runOnce = createSingleFlight<string, string>()
  const started: string[] = []
  const work = (name: string) => async () => {
    started.push(name)
    return name
  }
  await Promise.all([runOnce('a', work('a')), runOnce('b', work('b'))])
  expect(await runOnce('a', work('a again'))).toBe('a again')
  expect(started).toEqual(['a', 'b', 'a again'])
})

test('a failure reaches all callers and is not kept', async () => {
  const runOnce = createSingleFlight<string, string>()
  const fail = async () => {
    throw new Error('failed')
  }
  const results = await Promise.allSettled([runOnce('a', fail), runOnce('a', fail)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await runOnce('a', async () => 'well')).toBe('well')
})

test('the work continues while one caller waits, and is aborted when the last one leaves', async () => {
  const runOnce = createSingleFlight<string, string>()
  const { work, at, calls } = controlled()
  const clients = [new AbortController(), new AbortController()]
  const waiting = clients.map(({ signal }) => runOnce('a', work, { signal }))
  await setImmediate()
  clients[0]?.abort(new Error('gone'))
  await expect(waiting[0]).rejects.toThrow('gone')
  expect(at(0).signal.aborted).toBe(false)
  clients[1]?.abort(new Error('gone too'))
  await expect(waiting[1]).rejects.toThrow('gone too')
  expect(at(0).signal.aborted).toBe(true)

  const next = runOnce('a', work)
  await setImmediate()
  expect(calls.length).toBe(2)
  at(1).resolve('anew')
  expect(await next).toBe('anew')
})

test('a caller whose signal has aborted starts nothing', async () => {
  const runOnce = createSingleFlight<string, string>()
  const { work, calls } = controlled()
  await expect(runOnce('a', work, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  expect(calls.length).toBe(0)
})

test('callers for whom the early result is enough get it, before or after it was published; the others get the result', async () => {
  const runOnce = createSingleFlight<string, string>()
  const { work, at } = controlled()
  const isEnough = (early: string) => early === 'tag'
  const first = runOnce('a', work, { isEnough })
  const second = runOnce('a', work)
  await setImmediate()
  at(0).publish('tag')
  expect(await first).toBe('tag')
  expect(await runOnce('a', work, { isEnough })).toBe('tag')
  expect(at(0).signal.aborted).toBe(false)
  at(0).resolve('result')
  expect(await second).toBe('result')
})

test('the work is aborted when the early result is enough for all', async () => {
  const runOnce = createSingleFlight<string, string>()
  const { work, at } = controlled()
  const only = runOnce('a', work, { isEnough: () => true })
  await setImmediate()
  at(0).publish('tag')
  expect(await only).toBe('tag')
  expect(at(0).signal.aborted).toBe(true)
})

test('work that has published goes on when the last caller has left, and the next one joins it', async () => {
  const runOnce = createSingleFlight<string, string>(1)
  const { work, at, calls } = controlled()
  const isEnough = (early: string) => early === 'other'
  for (let visit = 0; visit < 2; visit++) {
    const client = new AbortController()
    const waiting = runOnce('a', work, { signal: client.signal, isEnough })
    await setImmediate()
    at(0).publish('tag')
    client.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  }
  expect(at(0).signal.aborted).toBe(false)
  const next = runOnce('a', work)
  at(0).resolve('result')
  expect(await next).toBe('result')
  expect(calls.length).toBe(1)
})

test('no more works than that go on without a caller, and those that are joined again do not count', async () => {
  const runOnce = createSingleFlight<string, string>(1)
  const { work, at } = controlled()
  const start = async (key: string, index: number) => {
    const client = new AbortController()
    const waiting = runOnce(key, work, { signal: client.signal })
    await setImmediate()
    at(index).publish('tag')
    return async () => {
      client.abort(new Error('gone'))
      await expect(waiting).rejects.toThrow('gone')
    }
  }
  const [leaveA, leaveB, leaveC] = [await start('a', 0), await start('b', 1), await start('c', 2)]
  await leaveA()
  await leaveB()
  expect([0, 1].map((index) => at(index).signal.aborted)).toEqual([false, true])
  const joined = runOnce('a', work)
  await leaveC()
  expect(at(2).signal.aborted).toBe(false)
  at(0).resolve('a')
  expect(await joined).toBe('a')
  at(2).resolve('c')
  await setImmediate()
  const leaveD = await start('d', 3)
  await leaveD()
  expect(at(3).signal.aborted).toBe(false)
  at(3).resolve('d')
})

test('the work is aborted when the early result is enough for all, whoever may go on', async () => {
  const runOnce = createSingleFlight<string, string>(1)
  const { work, at } = controlled()
  const only = runOnce('a', work, { isEnough: () => true })
  await setImmediate()
  at(0).publish('tag')
  expect(await only).toBe('tag')
  expect(at(0).signal.aborted).toBe(true)
})

test('works of one group do not take from another the number that may go on without a caller', async () => {
  const runOnce = createSingleFlight<string, string>(1)
  const { work, at } = controlled()
  for (const [index, group] of ['a', 'a', 'b', undefined].entries()) {
    const client = new AbortController()
    const waiting = runOnce(`${index}`, work, { signal: client.signal, group })
    await setImmediate()
    at(index).publish('tag')
    client.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
  }
  expect([0, 1, 2, 3].map((index) => at(index).signal.aborted)).toEqual([false, true, false, false])
})

test('work knows whether nobody waits for it', async () => {
  const runOnce = createSingleFlight<string, string>(1)
  let isAbandoned = () => true
  let resolve = (_: string) => {}
  const work: Work<string, string> = (_signal, publish, ask) => {
    isAbandoned = ask
    publish('tag')
    return new Promise((settle) => {
      resolve = settle
    })
  }
  const client = new AbortController()
  const left = runOnce('a', work, { signal: client.signal })
  await setImmediate()
  expect(isAbandoned()).toBe(false)
  client.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  expect(isAbandoned()).toBe(true)
  const joined = runOnce('a', work)
  expect(isAbandoned()).toBe(false)
  resolve('result')
  expect(await joined).toBe('result')
})
