import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { createContentTags } from '../content/index.js'
import type { ResponseCacheOptions } from './index.js'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

const visitors = 200

/** Starts a cache whose handler takes a millisecond. `most` is how many of its renders ran at the same time. */
function start(options: Partial<ResponseCacheOptions>) {
  const site = startCache(options)
  let [current, most] = [0, 0]
  site.serve(async () => {
    most = Math.max(most, ++current)
    await new Promise((resolve) => setTimeout(resolve, 1))
    current--
    return cacheable('page')
  })
  return { ...site, most: () => most }
}

it('after a purge of all pages, no more than maxRenders of 200 pages render at the same time', async () => {
  const site = start({ maxRenders: 5 })
  const visitAll = () => Promise.all(Array.from({ length: visitors }, (_, page) => site.get(`/${page}`)))
  await visitAll()
  await site.invalidate(['document'])
  const answers = await visitAll()
  expect(answers.map(({ status }) => status)).toEqual(Array(visitors).fill(200))
  expect([site.most(), site.requests.length]).toEqual([5, 2 * visitors])
})

it('a render does not start if its visitor has left while it waited', async () => {
  const site = startCache({ maxRenders: 1 })
  const gate = deferred()
  site.serve(async () => {
    await gate.promise
    return cacheable('page')
  })
  const first = site.get('/1')
  const controller = new AbortController()
  const second = site.get('/2', {}, { signal: controller.signal }).catch(() => 'left')
  await rest()
  controller.abort()
  expect(await second).toBe('left')
  gate.resolve()
  expect((await first).status).toBe(200)
  await rest()
  expect(site.requests.map(({ url }) => new URL(url).pathname)).toEqual(['/1'])
})

it('a page that requests another page while it renders gets it: at once with content, or after joinTimeout', async () => {
  const content = createContentTags({ sources: [], context: new AsyncLocalStorage() })
  for (const options of [{ content }, { joinTimeout: 100 }]) {
    const site = startCache({ maxRenders: 1, ...options })
    site.serve(async ({ url }) => {
      if (url.endsWith('/page')) await site.get('/part')
      return cacheable('text')
    })
    expect((await site.get('/page')).body).toBe('text')
  }
})
