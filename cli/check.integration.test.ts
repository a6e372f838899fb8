import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from '../test/adapter/listen.js'

const program = fileURLToPath(new URL('../dist/cli/index.js', import.meta.url))
const run = (...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = execFile('node', [program, 'check', ...args], (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
  })

type PageResponse = { status?: number; html?: string; headers?: Record<string, string> }
let server: Awaited<ReturnType<typeof listen>> | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function serve(pages: Record<string, PageResponse>): Promise<string> {
  server = await listen(
    createServer(({ url = '' }, response) => {
      const { status = 200, html = '', headers } = pages[url] ?? { status: 404 }
      const type = url.startsWith('/sitemap') ? 'application/xml' : 'text/html'
      response.writeHead(status, { 'content-type': type, ...headers }).end(html)
    }),
  )
  return server.url
}

const page = (lang: string, alternates: Record<string, string>, links: string[] = []) => {
  const head = Object.entries(alternates).map(
    ([hreflang, href]) => `<link rel="alternate" hreflang="${hreflang}" href="${href}">`,
  )
  return { html: `<html lang="${lang}">${head.join('')}${links.map((href) => `<a href="${href}">x</a>`).join('')}` }
}
const alternates = { en: '/', de: '/de', 'x-default': '/' }
const soundSite = { '/': page('en', alternates), '/de': page('de', alternates) }

const sound = {
  html: 'Text\n\n# Boats',
  headers: { 'content-type': 'text/markdown', 'content-language': 'en', link: '</>; rel="canonical"' },
}
/** A sound site whose front page has Markdown, once by its `Link` header and once by a `<link>`. */
const withMarkdown = (markdown: PageResponse, isHeader = true): Record<string, PageResponse> => {
  const link = '<link rel="alternate" type="text/markdown" href="/index.md">'
  const html = `${page('en', alternates).html}<title>Boats – a journal</title>${isHeader ? '' : link}`
  const headers = { link: '</index.md>; rel="alternate"; type="text/markdown"' }
  return { ...soundSite, '/': isHeader ? { html, headers } : { html }, '/index.md': markdown }
}

describe('faults', () => {
  it.each<[string, Record<string, PageResponse>, string[]]>([
    ['an alternate that is missing', { ...soundSite, '/de': { status: 404 } }, ['/: de /de answers 404']],
    [
      'an alternate that redirects',
      { ...soundSite, '/de': { status: 308, headers: { location: '/de/neu' } }, '/de/neu': page('de', {}) },
      ['/: de /de answers 308, to /de/neu'],
    ],
    [
      'a page in another language',
      { ...soundSite, '/de': page('en', alternates) },
      ['/: de /de has lang="en"', '/de: de /de has lang="en"'],
    ],
    [
      'a page without lang',
      { ...soundSite, '/de': { html: page('', alternates).html.replace(' lang=""', '') } },
      ['/: de /de has no lang', '/de: de /de has no lang'],
    ],
    ['an alternate that does not link back', { ...soundSite, '/de': page('de', {}) }, ['/: de /de does not link back']],
    [
      'an alternate that links back to another page',
      {
        ...soundSite,
        '/de': page('de', { en: '/other', de: '/de' }),
        '/other': page('en', { en: '/other', de: '/de' }),
      },
      ['/: de /de does not link back'],
    ],
    [
      'a page that is not among its alternates',
      { ...soundSite, '/de': page('de', { en: '/', 'x-default': '/de' }) },
      ['/de: is not among its own alternates'],
    ],
    [
      'a page of the sitemap that is missing',
      {
        ...soundSite,
        '/sitemap.xml': { html: '<urlset><url><loc>https://a.test/gone?a=1&amp;b=2</loc></url></urlset>' },
      },
      ['sitemap: /gone?a=1&b=2 answers 404'],
    ],
    [
      'a fault behind a link',
      { '/': page('en', alternates, ['/a#b']), '/de': soundSite['/de'], '/a': page('en', { en: '/a', de: '/x' }) },
      ['/a: de /x answers 404'],
    ],
    ['Markdown that is missing', withMarkdown({ status: 404 }), ['/: Markdown /index.md answers 404']],
    [
      'Markdown that is none',
      withMarkdown({ html: '<html lang="en"><title>Boats</title><link rel="canonical" href="/">' }),
      ['/: Markdown /index.md is not text/markdown'],
    ],
    [
      'Markdown of another page',
      withMarkdown({ ...sound, headers: { ...sound.headers, link: '</de>; rel="canonical"' } }),
      ['/: Markdown /index.md does not link back'],
    ],
    [
      'Markdown in another language',
      withMarkdown({ ...sound, headers: { ...sound.headers, 'content-language': 'de' } }),
      ["/: Markdown /index.md has the language 'de'"],
    ],
    [
      'Markdown with another title',
      withMarkdown({ ...sound, html: '# Ships' }),
      ["/: Markdown /index.md has the title 'Ships'"],
    ],
    ['no alternates', { '/': page('en', {}) }, ['no page has alternates']],
  ])('check finds %s', async (_, pages, findings) => {
    const { code, out } = await run(await serve(pages))
    expect([out.trim().split('\n').slice(0, -1), code]).toEqual([findings, 1])
  })
})

it('a site has no faults if its alternates are in the Link header and have the origin of the published site', async () => {
  const link = Object.entries(alternates).map(
    ([hreflang, href]) => `<https://a.test${href}>; rel="alternate"; hreflang="${hreflang}"`,
  )
  const headers = { link: link.join(', ') }
  const origin = await serve({ '/': { ...page('en', {}), headers }, '/de': { ...page('de', {}), headers } })
  expect(await run(origin)).toEqual({ code: 0, out: '2 pages, 6 alternates: 0 faults\n', err: '' })
})

it('alternates on the domains of other languages are counted, and not requested here', async () => {
  const published = {
    en: 'https://a.test/x',
    de: 'https://de.a.test/x',
    ja: 'https://ja.a.test/x',
    fr: 'https://a.test/fr',
  }
  const pages = { '/': page('en', {}, ['/x']), '/x': page('en', published), '/fr': page('fr', published) }
  expect(await run(await serve(pages))).toEqual({
    code: 0,
    out: '3 pages, 8 alternates (4 on other domains, not checked): 0 faults\n',
    err: '',
  })
})

it('entries of the sitemap on other domains are counted, and not requested here', async () => {
  const published = { en: 'https://a.test/', de: 'https://a.test/de' }
  const entries = ['https://a.test/', 'https://a.test/de', 'https://ja.a.test/', 'https://ja.a.test/only-here']
  const pages = {
    '/': page('en', published),
    '/de': page('de', published),
    '/sitemap.xml': { html: `<urlset>${entries.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>` },
  }
  expect(await run(await serve(pages))).toEqual({
    code: 0,
    out: '2 pages, 4 alternates (2 on other domains, not checked): 0 faults\n',
    err: '',
  })
})

it('check reads the parts of a sitemap, stops at the limit, and prints a warning', async () => {
  const pages: Record<string, PageResponse> = {
    ...soundSite,
    '/sitemap.xml': {
      html: '<sitemapindex><sitemap><loc>https://a.test/sitemap.xml?part=1</loc></sitemap></sitemapindex>',
    },
    '/sitemap.xml?part=1': {
      html: '<urlset><url><loc>https://a.test/de</loc></url><url><loc>https://a.test/c</loc></url></urlset>',
    },
  }
  expect(await run(await serve(pages), '--limit', '4')).toEqual({
    code: 0,
    out: '2 pages, 6 alternates: 0 faults\n',
    err: 'There are more pages than the limit of 4: see --limit.\n',
  })
})

it.each([
  ['localhost:3000', "Error: check: expected a URL such as http://localhost:3000, got 'localhost:3000'", 2],
  ['http://127.0.0.1:1', 'Error: http://127.0.0.1:1/ cannot be read: ', 1],
])('the URL %s is an error', async (url, message, code) => {
  const result = await run(url)
  expect([result.err.startsWith(message), result.code]).toEqual([true, code])
})

it.each([true, false])('sound Markdown has no fault: by the Link header %s', async (isHeader) => {
  const { code, out } = await run(await serve(withMarkdown(sound, isHeader)))
  expect([code, out]).toEqual([0, '2 pages, 6 alternates: 0 faults\n'])
})
