import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'

const root = new URL('../../', import.meta.url)
const readme = await readFile(new URL('README.md', root), 'utf8')
// ```ts test/readme/revalidate.ts
const blocks = [...readme.matchAll(/^```[a-z]+ (\S+)\n(.*?)^```$/gms)].map(([, file, code]) => [file, code] as const)

describe('the code in the README', () => {
  it('is taken from files', () => {
    expect(blocks.length).toBeGreaterThan(6)
  })

  it.each(blocks)('of %s stands there as it is', async (file, code) => {
    expect(await readFile(new URL(file as string, root), 'utf8')).toContain(code)
  })
})

describe('runs', () => {
  it('smallest-server.js', async () => {
    const cwd = new URL('examples/site', root).pathname
    const script = new URL('smallest-server.js', import.meta.url).pathname
    const port = 20_000 + (process.pid % 20_000)
    const child = spawn('node', [script], { cwd, env: { ...process.env, PORT: String(port) }, stdio: 'inherit' })
    try {
      const origin = `http://127.0.0.1:${port}`
      const page = await vi.waitFor(() => fetch(origin), { timeout: 10_000, interval: 50 })
      const [, src] = /src="([^"]+)"/.exec(await page.text()) ?? []
      const picture = await fetch(origin + src, { headers: { Accept: 'image/avif' } })
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/avif'])
    } finally {
      child.kill()
      await once(child, 'close')
    }
  })

  it('revalidate.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', 'between-us-and-no-one-else')
    vi.stubEnv('PORT', '0')
    const { server } = await import('../../docs/snippets/revalidate.js')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const read = async () => (await fetch(origin)).text()
    const before = await read()
    expect(await read()).toBe(before)
    const headers = { Authorization: 'Bearer between-us-and-no-one-else' }
    const answer = await fetch(`${origin}/api/revalidate`, { method: 'POST', headers })
    expect(await answer.json()).toEqual({ revalidated: true })
    expect(await read()).not.toBe(before)
    server.closeAllConnections()
    server.close()
  })

  it('cache.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', 'between-us-and-no-one-else')
    const { pages, revalidate } = await import('../../docs/snippets/cache.js')
    const read = async () => (await pages(new Request('http://site.test/a'))).text()
    const first = await read()
    expect(await read()).toBe(first)
    const headers = { Authorization: 'Bearer between-us-and-no-one-else' }
    const answer = await revalidate(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
    expect(await answer?.json()).toEqual({ revalidated: true })
    expect(await read()).not.toBe(first)
  })

  it('several-machines.ts', async () => {
    const redis = await startRedis()
    vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${redis.port}`)
    const { cache, client } = await import('../../docs/snippets/several-machines.js')
    let renders = 0
    const pages = cache.wrap(async () => {
      return new Response(`${++renders}`, { headers: { 'Cache-Control': 's-maxage=60' } })
    })
    const read = async () => (await pages(new Request('http://site.test/a'))).text()
    await vi.waitFor(async () => expect(await read()).toBe(await read()), { timeout: 10_000 })
    const before = renders
    await cache.invalidate(['document'])
    expect(await read()).toBe(`${before + 1}`)
    client.destroy()
    await redis.stop()
  })

  it('cdn.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', 'between-us-and-no-one-else')
    vi.stubEnv('FASTLY_SERVICE_ID', 'SU1Z0isxPaozGVKXdv0eY')
    vi.stubEnv('FASTLY_API_TOKEN', 'a-token')
    const asked: string[] = []
    vi.stubGlobal('fetch', async (request: Request) => {
      asked.push(`${request.method} ${request.url} ${await request.text()}`)
      return Response.json({})
    })
    const { pages, revalidate } = await import('../../docs/snippets/cdn.js')
    for (const _ of ['rendered', 'out of the cache']) {
      const page = await pages(new Request('http://site.test/a'))
      expect(page.headers.get('Surrogate-Key')).toBe('document menu')
    }
    const headers = { Authorization: 'Bearer between-us-and-no-one-else' }
    const answer = await revalidate(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
    expect(await answer?.json()).toEqual({ revalidated: true })
    const url = 'https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge'
    expect(asked).toEqual([`POST ${url} {"surrogate_keys":["document"]}`])
    vi.unstubAllGlobals()
  })

  it('webhook.ts', async () => {
    vi.stubEnv('SANITY_WEBHOOK_SECRET', 'between-us-and-no-one-else')
    const { revalidate } = await import('../../docs/snippets/webhook.js')
    const body = JSON.stringify({ _type: 'menu' })
    const at = Date.now()
    const signature = createHmac('sha256', 'between-us-and-no-one-else').update(`${at}.${body}`).digest('base64url')
    const ask = async (headers: Record<string, string>) =>
      (await revalidate(new Request('http://site.test/api/revalidate', { method: 'POST', headers, body })))?.status
    expect(await ask({ 'sanity-webhook-signature': `t=${at},v1=${signature}` })).toBe(200)
    expect(await ask({ 'sanity-webhook-signature': `t=${at + 1},v1=${signature}` })).toBe(401)
  })

  it('disk.ts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-'))
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
    const { cache } = await import('../../docs/snippets/disk.js')
    cwd.mockRestore()
    const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'news' }
    const pages = cache.wrap(async () => new Response(`${performance.now()}`, { headers }))
    const read = async () => (await pages(new Request('http://site.test/'))).text()
    const first = await read()
    expect(await read()).toBe(first)
    await vi.waitFor(async () => expect(await readdir(join(folder, '.cache/pages'))).toHaveLength(2))
    await cache.invalidate(['news'])
    expect(await read()).not.toBe(first)
  })

  it('styleguide.tsx', async () => {
    vi.stubEnv('STYLEGUIDE_ENABLED', 'true')
    const { styleguide } = await import('../../docs/snippets/styleguide.js')
    const page = await styleguide(new Request('http://site.test/styleguide/colors'))
    expect(page?.status).toBe(200)
    expect(await page?.text()).toContain('oklch(25% 0.02 60)')
    const button = await styleguide(new Request('http://site.test/styleguide/components/button/quiet'))
    expect(await button?.text()).toContain('<button type="button" class="quiet">Read on</button>')
    const written = await styleguide(new Request('http://site.test/styleguide/writing/alternative-texts'))
    expect(await written?.text()).toMatch(/<h1[^>]*>Alternative texts<.*<h2 id="what-does-not">/s)
  })

  it('photo.tsx, localized.tsx and spacing.tsx', async () => {
    const [{ Lead }, { GermanPage, germanMetadata }, { Section }] = await Promise.all([
      import('../../docs/snippets/photo.js'),
      import('../../docs/snippets/localized.js'),
      import('../../docs/snippets/spacing.js'),
    ])
    expect(renderToStaticMarkup(<Lead />)).toContain('/_image/')
    const params = Promise.resolve({ slug: ['about'] })
    expect(renderToStaticMarkup(await GermanPage({ params }))).toBe('<h1 lang="de">about</h1>')
    expect(await germanMetadata({ params })).toEqual({ title: 'de · about' })
    expect(renderToStaticMarkup(<Section />)).toMatch(/^<section class="sw-large-xs-mt sw-large-xs-mb sw-small-md-mt">/)
  })
})
