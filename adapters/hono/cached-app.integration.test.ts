import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, type ResponseCacheOptions, withCookies } from '../../core/cache/index.js'
import { listen } from '../../test/adapter/listen.js'
import { honoMiddleware } from './index.js'

// The app of a site is wrapped as it is. Its first visitor has no cookie, so its page is stored.

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
const none: Read = () => ''
const theme: Read = (c) => getCookie(c, 'theme')
const language: Read = (c) => c.req.header('X-Language')

it.each<[string, Partial<ResponseCacheOptions>, Read, Record<string, string>, string | undefined]>([
  ['reads a cookie', bySession, theme, { cookie: 'theme=dark' }, toCookie],
  ['reads a cookie, and nothing bypasses', { bypass: () => false }, theme, { cookie: 'theme=dark' }, toCookie],
  ['reads a field', {}, language, { 'x-language': 'de' }, toLanguage],
  ['reads no cookie', bySession, none, { cookie: 'theme=dark' }, undefined],
  ['reads a cookie, of which the visitor has those of analytics', bySession, theme, { cookie: '_ga=1' }, undefined],
  ['reads a declared cookie', { ...bySession, cookies: ['theme'] }, theme, { cookie: 'theme=dark' }, undefined],
  ['reads a declared field', { fields: { 'X-Language': () => 'de' } }, language, { 'x-language': 'de-DE' }, undefined],
  ['reads a cookie, and its visitor gets a page of his own', bySession, theme, { cookie: 'session=1' }, undefined],
])('a stored page that %s: told', async (_, options, read, headers, text) => {
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
