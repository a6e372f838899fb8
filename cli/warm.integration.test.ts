import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { folderWith } from '../adapters/disk/testing/folder.js'
import { nodeListener } from '../adapters/node/index.js'
import { sharpService } from '../adapters/sharp/index.js'
import { createResponseCache, memoryStore } from '../core/cache/index.js'
import { createImages } from '../core/image/index.js'
import { createRevalidateEndpoint } from '../core/revalidate/index.js'
import { listen } from '../test/adapter/listen.js'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const secret = 'between-us'
const pages = ['/', '/canyon', '/coast']

/** Starts a site with a sitemap, pages and a real photograph. */
async function startSite(hasSitemap = true) {
  const store = memoryStore({ maxBytes: 50_000_000 })
  const pictures = memoryStore({ maxBytes: 50_000_000 })
  const images = createImages({
    sources: { '/media/': path('../docs/snippets/media') },
    service: sharpService(),
    cache: pictures,
  })
  const cache = createResponseCache({ store })
  const { srcset = '' } = images.srcSet({ src: '/media/black-canyon.jpg', width: 640 })
  const render = cache.wrap(async ({ url }) => {
    const { pathname, origin } = new URL(url)
    const headers = { 'Content-Type': 'text/html', 'Cache-Control': 's-maxage=600', 'Cache-Tag': 'document' }
    if (pathname === '/sitemap.xml' && hasSitemap) {
      const entries = pages.map(
        (page) => `<url><loc>${origin.replace('127.0.0.1', 'www.site.test')}${page}</loc></url>`,
      )
      return new Response(`<urlset>${entries.join('')}</urlset>`, {
        headers: { ...headers, 'Content-Type': 'application/xml' },
      })
    }
    if (!pages.includes(pathname)) return new Response('missing', { status: 404 })
    const links = pages.map((page) => `<a href="${page}">${page}</a>`).join('')
    return new Response(`<html lang="en">${links}<img srcset="${srcset}" src="https://elsewhere.test/a.jpg">`, {
      headers,
    })
  })
  const { invalidate } = cache
  const endpoint = createRevalidateEndpoint({ secret, invalidate, store, log: () => {} })
  const handle = async (request: Request) =>
    (await images.handler(request)) ?? (await endpoint(request)) ?? (await render(request))
  const server = await listen(createServer(nodeListener(handle)))
  onTestFinished(() => server.close())
  return { ...server, srcset, cache, pictures }
}

const warm = (...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile('node', [path('../dist/cli/index.js'), 'warm', ...args], (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })

const visit = (url: string) => fetch(url, { headers: { Accept: 'image/avif,image/webp,*/*' } })

it.each([
  ['a sitemap', true],
  ['no sitemap, but links', false],
])('after warm, each page and each picture of a site with %s is stored', async (_, hasSitemap) => {
  const { url, srcset, pictures } = await startSite(hasSitemap)
  const { code, out, err } = await warm(url)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^200 +\d+\.\d\d s {2}sitewright; fwd=uri-miss; .*stored {2}\/canyon$/m)
  expect(out).toMatch(/^\d+ requests, 0 hits: 0 faults$/m)
  for (const page of pages)
    expect([page, (await visit(url + page)).headers.get('cache-status')]).toEqual([
      page,
      expect.stringContaining('; hit'),
    ])
  const widths = srcset.split(',').length
  expect([...(pictures.entries?.() ?? [])]).toHaveLength(widths + 1) // and the digest of the original
})

it('with --changed, only the pages of a dry run are requested, with their pictures', async () => {
  const { url, cache, srcset } = await startSite()
  await warm(url)
  const init = { method: 'POST', headers: { Authorization: `Bearer ${secret}` } }
  const dryRun = await fetch(`${url}/api/revalidate?dry-run&path=/canyon`, init)
  const file = join(await folderWith(), 'changed.json')
  await writeFile(file, await dryRun.text())
  await cache.invalidate(['/canyon'])
  const { code, out } = await warm(url, '--changed', file)
  expect(code).toBe(0)
  expect(out.match(/ {2}\/\S*$/gm)?.map((line) => line.trim().split('?')[0])).toEqual([
    '/canyon',
    ...Array(srcset.split(',').length).fill(expect.stringMatching(/^\/_image\//)),
  ])
})

it('a page that fails is a fault, and the exit code is 1', async () => {
  const { url } = await startSite()
  const file = join(await folderWith(), 'changed.json')
  await writeFile(file, JSON.stringify({ pages: [`${url}/gone`] }))
  const { code, out } = await warm(url, '--changed', file)
  expect([code, out]).toEqual([1, '/gone answers 404\n0 requests, 0 hits: 1 fault\n'])
})

it('a file without pages is an error that says what to write', async () => {
  const { code, err } = await warm('http://localhost:3000', '--changed', path('../package.json'))
  expect([code, err]).toEqual([2, expect.stringContaining('changed: expected the JSON of a dry run with pages')])
})
