import { NextRequest } from 'next/server.js'
import { describe, expect, it } from 'vitest'
import { createRoutes } from '../../core/localized-pages/index.js'
import { createLanguageProxy, createMarkdownProxy } from './index.js'
import { createRevalidateRoute } from './revalidate.js'

const routes = createRoutes({
  languages: ['en', 'de'],
  default: 'en',
  prefix: 'except-default',
  detect: true,
  paths: { '/about': { de: '/ueber-uns' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
  translationsOf: () => ({ en: 'house-cat', de: 'größe' }),
})
const origin = 'http://localhost:3000'
const german = { 'accept-language': 'de' }

describe('the proxy', () => {
  it.each<[string, Record<string, string>, number, string]>([
    ['/', {}, 200, '/en'],
    ['/', german, 307, '/de'],
    ['/about?a=1', german, 200, '/en/about?a=1'],
    ['/de/ueber-uns', {}, 200, '/de/about'],
    ['/de/about', {}, 308, '/de/ueber-uns'],
    ['/de/beitraege/gr%C3%B6%C3%9Fe', {}, 200, '/de/articles/gr%C3%B6%C3%9Fe'],
    ['/de/nowhere', {}, 200, '/de/nowhere'],
    ['/nowhere', {}, 200, '/en/nowhere'],
  ])('the proxy answers %s %o with %i and %s', async (path, headers, status, target) => {
    const response = await createLanguageProxy(routes)(new NextRequest(origin + path, { headers }))
    const location = response.headers.get(status === 200 ? 'x-middleware-rewrite' : 'location')
    expect([response.status, location]).toEqual([status, origin + target])
    expect(response.headers.get('vary')).toBe(status === 307 ? 'Accept-Language, Cookie' : null)
  })

  it.each(['/de/a%2Fb', '/de/a%5Cb', '/de/beitraege/%2F'])('%s is not found in its language', async (path) => {
    const response = await createLanguageProxy(routes)(new NextRequest(origin + path))
    const folder = new URL(response.headers.get('x-middleware-rewrite') ?? '').pathname
    const [language = '', ...slug] = folder.slice(1).split('/')
    expect(await routes.findBySlug(language, slug)).toMatchObject({ language: 'de', route: undefined })
  })

  it.each([
    ['/de/50%-rabatt', 'de'],
    ['/de/beitraege/%E2%98', 'de'],
    ['/50%', 'en'],
  ])('%s, for which Next.js renders no page, is a 404 in %s', async (path, language) => {
    const response = await createLanguageProxy(routes)(new NextRequest(origin + path))
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(`lang="${language}"`)])
  })

  it('the front page that a language does not have is not found', async () => {
    const partial = createRoutes({ languages: ['en', 'de'], default: 'en', paths: { '/': { de: false } } })
    const response = await createLanguageProxy(partial)(new NextRequest(`${origin}/de`))
    expect(response.headers.get('x-middleware-rewrite')).toBe(`${origin}/de/%5C`)
  })

  it.each<[boolean, boolean, string, string | null]>([
    [true, true, '/de/', null],
    [true, true, '/de/about/', '/de/ueber-uns/'],
    [true, true, '/de/?set-language=de', '/de/'],
    [true, false, '/de/', null],
    [true, false, '/de/ueber-uns/', null],
    [true, false, '/de/ueber-uns/?a=1', null],
    [true, false, '/de/about/', '/de/ueber-uns'],
    [true, false, '/de/?set-language=de', '/de'],
    [false, true, '/de', null],
    [false, true, '/de/ueber-uns', null],
  ])(
    'with trailingSlash: %s in Next.js and %s in the routes, %s redirects to %s',
    async (config, own, path, target) => {
      const slashed = createRoutes({
        languages: ['en', 'de'],
        default: 'en',
        paths: { '/about': { de: '/ueber-uns' } },
        trailingSlash: own,
      })
      const request = new NextRequest(origin + path, { nextConfig: { trailingSlash: config } })
      const location = (await createLanguageProxy(slashed)(request)).headers.get('location')
      expect(location).toBe(target && origin + target)
    },
  )

  it('the proxy remembers the language that a visitor chose', async () => {
    const response = await createLanguageProxy(routes)(
      new NextRequest(`${origin}/?set-language=en`, { headers: german }),
    )
    expect([response.status, response.headers.get('location')]).toEqual([307, `${origin}/`])
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^sitewright-language=en;/)])
  })
})

it.each<[string, string, Record<string, string>]>([
  [
    '/articles/boats',
    '*/*',
    { rewrite: '/en/articles/boats', link: '</articles/boats.md>; rel="alternate"; type="text/markdown"' },
  ],
  ['/', 'text/html,*/*;q=0.8', { rewrite: '/en', link: '</index.md>; rel="alternate"; type="text/markdown"' }],
  [
    '/articles/boats',
    'text/markdown, */*',
    { location: `${origin}/articles/boats.md`, 'cache-control': 'no-store', vary: 'Accept' },
  ],
  ['/?a=1', 'text/markdown, */*', { location: `${origin}/index.md?a=1`, 'cache-control': 'no-store', vary: 'Accept' }],
  ['/articles/boats.md', 'text/html,*/*;q=0.8', { rewrite: '/markdown/articles/boats.md' }],
  ['/articles/boats.md', 'text/markdown', { rewrite: '/markdown/articles/boats.md' }],
  ['/de/about', 'text/markdown', { location: `${origin}/de/ueber-uns` }],
  ['/de/50%-rabatt', 'text/markdown', { 'content-type': 'text/html; charset=utf-8' }],
])('the proxy with Markdown: %s for %s', async (path, accept, expected) => {
  const proxy = createMarkdownProxy(createLanguageProxy(routes))
  const response = await proxy(new NextRequest(origin + path, { headers: { accept } }))
  const { 'x-middleware-rewrite': rewrite, ...headers } = Object.fromEntries(response.headers)
  expect({ ...headers, ...(rewrite && { rewrite: rewrite.replace(origin, '') }) }).toEqual(expected)
})

it('a purge by path reaches the page in all languages, by its URLs and folders', async () => {
  const purged: string[] = []
  const tagIndex = {
    stamp: async () => ({ epoch: 'a', sequence: 1 }),
    purgedSince: async () => 'none' as const,
    purge: async (tags: readonly string[]) => void purged.push(...tags),
  }
  const { POST } = createRevalidateRoute({ secret: 'between-us', tagIndex: tagIndex as never, routes })
  const headers = { Authorization: 'Bearer between-us' }
  const response = await POST(new Request(`${origin}/api/revalidate?path=/de/ueber-uns`, { method: 'POST', headers }))
  const tags = ['/de/ueber-uns', '/de/about', '/about', '/en/about']
  expect([response.status, await response.json()]).toEqual([200, { revalidated: true, tags }])
  for (const tag of tags) expect(purged).toContain(`_N_T_${tag}`)
})
