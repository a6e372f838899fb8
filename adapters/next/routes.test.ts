import { NextRequest } from 'next/server.js'
import { describe, expect, it } from 'vitest'
import { createRoutes } from '../../core/localized-pages/index.js'
import { createLanguageProxy } from './index.js'
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

  it('the proxy remembers the language that a visitor chose', async () => {
    const response = await createLanguageProxy(routes)(
      new NextRequest(`${origin}/?set-language=en`, { headers: german }),
    )
    expect([response.status, response.headers.get('location')]).toEqual([307, `${origin}/`])
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^sitewright-language=en;/)])
  })
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
