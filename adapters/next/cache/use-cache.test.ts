import type { CacheHandler } from 'next/cache.js'
import { describe, expect, it } from 'vitest'
import { memoryStore, memoryTagIndex } from '../../../core/cache/index.js'
import { createTimeline } from './timeline.js'
import { createUseCacheHandler, type UseCacheEntry } from './use-cache.js'

const year = 31536000
const now = () => performance.timeOrigin + performance.now()

function share() {
  const store = memoryStore({ maxBytes: 2 ** 24 })
  const tagIndex = memoryTagIndex()
  const make = (parts = {}) => createUseCacheHandler({ store, tagIndex, timeout: 50, log: () => {}, ...parts })
  return { store, tagIndex, make }
}

/** An entry as Next.js gives it, whose render begins now. */
function entryOf(text: string, more: Partial<UseCacheEntry> = {}): UseCacheEntry {
  const value = new Response(text).body as ReadableStream<Uint8Array>
  return { value, tags: ['document'], stale: 300, revalidate: 900, expire: 0xfffffffe, timestamp: now(), ...more }
}

type Handler = ReturnType<typeof createUseCacheHandler>
const textOf = async (handler: Handler, softTags: string[] = []) => {
  const entry = await handler.get('key', softTags)
  return entry && { text: await new Response(entry.value).text(), revalidate: entry.revalidate }
}
/** Renders as Next.js does: looks first, begins, and hands over the entry when it is done. */
async function render(handler: Handler, text: string, during = async () => {}) {
  await handler.get('key', [])
  const entry = entryOf(text)
  await during()
  await handler.set('key', Promise.resolve(entry))
}

it('has the shape that Next.js wants', () => {
  const handler: CacheHandler = share().make()
  expect(Object.keys(handler).sort()).toEqual(['get', 'getExpiration', 'refreshTags', 'set', 'updateTags'])
})

describe('two instances', () => {
  it('share entries, byte for byte, in a new stream for each reader', async () => {
    const { make } = share()
    const [a, b] = [make(), make()]
    expect(await b.get('key', [])).toBeUndefined()
    await render(a, 'größe \u0000')
    for (const reader of [a, b, b]) expect(await textOf(reader)).toEqual({ text: 'größe \u0000', revalidate: 900 })
    const { value: _, timestamp, ...found } = (await b.get('key', [])) as UseCacheEntry
    expect(found).toEqual({ tags: ['document'], stale: 300, revalidate: 900, expire: 0xfffffffe })
    expect(Math.abs(now() - timestamp)).toBeLessThan(20_000)
  })

  it.each<[string, string[], object | undefined, string[], object | undefined]>([
    ['hard', ['document'], undefined, [], undefined],
    ['hard, with a profile of an hour', ['document'], { expire: 3600 }, [], undefined],
    ['softly: once more, and rendered anew', ['document'], { expire: year }, [], { text: 'old', revalidate: -1 }],
    ['by the path of who asks', ['_N_T_/about'], undefined, ['_N_T_/about'], undefined],
    ['another tag', ['other'], undefined, [], { text: 'old', revalidate: 900 }],
  ])('purge for each other: %s', async (_, tags, durations, softTags, expected) => {
    const { make } = share()
    const [a, b] = [make(), make()]
    await render(a, 'old')
    await b.updateTags(tags, durations)
    expect(await textOf(a, softTags)).toEqual(expected)
  })
})

describe('a purge during a render', () => {
  it.each([undefined, { expire: year }])('with %j: what was rendered is not kept', async (durations) => {
    const { make } = share()
    const [a, b] = [make(), make()]
    await render(a, 'old', () => b.updateTags(['document'], durations))
    expect(await textOf(a)).toBeUndefined()
    await render(a, 'new')
    expect(await textOf(b)).toEqual({ text: 'new', revalidate: 900 })
  })

  it('is noticed also when another request has looked since', async () => {
    const { make } = share()
    const [a, b] = [make(), make()]
    await render(a, 'old', async () => {
      await b.updateTags(['document'])
      await a.get('key', [])
      await a.get('another', [])
    })
    expect(await textOf(b)).toBeUndefined()
  })

  it('is noticed also when Next.js does not look first', async () => {
    const { make } = share()
    const [a, b] = [make(), make()]
    await a.set('key', Promise.resolve(entryOf('nobody knows since when')))
    expect(await textOf(b)).toBeUndefined()
    await a.refreshTags()
    await a.set('key', Promise.resolve(entryOf('new')))
    expect(await textOf(b)).toEqual({ text: 'new', revalidate: 900 })
  })
})

describe('bad input', () => {
  it('a value that breaks off, or never comes, is not kept', async () => {
    const { make } = share()
    const handler = make()
    await handler.get('key', [])
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array([1]))
        controller.error(new Error('broke off'))
      },
    })
    await handler.set('key', Promise.resolve(entryOf('', { value: broken })))
    await handler.set('key', Promise.reject(new Error('did not come')))
    await handler.set('key', Promise.resolve(entryOf('at once', { expire: 0 })))
    expect(await textOf(handler)).toBeUndefined()
  })

  it('with store and tag index away, functions are called, and a purge rejects', async () => {
    const { make } = share()
    const fail = () => new Promise<never>(() => {})
    const blind = make({ tagIndex: { stamp: fail, purgedSince: fail, purge: fail } })
    await render(blind, 'text')
    expect(await textOf(blind)).toBeUndefined()
    await expect(blind.updateTags(['document'])).rejects.toThrow()
  })
})

it('a reader waits for what is arriving', async () => {
  const handler = share().make()
  await handler.get('key', [])
  let arrive = (_: UseCacheEntry) => {}
  const pending = new Promise<UseCacheEntry>((resolve) => {
    arrive = resolve
  })
  const entry = entryOf('arrived')
  const setting = handler.set('key', pending)
  const reading = textOf(handler)
  arrive(entry)
  await setting
  expect(await reading).toEqual({ text: 'arrived', revalidate: 900 })
})

it('a timeline tells which stamp was known at a time', () => {
  let time = 10
  const timeline = createTimeline(() => time)
  const stamp = (sequence: number, epoch = 'a') => ({ epoch, sequence })
  timeline.learn(stamp(1))
  time = 20
  timeline.learn(stamp(1))
  time = 30
  timeline.learn(stamp(2))
  expect([5, 10, 25, 30, 99].map((at) => timeline.at(at)?.sequence)).toEqual([undefined, 1, 1, 2, 2])
  for (time = 31; time < 3000; time++) timeline.learn(stamp(time))
  expect(timeline.at(30)).toBeUndefined()
})
