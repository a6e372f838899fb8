import { expect, it } from 'vitest'
import { startCache } from '../../testing/harness.js'
import { createSelectingFields } from '../keys/selecting-fields.js'
import { createVaryKey } from '../keys/vary-key.js'
import { createSharedPages } from './shared-pages.js'

const site = 'https://site.test'

it.each([
  ['queries', (number: number) => [`${site}/search?q=${number}`, 200]],
  ['long queries', (number: number) => [`${site}/search?q=${'x'.repeat(8_000)}${number}`, 200]],
  ['paths where there is nothing', (number: number) => [`${site}/${number}`, 404]],
] as const)('no number of %s pushes out a page', (_, toPage) => {
  const pages = createSharedPages(createVaryKey(createSelectingFields()))
  pages.add(`${site}/`, undefined, 200)
  for (let number = 0; number < 20_000; number++) {
    const [url, status] = toPage(number) as [string, number]
    pages.add(url, undefined, status)
  }
  expect(pages.wasForAll(`${site}/`)).toBe(true)
})

it('a page that is asked for is kept, however many others there are', () => {
  const pages = createSharedPages(createVaryKey(createSelectingFields()))
  for (let number = 0; number < 100_000; number++) {
    if (number % 10_000 === 0) pages.add(`${site}/`, undefined, 200)
    pages.add(`${site}/${number}`, undefined, 200)
  }
  expect(pages.wasForAll(`${site}/`)).toBe(true)
  expect(pages.wasForAll(`${site}/0`)).toBe(false)
})

it('a page that is answered from the store all day is rendered for all, although thousands were stored since', async () => {
  const cache = startCache()
  await cache.get()
  for (let number = 0; number < 300; number++) {
    await cache.get(`/${number % 3}?q=${'x'.repeat(8_000)}${number}`)
    if (number % 100 === 0) await cache.get()
  }
  await cache.invalidate(['document'])
  cache.asked.length = 0
  await cache.get('/', { cookie: 'session=1' })
  expect(cache.asked[0]?.headers.get('cookie')).toBeNull()
})
