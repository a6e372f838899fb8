import type { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../core/cache/index.js'
import { createExistingApp, middleware } from './testing/existing-app.js'
import { serverNames, serveWith } from './testing/servers.js'
import { cacheStatusOf, compare, type Visit, visit } from './testing/visit.js'

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

describe.each(serverNames)('on %s', (server) => {
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
    const [found, statuses]: [string[], string[]] = [[], []]
    for (const sent of [...pages.flatMap(visitsOf), ...(pages === unstored ? [] : writes)]) {
      const [expected, answer] = [await visit(plain, sent), await visit(cached, sent)]
      const differences = compare(expected, answer)
      statuses.push(cacheStatusOf(answer))
      if (differences.length > 0) found.push(JSON.stringify({ ...sent, status: cacheStatusOf(answer), differences }))
    }
    expect(found).toEqual([])
    expect(cachedApp.runs).toBeLessThanOrEqual(plainApp.runs)
    expect(statuses.some((status) => status.includes('; hit'))).toBe(pages !== unstored && !name.includes('origin'))
  })
})
