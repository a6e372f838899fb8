import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { createContentTags } from '../content/index.js'
import { createRandom } from '../content/testing/graph.js'
import { createResponseCache, memoryStore } from './index.js'
import { limitHeaders } from './lifetime-limit.js'
import { cacheable, startCache } from './testing/harness.js'

const midnight = Date.UTC(2026, 0, 1)
const context = new AsyncLocalStorage()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: midnight })
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - midnight)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function start(render: (content: ReturnType<typeof createContentTags>) => Response | Promise<Response>) {
  const content = createContentTags({ sources: [], context })
  const store = memoryStore({ maxBytes: 1_000_000, clock: () => performance.now() })
  const site = startCache({ content, store })
  site.serve(() => render(content))
  return { ...site, content }
}

const week = 7 * 86_400

it('after a date, no answer shows the text of before, whatever the lifetime and the stale windows', async () => {
  let hits = 0
  for (let seed = 0; seed < rounds(15); seed++) {
    const { below, pick } = createRandom(seed)
    const dates = Array.from({ length: 10 }, () => Date.now() + below(100_000)).sort((a, b) => a - b)
    const textAt = (time: number) => `text ${dates.filter((date) => date <= time).length}`
    const lifetime = `s-maxage=${pick([1, 60, week])}`
    const windows = pick(['', ', stale-while-revalidate=600', ', stale-if-error=600', `, stale-if-error=${week}`])
    const site = start(async (content) => {
      const text = textAt(Date.now())
      for (const date of dates) content.until(pick([date, new Date(date), new Date(date).toISOString()]))
      if (below(10) === 0) vi.advanceTimersByTime(below(3000)) // a date may pass during the render
      if (below(10) === 0) throw new Error('down')
      return cacheable(text, { 'Cache-Control': `${lifetime}${windows}` })
    })
    for (let visit = 0; visit < 60; visit++) {
      const before = Date.now()
      const headers = pick<Record<string, string>>([{}, {}, { 'Cache-Control': 'max-stale' }])
      const { status, body, cacheStatus } = await site
        .get('/', headers)
        .catch(() => ({ status: 0, body: '', cacheStatus: '' }))
      if (status === 200) expect([textAt(before), textAt(Date.now())], `seed ${seed}, ${cacheStatus}`).toContain(body)
      if (cacheStatus.includes('; hit')) hits++
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(below(4000))
    }
  }
  expect(hits).toBeGreaterThan(rounds(15) * 10)
})

it('a date that a streamed page notes after its head ends the stored page, and is logged', async () => {
  const site = start((content) => {
    const stream = new ReadableStream(
      {
        async pull(controller) {
          await Promise.resolve()
          content.until(midnight + 10_000)
          controller.enqueue(new TextEncoder().encode('events'))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return cacheable(stream, { 'Cache-Control': 's-maxage=60, stale-while-revalidate=60' })
  })
  await site.get()
  await site.stored()
  vi.advanceTimersByTime(5000)
  const hit = await site.get()
  expect(hit.headers.get('cache-control')).toBe('s-maxage=9, stale-while-revalidate=0')
  expect(site.log.mock.calls[0]?.[0]).toBe('Response cache: a date came after the head, so no CDN knows it')
  vi.advanceTimersByTime(5000)
  expect((await site.get()).cacheStatus).toContain('fwd=stale')
})

it('a page of parts ends with the earliest of them, and a value that is kept ends the pages that show it', async () => {
  const content = createContentTags({ sources: [], context })
  const store = memoryStore({ maxBytes: 1_000_000, clock: () => performance.now() })
  const cache = createResponseCache({ store, content })
  const menu = await content.collect(() => content.until(midnight + 100_000))
  const part = cache.wrap(async () => {
    content.until(midnight + 50_000)
    return cacheable('part', { 'Cache-Control': 's-maxage=600' })
  })
  const page = cache.wrap(async ({ url }) => {
    content.until(menu.until)
    if (url.endsWith('parts')) await part(new Request('https://site.test/part'))
    return cacheable('page', { 'Cache-Control': 's-maxage=600' })
  })
  const fieldOf = async (path: string) => {
    const response = await page(new Request(`https://site.test${path}`))
    return response.headers.get('cache-control')
  }
  expect(await fieldOf('/')).toBe('s-maxage=99')
  expect(await fieldOf('/parts')).toBe('s-maxage=48')
})

it('a page that a 304 confirms keeps its date', async () => {
  let visits = 0
  const site = start((content) => {
    if (visits++ === 0) content.until(midnight + 90_500)
    const headers = { ETag: '"1"', 'Cache-Control': 's-maxage=60' }
    return visits === 1 ? cacheable('events', headers) : new Response(null, { status: 304, headers })
  })
  expect((await site.get()).cacheStatus).toContain('stored')
  await site.stored()
  vi.advanceTimersByTime(70_000)
  const confirmed = await site.get()
  expect(confirmed.headers.get('cache-control')).toBe('s-maxage=19')
  await site.stored()
  vi.advanceTimersByTime(19_000)
  expect((await site.get()).cacheStatus).toContain('; hit')
  vi.advanceTimersByTime(2000)
  expect((await site.get()).cacheStatus).toContain('fwd=stale')
})

it.each<[Record<string, string>, Record<string, string | null>]>([
  [{ 'Cache-Control': 'public, s-maxage=3600, max-age=5' }, { 'cache-control': 'public, s-maxage=99, max-age=5' }],
  [{ 'Cache-Control': 's-maxage=60, stale-if-error=600' }, { 'cache-control': 's-maxage=60, stale-if-error=39' }],
  [{ 'Cache-Control': 'S-MaxAge="3600"' }, { 'cache-control': 'S-MaxAge="99"', 'x-accel-expires': '@1767225699' }],
  [{ 'CDN-Cache-Control': 'max-age=600' }, { 'cdn-cache-control': 'max-age=99', 'x-accel-expires': null }],
  [{ 'Surrogate-Control': 'max-age=600' }, { 'surrogate-control': 'max-age=99' }],
  [{ 'Cache-Control': 'private, max-age=600' }, { 'cache-control': 'private, max-age=99', 'x-accel-expires': null }],
  [{ 'Cache-Control': 'no-store' }, { 'cache-control': 'no-store', 'x-accel-expires': null }],
  [{ Expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, { expires: 'Thu, 01 Jan 2026 00:01:39 GMT' }],
  [{ Expires: 'Thu, 01 Jan 2026 00:00:10 GMT' }, { expires: 'Thu, 01 Jan 2026 00:00:10 GMT' }],
])('the end in 100 seconds changes %o to %o', (sent, expected) => {
  const headers = new Headers(sent)
  limitHeaders(headers, { fresh: 100.5, total: 100.5 })
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected)
})

it('a date before the render, no date, and a date outside of a render change nothing', async () => {
  const site = start((content) => {
    for (const date of [midnight - 1, null, undefined]) content.until(date)
    return cacheable('page')
  })
  site.content.until(midnight + 1000)
  expect((await site.get()).headers.get('cache-control')).toBe('s-maxage=60')
  expect(() => site.content.until('tomorrow')).toThrow("until: expected a date, got 'tomorrow'")
})
