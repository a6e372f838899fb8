import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, memoryTagIndex, type PurgeMode, type Stamp, type Store } from './index.js'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

const lasting = { 'Cache-Control': 's-maxage=600, stale-while-revalidate=600, stale-if-error=600' }

/** Creates a cache whose handler waits until each render is released. */
function startSlowCache() {
  const cache = startCache()
  const renders: { version: string; gate: ReturnType<typeof deferred<void>> }[] = []
  let version = '1'
  const publish = (next: string) => {
    version = next
  }
  cache.serve(async () => {
    const render = { version, gate: deferred() }
    renders.push(render)
    await render.gate.promise
    return cacheable(render.version, lasting)
  })
  return { ...cache, renders, publish }
}

describe('many purges during renders', () => {
  it('during many purges, no request gets a page from before a purge that came before the request', async () => {
    const cache = startSlowCache()
    const requests: Promise<{ body: string }>[] = []
    for (let count = 1; count <= 30; count++) {
      cache.publish(String(count))
      await cache.invalidate(['document'])
      requests.push(cache.get())
      await rest(0)
    }
    let isSettled = false
    const versions = Promise.all(requests).then((answers) => {
      isSettled = true
      return answers.map(({ body }) => Number(body))
    })
    while (!isSettled) {
      for (const { gate } of cache.renders) gate.resolve()
      await rest(0)
    }
    for (const [index, version] of (await versions).entries()) expect(version).toBeGreaterThan(index)
  })
})

describe('a hard purge', () => {
  it('a hard purge makes readers wait for the new page', async () => {
    const cache = startCache()
    await cache.get()
    cache.serve(() => cacheable('2'))
    await cache.invalidate(['document'])
    expect(await cache.get()).toMatchObject({
      body: '2',
      cacheStatus: 'sitewright; fwd=stale; fwd-status=200; stored; detail=purged',
    })
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('a hard purge of another tag changes nothing', async () => {
    const cache = startCache()
    await cache.get()
    await cache.invalidate(['other'])
    expect((await cache.get()).cacheStatus).toContain('hit')
  })

  it('after a hard purge during a render, the response is not stored, and later requests do not join the render', async () => {
    const cache = startSlowCache()
    const requestBefore = cache.get()
    const joined = cache.get()
    await rest()
    cache.publish('2')
    await cache.invalidate(['document'])
    const requestAfter = cache.get()
    const secondAfter = cache.get()
    await rest()
    expect(cache.renders.map(({ version }) => version)).toEqual(['1', '2'])
    cache.renders[0]?.gate.resolve()
    expect([(await requestBefore).body, (await joined).body]).toEqual(['1', '1'])
    cache.renders[1]?.gate.resolve()
    expect([(await requestAfter).body, (await secondAfter).body]).toEqual(['2', '2'])
    expect((await cache.get()).body).toBe('2')
  })

  it('a hard purge is not undone by an earlier render that ends after the new one', async () => {
    const cache = startSlowCache()
    const requestBefore = cache.get()
    await rest()
    cache.publish('2')
    await cache.invalidate(['document'])
    const requestAfter = cache.get()
    await rest()
    cache.renders[1]?.gate.resolve()
    expect((await requestAfter).body).toBe('2')
    cache.renders[0]?.gate.resolve()
    await requestBefore
    expect(await cache.get()).toMatchObject({ body: '2', cacheStatus: expect.stringContaining('hit') })
  })

  it('a hard purge applies to a background revalidation that began before the purge', async () => {
    const cache = startSlowCache()
    const first = cache.get()
    await rest()
    cache.renders[0]?.gate.resolve()
    await first
    cache.advance(601)
    expect((await cache.get()).body).toBe('1')
    await rest()
    cache.publish('2')
    await cache.invalidate(['document'])
    const requestAfter = cache.get()
    await rest()
    cache.renders[1]?.gate.resolve() // the refresh, begun before the purge
    await rest()
    cache.renders[2]?.gate.resolve()
    expect([(await requestAfter).body, (await cache.get()).body, cache.renders.length]).toEqual(['2', '2', 3])
  })

  it('a hard purge is not undone by a later soft purge', async () => {
    const cache = startCache()
    await cache.get()
    await cache.invalidate(['document'])
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(() => cacheable('2'))
    expect((await cache.get()).body).toBe('2')
  })

  it('after a hard purge, the stored page is not served even if the handler fails', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('1', lasting))
    await cache.get()
    await cache.invalidate(['document'])
    cache.serve(new Error('down'))
    await expect(cache.get()).rejects.toThrow('down')
    cache.serve(() => new Response('', { status: 503 }))
    expect((await cache.get()).status).toBe(503)
  })

  it('after a hard purge, the handler receives no validators', async () => {
    const cache = startCache()
    cache.serve(() => cacheable('1', { 'Last-Modified': 'Sun, 06 Nov 1994 08:49:37 GMT', ETag: '"a"' }))
    await cache.get()
    await cache.invalidate(['document'])
    await cache.get()
    const { headers } = cache.requests.at(-1) as Request
    expect([headers.has('if-none-match'), headers.has('if-modified-since')]).toEqual([false, false])
  })
})

describe('a soft purge', () => {
  it('after a soft purge, the old page is served while the new one renders', async () => {
    const cache = startSlowCache()
    const first = cache.get()
    await rest()
    cache.renders[0]?.gate.resolve()
    await first
    cache.publish('2')
    await cache.invalidate(['document'], { mode: 'soft' })
    for (let time = 0; time < 3; time++)
      expect(await cache.get()).toMatchObject({ body: '1', cacheStatus: expect.stringContaining('soft-purged') })
    await rest()
    expect(cache.renders).toHaveLength(2)
    cache.renders[1]?.gate.resolve()
    await rest()
    expect(await cache.get()).toMatchObject({ body: '2', cacheStatus: expect.stringContaining('hit; ttl=600') })
  })

  it('after a soft purge, the old page is served when the render fails, and the render is retried after a second', async () => {
    const cache = startCache()
    await cache.get()
    await cache.invalidate(['document'], { mode: 'soft' })
    cache.serve(new Error('down'))
    for (let time = 0; time < 5; time++) {
      expect((await cache.get()).body).toBe('1')
      await rest(1)
    }
    expect(cache.requests).toHaveLength(2)
    expect(cache.log).toHaveBeenCalledWith(
      'Response cache: background revalidation failed',
      expect.objectContaining({ reason: 'down' }),
    )
    cache.serve(() => cacheable('2'))
    await rest(1050)
    expect((await cache.get()).body).toBe('1')
    await rest()
    expect((await cache.get()).body).toBe('2')
  })

  it.each([
    ['the store is full', '2', (store: Store) => ({ ...store, set: () => false }), '2'],
    ['the store fails', '2', (store: Store) => ({ ...store, set: () => Promise.reject(new Error('full')) }), '2'],
  ])(
    'after a soft purge, the old page is served once if the new page cannot be stored: %s',
    async (_, next, fail, served) => {
      const inner = memoryStore({ maxBytes: 1e7 })
      const store = { ...inner }
      const cache = startCache({ store })
      await cache.get()
      Object.assign(store, fail(inner))
      cache.serve(() => cacheable(next))
      await cache.invalidate(['document'], { mode: 'soft' })
      expect((await cache.get()).body).toBe('1')
      await rest(50)
      expect((await cache.get()).body).toBe(served)
      expect(await inner.get('https://site.test/')).toBeUndefined()
    },
  )

  it('a hard purge during the refresh after a soft purge makes readers wait', async () => {
    const cache = startSlowCache()
    const first = cache.get()
    await rest()
    cache.renders[0]?.gate.resolve()
    await first
    await cache.invalidate(['document'], { mode: 'soft' })
    expect((await cache.get()).body).toBe('1')
    await rest()
    cache.publish('2')
    await cache.invalidate(['document'])
    const requestAfter = cache.get()
    await rest()
    cache.renders[1]?.gate.resolve()
    cache.renders[2]?.gate.resolve()
    expect((await requestAfter).body).toBe('2')
  })
})

describe('invalidate', () => {
  it('invalidate rejects when the index rejects, and for malformed tags and modes', async () => {
    const tagIndex = { ...memoryTagIndex(), purge: () => Promise.reject(new Error('no Redis')) }
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), tagIndex })
    await expect(cache.invalidate(['document'])).rejects.toThrow('no Redis')
    await expect(cache.invalidate([])).rejects.toThrow(/^tags: /)
    await expect(cache.invalidate(['a'], { mode: 'softly' as PurgeMode })).rejects.toThrow(/^mode: /)
  })
})

describe('an unavailable tag index', () => {
  it.each([
    ['returns no stamp', () => undefined],
    [
      'throws',
      () => {
        throw new Error('away')
      },
    ],
    ['rejects', () => Promise.reject(new Error('away'))],
    ['hangs', () => new Promise<undefined>(() => {})],
  ])('while the tag index %s, pages are rendered, and neither stored nor reused', async (_, stamp) => {
    const index = memoryTagIndex()
    let isAway = false
    const tagIndex = { ...index, stamp: () => (isAway ? stamp() : index.stamp()) }
    const cache = startCache({ tagIndex, storeTimeout: 20 })
    await cache.get()
    isAway = true
    cache.serve(() => cacheable('2'))
    for (let time = 0; time < 2; time++) {
      expect(await cache.get()).toMatchObject({
        body: '2',
        cacheStatus: 'sitewright; fwd=bypass; fwd-status=200; detail=tag-index-unavailable',
      })
    }
    isAway = false
    // The stored page is served, because no purge has touched it. An index that hung is asked again a second later.
    await vi.waitFor(async () => expect((await cache.get()).body).toBe('1'), 20_000)
  })

  it('after the tag index begins a new epoch, no stored response is reused', async () => {
    const store = memoryStore({ maxBytes: 1e6 })
    const firstCache = startCache({ store })
    await firstCache.get()
    expect((await startCache({ store }).get()).cacheStatus).toContain('fwd=stale')
  })
})

describe('the tag index in memory', () => {
  it('the tag index in memory counts forgotten tags as purged', async () => {
    const index = memoryTagIndex({ maxPurgedTags: 2, log: () => {} })
    const stamp = await index.stamp()
    if (!stamp) throw new Error('no stamp')
    for (const tag of ['a', 'b']) await index.purge([tag], 'soft')
    expect([index.purgedSince(stamp, ['a']), index.purgedSince(stamp, ['z'])]).toEqual(['soft', 'none'])
    await index.purge(['c'], 'soft')
    expect(index.purgedSince(stamp, ['z'])).toBe('hard')
    expect(index.purgedSince(index.stamp() as Stamp, ['c'])).toBe('none')
    expect(() => memoryTagIndex({ maxPurgedTags: 0 })).toThrow(/^maxPurgedTags: /)
  })

  it('the tag index in memory agrees with a list of all purges', () => {
    const tag = fc.constantFrom('a', 'b', 'c')
    const mode = fc.constantFrom<PurgeMode>('soft', 'hard')
    const purges = fc.array(fc.record({ tags: fc.uniqueArray(tag, { minLength: 1 }), mode }), { maxLength: 20 })
    fc.assert(
      fc.property(purges, fc.nat(20), fc.uniqueArray(tag), (list, since, tags) => {
        const index = memoryTagIndex()
        const stamps = [index.stamp() as Stamp]
        for (const purge of list) {
          index.purge(purge.tags, purge.mode)
          stamps.push(index.stamp() as Stamp)
        }
        const laterPurges = list.filter((purge, at) => at + 1 > since && purge.tags.some((name) => tags.includes(name)))
        const expected = laterPurges.some((purge) => purge.mode === 'hard')
          ? 'hard'
          : laterPurges.length > 0
            ? 'soft'
            : 'none'
        expect(index.purgedSince((stamps[since] ?? stamps.at(-1)) as Stamp, tags)).toBe(expected)
      }),
    )
  })
})

describe('for any order of publishing, purging, rendering and reading', () => {
  it('in any order of steps, no reader sees a version from before the last hard purge before the request', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('read' as const), path: fc.constantFrom('/a', '/b') }),
      fc.record({ do: fc.constant('publish' as const), mode: fc.constantFrom<PurgeMode>('hard', 'soft') }),
      fc.record({ do: fc.constant('finish' as const), at: fc.nat(10) }),
      fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 500, 700) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const cache = startCache()
        let version = 0
        let purged = 0
        const renders: (() => void)[] = []
        const reads: Promise<unknown>[] = []
        cache.serve(async () => {
          const { promise, resolve } = deferred()
          const renderedVersion = version
          renders.push(resolve)
          await promise
          return cacheable(String(renderedVersion), lasting)
        })
        for (const action of steps) {
          if (action.do === 'read') {
            const least = purged
            reads.push(cache.get(action.path).then(({ body }) => expect(Number(body)).toBeGreaterThanOrEqual(least)))
          } else if (action.do === 'publish') {
            version++
            await cache.invalidate(['document'], { mode: action.mode })
            if (action.mode === 'hard') purged = version
          } else if (action.do === 'finish') renders.splice(action.at % Math.max(1, renders.length), 1)[0]?.()
          else cache.advance(action.seconds)
          for (let turn = 0; turn < 20; turn++) await Promise.resolve()
        }
        const ended = Promise.all(reads)
        let isEnded = false
        const end = () => {
          isEnded = true
        }
        ended.then(end, end)
        while (!isEnded) {
          for (const finish of renders.splice(0)) finish()
          await rest(0)
        }
        await ended
      }),
      { numRuns: 150 },
    )
  })
})
