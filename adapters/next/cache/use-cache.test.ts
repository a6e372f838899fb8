import type { CacheHandler } from 'next/cache.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex } from '../../../core/cache/index.js'
import { createUseCacheHandler, type UseCacheEntry } from './use-cache.js'

const year = 31536000
const now = () => performance.timeOrigin + performance.now()

afterEach(() => void vi.restoreAllMocks())

/** Lets milliseconds pass on the clock of Next.js. */
function pass(milliseconds: number) {
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + milliseconds)
}

function createShared() {
  const store = memoryStore({ maxBytes: 2 ** 24 })
  const tagIndex = memoryTagIndex()
  const createInstance = (parts = {}) =>
    createUseCacheHandler({ store, tagIndex, timeout: 50, log: () => {}, ...parts })
  return { store, tagIndex, createInstance }
}

/** An entry as Next.js passes it, whose render begins now. */
function entryOf(text: string, overrides: Partial<UseCacheEntry> = {}): UseCacheEntry {
  const value = new Response(text).body as ReadableStream<Uint8Array>
  return { value, tags: ['document'], stale: 300, revalidate: 900, expire: 0xfffffffe, timestamp: now(), ...overrides }
}

type Handler = ReturnType<typeof createUseCacheHandler>
const textOf = async (handler: Handler, softTags: string[] = []) => {
  const entry = await handler.get('key', softTags)
  return entry && { text: await new Response(entry.value).text(), revalidate: entry.revalidate }
}
/** Renders as Next.js does: calls `get`, renders, and calls `set` when the render is done. */
async function render(handler: Handler, text: string, during = async () => {}) {
  await handler.get('key', [])
  const entry = entryOf(text)
  await during()
  await handler.set('key', Promise.resolve(entry))
}

it('the handler has the shape that Next.js expects', () => {
  const handler: CacheHandler = createShared().createInstance()
  expect(Object.keys(handler).sort()).toEqual(['get', 'getExpiration', 'refreshTags', 'set', 'updateTags'])
})

describe('two instances', () => {
  it('two instances share entries, byte for byte, with a new stream for each reader', async () => {
    const { createInstance } = createShared()
    const [a, b] = [createInstance(), createInstance()]
    expect(await b.get('key', [])).toBeUndefined()
    await render(a, 'größe \u0000')
    for (const reader of [a, b, b]) expect(await textOf(reader)).toEqual({ text: 'größe \u0000', revalidate: 900 })
    const { value: _, timestamp, ...entry } = (await b.get('key', [])) as UseCacheEntry
    expect(entry).toEqual({ tags: ['document'], stale: 300, revalidate: 900, expire: 0xfffffffe })
    expect(Math.abs(now() - timestamp)).toBeLessThan(20_000)
  })

  it.each<[string, string[], object | undefined, string[], object | undefined]>([
    ['hard', ['document'], undefined, [], undefined],
    ['a profile of an hour purges hard', ['document'], { expire: 3600 }, [], undefined],
    ['a softly purged entry is not served once more', ['document'], { expire: year }, [], undefined],
    ['the path of the reader purges the entry', ['_N_T_/about'], undefined, ['_N_T_/about'], undefined],
    ['another tag purges nothing', ['other'], undefined, [], { text: 'old', revalidate: 900 }],
  ])('a purge on one instance takes effect on the other: %s', async (_, tags, durations, softTags, expected) => {
    const { createInstance } = createShared()
    const [a, b] = [createInstance(), createInstance()]
    await render(a, 'old')
    await b.updateTags(tags, durations)
    expect(await textOf(a, softTags)).toEqual(expected)
  })
})

describe('a purge during a render', () => {
  it.each([undefined, { expire: year }])(
    'an entry is not stored after a purge with %j during its render',
    async (durations) => {
      const { createInstance } = createShared()
      const [a, b] = [createInstance(), createInstance()]
      await render(a, 'old', () => b.updateTags(['document'], durations))
      expect(await textOf(a)).toBeUndefined()
      // The request may have begun before the purge, so the result may contain an older result of another function.
      await render(a, 'of an old request')
      expect(await textOf(a)).toBeUndefined()
      pass(5_000)
      await render(a, 'new')
      expect(await textOf(b)).toEqual({ text: 'new', revalidate: 900 })
    },
  )

  it('a purge of other tags during a render makes no difference', async () => {
    const { createInstance } = createShared()
    const [a, b] = [createInstance(), createInstance()]
    await render(a, 'new', () => b.updateTags(['other']))
    expect(await textOf(b)).toEqual({ text: 'new', revalidate: 900 })
  })

  it('a purge during a render is noticed even if another request has called get since', async () => {
    const { createInstance } = createShared()
    const [a, b] = [createInstance(), createInstance()]
    await render(a, 'old', async () => {
      await b.updateTags(['document'])
      await a.get('key', [])
      await a.get('another', [])
    })
    expect(await textOf(b)).toBeUndefined()
  })

  it('a purge during a render is noticed even if Next.js does not call get first', async () => {
    const { createInstance } = createShared()
    const [a, b] = [createInstance(), createInstance()]
    await a.set('key', Promise.resolve(entryOf('rendered at an unknown stamp')))
    expect(await textOf(b)).toBeUndefined()
    await a.refreshTags()
    await a.set('key', Promise.resolve(entryOf('new')))
    expect(await textOf(b)).toEqual({ text: 'new', revalidate: 900 })
  })
})

describe('bad input', () => {
  it('an entry whose stream fails, or that rejects, is not stored', async () => {
    const { createInstance } = createShared()
    const handler = createInstance()
    await handler.get('key', [])
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array([1]))
        controller.error(new Error('stream failed'))
      },
    })
    await handler.set('key', Promise.resolve(entryOf('', { value: broken })))
    await handler.set('key', Promise.reject(new Error('rejected')))
    await handler.set('key', Promise.resolve(entryOf('expires at once', { expire: 0 })))
    expect(await textOf(handler)).toBeUndefined()
  })

  it('while the tag index is down, functions are called, and a purge rejects', async () => {
    const { createInstance } = createShared()
    const fail = () => new Promise<never>(() => {})
    const withoutIndex = createInstance({ tagIndex: { stamp: fail, purgedSince: fail, purge: fail } })
    await render(withoutIndex, 'text')
    expect(await textOf(withoutIndex)).toBeUndefined()
    await expect(withoutIndex.updateTags(['document'])).rejects.toThrow()
  })
})
