import { expect, it } from 'vitest'
import { createResponseCache, memoryStore, type Store } from '../cache/index.js'
import { createRoutes } from './index.js'

function createCachedSite(prefix: 'always' | 'except-default') {
  const routes = createRoutes({ languages: ['en', 'de', 'fr'], default: 'en', prefix, detect: true })
  const memory = memoryStore({ maxBytes: 64 * 1024 ** 2 })
  const stored = new Set<string>()
  const store: Store = {
    ...memory,
    set(key, ...rest) {
      stored.add(key)
      return memory.set(key, ...rest)
    },
  }
  let rendered = 0
  const handler = routes.handler(({ language }) => {
    rendered++
    return new Response(language, { headers: { 'Cache-Control': 'public, max-age=0, s-maxage=60' } })
  })
  const handle = createResponseCache({ store, fields: routes.cacheFields }).wrap(handler)
  const visit = async (path: string, headers: Record<string, string>) => {
    const response = await handle(new Request(`http://localhost${path}`, { headers }))
    await response.arrayBuffer()
    return response
  }
  return { visit, stored, rendered: () => rendered }
}

const letter = (index: number) => String.fromCharCode(97 + (index % 26))
const acceptLanguage = (index: number) =>
  [
    `x${letter(index)}-${letter(index)}${letter(index >> 3)};q=0.${index % 10}`,
    `${['de', 'fr', 'en', 'it'][index % 4]};q=0.${index % 7}`,
    `en-u-x${index}`,
  ].join(', ')

it('one redirect for each language is stored, for 1,000 values of Accept-Language and cookies', async () => {
  const { visit, stored } = createCachedSite('always')
  const targets = new Map<string | null, number>()
  for (let index = 0; index < 1_000; index++) {
    const headers = {
      'accept-language': acceptLanguage(index),
      ...(index % 2 && { cookie: `sitewright-language=${index}` }),
    }
    const target = (await visit('/', headers)).headers.get('location')
    targets.set(target, (targets.get(target) ?? 0) + 1)
  }
  expect([...targets.keys()].sort()).toEqual(['/de', '/en', '/fr'])
  expect(stored.size).toBe(3)
})

it.each(['always', 'except-default'] as const)(
  'with the prefix %s, a page in a language is one entry for all visitors',
  async (prefix) => {
    const { visit, stored, rendered } = createCachedSite(prefix)
    for (const language of ['en', 'de', 'fr', 'it']) {
      for (const cookie of ['', 'sitewright-language=de', 'sitewright-language=gone']) {
        const response = await visit('/de/about', { 'accept-language': language, cookie })
        expect([response.status, response.headers.get('vary')]).toEqual([200, null])
      }
    }
    expect([stored.size, rendered()]).toEqual([1, 1])
  },
)

it('a visitor’s choice of language is not stored, and overrides a stored redirect', async () => {
  const { visit } = createCachedSite('except-default')
  const german = { 'accept-language': 'de' }
  expect((await visit('/', german)).headers.get('location')).toBe('/de')
  for (let visits = 0; visits < 2; visits++) {
    const choice = await visit('/?set-language=en', german)
    expect(choice.headers.get('set-cookie')).toMatch(/^sitewright-language=en;/)
    const home = await visit('/', { ...german, cookie: 'sitewright-language=en' })
    expect([home.status, home.headers.get('vary')]).toEqual([200, expect.stringContaining('Accept-Language')])
    expect((await visit('/', german)).headers.get('location')).toBe('/de')
  }
})

it.each([
  ['de', 'de'],
  ['DE_at', 'de'],
  ['gone', 'en'],
  ['<script>', 'en'],
  ['', 'en'],
])('for a visitor with the cookie %j, the page receives the language %s and no cookie', async (value, language) => {
  const { cacheFields } = createRoutes({
    languages: ['en', 'de'],
    default: 'en',
    detect: true,
    prefix: 'except-default',
  })
  const received: (string | null)[][] = []
  const store = memoryStore({ maxBytes: 1024 ** 2 })
  for (const fields of [cacheFields, {}]) {
    const handle = createResponseCache({ store, fields }).wrap(async ({ headers }) => {
      received.push([headers.get('accept-language'), headers.get('cookie')])
      return new Response('')
    })
    await handle(new Request('http://localhost/', { headers: { cookie: `_ga=1; sitewright-language=${value}` } }))
  }
  expect(received).toEqual([[language, null], [null, null]]) // biome-ignore format: two rows
})
