import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IncrementalCache } from 'next/dist/server/lib/incremental-cache/index.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type Store, type TagIndex } from '../../../core/cache/index.js'
import { type CacheHandlerClass, createCacheHandler } from './handler.js'
import type { IncrementalCacheValue } from './page.js'

const bytes = Buffer.from([0, 255, 10, 128, 0, 61])
const headers = { 'x-next-cache-tags': 'document,_N_T_/layout,_N_T_/about', link: ['<a>', '<b>'] }
const page = {
  kind: 'APP_PAGE',
  html: '<p>größe 🖨️\u0000</p>',
  rscData: bytes,
  segmentData: new Map([
    ['/_tree', bytes],
    ['/a/b', Buffer.alloc(0)],
  ]),
  postponed: '12:{"a":1}',
  headers,
  status: 203,
}
const data = { kind: 'FETCH', data: { headers: {}, body: '"1"', status: 200, url: '' }, revalidate: 31536000 }

/** A store and a tag index that instances share, and how to create an instance. */
function createShared() {
  const store = memoryStore({ maxBytes: 2 ** 24 })
  const tagIndex = memoryTagIndex()
  const createInstance = (buildId = 'build-1', parts: { store?: Store; tagIndex?: TagIndex } = {}) =>
    createCacheHandler({ store, tagIndex, buildId, timeout: 50, log: () => {}, ...parts })
  return { store, tagIndex, createInstance, Handler: createInstance() }
}

const pageKey = '/route-cache/APP_PAGE/0123/$/about'

/** A request to an instance, which renders on a miss. */
async function request(
  Handler: CacheHandlerClass,
  key: string,
  rendered: IncrementalCacheValue,
  context: object = {},
  site: object = {},
) {
  const handler = new Handler(site)
  const cached = await handler.get(key, context)
  if (cached) return cached.value
  await handler.set(key, rendered, context)
  return 'rendered'
}

describe('restores every kind of value', () => {
  it.each<[string, IncrementalCacheValue]>([
    ['APP_PAGE', page],
    [
      'APP_PAGE with only some fields',
      { ...page, rscData: undefined, segmentData: undefined, postponed: undefined } as IncrementalCacheValue,
    ],
    ['APP_ROUTE', { kind: 'APP_ROUTE', body: bytes, status: 200, headers } as IncrementalCacheValue],
    [
      'PAGES',
      {
        kind: 'PAGES',
        html: '<p>',
        pageData: { props: { a: [1, null] } },
        headers: {},
        status: 200,
      } as IncrementalCacheValue,
    ],
    ['FETCH', data],
    ['REDIRECT', { kind: 'REDIRECT', props: { pageProps: { __N_REDIRECT: '/' } } } as IncrementalCacheValue],
    [
      'IMAGE',
      {
        kind: 'IMAGE',
        etag: 'a',
        upstreamEtag: 'b',
        buffer: bytes,
        extension: 'avif',
        revalidate: 60,
      } as IncrementalCacheValue,
    ],
    ['not found', null],
  ])('the handler restores a value unchanged: %s', async (_, value) => {
    const { createInstance, Handler } = createShared()
    const [writer, reader] = [new Handler(), new (createInstance())()]
    expect(await writer.get('key', { kind: value?.kind ?? 'PAGES' })).toBeNull()
    await writer.set('key', value, { cacheControl: { revalidate: 60, expire: 3600 } })
    const found = await reader.get('key', { kind: value?.kind ?? 'PAGES' })
    expect(found).toStrictEqual({
      value,
      lastModified: expect.any(Number),
      cacheControl: { revalidate: 60, expire: value ? 3600 : 60 },
    })
  })
})

describe('a purge by another instance', () => {
  it.each<[string, string[], object | undefined, IncrementalCacheValue, object, boolean]>([
    ['a tag of a page reaches the page', ['document'], undefined, page as IncrementalCacheValue, {}, true],
    ['another tag does not reach the page', ['other'], undefined, page as IncrementalCacheValue, {}, false],
    ['the path of a page reaches the page', ['_N_T_/about'], undefined, page as IncrementalCacheValue, {}, true],
    ['a tag of data reaches the data', ['document'], { expire: 0 }, data, { tags: ['document'] }, true],
    ['a tag that data got later reaches the data', ['new'], undefined, data, {}, true],
    ['the path of a page reaches the data that the page reads', ['_N_T_/'], undefined, data, {}, true],
    ['a profile of an hour reaches the page', ['document'], { expire: 3600 }, page as IncrementalCacheValue, {}, true],
  ])('a purge by another instance: %s', async (_, tags, durations, value, context, isGone) => {
    const { createInstance, Handler } = createShared()
    await request(Handler, 'key', value, context)
    await new (createInstance())().revalidateTag(tags, durations)
    const reader = new Handler()
    const found = await reader.get('key', { kind: value?.kind ?? '', tags: ['new'], softTags: ['_N_T_/'] })
    expect(found === null).toBe(isGone)
  })

  it.each<[string, IncrementalCacheValue, string, string[]]>([
    ['a page', { kind: 'PAGES' }, '/posts/größe', ['document', '/posts/gr%C3%B6%C3%9Fe']],
    ['a page of Next.js 16.4', { kind: 'PAGES' }, '/route-cache/PAGES/0123/$/posts/a', ['document', '/posts/a']],
    ['the first page', { kind: 'PAGES' }, '/index', ['document', '/']],
    ['a page in the default language', { kind: 'PAGES' }, '/en/posts/a', ['document', '/en/posts/a', '/posts/a']],
    ['the first page in the default language of a domain', { kind: 'PAGES' }, '/de', ['document', '/de', '/']],
    ['a page in another language', { kind: 'PAGES' }, '/fr/posts/a', ['document', '/fr/posts/a']],
    ['a redirect', { kind: 'REDIRECT' }, '/posts/a', ['document', '/posts/a']],
    ['a page that is not found', null, '/posts/a', ['document', '/posts/a']],
    ['a page of the App Router', { kind: 'APP_PAGE' }, '/posts/a', []],
  ])('%s of the Pages Router is purged by its path and by `document`', async (_, value, key, tags) => {
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
    const i18n = { locales: ['en', 'de', 'fr'], defaultLocale: 'en', domains: [{ defaultLocale: 'de' }] }
    await writeFile(join(folder, 'routes-manifest.json'), JSON.stringify({ i18n }))
    const site = { serverDistDir: join(folder, 'server') }
    const { createInstance } = createShared()
    for (const tag of ['document', '/', '/posts', '/posts/a', '/en/posts/a', '/fr/posts/a', '/de', ...tags]) {
      const Handler = createInstance()
      await request(Handler, key, value, {}, site)
      await new Handler(site).revalidateTag(tag)
      const found = await new Handler(site).get(key)
      expect([tag, found === null]).toEqual([tag, tags.includes(tag)])
    }
    await rm(folder, { recursive: true })
  })

  it('a purge by another instance reaches a tag in every form of Next.js', async () => {
    const { Handler } = createShared()
    const tagged = (tags: string) => ({ ...page, headers: { 'x-next-cache-tags': tags } }) as IncrementalCacheValue
    await request(Handler, 'escaped', tagged('gr%C3%B6%C3%9Fe'))
    await request(Handler, 'split', tagged('a,b'))
    await new Handler().revalidateTag('größe')
    await new Handler().revalidateTag(['a,b', 'cut off \ud83d'])
    expect(await request(Handler, 'escaped', null)).toBe('rendered')
    expect(await request(Handler, 'split', null)).toBe('rendered')
  })
})

describe('a purge during a render', () => {
  it.each([undefined, { expire: 0 }])(
    'a page is not stored after a purge with %j during its render',
    async (durations) => {
      const { Handler } = createShared()
      const slow = new Handler()
      await slow.get('key', { kind: 'APP_PAGE' })
      await new Handler().revalidateTag('document', durations)
      // Data that is read after the purge does not make the page newer.
      await slow.get('data', { kind: 'FETCH' })
      await slow.set('key', page as IncrementalCacheValue)
      expect(await new Handler().get('key')).toBeNull()
    },
  )

  it('a page that was softly purged during its render replaces an older page, and is rendered again', async () => {
    const { Handler } = createShared()
    await request(Handler, 'key', { ...page, html: '1' } as IncrementalCacheValue)
    for (const html of ['2', '3']) {
      await new Handler().revalidateTag('document', { expire: 31536000 })
      const slow = new Handler()
      await slow.get('key', { kind: 'APP_PAGE' })
      await new Handler().revalidateTag('document', { expire: 31536000 })
      await slow.set('key', { ...page, html } as IncrementalCacheValue)
      expect(await new Handler().get('key')).toMatchObject({ value: { html }, cacheControl: { revalidate: 1 } })
    }
  })

  it('after a purge during its render, an old page does not replace the new one', async () => {
    const { Handler } = createShared()
    const slow = new Handler()
    await slow.get('key')
    await new Handler().revalidateTag('document', { expire: 31536000 })
    await request(Handler, 'key', { ...page, html: 'new' } as IncrementalCacheValue)
    await slow.set('key', page as IncrementalCacheValue)
    expect((await new Handler().get('key'))?.value).toMatchObject({ html: 'new' })
  })
})

it('softly purged data is read again: if its function throws, no page is rendered with the old data', async () => {
  const { Handler } = createShared()
  await request(Handler, 'key', data, { tags: ['document'] })
  await new Handler().revalidateTag('document', { expire: 31536000 })
  expect(await new Handler().get('key', { kind: 'FETCH', tags: ['document'] })).toBeNull()
})

it('the handler never returns an entry of another build', async () => {
  const { createInstance, Handler } = createShared()
  await request(Handler, 'key', page as IncrementalCacheValue)
  expect(await request(createInstance('build-2'), 'key', null)).toBe('rendered')
  expect(await request(createInstance(), 'key', null)).toEqual(page)
})

describe('the build', () => {
  const folders: string[] = []
  afterEach(async () => {
    delete process.env.NEXT_PHASE
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })

  it('a build is identified by BUILD_ID', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
    folders.push(folder)
    await writeFile(join(folder, 'BUILD_ID'), 'build-1')
    const { store, tagIndex, Handler } = createShared()
    await request(Handler, 'key', page as IncrementalCacheValue)
    const WithBuildId = createCacheHandler({ store, tagIndex, log: () => {} })
    expect(await new WithBuildId({ serverDistDir: join(folder, 'server') }).get('key')).not.toBeNull()
  })

  it('a build without BUILD_ID stores nothing, and the log says so', async () => {
    const { store, tagIndex } = createShared()
    const logged: string[] = []
    const WithoutBuildId = createCacheHandler({ store, tagIndex, log: (message) => logged.push(message) })
    new WithoutBuildId() // as in the bundle of proxy.ts, which never calls `get`
    expect(logged).toEqual([])
    expect(await request(WithoutBuildId, 'key', page as IncrementalCacheValue)).toBe('rendered')
    expect(await request(WithoutBuildId, 'key', page as IncrementalCacheValue)).toBe('rendered')
    expect(logged).toEqual([expect.stringContaining('BUILD_ID')])
  })

  it('a build stores nothing while it runs', async () => {
    process.env.NEXT_PHASE = 'phase-production-build'
    const fail = () => expect.fail('called')
    const Handler = createCacheHandler({
      store: { get: fail, set: fail, delete: fail },
      tagIndex: { stamp: fail, purgedSince: fail, purge: fail },
    })
    expect(await request(Handler, 'key', page as IncrementalCacheValue)).toBe('rendered')
  })

  it.each([{ dev: true }, { dev: false }])('next dev needs no BUILD_ID and logs nothing, %j', async ({ dev }) => {
    vi.stubEnv('NODE_ENV', 'development')
    const { store, tagIndex } = createShared()
    const log = vi.fn()
    const Handler = createCacheHandler({ store, tagIndex, log })
    await request(Handler, 'key', data, {}, { dev, serverDistDir: '/none' })
    expect(await store.get('next:development:key')).toBeDefined()
    expect(log).not.toHaveBeenCalled()
    vi.unstubAllEnvs()
  })

  it.each([
    ['development', 0],
    ['production', 1],
  ])('without the option log, a tag index that is down is logged in %s %d times', async (mode, times) => {
    vi.stubEnv('NODE_ENV', mode)
    const error = vi.spyOn(console, 'error').mockReturnValue()
    const { store, tagIndex } = createShared()
    const stamp = () => Promise.reject(new Error('The client is closed'))
    const Handler = createCacheHandler({ store, tagIndex: { ...tagIndex, stamp }, buildId: 'one' })
    await request(Handler, 'key', data)
    expect(error).toHaveBeenCalledTimes(times)
    error.mockRestore()
    vi.unstubAllEnvs()
  })
})

describe('a page that says "not found"', () => {
  const year = { cacheControl: { revalidate: false as const, expire: 31536000 } }
  const kinds: [string, IncrementalCacheValue, boolean][] = [
    ['a page with 404', { ...page, status: 404 } as IncrementalCacheValue, true],
    ['a route with 410', { kind: 'APP_ROUTE', body: bytes, status: 410, headers } as IncrementalCacheValue, true],
    ['notFound: true', null, true],
    ['a page that was found', page as IncrementalCacheValue, false],
    ['data of a source that answers 404', { ...data, status: 404 }, false],
  ]

  it.each(kinds)('the lifetime of %s', async (_, value, isShort) => {
    const { store, Handler } = createShared()
    await request(Handler, 'key', value, year)
    expect((await store.get('next:build-1:key'))?.entry.ttl).toBe(isShort ? 60 : 31536000)
    const cached = await new Handler().get('key')
    expect(cached?.cacheControl).toEqual(isShort ? { revalidate: 60, expire: 60 } : year.cacheControl)
  })

  it('a "not found" page is rendered again after a minute, even if the store still has it', async () => {
    const { store, tagIndex } = createShared()
    const agedStore = { ...store, get: async (key: string) => {
      const hit = await store.get(key)
      return hit && { ...hit, age: 60 }
    } } // biome-ignore format: short
    const Handler = createCacheHandler({ store: agedStore, tagIndex, buildId: 'build-1' })
    await request(Handler, 'missing', null)
    await request(Handler, 'page', page as IncrementalCacheValue)
    expect(await request(Handler, 'missing', null)).toBe('rendered')
    expect(await request(Handler, 'page', page as IncrementalCacheValue)).toEqual(page)
  })
})

describe('what is not stored', () => {
  const failing = { ...memoryStore({ maxBytes: 2 ** 24 }), isFailing: false }
  const { set } = failing
  failing.set = (...entry) => (failing.isFailing ? false : set(...entry))

  it.each<[string, IncrementalCacheValue, object]>([
    ['a not-found page, by negativeTtl', null, { negativeTtl: 0 }],
    ['a page that the store has no room for', { ...page, html: 'new' } as IncrementalCacheValue, {}],
  ])('a value that is not stored removes the old page nevertheless: %s', async (_, value, options) => {
    const Handler = createCacheHandler({ store: failing, tagIndex: memoryTagIndex(), buildId: 'build-1', ...options })
    failing.isFailing = false
    await request(Handler, 'key', page as IncrementalCacheValue)
    await new Handler().revalidateTag('document', { expire: 31536000 })
    const refresh = new Handler()
    expect((await refresh.get('key'))?.value).toEqual(page)
    failing.isFailing = true
    await refresh.set('key', value)
    expect(await new Handler().get('key')).toBeNull()
  })
})

describe('while the store or the tag index is down', () => {
  const reject = () => Promise.reject(new Error('down'))
  const hang = () => new Promise<never>(() => {})
  it.each([
    ['rejects', reject],
    ['hangs', hang],
  ])(
    'while the store or the tag index %s, pages are rendered, nothing is stored, and revalidateTag rejects',
    async (_, fail) => {
      const { createInstance, Handler } = createShared()
      await request(Handler, 'key', page as IncrementalCacheValue)
      const createWith = (parts: object) => createInstance('build-1', parts)
      expect(await request(createWith({ store: { get: fail, set: fail, delete: fail } }), 'key', null)).toBe('rendered')
      const WithoutIndex = createWith({ tagIndex: { stamp: fail, purgedSince: fail, purge: fail } })
      expect(await request(WithoutIndex, 'key', null)).toBe('rendered')
      await expect(new WithoutIndex().revalidateTag('document')).rejects.toThrow()
      // The page that was rendered without an index did not replace the stored one.
      expect((await new Handler().get('key'))?.value).toEqual(page)
    },
  )

  it('garbage in the store is a miss', async () => {
    const { store, Handler } = createShared()
    await request(Handler, 'key', page as IncrementalCacheValue)
    const hit = await store.get('next:build-1:key')
    if (hit?.entry.kind !== 'value') return expect.fail('not stored')
    await store.set('next:build-1:key', { ...hit.entry, body: hit.entry.body.slice(0, 40) })
    expect(await new Handler().get('key')).toBeNull()
  })
})

it.each([
  [{ store: undefined }, 'store: expected a store, such as redisStore({ client }), got undefined'],
  [{ tagIndex: undefined }, 'tagIndex: expected a tag index, such as redisTagIndex({ client }), got undefined'],
  [{ timeout: 0 }, /^timeout: /],
  [{ negativeTtl: -1 }, 'negativeTtl: expected a number >= 0, got -1'],
])('throws on %j', (wrong, message) => {
  const { store, tagIndex } = createShared()
  expect(() => createCacheHandler({ store, tagIndex, ...(wrong as object) })).toThrow(message)
})

describe('inside of Next.js', () => {
  const route = { kind: 'APP_PAGE', sourceRoute: '/about/page' } as never
  const context = { kind: 'APP_PAGE', isFallback: false, route } as never
  const previewProps = { previewModeId: '', previewModeEncryptionKey: '', previewModeSigningKey: '' }
  const prerenderManifest = { version: 4, routes: {}, dynamicRoutes: {}, notFoundRoutes: [], preview: previewProps }
  const createIncrementalCache = (Handler: CacheHandlerClass) =>
    new IncrementalCache({
      dev: false,
      requestHeaders: {},
      previewProps,
      prerenderManifest: prerenderManifest as never,
      CurCacheHandler: Handler as never,
    })
  const setContext = (revalidate: number | false) =>
    ({ kind: 'APP_PAGE', isFallback: false, route, cacheControl: { revalidate, expire: 31536000 } }) as never

  it.each([60, false] as const)(
    'Next.js gets a page with revalidate %s as fresh, as stale after a soft purge, and not after a hard purge',
    async (revalidate) => {
      const { Handler } = createShared()
      const renderer = createIncrementalCache(Handler)
      expect(await renderer.get('/about', context)).toBeNull()
      await renderer.set('/about', page as never, setContext(revalidate))
      expect(await createIncrementalCache(Handler).get('/about', context)).toMatchObject({
        isStale: undefined,
        value: page,
      })
      await createIncrementalCache(Handler).revalidateTag('document', { expire: 31536000 })
      expect(await createIncrementalCache(Handler).get('/about', context)).toMatchObject({ isStale: true, value: page })
      await createIncrementalCache(Handler).revalidateTag('document')
      expect(await createIncrementalCache(Handler).get('/about', context)).toBeNull()
    },
  )

  it.each([
    [undefined, 31536000],
    [60, 0],
    [0xfffffffe, 31536000],
  ])(
    'Next.js gets data with revalidate %s as fresh, and not after a purge with an expire of %i',
    async (revalidate, expire) => {
      const { Handler } = createShared()
      const get = () =>
        createIncrementalCache(Handler).get('key', {
          kind: 'FETCH',
          revalidate,
          tags: ['document'],
          softTags: [],
        } as never)
      const renderer = createIncrementalCache(Handler)
      await renderer.get('key', { kind: 'FETCH', tags: ['document'] } as never)
      await renderer.set('key', data as never, { fetchCache: true, tags: ['document'] })
      expect(await get()).toMatchObject({ isStale: false, value: { data: data.data } })
      await createIncrementalCache(Handler).revalidateTag('document', { expire })
      expect(await get()).toBeNull()
    },
  )

  it.each([
    ['15.5.29', false],
    ['16.3.8', false],
    ['16.4.0', true],
    ['17.0.0-canary.1', true],
    [undefined, false],
  ])('Next.js %s serves a softly purged value only if it reads cacheControl', async (version, isServed) => {
    const site = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
    const serverDistDir = join(site, '.next', 'server')
    await mkdir(join(site, 'node_modules', 'next'), { recursive: true })
    if (version)
      await writeFile(join(site, 'node_modules', 'next', 'package.json'), JSON.stringify({ name: 'next', version }))
    const { Handler } = createShared()
    await request(Handler, pageKey, page as IncrementalCacheValue, {}, { serverDistDir })
    await new Handler().revalidateTag('document', { expire: 31536000 })
    expect((await new Handler().get(pageKey, { kind: 'APP_PAGE' })) !== null).toBe(isServed)
    await rm(site, { recursive: true })
  })
})
