import { expect, test, vi } from 'vitest'
import { createOriginLimiter } from './origin-limiter.js'
import { createSharedLoads } from './shared-loads.js'

/** Loads by hand: one at a time. */
const start = () => {
  const share = createSharedLoads<string>()
  const limit = createOriginLimiter({ concurrency: 1, maxQueue: 9 })('origin')
  const loads: { resolve(value: string): void; reject(error: unknown): void; signal: AbortSignal }[] = []
  const load = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      loads.push({ resolve, reject, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const never = new AbortController().signal
  const use = <T>(key: string, work: (loaded: string) => Promise<T>, signal = never) => {
    const used = share(key, { limit, load }, work, signal)
    used.catch(() => {})
    return used
  }
  return { loads, use }
}
const settle = () => new Promise((resolve) => setTimeout(resolve))

test('is loaded once for all who want it, also for those who come while others use it', async () => {
  const { loads, use } = start()
  let end = (_: string) => {}
  const slow = use('a', () => new Promise<string>((resolve) => (end = resolve)))
  const quick = use('a', async (loaded) => `${loaded} 2`)
  await settle()
  loads[0]?.resolve('A')
  expect(await quick).toBe('A 2')
  expect(await use('a', async (loaded) => `${loaded} 3`)).toBe('A 3')
  expect(loads).toHaveLength(1)
  end('A 1')
  expect(await slow).toBe('A 1')
  use('a', async () => {})
  await settle()
  expect(loads).toHaveLength(2)
})

test('keeps its place until the last one has used it', async () => {
  const { loads, use } = start()
  const ends: (() => void)[] = []
  const hold = () => new Promise<void>((resolve) => ends.push(resolve))
  for (let each = 0; each < 2; each++) use('a', hold)
  use('b', hold)
  await settle()
  loads[0]?.resolve('A')
  await settle()
  ends[0]?.()
  await settle()
  expect(loads).toHaveLength(1)
  ends[1]?.()
  await settle()
  expect(loads).toHaveLength(2)
})

test('fails for all who wait, and is loaded again for who comes then', async () => {
  const { loads, use } = start()
  const work = vi.fn(async () => {})
  const all = [use('a', work), use('a', work)]
  await settle()
  loads[0]?.reject(new Error('broken'))
  for (const each of all) await expect(each).rejects.toThrow('broken')
  const again = use('a', async (loaded) => loaded)
  await settle()
  loads[1]?.resolve('A')
  expect(await again).toBe('A')
  expect(work).not.toHaveBeenCalled()
})

test('ends when all have left, and not before', async () => {
  const { loads, use } = start()
  const clients = [new AbortController(), new AbortController()]
  const all = clients.map(({ signal }) => use('a', async (loaded) => loaded, signal))
  await settle()
  clients[0]?.abort(new Error('gone'))
  await expect(all[0]).rejects.toThrow('gone')
  expect(loads[0]?.signal.aborted).toBe(false)
  clients[1]?.abort(new Error('gone, too'))
  await expect(all[1]).rejects.toThrow('gone, too')
  expect(loads[0]?.signal.aborted).toBe(true)
  const next = use('a', async (loaded) => loaded)
  await settle()
  loads[1]?.resolve('A')
  expect(await next).toBe('A')
})

test('gives its place back whatever its use throws', async () => {
  const { loads, use } = start()
  const failed = use('a', () => Promise.reject(new Error('use')))
  await settle()
  loads[0]?.resolve('A')
  await expect(failed).rejects.toThrow('use')
  use('b', async () => {})
  await settle()
  expect(loads).toHaveLength(2)
})
