import { describe, expect, it } from 'vitest'
import { cacheable, rest, startCache } from '../../testing/harness.js'

const headers = { 'Cache-Control': 's-maxage=10, stale-while-revalidate=50', Vary: 'Accept-Language' }

describe('variants of one page, which strangers can leave behind', () => {
  it('take half of the background renders at most, so that other pages get theirs', async () => {
    const cache = startCache({ maxBackgroundRenders: 8 })
    cache.serve(() => cacheable('old', headers))
    for (let number = 0; number < 30; number++) await cache.get('/', { 'accept-language': `x-${number}` })
    const pages = ['/a', '/b', '/c']
    for (const page of pages) await cache.get(page)
    cache.pass(20)
    const asked = cache.asked.length
    cache.serve(() => new Promise(() => {}))
    for (let number = 0; number < 30; number++) await cache.get('/', { 'accept-language': `x-${number}` })
    await rest()
    expect(cache.asked.length - asked).toBe(4)
    for (const page of pages) await cache.get(page)
    await rest()
    expect(cache.asked.slice(asked + 4).map(({ url }) => new URL(url).pathname)).toEqual(pages)
  })

  it('keep another one from being refreshed for no longer than it may be served stale', async () => {
    const cache = startCache({ maxBackgroundRenders: 1 })
    cache.serve(() => cacheable('old', headers))
    for (const language of ['x', 'de']) await cache.get('/', { 'accept-language': language })
    cache.pass(20)
    cache.serve((request) =>
      request.headers.get('accept-language') === 'x' ? new Promise(() => {}) : cacheable('new', headers),
    )
    await cache.get('/', { 'accept-language': 'x' }) // its refresh hangs
    const german = async () => (await cache.get('/', { 'accept-language': 'de' })).body
    expect([await german(), await german()]).toEqual(['old', 'old'])
    cache.pass(50)
    expect(await german()).toBe('new')
  })
})
