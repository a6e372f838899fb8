import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderToStaticMarkup } from 'react-dom/server'
import { fromTailwind4 } from 'sitewright/tailwind'
import { describe, expect, it, vi } from 'vitest'
import { startRedis } from '../../adapters/redis/testing/redis-server.js'
import { listen } from '../adapter/listen.js'
import { freePort } from '../setup/free-port.js'
import { blocksOf, read, root } from './pages.js'
import { secret, withCompiledServer, withServer } from './with-server.js'

async function expectImage(origin: string): Promise<string> {
  const page = await (await fetch(origin)).text()
  const [, src = ''] = /src="([^"]+)"/.exec(page) ?? []
  // On a busy machine the first image may take longer than the proxy waits: 504, and the next request gets it.
  const load = async () => {
    const image = await fetch(origin + src, { headers: { Accept: 'image/avif' } })
    await image.arrayBuffer()
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/avif'])
  }
  await vi.waitFor(load, { timeout: 90_000, interval: 250 })
  return page
}

/** A delivery as Contentful signs it, whose webhook has the URL of this path. */
function signContentful(path: string): Request {
  const names = 'x-contentful-signed-headers,x-contentful-timestamp'
  const timestamp = `${Date.now()}`
  const signed = `x-contentful-signed-headers:${names};x-contentful-timestamp:${timestamp}`
  const body = JSON.stringify({ sys: { type: 'Entry', id: 'boats' } })
  const hmac = createHmac('sha256', 'a'.repeat(64)).update(['POST', path, signed, body].join('\n'))
  const headers = {
    'x-contentful-signed-headers': names,
    'x-contentful-timestamp': timestamp,
    'x-contentful-signature': hmac.digest('hex'),
  }
  return new Request(`https://www.example.com${path}`, { method: 'POST', headers, body })
}

describe('runs', { timeout: 120_000 }, () => {
  it('routes-server.js', () =>
    withServer('routes-server.js', async (origin) => {
      const ask = async (path: string, language = 'en') => {
        const headers = { 'Accept-Language': language }
        const { status, headers: responseHeaders } = await fetch(origin + path, { headers, redirect: 'manual' })
        return [status, responseHeaders.get('location')]
      }
      expect(await ask('/', 'de-AT')).toEqual([307, '/de'])
      expect(await ask('/de/about')).toEqual([308, '/de/ueber-uns'])
      expect(await ask('/de/ueber-uns')).toEqual([200, null])
      expect(await ask('/fr/about')).toEqual([404, null])
    }))

  it.each(['smallest-server.js', 'smallest-express.js', 'smallest-node.js', 'smallest-srvx.js', 'start/hono-pages.js'])(
    '%s',
    (snippet) => withServer(snippet, async (origin) => void (await expectImage(origin))),
  )

  it.each(['start/hono.js', 'start/express.js', 'start/node.js'])('%s', (snippet) =>
    withServer(snippet, async (origin) => {
      const firstImage = await expectImage(origin)
      expect(await (await fetch(origin)).text()).toBe(firstImage)
      const headers = { Authorization: `Bearer ${secret}` }
      for (const [query, purged] of [
        ['', {}],
        ['?path=/media/black-canyon.jpg', { tags: ['/media/black-canyon.jpg'] }],
      ]) {
        const answer = await fetch(`${origin}/api/revalidate${query}`, { method: 'POST', headers })
        expect(await answer.json()).toEqual({ revalidated: true, ...(purged as object) })
      }
      expect(await expectImage(origin)).not.toBe(firstImage)
      const styleguide = await fetch(`${origin}/styleguide/colors`)
      expect(styleguide.headers.get('cache-control')).toBe('no-store')
      const html = await styleguide.text()
      expect(html).toContain('id="color-paper"')
      expect(html).toContain('<title>Colors</title>')
      expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>')
      for (const [file, type] of [
        ['styleguide.css', 'text/css'],
        ['styleguide.js', 'text/javascript'],
      ]) {
        const asset = await fetch(`${origin}/sitewright/${file}`)
        expect([asset.status, asset.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
        await asset.body?.cancel()
      }
      expect((await fetch(`${origin}/none`)).status).toBe(404)
    }),
  )

  it.each(['whole/server/hono.ts', 'whole/server/express.ts'])('%s: everything on one screen', (snippet) =>
    withCompiledServer(snippet, async (origin) => {
      const first = await fetch(origin, { headers: { 'Accept-Language': 'de' }, redirect: 'manual' })
      expect([first.status, first.headers.get('location')]).toEqual([307, '/de'])
      const read = async () => {
        const page = await fetch(`${origin}/de/ueber-uns`)
        return [await page.text(), page.headers.get('cache-status')] as const
      }
      const [html] = await read()
      expect(html).toContain('<html lang="de" dir="ltr">')
      expect(html).toContain('<main class="sw-small-xs-mt')
      const [, src = ''] = /src="([^"]+)"/.exec(html) ?? []
      const image = await fetch(origin + src)
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      await image.body?.cancel()
      expect((await read())[1]).toContain('hit')
      const headers = { Authorization: `Bearer ${secret}` }
      const answer = await fetch(`${origin}/api/revalidate?path=/about`, { method: 'POST', headers })
      expect(await answer.json()).toEqual({ revalidated: true, tags: ['/about', '/en/about', '/de/ueber-uns'] })
      expect((await read())[1]).toContain('fwd=stale')
      expect(await (await fetch(`${origin}/styleguide/colors`)).text()).toContain('id="color-paper"')
      expect((await fetch(`${origin}/sitewright/spacing.css`)).status).toBe(200)
    }),
  )

  it('signed-in.js: strangers share a stored page, and a visitor has one alone', () =>
    withServer('signed-in.js', async (origin) => {
      const read = async (headers = {}) => {
        const page = await fetch(origin, { headers })
        return [await page.text(), page.headers.get('cache-status'), page.headers.get('cache-control')]
      }
      const sharedCacheControl = 'public, max-age=0, s-maxage=86400'
      await read()
      const hit = ['<h1>Welcome</h1>', expect.stringContaining('hit'), sharedCacheControl]
      expect(await read()).toEqual(hit)
      const signedIn = await fetch(`${origin}/sign-in`, { method: 'POST', redirect: 'manual' })
      const [cookie = ''] = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
      const bypassStatus = expect.stringContaining('detail=bypass')
      expect(await read({ Cookie: cookie })).toEqual(['<h1>Welcome, Ada</h1>', bypassStatus, 'private, max-age=0'])
      await read() // the sign-in redirects to this page, which purges it
      expect(await read()).toEqual(hit)
      expect((await read({ Cookie: 'session=guessed' }))[0]).toBe('<h1>Welcome</h1>')
    }))

  it.each(['existing/hono.js', 'existing/express.js'])(
    '%s: a route that was there is stored, until it is purged',
    (snippet) => {
      const expectStored = async (origin: string) => {
        const read = async () => {
          const page = await fetch(origin)
          return {
            html: await page.text(),
            type: page.headers.get('content-type'),
            status: page.headers.get('cache-status'),
          }
        }
        const before = await read()
        expect(before.html).toMatch(/^<h1>Rendered at .+<\/h1>/)
        expect(before.type?.toLowerCase()).toBe('text/html; charset=utf-8')
        expect(await read()).toMatchObject({ html: before.html, status: expect.stringContaining('sitewright; hit') })
        const headers = { Authorization: `Bearer ${secret}` }
        const answer = await fetch(`${origin}/api/revalidate`, { method: 'POST', headers })
        expect(await answer.json()).toEqual({ revalidated: true })
        expect((await read()).html).not.toBe(before.html)
        expect((await fetch(`${origin}/none`)).status).toBe(404)
        if (snippet === 'existing/express.js') await expectArticles(origin)
      }
      return withServer(snippet, expectStored, 'docs/snippets/existing')
    },
  )

  /** A route with a parameter is stored as each of its pages; the 404 of the app is not. */
  async function expectArticles(origin: string): Promise<void> {
    const read = async (path: string) => {
      const page = await fetch(origin + path)
      return [page.status, await page.text(), page.headers.get('cache-status')]
    }
    const first = expect.stringContaining('detail=first')
    expect(await read('/articles/first-light')).toEqual([200, expect.stringContaining('First light'), first])
    expect((await read('/articles/first-light'))[2]).toContain('stored')
    expect((await read('/articles/first-light'))[2]).toContain('hit')
    const notStored = expect.stringContaining('detail=no-lifetime')
    expect(await read('/articles/none')).toEqual([404, expect.stringContaining('Cannot GET'), notStored])
  }

  it('revalidate.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', secret)
    vi.stubEnv('PORT', '0')
    const { server } = await import('../../docs/snippets/revalidate.js')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const read = async () => (await fetch(origin)).text()
    const before = await read()
    expect(await read()).toBe(before)
    const headers = { Authorization: `Bearer ${secret}` }
    const answer = await fetch(`${origin}/api/revalidate`, { method: 'POST', headers })
    expect(await answer.json()).toEqual({ revalidated: true })
    expect(await read()).not.toBe(before)
    server.closeAllConnections()
    server.close()
  })

  it('cache.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', secret)
    const { pages, revalidate } = await import('../../docs/snippets/cache.js')
    const read = async () => (await pages(new Request('http://site.test/a'))).text()
    const first = await read()
    expect(await read()).toBe(first)
    const headers = { Authorization: `Bearer ${secret}` }
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

  it('several-machines.ts, without a Redis: pages are rendered, and a purge fails', async () => {
    vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${await freePort()}`)
    vi.resetModules()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { cache, client } = await import('../../docs/snippets/several-machines.js')
    const pages = cache.wrap(async () => new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } }))
    const page = await pages(new Request('http://site.test/a'))
    expect([page.status, await page.text()]).toEqual([200, 'page'])
    expect(page.headers.get('cache-status')).toContain('fwd=bypass; fwd-status=200; detail=tag-index-unavailable')
    await expect(cache.invalidate(['document'])).rejects.toThrow()
    await vi.waitFor(
      () => expect(logged).toHaveBeenCalledWith('Redis:', expect.stringContaining('ECONNREFUSED')),
      20_000,
    )
    client.destroy()
    logged.mockRestore()
  })

  it('cdn.ts', async () => {
    vi.stubEnv('REVALIDATE_SECRET', secret)
    vi.stubEnv('FASTLY_SERVICE_ID', 'SU1Z0isxPaozGVKXdv0eY')
    vi.stubEnv('FASTLY_API_TOKEN', 'a-token')
    const requestedUrls: string[] = []
    vi.stubGlobal('fetch', async (request: Request) => {
      requestedUrls.push(`${request.method} ${request.url} ${await request.text()}`)
      return Response.json({})
    })
    const { pages, revalidate } = await import('../../docs/snippets/cdn.js')
    vi.useFakeTimers({ toFake: ['setTimeout'] }) // the second purge, which would ask Fastly itself
    for (const _ of ['rendered', 'out of the cache']) {
      const page = await pages(new Request('http://site.test/a'))
      expect(page.headers.get('Surrogate-Key')).toBe('document menu /a')
    }
    const headers = { Authorization: `Bearer ${secret}` }
    const answer = revalidate(new Request('http://site.test/api/revalidate', { method: 'POST', headers }))
    await vi.advanceTimersByTimeAsync(1)
    expect(await (await answer)?.json()).toEqual({ revalidated: true })
    const url = 'https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge'
    expect(requestedUrls).toEqual([`POST ${url} {"surrogate_keys":["document"]}`])
    vi.useRealTimers()
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

  it('content-tags.ts and content-data.ts', async () => {
    const articles = [7, 8].map((id) => ({ id, type: 'article', title: `Article ${id}` }))
    const cms = await listen((req, res) => {
      const article = articles.find(({ id }) => req.url === `/articles/${id}`)
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(article ?? articles))
    })
    vi.stubEnv('CMS_URL', cms.url)
    vi.stubEnv('REVALIDATE_SECRET', secret)
    const { pages, revalidate } = await import('../../docs/snippets/content-tags.js')
    const visit = async (path: string) => {
      const { headers } = await pages(new Request(`http://site.test${path}`))
      return [headers.get('cache-tag'), headers.get('cache-status')]
    }
    const paths = ['/articles', '/articles/7', '/articles/8']
    for (const path of paths) await visit(path)
    const init = { method: 'POST', headers: { Authorization: `Bearer ${secret}` } }
    const publish = new Request('http://site.test/api/revalidate', { ...init, body: JSON.stringify(articles[0]) })
    expect((await revalidate(publish))?.status).toBe(200)
    const renderedStatus = 'sitewright; fwd=stale; fwd-status=200; stored; detail=purged'
    expect(await Promise.all(paths.map(visit))).toEqual([
      ['document,/articles,type:article,entry:7,entry:8', renderedStatus],
      ['document,/articles/7,entry:7', renderedStatus],
      ['document,/articles/8,entry:8', expect.stringContaining('sitewright; hit')],
    ])
    await cms.close()

    const { readMenu, forget } = await import('../../docs/snippets/content-data.js')
    await expect(readMenu()).rejects.toThrow('ENOENT')
    forget()
  })

  it('webhook-content.ts: a dry run answers as the page shows', async () => {
    vi.stubEnv('CONTENTFUL_WEBHOOK_SECRET', 'a'.repeat(64))
    vi.stubEnv('REVALIDATE_SECRET', secret)
    const { cache, revalidate, webhook } = await import('../../docs/snippets/webhook-content.js')
    const [shown = ''] = blocksOf(read('docs/guide/revalidation.md')).flatMap(({ language, code }) =>
      language === 'json' ? [code] : [],
    )
    const answer = JSON.parse(shown) as { pages: string[] }
    const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'contentful:boats' }
    const pages = cache.wrap(async () => new Response('page', { headers }))
    for (const url of answer.pages) await (await pages(new Request(url))).text()
    const type = { sys: { id: 'article' } }
    const dryRun = new Request('https://www.example.com/api/revalidate?dry-run', {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}` },
      body: JSON.stringify({ sys: { type: 'Entry', id: 'boats', contentType: type } }),
    })
    expect(await (await revalidate(dryRun))?.json()).toEqual(answer)
    expect((await webhook(signContentful('/api/contentful')))?.status).toBe(200)
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
    await vi.waitFor(async () => expect(await readdir(join(folder, '.cache/pages'))).toHaveLength(2), 20_000)
    await cache.invalidate(['news'])
    expect(await read()).not.toBe(first)
  })

  it('styleguide.tsx', async () => {
    vi.stubEnv('STYLEGUIDE_ENABLED', 'true')
    const { styleguide } = await import('../../docs/snippets/styleguide.js')
    const page = await styleguide(new Request('http://site.test/styleguide/colors'))
    expect(page?.status).toBe(200)
    expect(await page?.text()).toContain('#f6f1e6')
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

  it('photo-shapes.tsx', async () => {
    const { Author, Hero } = await import('../../docs/snippets/photo-shapes.js')
    expect(renderToStaticMarkup(<Hero />)).toMatch(/ width="1080" height="608".*&amp;ratio=16:9&amp;focus=5,0 3840w/)
    const portrait = { url: 'https://cdn.sanity.io/images/a/b/c-800x600.jpg', hotspot: { x: 0.4, y: 0.3 } }
    expect(renderToStaticMarkup(<Author portrait={portrait} name="Ada" />)).toContain('&amp;ratio=1:1&amp;focus=4,3')
  })

  it('the variants of createImages', async () => {
    vi.stubEnv('IMGPROXY_URL', 'http://imgproxy.test')
    vi.stubEnv('IMGPROXY_KEY', '736563726574')
    vi.stubEnv('IMGPROXY_SALT', '68656c6c6f')
    for (const name of ['OLD', 'NEW']) {
      vi.stubEnv(`${name}_KEY`, Buffer.from(`${name} key`).toString('hex'))
      vi.stubEnv(`${name}_SALT`, Buffer.from(`${name} salt`).toString('hex'))
    }
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-'))
    const start = process.cwd()
    process.chdir(fileURLToPath(new URL('examples/site', root)))
    const ask = (url: string) => new Request(`http://site.test${url}`)
    const src = '/media/black-canyon.jpg'

    const { images: remote } = await import('../../docs/snippets/images-imgproxy.js')
    expect(remote.loader({ src, width: 640 })).toMatch(/^\/_image\/.+\?width=640$/)
    const { url } = await import('../../docs/snippets/images-versions.js')
    expect(url).toMatch(/^\/_image\/.+\?width=640&v=[\w-]{16}$/)

    const { onUpload, revalidate } = await import('../../docs/snippets/purge-image.js')
    await expect(onUpload('cat.jpg')).resolves.toBeUndefined()
    expect((await revalidate(ask('/api/revalidate?path=/media/cat.jpg')))?.status).toBe(405)
    const media = fileURLToPath(new URL('examples/site/media', root))
    await symlink(media, join(folder, 'media'))
    process.chdir(folder)
    const { images } = await import('../../docs/snippets/images-disk.js')
    expect(images.tagOf('https://cdn.example.com/photos/a.jpg')).toBe('https://cdn.example.com/photos/a.jpg')
    process.chdir(start)
    await rm(folder, { recursive: true })
  })

  it('cache-tags.ts, cache-fields.ts and preview.ts', async () => {
    const { pages, publish, correct, redesign } = await import('../../docs/snippets/cache-tags.js')
    const page = async () => {
      const response = await pages(new Request('http://site.test/news/1'))
      await response.text() // to its end, so that it is stored
      return response.headers
    }
    expect((await page()).get('cache-tag')).toBe('article-17,author-3,document,news,/news/1')
    await publish()
    expect((await page()).get('cache-status')).toContain('fwd=')
    await correct()
    expect((await page()).get('cache-status')).toContain('hit')
    await redesign()
    const { cache: byLanguage } = await import('../../docs/snippets/cache-fields.js')
    const greet = byLanguage.wrap(async ({ headers }) => {
      const greeting = `${headers.get('accept-language')} ${headers.get('cookie')}`
      return new Response(greeting, { headers: { 'Cache-Control': 's-maxage=60' } })
    })
    const read = async (language: string) => {
      const headers = { 'Accept-Language': language, Cookie: 'theme=dark; _ga=1' }
      return (await greet(new Request('http://site.test/', { headers }))).text()
    }
    expect([await read('de-AT,de;q=0.9'), await read('fr')]).toEqual(['de theme=dark', 'en theme=dark'])
  })

  it('webhook-assets.ts', async () => {
    vi.stubEnv('CONTENTFUL_WEBHOOK_SECRET', 'a'.repeat(64))
    const { images } = await import('../../docs/snippets/webhook-assets.js')
    const file = 'https://images.ctfassets.net/space/cat.jpg'
    expect(images.tagOf(file)).toBe(file)
  })

  it('styleguide-colors.ts and spacing-own.tsx', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sitewright-'))
    const write = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const readers = await import('../../docs/snippets/styleguide-colors.js')
    const names = (colors: { name: string }[]) => colors.map(({ name }) => name)
    expect(names(readers.ofTailwind3)).toContain('brand-500')
    expect(names(await readers.ofCss(await write('a.css', ':root { --color-paper: #fff }')))).toEqual(['paper'])
    const theme = await write('b.css', '@theme { --color-brand: #7d2c1b }')
    expect(names(await readers.ofTailwind4(theme))).toEqual(['brand'])
    const from = fileURLToPath(new URL('theme.css', root)) // from where Tailwind is found
    const withPalette = (extraCss: string) =>
      fromTailwind4(`@import "tailwindcss"; @theme { ${extraCss} --color-brand: #7d2c1b }`, { from })
    expect((await withPalette('')).colors).toHaveLength(289)
    expect(names((await withPalette('--color-*: initial;')).colors)).toEqual(['brand'])
    const tokens = JSON.stringify({ brand: { $type: 'color', $value: '#7d2c1b' } })
    expect(names(await readers.ofTokens(await write('tokens.json', tokens)))).toEqual(['brand'])
    await rm(folder, { recursive: true })

    const { css, Section } = await import('../../docs/snippets/spacing-own.js')
    expect(css).toContain('60rem')
    expect(renderToStaticMarkup(<Section />)).toMatch(/^<section class="[^"]+">/)
  })

  it('metrics.ts, routes-page.tsx and vite-described.ts', async () => {
    vi.stubEnv('METRICS_SECRET', secret)
    vi.stubEnv('PORT', '0')
    const { server } = await import('../../docs/snippets/metrics.js')
    if (!server.listening) await once(server, 'listening')
    const headers = { Authorization: `Bearer ${secret}` }
    const { port } = server.address() as AddressInfo
    expect(await (await fetch(`http://localhost:${port}/metrics`, { headers })).text()).toContain('sitewright_')
    server.closeAllConnections()
    server.close()

    const { Document } = await import('../../docs/snippets/routes-page.js')
    const { routes } = await import('../../docs/snippets/routes.js')
    const page = await routes.findBySlug('de', ['ueber-uns'])
    if (!page) throw new Error('expected a page')
    expect(renderToStaticMarkup(<Document page={page} />)).toContain('<html lang="de"')
    const { default: config } = await import('../../docs/snippets/vite-described.js')
    expect(config.plugins).toEqual([expect.objectContaining({ name: 'sitewright:described-images' })])
  })

  it('connect.ts', async () => {
    const { connectMiddleware } = await import('../../docs/snippets/connect.js')
    const middleware = connectMiddleware(async ({ url }) => (url.endsWith('/a') ? new Response('a') : undefined))
    const server = await listen((req, res) => void middleware(req, res, (error) => res.end(error ? 'error' : 'next')))
    expect(await (await fetch(`${server.url}/a`)).text()).toBe('a')
    expect(await (await fetch(`${server.url}/b`)).text()).toBe('next')
    await server.close()
  })
})
