import { expect, it } from 'vitest'
import { createResponseCache, memoryStore, type Store } from '../cache/index.js'
import {
  createMarkdown,
  createRoutes,
  markdownLink,
  markdownPath,
  negotiateMarkdown,
  prefersMarkdown,
} from './index.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const agent = 'text/markdown, text/html;q=0.9, */*;q=0.1'

it.each<[string | null, boolean]>([
  [null, false],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  [browser, false],
  ['text/html', false],
  ['text/plain', false],
  [agent, true],
  ['text/markdown', true],
  ['Text/Markdown;charset=utf-8', true],
  // Claude Code, OpenCode and Cursor.
  ['text/markdown, text/html, */*', true],
  ['text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1', true],
  ['text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.8,application/xml;q=0.7,*/*;q=0.5', true],
  ['text/html, text/markdown', true],
  ['text/html, text/markdown;q=0.9', false],
  ['text/markdown;q=0.5, */*;q=0.8', false],
  ['text/markdown;q=0.5, text/*;q=0.8, */*;q=0.1', false],
  ['text/markdown;q=0.8, text/*;q=0.5, */*', true],
  ['text/markdown;q=0.1, */*;q=0.9, text/html;q=0.1', true],
  ['text/markdown;q=0, */*', false],
  ['text/markdown;q=0', false],
  ['text/markdown, text/html;q=0', true],
  ['text/markdown;variant=GFM;q=0.4, text/html;q=0.5', false],
  ['text/markdownish', false],
  [', ,', false],
])('Accept: %o prefers Markdown: %s', (accept, expected) => expect(prefersMarkdown(accept)).toBe(expected))

it.each([
  ['/', '/index.md'],
  ['/articles/boats', '/articles/boats.md'],
  ['/articles/boats/', '/articles/boats.md'],
  ['/de', '/de.md'],
])('the Markdown of %s is at %s', (path, expected) => {
  expect(markdownPath(path)).toBe(expected)
  expect(markdownLink(path)).toBe(`<${expected}>; rel="alternate"; type="text/markdown"`)
})

function createSite(trailingSlash = false) {
  const routes = createRoutes({
    languages: ['en', 'de'],
    default: 'en',
    prefix: 'except-default',
    detect: true,
    trailingSlash,
    paths: { '/articles/[slug]': { de: '/beitraege/[slug]' } },
  })
  const state = { text: 'first', rendered: [] as string[] }
  const headers = {
    'Cache-Control': 'public, max-age=0, s-maxage=60',
    'CDN-Cache-Control': 'max-age=60',
    'Cache-Tag': 'a',
  }
  const markdown = createMarkdown(routes, ({ path, slug }) => {
    if (slug[1] === 'plain') return undefined
    state.rendered.push(`${path} as Markdown`)
    return slug[1] === 'gone' ? new Response('', { status: 404 }) : new Response(`# ${state.text}`, { headers })
  })
  const html = routes.handler((page) => {
    if (page.route === undefined || page.slug[1]?.includes('.')) return new Response('Not found', { status: 404 })
    state.rendered.push(page.path)
    const link = page.slug[1] === 'plain' ? {} : { Link: markdownLink(page.path) }
    return new Response(`<h1>${state.text}</h1>`, { headers: { ...headers, ...link, 'Content-Type': 'text/html' } })
  })
  const memory = memoryStore({ maxBytes: 64 * 1024 ** 2 })
  const keys = new Set<string>()
  const store: Store = {
    ...memory,
    set(key, ...rest) {
      keys.add(key)
      return memory.set(key, ...rest)
    },
  }
  const cache = createResponseCache({ store, fields: routes.cacheFields })
  const handle = negotiateMarkdown(cache.wrap(async (request) => (await markdown(request)) ?? html(request)))
  const ask = async (path: string, sent: Record<string, string> = {}, method = 'GET') => {
    const response = await handle(new Request(`http://a.test${path}`, { method, headers: sent }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ask, cache, state, keys }
}

it('a page and its Markdown are one entry each, for all values of Accept', async () => {
  const { ask, keys, state } = createSite()
  for (let round = 0; round < 3; round++) {
    for (const accept of ['*/*', browser, agent, 'text/markdown', `text/markdown, x/y${round}`]) {
      const { headers, text } = await ask('/articles/boats', { accept })
      const isMarkdown = accept.startsWith('text/markdown')
      expect([text, headers.get('vary')]).toEqual([isMarkdown ? '# first' : '<h1>first</h1>', 'Accept'])
    }
    const { headers, text } = await ask('/articles/boats.md', { accept: round ? agent : browser })
    expect([text, headers.get('vary')]).toEqual(['# first', null])
  }
  expect([...keys]).toEqual(['http://a.test/articles/boats', 'http://a.test/articles/boats.md'])
  expect(state.rendered).toEqual(['/articles/boats', '/articles/boats as Markdown'])
})

it('the headers of Markdown at its own address and at that of the HTML', async () => {
  const { ask } = createSite()
  const expected = {
    'content-type': 'text/markdown; charset=utf-8',
    'content-language': 'de',
    'content-location': '/de/beitraege/boote.md',
    link: '</de/beitraege/boote>; rel="canonical"',
  }
  const own = await ask('/de/beitraege/boote.md')
  expect(Object.fromEntries(own.headers)).toMatchObject({
    ...expected,
    'cache-control': 'public, max-age=0, s-maxage=60',
    'cdn-cache-control': 'max-age=60',
  })
  const negotiated = Object.fromEntries((await ask('/de/beitraege/boote', { accept: agent })).headers)
  expect(negotiated).toMatchObject({ ...expected, 'cache-control': 'private, max-age=0', vary: 'Accept' })
  for (const name of ['cdn-cache-control', 'cache-tag']) expect(negotiated).not.toHaveProperty(name)
  const again = await ask('/de/beitraege/boote', { accept: agent, 'if-none-match': negotiated.etag ?? '' })
  expect([again.status, again.headers.get('vary')]).toEqual([304, 'Accept'])
  const page = await ask('/de/beitraege/boote')
  expect(page.headers.get('link')).toBe('</de/beitraege/boote.md>; rel="alternate"; type="text/markdown"')
  const etag = (await ask('/de/beitraege/boote')).headers.get('etag') ?? ''
  const unchanged = await ask('/de/beitraege/boote', { 'if-none-match': etag })
  expect([unchanged.status, unchanged.headers.get('vary')]).toEqual([304, 'Accept'])
})

it('one purge renews both', async () => {
  const { ask, cache, state } = createSite()
  const both = async () => [(await ask('/articles/boats')).text, (await ask('/articles/boats', { accept: agent })).text]
  expect(await both()).toEqual(['<h1>first</h1>', '# first'])
  state.text = 'second'
  expect(await both()).toEqual(['<h1>first</h1>', '# first'])
  await cache.invalidate(['a'])
  expect(await both()).toEqual(['<h1>second</h1>', '# second'])
  state.text = 'third'
  await cache.invalidate(['/articles/boats'])
  expect(await both()).toEqual(['<h1>third</h1>', '# third'])
})

it('a page without Markdown is HTML for everyone, and does not vary', async () => {
  const { ask } = createSite()
  for (const accept of [browser, agent, agent]) {
    const { status, headers, text } = await ask('/articles/plain', { accept })
    expect([status, headers.get('vary'), text]).toEqual([200, null, '<h1>first</h1>'])
    expect(headers.get('cache-control')).toContain('public')
  }
})

it.each([
  ['/articles/plain.md', 404],
  ['/articles/gone.md', 404],
  ['/nowhere.md', 404],
  ['/de/articles/boats.md', 307],
  ['/articles/boats/.md', 404],
  ['/.md', 404],
  ['/articles/b%C3%B6%C3%B6t.md', 200],
  ['/articles/b%c3%b6%c3%b6t.md', 200],
  ['/articles/50%.md', 404],
  ['/index.md', 200],
  ['/de.md', 200],
])('%s is answered with %i', async (path, status) => expect((await createSite().ask(path)).status).toBe(status))

it('an agent is redirected as a browser is', async () => {
  const { ask } = createSite()
  const response = await ask('/de/articles/boats', { accept: agent })
  expect([response.status, response.headers.get('location')]).toEqual([307, '/de/beitraege/boats'])
})

it('paths with a slash at their end have Markdown, too', async () => {
  const { ask } = createSite(true)
  const { headers } = await ask('/articles/boats/', { accept: agent })
  expect(headers.get('content-location')).toBe('/articles/boats.md')
  expect(headers.get('link')).toBe('</articles/boats/>; rel="canonical"')
})

it('a query that pages depend on stays', async () => {
  const { ask } = createSite()
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await ask('/articles/boats?part=2&utm_source=x', { accept: agent }, method)
    expect(headers.get('content-location')).toBe('/articles/boats.md?part=2')
  }
})

it('a POST is not negotiated', async () => {
  const { ask } = createSite()
  expect((await ask('/articles/boats', { accept: agent }, 'POST')).text).toContain('<h1>')
})

it('what the app gets besides the request stays', async () => {
  const app = negotiateMarkdown(
    async (request: Request, env: string) => new Response(new URL(request.url).pathname + env),
  )
  expect(await (await app(new Request('http://a.test/a', { headers: { accept: agent } }), ' env')).text()).toBe(
    '/a env',
  )
})
