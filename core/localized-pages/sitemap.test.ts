import { expect, it, vi } from 'vitest'
import { createLlmsTxt, createRoutes, createSitemap } from './index.js'

const origin = 'https://a.test'
const table = {
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default',
  paths: { '/about': { de: '/ueber-uns' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
} as const
const routes = createRoutes({
  ...table,
  translationsOf: () => ({ en: "cat's", de: 'katze' }),
})
const read = async (sitemap: ReturnType<typeof createSitemap>, path = '/sitemap.xml', method = 'GET') => {
  const response = await sitemap(new Request(origin + path, { method }))
  return (
    response && { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  )
}

it('a sitemap lists each page in each language, with its alternates', async () => {
  const sitemap = createSitemap({
    routes,
    origin,
    pages: () => [
      { path: '/about', lastModified: '2026-11-26' },
      { path: '/articles/katze', language: 'de' },
    ],
  })
  const alternates = (en: string, de: string) =>
    [
      `<xhtml:link rel="alternate" hreflang="en" href="https://a.test${en}"/>`,
      `<xhtml:link rel="alternate" hreflang="de" href="https://a.test${de}"/>`,
      `<xhtml:link rel="alternate" hreflang="x-default" href="https://a.test${en}"/>`,
    ].join('\n')
  const url = (path: string, rest: string) => `<url>\n<loc>https://a.test${path}</loc>\n${rest}\n</url>`
  const about = `<lastmod>2026-11-26</lastmod>\n${alternates('/about', '/de/ueber-uns')}`
  const cat = alternates('/articles/cat&#39;s', '/de/beitraege/katze')
  expect(await read(sitemap)).toEqual({
    status: 200,
    type: 'application/xml; charset=utf-8',
    text: `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${[url('/about', about), url('/de/ueber-uns', about), url('/articles/cat&#39;s', cat), url('/de/beitraege/katze', cat)].join('\n')}
</urlset>
`,
  })
  expect(await read(sitemap, '/sitemap.xml', 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect(await read(sitemap, '/sitemap.xml', 'POST')).toBeUndefined()
  expect(await read(sitemap, '/other.xml')).toBeUndefined()
})

const untranslated = createRoutes(table)
async function* createPages(count: number) {
  for (let index = 0; index < count; index++) {
    yield { path: `/articles/${index}` }
  }
}

it.each([
  [25_000, 50_000],
  [0, 0],
])('%i pages are one sitemap', async (pages, urls) => {
  const { text = '' } =
    (await read(createSitemap({ routes: untranslated, origin, pages: () => createPages(pages) }))) ?? {}
  expect(text.split('<loc>').length - 1).toBe(urls)
  expect(text).toContain('<urlset')
})

it('more than 50,000 URLs are an index of sitemaps', async () => {
  const sitemap = createSitemap({ routes: untranslated, origin, pages: () => createPages(25_001) })
  const { text = '' } = (await read(sitemap)) ?? {}
  expect(text.match(/<loc>[^<]*/g)).toEqual([1, 2].map((part) => `<loc>https://a.test/sitemap.xml?part=${part}`))
  expect((await read(sitemap, '/sitemap.xml?part=2'))?.text.match(/<loc>[^<]*/g)).toEqual([
    '<loc>https://a.test/articles/25000',
    '<loc>https://a.test/de/beitraege/25000',
  ])
  for (const part of ['3', '0', '-1', '1.5', 'x', ''])
    expect(await read(sitemap, `/sitemap.xml?part=${part}`)).toMatchObject({ status: 404 })
})

it('a sitemap is streamed: a page is looked up when it is read', async () => {
  const findBySlug = vi.fn(routes.findBySlug)
  const sitemap = createSitemap({ routes: { ...routes, findBySlug }, origin, pages: () => createPages(1000) })
  const response = await sitemap(new Request(`${origin}/sitemap.xml`))
  const reader = response?.body?.getReader()
  await reader?.read()
  await reader?.read()
  await reader?.cancel()
  expect(findBySlug.mock.calls.length).toBeLessThan(10)
})

it('llms.txt lists the Markdown of the pages that have a title', async () => {
  const pages = async function* () {
    yield { path: '/', title: 'Boats', summary: 'All of them.' }
    yield { path: '/articles/katze', language: 'de', title: '[Katze] \\ Boot' }
    yield { path: '/about' }
  }
  const llms = createLlmsTxt({ routes, origin, pages, title: 'Boats', summary: 'A journal.' })
  expect(await read(llms, '/llms.txt')).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: `# Boats

> A journal.

## Pages

- [Boats](https://a.test/index.md): All of them.
- [\\[Katze\\] \\\\ Boot](https://a.test/de/beitraege/katze.md)
`,
  })
  expect(await read(llms, '/llms.txt', 'HEAD')).toMatchObject({ status: 200, text: '' })
  for (const method of ['GET', 'POST'])
    expect(await read(llms, method === 'GET' ? '/llms' : '/llms.txt', method)).toBe(undefined)
})
