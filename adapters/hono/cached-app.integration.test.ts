import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, type ResponseCacheOptions, withCookies } from '../../core/cache/index.js'
import { listen } from '../../test/adapter/listen.js'
import { honoMiddleware } from './index.js'

// A whole app is wrapped unchanged. The first visitor has no cookie, so the page is stored.

const warn = vi.spyOn(console, 'warn')
const closes: (() => Promise<unknown>)[] = []
beforeEach(() => void warn.mockReset().mockImplementation(() => {}))
afterEach(() => Promise.all(closes.splice(0).map((close) => close())))

type Read = (context: Context) => unknown
const toCookie =
  "Response cache: the handler reads Cookie, which shared pages do not get. Write cookies: ['name'] if pages depend on a cookie, or bypass: withCookies('name') if it makes them the visitor's own"
const toLanguage =
  "Response cache: the handler reads X-Language, which shared pages do not get. Write fields: { 'x-language': true } if pages depend on it, or return true from bypass for such requests"
const bySession = { bypass: withCookies('session') }
const readNothing: Read = () => ''
const readTheme: Read = (c) => getCookie(c, 'theme')
const readLanguage: Read = (c) => c.req.header('X-Language')

it.each<[string, Partial<ResponseCacheOptions>, Read, Record<string, string>, string | undefined]>([
  // A session of this name is read, and the visitor's other cookies are not.
  ['reads a cookie, and bypass names its cookies', bySession, readTheme, { cookie: 'theme=dark' }, undefined],
  [
    'reads a cookie, and bypass is always false',
    { bypass: () => false },
    readTheme,
    { cookie: 'theme=dark' },
    toCookie,
  ],
  ['reads a field', {}, readLanguage, { 'x-language': 'de' }, toLanguage],
  ['reads no cookie', bySession, readNothing, { cookie: 'theme=dark' }, undefined],
  [
    'reads a cookie, but the visitor has only cookies of analytics',
    bySession,
    readTheme,
    { cookie: '_ga=1' },
    undefined,
  ],
  ['reads a declared cookie', { ...bySession, cookies: ['theme'] }, readTheme, { cookie: 'theme=dark' }, undefined],
  [
    'reads a declared field',
    { fields: { 'X-Language': () => 'de' } },
    readLanguage,
    { 'x-language': 'de-DE' },
    undefined,
  ],
  ['reads a cookie, but the visitor bypasses the cache', bySession, readTheme, { cookie: 'session=1' }, undefined],
])('the warnings about a page that %s', async (_, options, read, headers, text) => {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), ...options })
  const site = new Hono().get('/', (c) => c.text(`page ${read(c)}`, 200, { 'Cache-Control': 's-maxage=60' }))
  const app = new Hono().use(honoMiddleware(cache.wrap(site.fetch)))
  const { url, close } = await listen(createAdaptorServer({ fetch: app.fetch }) as Server)
  closes.push(close)
  await (await fetch(url, { headers: { 'accept-language': '*' } })).text()
  expect(warn.mock.calls).toEqual([])
  for (let visit = 0; visit < 2; visit++) await (await fetch(url, { headers })).text()
  expect(warn.mock.calls).toEqual(text === undefined ? [] : [[text]])
})
