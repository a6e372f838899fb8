import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { secureHeaders } from 'hono/secure-headers'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../../core/cache/index.js'
import { honoMiddleware } from '../index.js'
import { createExistingApp, middleware } from './existing-app.js'
import { type ServerName, serveWith } from './servers.js'
import { cacheStatusOf, compare, type Visit, visit } from './visit.js'

// An app that exists, with and without a cache in front of it. Each gets the same visits, one after another.

const session = { Cookie: 'session=1' }
const asked = { 'Accept-Encoding': 'gzip', 'Accept-Language': 'de', Origin: 'http://shop.test' }
const preflight = { Origin: 'http://shop.test', 'Access-Control-Request-Method': 'POST' }
const stored = ['/page', '/page-of-an-object', '/range', '/suspense']
const unstored = [
  '/own',
  '/private',
  '/no-store',
  '/browser',
  '/nonce',
  '/image',
  '/download',
  '/empty',
  '/redirect',
].concat('/logout', '/where', '/url', '/events', '/error', '/teapot', '/none')

/** Visits of a page, by visitors with and without a session. */
const visitsOf = (path: string): Visit[] => [
  { path },
  { path },
  { path },
  { path, fields: asked },
  ...[{}, session].flatMap((fields) => [
    { path, fields },
    { path, method: 'HEAD', fields },
    { path, fields: { Range: 'bytes=0-9', ...fields } },
    { path, fields: { 'If-None-Match': '*', ...fields } },
  ]),
  { path, method: 'OPTIONS', fields: preflight },
]
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const writes = [{}, session].flatMap((visitor) =>
  ['http://site.test', 'http://evil.test'].flatMap((Origin): Visit[] => [
    { path: '/form', method: 'POST', body: 'name=a', fields: { Origin, ...visitor, ...formType } },
    { path: '/page?name=a', fields: visitor },
    {
      path: '/json',
      method: 'POST',
      body: '{"a":1}',
      fields: { Origin, ...visitor, 'Content-Type': 'application/json' },
    },
    { path: '/echo', method: 'POST', body: 'text', fields: { Origin, ...visitor, 'Content-Type': 'text/plain' } },
    { path: '/page', method: 'POST', body: 'text', fields: { Origin, ...visitor, 'Content-Type': 'text/plain' } },
    { path: '/page', fields: visitor },
    { path: '/own', fields: visitor },
    { path: '/page', method: 'DELETE', fields: { Origin, ...visitor } },
  ]),
)

const createCache = (options: Partial<ResponseCacheOptions> = {}) =>
  createResponseCache({ store: memoryStore({ maxBytes: 10_000_000 }), log: () => {}, ...options })

/** Counts the calls of an app. */
function count({ fetch }: Hono) {
  const counted = {
    runs: 0,
    fetch(...sent: Parameters<typeof fetch>) {
      counted.runs++
      return fetch(...sent)
    },
  }
  return counted
}

/** Visits an app without and with a cache. Returns what differs, and all values of Cache-Status. */
async function compareAll(plain: string, cached: string, visits: readonly Visit[]) {
  const [found, statuses]: [string[], string[]] = [[], []]
  for (const sent of visits) {
    const [expected, answer] = [await visit(plain, sent), await visit(cached, sent)]
    const [status, differences] = [cacheStatusOf(answer), compare(expected, answer)]
    statuses.push(status)
    if (differences.length > 0) found.push(JSON.stringify({ ...sent, status, differences }))
  }
  return { found, statuses }
}

/** Compares existing apps with and without a cache in front, on versions of Hono's server for Node. */
export function compareExistingApps(names: readonly ServerName[]): void {
  describe.each(names)('on %s', (server) => {
    it.each(Object.keys(middleware))('an app with %s answers as without the cache', async (name) => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const create = () => count(createExistingApp(middleware[name]?.() ?? []))
      const [plainApp, cachedApp] = [create(), create()]
      // Pages in several languages need the field declared, as with any cache.
      const cache = createCache(/anguage|all/.test(name) ? { fields: { 'Accept-Language': true } } : {})
      const plain = await serveWith(server, plainApp.fetch as never)
      const cached = await serveWith(server, cache.inFrontOf(cachedApp.fetch) as never)
      // A rate limit inside does not see hits, so it counts fewer visits.
      const pages = name === 'a rate limit' ? unstored : [...stored, ...unstored]
      const visits = [...pages.flatMap(visitsOf), ...(pages === unstored ? [] : writes)]
      const { found, statuses } = await compareAll(plain, cached, visits)
      expect(found).toEqual([])
      expect(cachedApp.runs).toBeLessThanOrEqual(plainApp.runs)
      expect(statuses.some((status) => status.includes('; hit'))).toBe(pages !== unstored && !name.includes('origin'))
    })

    it('an app below another app with secureHeaders() and compress() answers as without the cache', async () => {
      vi.spyOn(console, 'error').mockImplementation(() => {})
      const above = [secureHeaders(), compress()]
      const below = middleware.sessions as () => MiddlewareHandler[]
      const outer = new Hono().use(...above)
      outer.use(honoMiddleware(createCache().inFrontOf(createExistingApp(below()).fetch)))
      const plain = await serveWith(server, createExistingApp([...above, ...below()]).fetch as never)
      const cached = await serveWith(server, outer.fetch as never)
      // Version 1 of that server loses the headers of middleware in the answer to a HEAD.
      const visits = [...stored, ...unstored].flatMap(visitsOf).filter(({ method }) => method !== 'HEAD')
      const { found, statuses } = await compareAll(plain, cached, visits)
      expect(found).toEqual([])
      expect(statuses.some((status) => status.includes('; hit'))).toBe(true)
    })
  })
}
