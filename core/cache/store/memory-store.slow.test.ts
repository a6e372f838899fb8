import { expect, it } from 'vitest'
import { memoryStore } from '../index.js'
import { cacheable, startCache } from '../testing/harness.js'

it('the memory store keeps the pages that visitors request, however many URLs a client makes up', async () => {
  let time = 0
  const store = memoryStore({ maxBytes: 1_000_000, clock: () => time })
  const cache = startCache({ store })
  cache.serve(() => cacheable('x'.repeat(10_000)))
  const pages = Array.from({ length: 20 }, (_, page) => `/${page}`)
  for (const page of [...pages, ...pages]) await cache.get(page)
  // 100 made-up URLs a second, while each page is visited every 20 seconds.
  for (let number = 0; number < 5_000; number++) {
    await cache.get(`${pages[number % 20]}?x=${number}`)
    if (number % 100 === 0) await cache.get(pages[(number / 100) % 20] as string)
    time += 10
  }
  for (const page of pages) expect((await cache.get(page)).cacheStatus, page).toContain('hit')
})
