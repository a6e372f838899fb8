import { revalidatePath, revalidateTag } from 'next/cache.js'
import { after } from 'next/server.js'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore, memoryTagIndex, type PurgeState, type Stamp } from '../../core/cache/index.js'
import { createCacheHandler } from './cache/index.js'
import { pathForms } from './cache/purge.js'
import { unreachedPages } from './pages-router.js'
import { createRevalidateRoute, type RevalidateProfile, type RevalidateRouteSettings } from './revalidate.js'

// The real functions are called unless a test replaces them.
vi.mock('next/cache.js', { spy: true })
vi.mock('next/server.js', { spy: true })
vi.mock('./pages-router.js', { spy: true })

it.each(['max', 'default', { expire: 0 }] as RevalidateProfile[])('accepts the profile %j', (profile) => {
  expect(createRevalidateRoute({ secret: 'a', profile })).toHaveProperty('POST')
})

it.each(['maximum', '', { expire: -1 }, { expire: Number.NaN }] as RevalidateProfile[])(
  'throws on the profile %j, which revalidateTag itself accepts silently',
  (profile) => {
    expect(() => createRevalidateRoute({ secret: 'a', profile })).toThrow(/^profile: /)
  },
)

it('a profile that does not exist is a type error', () => {
  expect(() => createRevalidateRoute({ profile: 'hours' })).not.toThrow()
  // @ts-expect-error no profile of Next.js
  expect(() => createRevalidateRoute({ profile: 'hour' })).toThrow(/^profile: expected one of /)
  // @ts-expect-error a signature is verified in place of a secret
  expect(() => createRevalidateRoute({ secret: 'a', verify: () => true })).toThrow(/^secret, verify: expected one/)
})

it('the route answers every method itself, and rejects requests before it calls Next.js', async () => {
  const { GET, POST } = createRevalidateRoute({ secret: 'between-us', log: () => {} })
  const url = 'http://site.test/api/revalidate'
  expect((await GET(new Request(url))).headers.get('allow')).toBe('POST')
  expect((await POST(new Request(url, { method: 'POST' }))).status).toBe(401)
  expect((await POST(new Request('http://site.test/elsewhere', { method: 'POST' }))).status).toBe(404)
})

it('the route answers 503 when Next.js cannot revalidate', async () => {
  const { POST } = createRevalidateRoute({ secret: 'between-us', log: () => {} })
  // Outside of a request of Next.js, revalidateTag throws.
  const headers = { Authorization: 'Bearer between-us' }
  const response = await POST(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
  expect([response.status, await response.json()]).toEqual([503, { error: 'Revalidation failed', revalidated: false }])
})

const post = async (options: Partial<RevalidateRouteSettings>, query = '') => {
  const { POST } = createRevalidateRoute({ secret: 'between-us', log: () => {}, ...options })
  const headers = { Authorization: 'Bearer between-us' }
  const response = await POST(new Request(`http://site.test/api/revalidate${query}`, { method: 'POST', headers }))
  return [response.status, await response.json()]
}

it('the route purges the page of a path by revalidatePath, before and after the response', async () => {
  const later: (() => void)[] = []
  vi.mocked(after).mockImplementationOnce((task) => void later.push(task as () => void))
  const [tag, path] = [vi.mocked(revalidateTag), vi.mocked(revalidatePath)]
  for (const mock of [tag, path]) mock.mockReset().mockReturnValue(undefined)
  expect(await post({}, '?path=/articles/boats/')).toEqual([200, { revalidated: true, tags: ['/articles/boats'] }])
  const paths = [['/articles/boats'], ['/articles/boats/']]
  expect([tag.mock.calls, path.mock.calls]).toEqual([[['/articles/boats', 'max']], paths])
  for (const task of later) task()
  expect(path.mock.calls).toEqual([...paths, ...paths])
  vi.mocked(after).mockImplementationOnce(() => {})
  path.mockClear()
  expect(await post({})).toEqual([200, { revalidated: true }])
  expect([tag.mock.lastCall, path.mock.calls]).toEqual([['document', 'max'], []])
  for (const each of [tag, path]) each.mockRestore()
})

// The tags that both versions give to pages of `next build` and to pages rendered later, found by building a site.
it.each([
  ['/about', ['/about', '/about/']],
  ['/', ['/']],
  ['/größe', ['/gr%C3%B6%C3%9Fe', '/gr%C3%B6%C3%9Fe/']],
  ['/x,y z', ['/x%2Cy%20z', '/x,y z', '/x,y%20z/', '/x']],
  ["/it's(a)!*", ["/it's(a)!*", '/it%27s(a)!*']],
  ['/a@b:c', ['/a%40b%3Ac', '/a@b:c', '/a@b:c/']],
  ['/x%2Fy', ['/x%2Fy']],
  ['/100%25', ['/100%25', '/100%']],
  ['/a%ff', ['/a%FF']],
])('the forms of the path %s include %j', (path, forms) => {
  expect(pathForms(path)).toEqual(expect.arrayContaining(forms))
})

describe('with a tag index', () => {
  it.each<[RevalidateProfile | undefined, PurgeState]>([
    [undefined, 'soft'],
    ['max', 'soft'],
    ['default', 'soft'],
    [{ expire: 31536000 }, 'soft'],
    ['hours', 'hard'],
    [{ expire: 3600 }, 'hard'],
    [{ expire: 0 }, 'hard'],
  ])('with a tag index, the profile %j purges before the response: %s', async (profile, purge) => {
    const tagIndex = memoryTagIndex()
    const stamp = (await tagIndex.stamp()) as Stamp
    expect(await post({ tagIndex, profile })).toEqual([200, { revalidated: true }])
    expect(tagIndex.purgedSince(stamp, ['document'])).toBe(purge)
    expect(tagIndex.purgedSince(stamp, ['other'])).toBe('none')
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['throws', () => expect.fail('down')],
    ['hangs', () => new Promise<never>(() => {})],
  ])('the route answers 503 if the purge of its tag index %s', async (_, purge) => {
    expect(await post({ tagIndex: { ...memoryTagIndex(), purge }, timeout: 50 })).toEqual([
      503,
      { error: 'Revalidation failed', revalidated: false },
    ])
  })

  it.each([
    ['max', '/articles/boats/?page=2'],
    [{ expire: 0 }, 'http://site.test/articles/boats'],
  ] as const)(
    'with a tag index and the profile %j, %s purges that page, its data and nothing else',
    async (profile, path) => {
      const tagIndex = memoryTagIndex()
      const Handler = createCacheHandler({ store: memoryStore({ maxBytes: 2 ** 20 }), tagIndex, buildId: 'one' })
      const isFresh = async (key: string, softTags: string[] = []) => {
        const hit = await new Handler().get(key, { kind: softTags.length > 0 ? 'FETCH' : 'APP_PAGE', softTags })
        return (hit?.lastModified ?? 0) > Date.now() - 1000
      }
      const pages = ['/', '/articles', '/articles/boats', '/articles/boats/sails', '/articles/boat']
      for (const page of pages) {
        const tags = `_N_T_/layout,_N_T_/articles/[slug]/page,_N_T_${page}`
        const headers = { 'x-next-cache-tags': tags }
        const handler = new Handler()
        await handler.get(page)
        await handler.set(page, { kind: 'APP_PAGE', headers })
      }
      const handler = new Handler()
      await handler.get('data', { kind: 'FETCH' })
      await handler.set('data', { kind: 'FETCH' }, { tags: ['document'] })
      const [status] = await post({ tagIndex, profile }, `?path=${encodeURIComponent(path)}`)
      expect(status).toBe(200)
      const fresh = await Promise.all(pages.map((page) => isFresh(page)))
      expect(pages.filter((_, index) => !fresh[index])).toEqual(['/articles/boats'])
      expect(await isFresh('data', ['_N_T_/articles/boats'])).toBe(false)
      expect(await isFresh('data', ['_N_T_/articles'])).toBe(true)
    },
  )
})

it('pages of pages/ are not reached, unless the cache handler has the tag index', async () => {
  vi.mocked(unreachedPages).mockReturnValue(['/posts/[slug]'])
  vi.mocked(after).mockImplementationOnce(() => {})
  vi.mocked(revalidateTag).mockReturnValueOnce(undefined)
  const error = 'Not revalidated: /posts/[slug] of pages/'
  expect(await post({})).toEqual([207, { error, revalidated: false }])
  expect(await post({ tagIndex: memoryTagIndex() })).toEqual([200, { revalidated: true }])
  vi.mocked(unreachedPages).mockRestore()
})

it('with a tag index, a tag with a comma is also purged as it is encoded in a header', async () => {
  const tagIndex = memoryTagIndex()
  const stamp = (await tagIndex.stamp()) as Stamp
  const tag = 'contentful:größe, c'
  const { POST } = createRevalidateRoute({ secret: 'between-us', tagIndex, content: { getTags: () => [tag] } })
  const init = { method: 'POST', headers: { Authorization: 'Bearer between-us' }, body: '{}' }
  const response = await POST(new Request('http://site.test/api/revalidate', init))
  expect(await response.json()).toEqual({ revalidated: true, tags: [tag] })
  for (const form of [tag, 'contentful:gr%C3%B6%C3%9Fe%2C c'])
    expect(await tagIndex.purgedSince(stamp, [form])).toBe('soft')
})
