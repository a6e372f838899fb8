import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRevalidateEndpoint, type RevalidateOptions } from './index.js'

const secret = 'test-secret'
const log = vi.fn<(message: string, detail: Record<string, unknown>) => void>()
const invalidate = vi.fn<(tags: string[]) => unknown>()
const down = async () => Promise.reject(new Error('the index is down'))
beforeEach(() => {
  vi.useFakeTimers()
  log.mockReset()
  invalidate.mockReset()
})
afterEach(() => void vi.useRealTimers())

/** Creates an endpoint whose payloads are lists of tags, and returns the function that sends one. */
function startEndpoint(options: Partial<RevalidateOptions> = {}) {
  const getTags = (payload: unknown) => payload as string[]
  const endpoint = createRevalidateEndpoint({ secret, getTags, invalidate, log, ...options } as RevalidateOptions)
  return async (tags: readonly string[]) => {
    const headers = { Authorization: `Bearer ${secret}` }
    const init = { method: 'POST', headers, body: JSON.stringify(tags) }
    const response = await endpoint(new Request('https://site.test/api/revalidate', init))
    return response?.status
  }
}
/** Returns the tags of each call of `invalidate` since the last call of this function. */
function takeCalls() {
  const calls = invalidate.mock.calls.map(([tags]) => tags)
  invalidate.mockClear()
  return calls
}

it('a purge that failed is tried again until it succeeds, without the CMS', async () => {
  invalidate.mockImplementation(down)
  const send = startEndpoint()
  expect(await send(['menu'])).toBe(503)
  expect(takeCalls()).toEqual([['menu']])
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
    expect(takeCalls()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(takeCalls()).toEqual([['menu']])
  }
  invalidate.mockResolvedValue(undefined)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(takeCalls()).toEqual([['menu']])
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(takeCalls()).toEqual([])
  expect(log.mock.calls.at(-1)).toEqual([
    'Pages purged',
    { reason: '1 tags, after a failure', path: '/api/revalidate', tags: ['menu'] },
  ])
})

it('a purge that always fails holds up no other', async () => {
  invalidate.mockImplementation(down)
  const send = startEndpoint()
  await send(['broken'])
  await send(['menu'])
  takeCalls()
  invalidate.mockImplementation((tags) => (tags.includes('broken') ? down() : undefined))
  await vi.advanceTimersByTimeAsync(7_000)
  expect(takeCalls()).toEqual([['broken'], ['menu'], ['broken'], ['broken']])
})

it('a purge that takes longer than the timeout counts as failed', async () => {
  invalidate.mockReturnValueOnce(new Promise(() => {}))
  const status = startEndpoint({ timeout: 100 })(['menu'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await status).toBe(503)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(takeCalls()).toEqual([['menu'], ['menu']])
})

it('more than 1,000 tags become one purge of all pages, with the images and paths', async () => {
  invalidate.mockImplementation(down)
  const images = {
    tagOf: (src: string) => (src.startsWith('https://images.test/') ? src : undefined),
    invalidate: async () => {},
  }
  const send = startEndpoint({ images })
  const places = ['/about', 'https://images.test/cat.jpg']
  await send(places)
  for (let count = 0; count < 5; count++) await send(Array.from({ length: 300 }, (_, index) => `${count}:${index}`))
  takeCalls()
  invalidate.mockResolvedValue(undefined)
  await vi.advanceTimersByTimeAsync(1_000)
  const calls = takeCalls()
  expect(calls[0]).toEqual(['document', ...places])
  expect(calls.flat().length).toBeLessThanOrEqual(1_000)
})

it('a payload whose tags cannot be told is not tried again', async () => {
  const getTags = () => {
    throw new Error('no such field')
  }
  expect(await startEndpoint({ getTags })(['menu'])).toBe(503)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(takeCalls()).toEqual([])
})
