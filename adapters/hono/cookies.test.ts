import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  vi.resetModules()
  warn.mockReset().mockImplementation(() => {})
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const forAll = { 'Cache-Control': 'public, max-age=0, s-maxage=60' }

async function start(headers: HeadersInit, order: 'before' | 'after' | 'never') {
  const { honoMiddleware } = await import('./index.js') // warns once in a process
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
  const app = new Hono().use(
    async (c, next) => {
      if (order === 'before') setCookie(c, 'visit', '1')
      await next()
      if (order === 'after') setCookie(c, 'visit', '1')
    },
    honoMiddleware(cache.wrap(async () => new Response('page', { headers }))),
  )
  return async () => (await app.request('http://site.test/')).headers.getSetCookie()
}

it('Hono drops a cookie that is set before a Response: told of once in development, where the page is for everyone', async () => {
  const visit = await start(forAll, 'before')
  for (let request = 0; request < 100; request++) expect(await visit()).toEqual([])
  expect(warn.mock.calls).toEqual([
    [
      "Set-Cookie: expected none on c beside a response for everyone ('public, max-age=0, s-maxage=60'), got 'visit'; Hono drops what is set before a handler returns a Response. Set it in a response of its own, or for the routes that need it",
    ],
  ])
})

it('a cookie that is set afterwards goes to its visitor only', async () => {
  const visit = await start(forAll, 'after')
  for (let request = 0; request < 3; request++) expect(await visit()).toEqual(['visit=1; Path=/'])
})

it.each<[string, HeadersInit, 'before' | 'after' | 'never', string]>([
  ['there is none', forAll, 'never', 'development'],
  ['the page is private', { 'Cache-Control': 'private' }, 'before', 'development'],
  ['the page says nothing', {}, 'before', 'development'],
  ['in production', forAll, 'before', 'production'],
])('is not told of where %s', async (_, headers, order, environment) => {
  vi.stubEnv('NODE_ENV', environment)
  const visit = await start(headers, order)
  await visit()
  expect(warn.mock.calls.filter(([text]) => String(text).startsWith('Set-Cookie'))).toEqual([])
})
