import { expect, it, vi } from 'vitest'
import { createRevalidateEndpoint } from '../revalidate/index.js'
import { createResponseCache, memoryStore, memoryTagIndex, type Store } from './index.js'
import { cacheable, startCache } from './testing/harness.js'

const deployment = () => ({ store: memoryStore({ maxBytes: 1_000_000 }), tagIndex: memoryTagIndex() })

/** Starts a release of a site whose pages name the script of their release. */
function start(release: string | undefined, shared = deployment()) {
  const site = startCache({ ...shared, release, cookies: ['theme'] })
  site.serve(cacheable(`<script src="/app-${release}.js">`))
  return site
}

it('a page of another release is not served, and a rollback finds its own pages', async () => {
  const shared = deployment()
  await start('a', shared).get()
  const second = await start('b', shared).get()
  expect(second.body).toContain('app-b')
  expect(second.cacheStatus).toContain('fwd=uri-miss')
  const rollback = await start('a', shared).get()
  expect(rollback.body).toContain('app-a')
  expect(rollback.cacheStatus).toContain('hit')
})

it('a purge by one release purges the pages of all', async () => {
  const shared = deployment()
  const [first, second] = [start('a', shared), start('b', shared)]
  for (const site of [first, second]) await site.get()
  await second.invalidate(['document'])
  for (const site of [first, second]) expect((await site.get()).cacheStatus).toContain('fwd=stale')
})

it.each([
  ['a#b', 'a', {}],
  ['[["cookie","theme=x"]]', '', { cookie: 'theme=x' }],
])('the release %s shares no page with the release %s', async (one, other, headers) => {
  const shared = deployment()
  await start(one, shared).get()
  expect((await start(other, shared).get('/', headers)).cacheStatus).not.toContain('hit')
})

it('a dry run names the addresses of pages, without the release', async () => {
  const shared = deployment()
  const site = start('a', shared)
  await site.get('/articles')
  const { invalidate } = site
  const endpoint = createRevalidateEndpoint({ secret: 'secret', invalidate, store: shared.store, log: () => {} })
  const init = { method: 'POST', headers: { Authorization: 'Bearer secret' } }
  const answer = await endpoint(new Request('https://site.test/api/revalidate?dry-run', init))
  expect(await answer?.json()).toMatchObject({ pages: ['https://site.test/articles'] })
})

it.each([
  ['VERCEL_DEPLOYMENT_ID', 'dpl_1', 'dpl_2'],
  ['K_REVISION', 'site-00001', 'site-00002'],
])('the release is that of the platform by default: %s', async (name, one, other) => {
  const shared = deployment()
  vi.stubEnv(name, one)
  const first = start(undefined, shared)
  await first.get()
  expect((await first.get()).cacheStatus).toContain('hit')
  vi.stubEnv(name, other)
  expect((await start(undefined, shared).get()).cacheStatus).not.toContain('hit')
})

it.each<[string, Partial<Store>, string | undefined, string, number]>([
  ['a store that outlives the process', { isDurable: true }, undefined, 'production', 1],
  ['one with a release', { isDurable: true }, '1.2.0', 'production', 0],
  ['one whose pages need none', { isDurable: true }, '', 'production', 0],
  ['one in development', { isDurable: true }, undefined, 'development', 0],
  ['a store in memory', {}, undefined, 'production', 0],
])('without a release, the first start says so: %s', (_, properties, release, environment, times) => {
  vi.stubEnv('NODE_ENV', environment)
  const log = vi.fn()
  createResponseCache({ store: { ...memoryStore({ maxBytes: 1000 }), ...properties }, release, log })
  expect(log).toHaveBeenCalledTimes(times)
  for (const [, detail] of log.mock.calls) expect(detail.advice).toContain('release: process.env.RELEASE')
})

it('a release is a text', () => {
  const release = 7 as unknown as string
  expect(() => createResponseCache({ store: memoryStore({ maxBytes: 1000 }), release })).toThrow(
    "release: expected a name of at most 200 characters, or '' for none, got 7",
  )
})
