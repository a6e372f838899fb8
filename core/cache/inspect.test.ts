import { expect, it } from 'vitest'
import { memoryStore, memoryTagIndex } from './index.js'
import { cacheable, startCache } from './testing/harness.js'

const origin = 'https://site.test'

it('inspect tells whether a page is missing, fresh, stale or purged, and renders nothing', async () => {
  let time = 0
  const site = startCache({ store: memoryStore({ maxBytes: 1_000_000, clock: () => time }), release: 'a' })
  site.serve(cacheable('page', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=60', 'Cache-Tag': 'post:1' }))
  const stateOf = async (path: string) => (await site.inspect(origin + path)).state
  expect(await stateOf('/a')).toBe('missing')
  await site.get('/a?utm_source=x')
  const fresh = await site.inspect(`${origin}/a`)
  expect(fresh).toMatchObject({ url: `${origin}/a`, state: 'fresh', status: 200, tags: ['post:1', 'document', '/a'] })
  expect(Number(fresh.freshUntil) - Number(fresh.renderedAt)).toBe(60_000)
  time += 61_000
  expect(await stateOf('/a')).toBe('stale')
  await site.invalidate(['post:1'])
  expect(await stateOf('/a')).toBe('purged')
  await site.get('/a')
  await site.invalidate(['post:1'], { mode: 'soft' })
  expect(await stateOf('/a')).toBe('stale')
  expect(site.requests).toHaveLength(2)
})

it('while the tag index is unavailable, the state is unknown; a new index knows no purge, so a page counts as purged', async () => {
  const store = memoryStore({ maxBytes: 1_000_000 })
  const first = startCache({ store })
  await first.get('/')
  expect((await startCache({ store, tagIndex: memoryTagIndex() }).inspect(`${origin}/`)).state).toBe('purged')
  const away = { ...memoryTagIndex(), stamp: () => undefined }
  expect((await startCache({ store, tagIndex: away }).inspect(`${origin}/`)).state).toBe('unknown')
})
