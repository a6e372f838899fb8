import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createContentTags } from '../content/index.js'
import { createResponseCache, memoryStore, memoryTagIndex, type TagIndex } from './index.js'
import { limitHeaders } from './lifetime-limit.js'

const settles = 120_000
const lasting = 's-maxage=3600, stale-while-revalidate=86400, stale-if-error=86400'

/** The clock of a test, in milliseconds. */
let now = 0
beforeEach(() => {
  now = 1_000_000
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(Date, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

const { purgeAge: _, ...withoutAge } = memoryTagIndex()

/** Starts a CMS whose answers show an edit only after a while, and instances of a site that reads it. */
function startSite(options: { settles?: number; cacheControl?: string; tagIndex?: TagIndex; isLate?: boolean } = {}) {
  const { cacheControl = lasting, tagIndex = memoryTagIndex(), isLate = false } = options
  const visible: { version: number; from: number }[] = [{ version: 0, from: 0 }]
  const read = () => Math.max(...visible.filter(({ from }) => from <= now).map(({ version }) => version))
  const source = {
    tagsOfAnswer: () => ['cms:1'],
    tagsOfPayload: () => ['cms:1'],
    settles: options.settles ?? settles,
  }
  const log = vi.fn()
  const content = createContentTags({ sources: [source], fetch: async () => Response.json(read()), log })
  const store = memoryStore({ maxBytes: 1e6, clock: () => now })
  const rendered = vi.fn<() => void>()
  const readPage = async () => {
    rendered()
    return String(await (await content.fetch('https://cms.test/1')).json())
  }
  const headers = () => ({ 'Cache-Control': cacheControl, ETag: `"${rendered.mock.calls.length}"` })
  const streamed = () =>
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(new TextEncoder().encode(await readPage()))
        controller.close()
      },
    })
  const renders: Promise<unknown>[] = []
  const waitUntil = (render: Promise<unknown>) => void renders.push(render)
  const startInstance = () => {
    const cache = createResponseCache({ store, tagIndex, content, log, waitUntil })
    const handler = cache.wrap(async (request) => {
      if (new URL(request.url).pathname === '/about') return new Response('0', { headers: headers() })
      if (!isLate) return new Response(await readPage(), { headers: headers() })
      await content.fetch('https://cms.test/1').then((answer) => answer.json())
      return new Response(streamed(), { headers: headers() })
    })
    return { ...cache, handler }
  }
  const instances = [startInstance(), startInstance()] as const
  return {
    rendered,
    instances,
    /** Publishes a version that the CMS shows after some milliseconds. The webhook arrives at once. */
    async publish(version: number, delay: number) {
      visible.push({ version, from: now + delay })
      await instances[0].invalidate(['cms:1'])
    },
    async get(instance: 0 | 1 = 0, path = '/') {
      const response = await instances[instance].handler(new Request(`https://site.test${path}`))
      const body = Number(await response.text())
      await Promise.all(renders)
      const { headers: answered } = response
      return {
        body,
        cacheControl: answered.get('cache-control') ?? '',
        status: answered.get('cache-status') ?? '',
        age: Number(answered.get('age') ?? 0),
      }
    },
  }
}

describe('a page whose content was purged just now', () => {
  it('is fresh for half the time since the purge, and is not used after the content has settled', async () => {
    const site = startSite()
    await site.publish(1, 119_000)
    const seen = []
    for (const seconds of [0, 3, 7, 20, 100, 119.5, 121]) {
      now = 1_000_000 + seconds * 1000
      await site.get() // the stale page, and a refresh
      seen.push((await site.get()).cacheControl)
    }
    expect(seen).toEqual([
      's-maxage=1, stale-while-revalidate=118, stale-if-error=118',
      's-maxage=1, stale-while-revalidate=115, stale-if-error=115',
      's-maxage=2, stale-while-revalidate=110, stale-if-error=110',
      's-maxage=9, stale-while-revalidate=90, stale-if-error=90',
      's-maxage=19, stale-while-revalidate=0, stale-if-error=0',
      's-maxage=19, stale-while-revalidate=0, stale-if-error=0',
      lasting,
    ])
    expect((await site.get()).body).toBe(1)
  })

  it('is rendered a few times only, and nobody waits until the content has settled', async () => {
    const site = startSite()
    await site.publish(1, 60_000)
    await site.get()
    for (let tenth = 1; tenth < 1_200; tenth++) {
      now = 1_000_000 + tenth * 100
      expect((await site.get(tenth % 2 ? 1 : 0)).status).toContain('hit')
    }
    expect(site.rendered.mock.calls.length).toBeLessThan(15)
    now += 2_000
    expect((await site.get()).body).toBe(1)
    expect((await site.get()).cacheControl).toBe(lasting)
  })

  it('that reads content after its head is limited, too', async () => {
    const site = startSite({ isLate: true })
    await site.publish(1, 60_000)
    await site.get()
    now += 2_000
    expect((await site.get()).cacheControl).toBe('s-maxage=1, stale-while-revalidate=118, stale-if-error=118')
  })

  it('is limited while the tag index does not tell, and is not stored', async () => {
    const site = startSite({ tagIndex: { ...memoryTagIndex(), stamp: () => undefined } })
    expect((await site.get()).cacheControl).toBe('s-maxage=1, stale-while-revalidate=118, stale-if-error=118')
  })

  it.each<[string, Parameters<typeof startSite>[0], string]>([
    ['reads no content', {}, '/about'],
    ['reads a source that needs no time', { settles: 0 }, '/'],
    ['has a tag index that does not tell', { tagIndex: withoutAge }, '/'],
  ])('is kept as long as ever if it %s', async (_, options, path) => {
    const site = startSite(options)
    await site.publish(1, 0)
    expect((await site.get(0, path)).cacheControl).toBe(lasting)
  })
})

it.each([
  ['cache-control', 'public, max-age=60, S-MaxAge="600"', 'public, max-age=5, S-MaxAge="5"'],
  ['cache-control', 's-maxage = 600, stale-if-error=3', 's-maxage = 5, stale-if-error=3'],
  ['cdn-cache-control', 'max-age=600, stale-while-revalidate=600', 'max-age=5, stale-while-revalidate=15'],
  ['surrogate-control', 'max-age=3600+600', 'max-age=5'],
  ['edge-control', '!no-store, max-age=30m', '!no-store, max-age=5'],
  ['x-accel-expires', '600', '@1005'],
  ['x-accel-expires', '3', '@1003'],
  ['x-accel-expires', '@1795878841', '@1005'],
  ['x-accel-expires', 'never', '@1000'],
  ['expires', new Date(9_000_000).toUTCString(), new Date(1_005_000).toUTCString()],
  ['expires', new Date(1_000).toUTCString(), new Date(1_000).toUTCString()],
  ['x-other', 'max-age=600', 'max-age=600'],
])('the lifetime in %s is limited: %s', (name, value, expected) => {
  const headers = new Headers({ [name]: value })
  limitHeaders(headers, { fresh: 6, total: 21 })
  expect(headers.get(name)).toBe(expected)
})

describe('for any edits and visits', () => {
  it('no page and no CDN shows what was before, once a source has settled', async () => {
    const wait = fc.integer({ min: 0, max: 90_000 })
    const edit = fc.record({ wait, edit: fc.integer({ min: 0, max: settles }) })
    const visit = fc.record({ wait, instance: fc.constantFrom<0 | 1>(0, 1), isBehindCdn: fc.boolean() })
    const steps = fc.array(fc.oneof({ weight: 1, arbitrary: edit }, { weight: 4, arbitrary: visit }), { minLength: 10 })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const site = startSite()
        const edits: { version: number; at: number }[] = []
        let cdn: { body: number; cacheControl: string; storedAt: number } | undefined
        for (const step of list) {
          now += step.wait
          if ('edit' in step) {
            edits.push({ version: edits.length + 1, at: now })
            await site.publish(edits.length, step.edit)
            cdn = undefined
            continue
          }
          const [, fresh = 0, stale = 0] =
            /s-maxage=(\d+), stale-while-revalidate=(\d+)/.exec(cdn?.cacheControl ?? '') ?? []
          const isUsable = cdn && now - cdn.storedAt < (Number(fresh) + Number(stale)) * 1000
          if (step.isBehindCdn && cdn && isUsable && now - cdn.storedAt >= Number(fresh) * 1000) {
            const old = cdn
            const { age, ...page } = await site.get(step.instance)
            cdn = { ...page, storedAt: now - age * 1000 }
            check(old.body)
          } else if (step.isBehindCdn && cdn && isUsable) check(cdn.body)
          else {
            const { age, ...page } = await site.get(step.instance)
            if (step.isBehindCdn) cdn = { ...page, storedAt: now - age * 1000 }
            check(page.body)
          }
        }
        function check(body: number) {
          // An edit has settled once no edit has followed for the time that the source needs.
          const hasSettled = (_: unknown, index: number) => {
            const next = Math.min(now, edits[index + 1]?.at ?? Number.POSITIVE_INFINITY)
            return (edits[index]?.at ?? 0) + settles + 1_000 <= next
          }
          const oldest = Math.max(0, ...edits.filter(hasSettled).map(({ version }) => version))
          expect(body).toBeGreaterThanOrEqual(oldest)
        }
      }),
      { numRuns: 40 },
    )
  })
})
