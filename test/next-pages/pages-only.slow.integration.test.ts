import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAnswers, type SiteRequest } from '../next-site/answers.js'
import { buildSite, type RunningSite, startBuilt } from '../next-site/site.js'
import { addPackage, writePagesSite } from './pages-site.js'

// A site with `pages/` alone, with `basePath`, `trailingSlash` and `i18n`. All of sitewright is in `pages/`.

const versions: [string, string][] = [
  ['16', join(import.meta.dirname, 'built-only')],
  ['15', join(import.meta.dirname, '../next15/built-pages-only')],
]

const asGerman = { headers: { 'Accept-Language': 'de' } }
const requests: SiteRequest[] = [
  ['/shop/'],
  ['/shop'],
  ['/shop/', asGerman],
  ['/shop/de/'],
  ['/shop/', { method: 'HEAD' }],
  ['/shop/', { method: 'POST' }],
  ['/shop/posts/a/'],
  ['/shop/posts/a/'],
  ['/shop/posts/a'],
  ['/shop/_next/data/site/de/posts/a.json'],
  ['/shop/nowhere/'],
  ['/shop/de/nowhere/'],
  ['/nowhere'],
  ['/shop/api/session/'],
  ['/shop/api/session/', { headers: { Cookie: 'session=1' } }],
  ['/shop/api/preview/'],
  ['/shop/api/nowhere/'],
  ['/shop/media/cat.jpg'],
  ['/shop/media/cat.jpg', { headers: { Range: 'bytes=0-99' } }],
  ['/shop/media/dog.jpg'],
]

describe.each(versions)('Next.js %s', (version, folder) => {
  let site: RunningSite
  let built = ''
  let before: unknown
  let after: unknown
  const textFile = join(folder, '.next/text')
  const write = (text: string) => writeFile(textFile, text)

  beforeAll(async () => {
    await writePagesSite(folder)
    await buildSite(folder)
    site = await startBuilt(folder)
    before = await recordAnswers(site.url, requests)
    await site.close()
    await addPackage(folder)
    built = await buildSite(folder)
    site = await startBuilt(folder)
    after = await recordAnswers(site.url, requests)
    await site.close()
    await write('first')
    site = await startBuilt(folder, { TEXT_FILE: textFile, STYLEGUIDE_ENABLED: 'true' })
  }, 480_000)

  afterAll(() => site?.close())

  const visit = (path: string, init?: RequestInit) =>
    fetch(`${site.url}/shop${path}`, { signal: AbortSignal.timeout(30_000), ...init })
  const text = async (path: string, init?: RequestInit) => {
    const response = await visit(path, init)
    return [response.status, await response.text()] as const
  }
  const read = async (path: string) => /<p>([^<]*)/.exec((await text(path))[1])?.[1]
  const purge = async (query = '') => {
    const init = { method: 'POST', redirect: 'manual', headers: { Authorization: 'Bearer between-us' } } as const
    const [status, body] = await text(`/api/revalidate/${query}`, init)
    return [status, JSON.parse(body)]
  }

  it('the site answers as before: status, headers, cookies, pictures, stylesheets and its own 404', () => {
    expect(after).toEqual(before)
  })

  it('the build has no warning', () => expect(built).not.toMatch(/warn|error:/i))

  it('session, preview and the 404 of the site work as before', async () => {
    const cookie = (await visit('/api/session/')).headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(await text('/api/session/', { headers: { cookie } })).toEqual([200, '{"name":"Ada"}'])
    const cookies = (await visit('/api/preview/')).headers.getSetCookie().map((value) => value.split(';')[0])
    expect((await text('/', { headers: { cookie: cookies.join('; ') } }))[1]).toContain('en first draft')
    expect(await text('/nowhere/')).toEqual([404, expect.stringContaining('Nothing here')])
  })

  it('next/image gets images from an API route, with its policy', async () => {
    const [, html] = await text('/pictures/')
    const urls = [...html.matchAll(/\/shop(\/api\/image\/[\w-]+\?[^" ]*)/g)].map(([, url = '']) => url)
    expect(urls.length).toBeGreaterThan(1)
    for (const url of urls) {
      const response = await visit(url, { headers: { Accept: 'image/avif' } })
      await response.arrayBuffer()
      const { headers } = response
      expect([response.status, headers.get('content-type')]).toEqual([200, 'image/avif'])
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    }
    expect(site.output()).not.toContain('decoded in the process of the site')
  })

  it('the styleguide is rendered on the server, is not indexed, and has the 404 of the site', async () => {
    const response = await visit('/styleguide/colors/')
    const html = await response.text()
    expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
    expect(html).toContain('<h1 class="sw-title">Colors</h1>')
    expect([html.includes('#b3412e'), html.includes('<header>Shop')]).toEqual([true, false])
    expect(await text('/styleguide/missing/')).toEqual([404, expect.stringContaining('Nothing here')])
  })

  const pages = ['/', '/de/', '/posts/a/', '/de/posts/a/']

  it('a purge without a path renders all pages again in both languages, and a purge of a path renders that page', async () => {
    await Promise.all(pages.map(read))
    await write('second')
    expect(await purge()).toEqual([200, { revalidated: true }])
    expect(await Promise.all(pages.map(read))).toEqual(['en second', 'de second', 'en a second', 'de a second'])
    await write('third')
    expect(await purge('?path=/de/posts/a')).toEqual([200, { revalidated: true, tags: ['/de/posts/a'] }])
    expect(await Promise.all(pages.map(read))).toEqual(['en second', 'de second', 'en a second', 'de a third'])
  })

  it('a deleted page is not found after a purge', async () => {
    await write('deleted')
    expect(await purge('?path=/posts/a')).toEqual([200, { revalidated: true, tags: ['/posts/a'] }])
    expect((await text('/posts/a/'))[0]).toBe(404)
  })

  it('a purge fails if a page cannot be rendered, and names it', async () => {
    await write('broken')
    expect(await purge()).toEqual([503, { error: 'Not revalidated: /broken', revalidated: false }])
    expect(site.output()).toContain('Not revalidated: /broken')
  })

  it('a purge of a path without a page succeeds and names the path, because the page may be deleted', async () => {
    const path = '/nowhere'
    expect(await purge(`?path=${path}`)).toEqual([200, { revalidated: true, tags: [path], notFound: [path] }])
    expect((await text(`${path}/`))[0]).toBe(404)
  })

  it('a purge of a picture revalidates no page', async () => {
    const path = '/shop/media/cat.jpg'
    expect(await purge(`?path=${path}`)).toEqual([200, { revalidated: true, tags: [path] }])
  })

  it('a request whose body Next.js has parsed is an error that says what to write', async () => {
    expect((await text('/api/parsed/', { method: 'POST', body: 'hello' }))[0]).toBe(500)
    expect(site.output()).toContain('bodyParser: expected false, got true; write export const config = ')
  })

  it('no page is stale after the 200 of any of 500 edits; with Next.js 15, of 50', async () => {
    for (let edit = 0; edit < (version === '16' ? 500 : 50); edit++) {
      // Every third purge begins while another one, of the old content, is under way.
      const earlier = edit % 3 === 0 ? purge() : undefined
      await write(`edit ${edit}`)
      expect((await purge())[0]).toBe(200)
      const page = pages[Math.floor(Math.random() * pages.length)] as string
      expect([page, await read(page)]).toEqual([page, expect.stringMatching(` edit ${edit}$`)])
      await earlier
    }
  })
})
