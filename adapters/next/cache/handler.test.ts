import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IncrementalCache } from 'next/dist/server/lib/incremental-cache/index.js'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore, memoryTagIndex, type Store, type TagIndex } from '../../../core/cache/index.js'
import { type CacheHandlerClass, createCacheHandler } from './handler.js'
import type { NextValue } from './value.js'

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

/** What two instances share, and what may go wrong with it. */
function share() {
  const store = memoryStore({ maxBytes: 2 ** 24 })
  const tagIndex = memoryTagIndex()
  const make = (buildId = 'build-1', parts: { store?: Store; tagIndex?: TagIndex } = {}) =>
    createCacheHandler({ store, tagIndex, buildId, timeout: 50, log: () => {}, ...parts })
  return { store, tagIndex, make, Handler: make() }
}

const pageKey = '/route-cache/APP_PAGE/0123/$/about'

/** A request to an instance, which renders what it does not find. */
async function request(
  Handler: CacheHandlerClass,
  key: string,
  rendered: NextValue,
  context: object = {},
  site: object = {},
) {
  const handler = new Handler(site)
  const found = await handler.get(key, context)
  if (found) return found.value
  await handler.set(key, rendered, context)
  return 'rendered'
}

describe('every kind of value comes back as it was', () => {
  it.each<[string, NextValue]>([
    ['APP_PAGE', page],
    [
      'APP_PAGE without some of it',
      { ...page, rscData: undefined, segmentData: undefined, postponed: undefined } as NextValue,
    ],
    ['APP_ROUTE', { kind: 'APP_ROUTE', body: bytes, status: 200, headers } as NextValue],
    [
      'PAGES',
      { kind: 'PAGES', html: '<p>', pageData: { props: { a: [1, null] } }, headers: {}, status: 200 } as NextValue,
    ],
    ['FETCH', data],
    ['REDIRECT', { kind: 'REDIRECT', props: { pageProps: { __N_REDIRECT: '/' } } } as NextValue],
    [
      'IMAGE',
      { kind: 'IMAGE', etag: 'a', upstreamEtag: 'b', buffer: bytes, extension: 'avif', revalidate: 60 } as NextValue,
    ],
    ['not found', null],
  ])('%s', async (_, value) => {
    const { make, Handler } = share()
    const [writer, reader] = [new Handler(), new (make())()]
    expect(await writer.get('key', { kind: value?.kind ?? 'PAGES' })).toBeNull()
    await writer.set('key', value, { cacheControl: { revalidate: 60, expire: 3600 } })
    const found = await reader.get('key', { kind: value?.kind ?? 'PAGES' })
    expect(found).toStrictEqual({
      value,
      lastModified: expect.any(Number),
      cacheControl: { revalidate: 60, expire: 3600 },
    })
  })
})

describe('what another instance purges', () => {
  it.each<[string, string[], object | undefined, NextValue, object, boolean]>([
    ['a tag of a page', ['document'], undefined, page as NextValue, {}, true],
    ['another tag', ['other'], undefined, page as NextValue, {}, false],
    ['the path of a page', ['_N_T_/about'], undefined, page as NextValue, {}, true],
    ['a tag of data', ['document'], { expire: 0 }, data, { tags: ['document'] }, true],
    ['a tag that data got since', ['new'], undefined, data, {}, true],
    ['the path of a page that asks for data', ['_N_T_/'], undefined, data, {}, true],
    ['for readers that may be an hour behind', ['document'], { expire: 3600 }, page as NextValue, {}, true],
  ])('%s', async (_, tags, durations, value, context, isGone) => {
    const { make, Handler } = share()
    await request(Handler, 'key', value, context)
    await new (make())().revalidateTag(tags, durations)
    const reader = new Handler()
    const found = await reader.get('key', { kind: value?.kind ?? '', tags: ['new'], softTags: ['_N_T_/'] })
    expect(found === null).toBe(isGone)
  })

  it('reaches a tag in every form that Next.js may give it', async () => {
    const { Handler } = share()
    const tagged = (tags: string) => ({ ...page, headers: { 'x-next-cache-tags': tags } }) as NextValue
    await request(Handler, 'escaped', tagged('gr%C3%B6%C3%9Fe'))
    await request(Handler, 'parted', tagged('a,b'))
    await new Handler().revalidateTag('größe')
    await new Handler().revalidateTag(['a,b'])
    expect(await request(Handler, 'escaped', null)).toBe('rendered')
    expect(await request(Handler, 'parted', null)).toBe('rendered')
  })
})

describe('a purge during a render', () => {
  it.each([undefined, { expire: 0 }, { expire: 31536000 }])(
    'with %j: what was rendered is not kept',
    async (durations) => {
      const { Handler } = share()
      const slow = new Handler()
      await slow.get('key', { kind: 'APP_PAGE' })
      await new Handler().revalidateTag('document', durations)
      // Data that is asked for after the purge makes the page no younger.
      await slow.get('data', { kind: 'FETCH' })
      await slow.set('key', page as NextValue)
      expect(await new Handler().get('key')).toBeNull()
    },
  )

  it('does not let the old page replace the new one', async () => {
    const { Handler } = share()
    const slow = new Handler()
    await slow.get('key')
    await new Handler().revalidateTag('document', { expire: 31536000 })
    await request(Handler, 'key', { ...page, html: 'new' } as NextValue)
    await slow.set('key', page as NextValue)
    expect((await new Handler().get('key'))?.value).toMatchObject({ html: 'new' })
  })
})

it('a page of softly purged data is kept only once the data is new', async () => {
  const { Handler } = share()
  const context = { kind: 'FETCH', tags: ['document'], fetchUrl: 'unstable_cache /about edition' }
  for (const key of ['edition', 'menu']) await request(Handler, key, data, context)
  await new Handler().revalidateTag('document', { expire: 31536000 })
  const rendering = new Handler()
  const isKept = async (key: string) => (await new Handler().get(key))?.lastModified !== undefined
  await rendering.get(pageKey)
  for (const key of ['edition', 'menu']) expect(await rendering.get(key, context)).not.toBeNull()
  // The function of 'menu' throws, for now.
  await rendering.set('edition', { ...data, data: 'new' } as NextValue, context)
  await rendering.set(pageKey, page as NextValue)
  expect((await new Handler().get('edition', context))?.value).toMatchObject({ data: 'new' })
  expect(await isKept(pageKey)).toBe(false)
  await rendering.set('menu', data, context)
  await rendering.set(pageKey, page as NextValue)
  expect(await isKept(pageKey)).toBe(true)
})

it('never gives an entry of another build', async () => {
  const { make, Handler } = share()
  await request(Handler, 'key', page as NextValue)
  expect(await request(make('build-2'), 'key', null)).toBe('rendered')
  expect(await request(make(), 'key', null)).toEqual(page)
})

describe('the build', () => {
  const folders: string[] = []
  afterEach(async () => {
    delete process.env.NEXT_PHASE
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })

  it('is named by BUILD_ID', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
    folders.push(folder)
    await writeFile(join(folder, 'BUILD_ID'), 'build-1')
    const { store, tagIndex, Handler } = share()
    await request(Handler, 'key', page as NextValue)
    const Named = createCacheHandler({ store, tagIndex })
    expect(await new Named({ serverDistDir: join(folder, 'server') }).get('key')).not.toBeNull()
  })

  it('without a name keeps nothing, and says so', async () => {
    const { store, tagIndex } = share()
    const said: string[] = []
    const Nameless = createCacheHandler({ store, tagIndex, log: (message) => said.push(message) })
    expect(await request(Nameless, 'key', page as NextValue)).toBe('rendered')
    expect(await request(Nameless, 'key', page as NextValue)).toBe('rendered')
    expect(said).toEqual([expect.stringContaining('BUILD_ID')])
  })

  it('asks for neither store nor tag index', async () => {
    process.env.NEXT_PHASE = 'phase-production-build'
    const refuse = () => expect.fail('asked')
    const Handler = createCacheHandler({
      store: { get: refuse, set: refuse, delete: refuse },
      tagIndex: { stamp: refuse, purgedSince: refuse, purge: refuse },
    })
    expect(await request(Handler, 'key', page as NextValue)).toBe('rendered')
  })
})

describe('with the store or the tag index away', () => {
  const reject = () => Promise.reject(new Error('away'))
  const hang = () => new Promise<never>(() => {})
  it.each([
    ['refusing', reject],
    ['hanging', hang],
  ])('%s: pages are rendered, nothing is kept, revalidateTag rejects', async (_, fail) => {
    const { make, Handler } = share()
    await request(Handler, 'key', page as NextValue)
    const without = (parts: object) => make('build-1', parts)
    expect(await request(without({ store: { get: fail, set: fail, delete: fail } }), 'key', null)).toBe('rendered')
    const Blind = without({ tagIndex: { stamp: fail, purgedSince: fail, purge: fail } })
    expect(await request(Blind, 'key', null)).toBe('rendered')
    await expect(new Blind().revalidateTag('document')).rejects.toThrow()
    // What the blind one rendered did not replace anything.
    expect((await new Handler().get('key'))?.value).toEqual(page)
  })

  it('takes garbage for a miss', async () => {
    const { store, Handler } = share()
    await request(Handler, 'key', page as NextValue)
    const found = await store.get('next:build-1:key')
    if (found?.entry.kind !== 'value') return expect.fail('not stored')
    await store.set('next:build-1:key', { ...found.entry, body: found.entry.body.slice(0, 40) })
    expect(await new Handler().get('key')).toBeNull()
  })
})

it.each([
  [{ store: undefined }, /^store: /],
  [{ tagIndex: undefined }, /^tagIndex: /],
  [{ timeout: 0 }, /^timeout: /],
])('throws on %j', (wrong, message) => {
  const { store, tagIndex } = share()
  expect(() => createCacheHandler({ store, tagIndex, ...(wrong as object) })).toThrow(message)
})

describe('inside of Next.js', () => {
  const route = { kind: 'APP_PAGE', sourceRoute: '/about/page' } as never
  const context = { kind: 'APP_PAGE', isFallback: false, route } as never
  const previewProps = { previewModeId: '', previewModeEncryptionKey: '', previewModeSigningKey: '' }
  const prerenderManifest = { version: 4, routes: {}, dynamicRoutes: {}, notFoundRoutes: [], preview: previewProps }
  const next = (Handler: CacheHandlerClass) =>
    new IncrementalCache({
      dev: false,
      requestHeaders: {},
      previewProps,
      prerenderManifest: prerenderManifest as never,
      CurCacheHandler: Handler as never,
    })
  const setContext = (revalidate: number | false) =>
    ({ kind: 'APP_PAGE', isFallback: false, route, cacheControl: { revalidate, expire: 31536000 } }) as never

  it.each([60, false] as const)('a page with revalidate %s: fresh, softly purged, purged hard', async (revalidate) => {
    const { Handler } = share()
    const first = next(Handler)
    expect(await first.get('/about', context)).toBeNull()
    await first.set('/about', page as never, setContext(revalidate))
    expect(await next(Handler).get('/about', context)).toMatchObject({ isStale: undefined, value: page })
    await next(Handler).revalidateTag('document', { expire: 31536000 })
    expect(await next(Handler).get('/about', context)).toMatchObject({ isStale: true, value: page })
    await next(Handler).revalidateTag('document')
    expect(await next(Handler).get('/about', context)).toBeNull()
  })

  it.each([undefined, 60, 0xfffffffe])(
    'data with revalidate %s: fresh, softly purged, purged hard',
    async (revalidate) => {
      const { Handler } = share()
      const get = () =>
        next(Handler).get('key', { kind: 'FETCH', revalidate, tags: ['document'], softTags: [] } as never)
      const first = next(Handler)
      await first.get('key', { kind: 'FETCH', tags: ['document'] } as never)
      await first.set('key', data as never, { fetchCache: true, tags: ['document'] })
      expect(await get()).toMatchObject({ isStale: false, value: { data: data.data } })
      await next(Handler).revalidateTag('document', { expire: 31536000 })
      expect(await get()).toMatchObject({ isStale: true, value: { data: data.data } })
      await next(Handler).revalidateTag('document', { expire: 0 })
      expect(await get()).toBeNull()
    },
  )

  it.each([
    ['15.5.29', false],
    ['16.3.8', false],
    ['16.4.0', true],
    ['17.0.0-canary.1', true],
    [undefined, false],
  ])('%s: what was purged softly is served only if Next.js can be told of it', async (version, isServed) => {
    const site = await mkdtemp(join(tmpdir(), 'sitewright-next-'))
    const serverDistDir = join(site, '.next', 'server')
    await mkdir(join(site, 'node_modules', 'next'), { recursive: true })
    if (version)
      await writeFile(join(site, 'node_modules', 'next', 'package.json'), JSON.stringify({ name: 'next', version }))
    const { Handler } = share()
    await request(Handler, pageKey, page as NextValue, {}, { serverDistDir })
    await request(Handler, 'data', data, { tags: ['document'] })
    await new Handler().revalidateTag('document', { expire: 31536000 })
    expect((await new Handler().get(pageKey, { kind: 'APP_PAGE' })) !== null).toBe(isServed)
    expect((await new Handler().get('data', { kind: 'FETCH' })) !== null).toBe(isServed)
    await rm(site, { recursive: true })
  })
})
