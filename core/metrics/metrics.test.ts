import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fastly } from '../../adapters/cdn/index.js'
import { startCache } from '../cache/testing/harness.js'
import { labelsOf } from './count.js'
import { createMetrics } from './index.js'

const ask = async (handler = createMetrics({ secret: false }), headers = {}, init: RequestInit = {}) => {
  const response = await handler(new Request('https://site.test/metrics', { headers, ...init }))
  return { status: response?.status, type: response?.headers.get('content-type'), text: (await response?.text()) ?? '' }
}
/** Returns the samples whose lines match, by the name with its labels. */
const samples = async (handler: ReturnType<typeof createMetrics>, pattern: RegExp) => {
  const lines = (await ask(handler)).text.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line))
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]))
}

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => void vi.restoreAllMocks())

describe('the labels of Cache-Status', () => {
  it.each([
    ['sitewright; hit; ttl=59', 'hit', ''],
    ['sitewright; hit; ttl=-5; detail=stale-while-revalidate', 'hit', 'stale-while-revalidate'],
    ['sitewright; fwd=uri-miss; fwd-status=200; stored', 'uri-miss', ''],
    ['sitewright; fwd=miss; collapsed', 'collapsed', ''],
    ['sitewright; fwd=bypass; fwd-status=200; detail=cookie', 'bypass', 'cookie'],
    ['sitewright; fwd=stale; fwd-status=200; detail=vary-x-made-up', 'stale', 'vary'],
    ['ExampleCache; hit; detail="a, b", sitewright; fwd=request', 'request', ''],
  ])('%s', (cacheStatus, outcome, detail) => {
    expect(labelsOf(cacheStatus)).toEqual({ cache: 'sitewright', outcome, detail })
  })
})

describe('the endpoint', () => {
  it('answers only its own path, GET and the token', async () => {
    const handler = createMetrics({ secret: ['new', 'old'], path: '/internal/metrics' })
    const request = (path: string, init: RequestInit = {}) => handler(new Request(`https://site.test${path}`, init))
    expect(await request('/metrics')).toBeUndefined()
    expect((await request('/internal/metrics', { method: 'POST' }))?.status).toBe(405)
    const refused = await request('/internal/metrics', { headers: { Authorization: 'Bearer other' } })
    expect([refused?.status, refused?.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await request('/internal/metrics', { headers: { Authorization: 'Bearer old' } }))?.status).toBe(200)
  })

  it.each([undefined, '', []])('without a secret, it shows nothing, and says so in the log: %j', async (secret) => {
    expect(await ask(createMetrics({ secret }), { Authorization: 'Bearer ' })).toMatchObject({ status: 500 })
    expect(console.error).toHaveBeenCalledWith(
      'Metrics are not configured',
      expect.objectContaining({ path: '/metrics' }),
    )
  })

  it('answers in the format that the scraper asks for', async () => {
    const prometheus = 'application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'
    const openMetrics = await ask(undefined, { Accept: prometheus })
    expect(openMetrics.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(openMetrics.text).toContain('# TYPE sitewright_cache_requests counter\n')
    expect(openMetrics.text).toMatch(/\n# EOF\n$/)
    const text = await ask(undefined, { Accept: '*/*' })
    expect(text.type).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(text.text).toContain('# TYPE sitewright_cache_requests_total counter\n')
    expect(text.text).not.toContain('# EOF')
  })
})

describe('what is counted', () => {
  it('answers of a cache by outcome and detail, as its Cache-Status says', async () => {
    const metrics = createMetrics({ secret: false })
    const cache = startCache({ name: 'counted' })
    for (const headers of [{}, {}, { Cookie: 'session=1' }, { Authorization: 'x' }]) await cache.get('/', headers)
    await cache.inFront(new Request('https://site.test/first'))
    const key = (outcome: string, detail: string) =>
      `sitewright_cache_requests_total{cache="counted",outcome="${outcome}",detail="${detail}"}`
    expect(await samples(metrics, /requests_total\{cache="counted"/)).toEqual({
      [key('uri-miss', '')]: '1',
      [key('hit', '')]: '1',
      [key('bypass', 'cookie')]: '1',
      [key('bypass', 'authorization')]: '1',
      [key('uri-miss', 'first')]: '1',
    })
  })

  it('renders in progress, then their seconds and failures', async () => {
    const metrics = createMetrics({ secret: false })
    const cache = startCache({ name: 'rendering' })
    let finish = () => {}
    cache.serve(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(new Response(''))
        }),
    )
    const running = cache.get()
    await vi.waitFor(() => expect(cache.requests).toHaveLength(1), 20_000)
    const inProgress = 'sitewright_renders_in_progress{cache="rendering"}'
    expect(await samples(metrics, /renders_in_progress\{cache="rendering"/)).toEqual({ [inProgress]: '1' })
    finish()
    await running
    cache.serve(new Error('down'))
    await cache.get('/other').catch(() => {})
    expect(await samples(metrics, /renders_in_progress\{cache="rendering"/)).toEqual({ [inProgress]: '0' })
    const count = (result: string) => `sitewright_render_duration_seconds_count{cache="rendering",result="${result}"}`
    expect(await samples(metrics, /seconds_count\{cache="rendering"/)).toEqual({
      [count('success')]: '1',
      [count('error')]: '1',
    })
    const last = await samples(metrics, /bucket\{cache="rendering",result="error",le="\+Inf"/)
    expect(Object.values(last)).toEqual(['1'])
  })

  it('purges of a cache and of a CDN, with those that failed', async () => {
    const metrics = createMetrics({ secret: false })
    const cache = startCache({ name: 'purged' })
    await cache.invalidate(['document'])
    let status = 200
    const send = async () => Response.json({}, { status })
    const cdn = fastly({ serviceId: 'counted', token: 'secret', fetch: send })
    await cdn.purge(['a'])
    status = 403
    await expect(cdn.purge(['a'])).rejects.toThrow('not purged')
    const key = (target: string, result: string) =>
      `sitewright_purge_duration_seconds_count{target="${target}",result="${result}"}`
    expect(await samples(metrics, /purge_duration_seconds_count/)).toMatchObject({
      [key('purged', 'success')]: '1',
      [key(cdn.name, 'success')]: '1',
      [key(cdn.name, 'error')]: '1',
    })
  })

  it('bytes of stores, at the moment of the request', async () => {
    const cache = startCache({ name: 'stored' })
    const metrics = createMetrics({ secret: false, stores: { 'a "page"\\store\n': cache.store } })
    const name = 'sitewright_store_bytes{store="a \\"page\\"\\\\store\\n"}'
    const bytes = async () => {
      const line = (await ask(metrics)).text.split('\n').find((each) => each.startsWith(name))
      return Number(line?.slice(name.length))
    }
    expect(await bytes()).toBe(0)
    await cache.get()
    expect(await bytes()).toBe(cache.store.bytes?.())
    expect(await bytes()).toBeGreaterThan(0)
  })
})
