import { afterEach, describe, expect, it, vi } from 'vitest'
import { cacheable, rest, startCache } from '../../testing/harness.js'
import { type BackgroundSlot, createBackgroundSlots } from './background-slots.js'

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

describe('a slot', () => {
  it('is given up by the oldest, once that has had it for five seconds, to a page that would get none', () => {
    let time = 0
    const slots = createBackgroundSlots(2, () => time)
    const first = slots.take('/a', '/a')
    time = 1_000
    const second = slots.take('/b', '/b')
    time = 4_999
    expect(slots.take('/c', '/c')).toBeUndefined()
    time = 5_000
    const third = slots.take('/c', '/c')
    expect(third).toBeDefined()
    expect([first, second, third].map((slot) => slot?.signal.aborted)).toEqual([true, false, false])
    first?.free() // again, as its render ends
    expect(slots.take('/d', '/d')).toBeUndefined()
    second?.free()
    expect(slots.take('/a', '/a')?.signal.aborted).toBe(false)
  })

  it.each([1_000, 6_000, 25_000])('lets all pages be rendered at last, also many that take %i ms each', (duration) => {
    let time = 0
    const slots = createBackgroundSlots(4, () => time)
    const stale = new Set(Array.from({ length: 40 }, (_, index) => `/${index}`))
    const running = new Map<string, { since: number; slot: BackgroundSlot }>()
    while (stale.size > 0 && time < 3_600_000) {
      time += 100
      for (const [url, { since, slot }] of running) {
        const isDone = time - since >= duration
        if (isDone) stale.delete(url)
        if (isDone) slot.free()
        if (isDone || slot.signal.aborted) running.delete(url)
      }
      const url = [...stale][(time / 100) % Math.max(1, stale.size)]
      const slot = url !== undefined && !running.has(url) && slots.take(url, url)
      if (url && slot) running.set(url, { since: time, slot })
    }
    expect([...stale]).toEqual([])
  })

  it.each([4, 32])('of %i is left for a page that does not take long, although others that do hang', (count) => {
    const slots = createBackgroundSlots(count)
    for (let number = 0; number < 2 * count; number++) {
      slots.note(`/${number} xx`, 6_000)
      slots.take(`/${number}`, `/${number} xx`)
      slots.takeSpare(`/?${number}`)
    }
    slots.note('/', 100)
    expect(slots.take('/', '/ de')).toBeDefined()
  })

  it('is never given up to what strangers can make up', () => {
    let time = 0
    const slots = createBackgroundSlots(2, () => time)
    const first = slots.take('/a', '/a')
    time = 60_000
    expect(slots.takeSpare('/b')).toBeUndefined()
    expect(first?.signal.aborted).toBe(false)
  })
})

describe('a page', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each([0, 16, 31])(
    'is refreshed after five seconds at the latest, although another variant of %i pages and what was left hang',
    async (count) => {
      const cache = startCache()
      const paths = ['/', ...Array.from({ length: count }, (_, index) => `/${index}`)]
      cache.serve(() => cacheable('old', { Vary: 'Accept-Language' }))
      const [odd, german] = [{ 'accept-language': 'xx' }, { 'accept-language': 'de' }]
      for (const path of paths) for (const fields of [odd, german]) await cache.get(path, fields)
      await cache.invalidate(['document'], { mode: 'soft' })
      cache.serve(({ headers }) =>
        headers.get('accept-language') === 'xx' ? new Promise(() => {}) : cacheable('new', { Vary: 'Accept-Language' }),
      )
      for (let number = 0; number < 16; number++) {
        const client = new AbortController()
        cache.get(`/?n=${number}`, odd, { signal: client.signal }).catch(() => {})
        await rest(0)
        client.abort()
      }
      for (const path of paths) await cache.get(path, odd)
      const late = performance.now() + 5_000
      vi.spyOn(performance, 'now').mockReturnValue(late)
      for (const path of paths) await cache.get(path, german)
      await rest()
      for (const path of paths) expect((await cache.get(path, german)).body).toBe('new')
    },
  )

  it('is refreshed at once, although another variant of many pages is known to take long, and hangs', async () => {
    let time = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => time)
    const cache = startCache({ maxBackgroundRenders: 8 })
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
    const [odd, german] = [{ 'accept-language': 'xx' }, { 'accept-language': 'de' }]
    cache.serve(({ headers }) => {
      if (headers.get('accept-language') === 'xx') time += 6_000
      return cacheable('old', { Vary: 'Accept-Language' })
    })
    for (const fields of [german, odd]) for (const path of paths) await cache.get(path, fields)
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(({ headers }) =>
      headers.get('accept-language') === 'xx' ? new Promise(() => {}) : cacheable('new', { Vary: 'Accept-Language' }),
    )
    for (const path of paths) await cache.get(path, odd)
    for (const path of paths) {
      await cache.get(path, german)
      await rest()
      expect((await cache.get(path, german)).body).toBe('new')
    }
  })
})
