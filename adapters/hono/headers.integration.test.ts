import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type MiddlewareHandler } from 'hono'
import { setCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { listen } from '../../test/adapter/listen.js'
import { nodeListener } from '../node/listener.js'

const warn = vi.spyOn(console, 'warn')
const closes: (() => Promise<unknown>)[] = []
beforeEach(() => {
  vi.resetModules()
  warn.mockReset().mockImplementation(() => {})
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(closes.splice(0).map((close) => close()))
})

const servers: [string, (app: Hono) => Parameters<typeof listen>[0]][] = [
  ['@hono/node-server', (app) => createAdaptorServer({ fetch: app.fetch }) as Server],
  ['sitewright/node', (app) => nodeListener(app.fetch)],
]
const environments = ['development', 'production']

let visits = 0
const session: MiddlewareHandler = async (c, next) => {
  setCookie(c, 'session', `${++visits}`)
  setCookie(c, 'seen', 'yes')
  await next()
}
const header: MiddlewareHandler = async (c, next) => {
  c.header('X-Before', 'before')
  c.header('X-Own', 'before')
  c.header('Vary', 'Origin')
  await next()
  c.header('X-After', 'after')
}
const corsForShop = cors({ origin: 'https://shop.test', credentials: true })
const sharedHeaders = { 'Cache-Control': 'public, max-age=0, s-maxage=60' }

/** Starts an app that serves one page from a cache, and returns a function that visits it. */
async function start(listener: (app: Hono) => Parameters<typeof listen>[0], page: object, above: MiddlewareHandler[]) {
  const { honoMiddleware } = await import('./index.js') // A fresh module, because it warns only once.
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
  const headers = { 'X-Own': 'page', Vary: 'Accept-Encoding', ...page }
  const app = new Hono()
  for (const middleware of above) app.use(middleware)
  app.use(honoMiddleware(cache.wrap(async () => new Response('page', { headers }))))
  const { url, close } = await listen(listener(app))
  closes.push(close)
  return async () => {
    const response = await fetch(url, { headers: { Origin: 'https://shop.test' } })
    expect(await response.text()).toBe('page')
    return response.headers
  }
}

describe.each(servers)('on %s', (_, listener) => {
  describe.each(environments)('in %s', (environment) => {
    const cookies = [expect.stringMatching(/^session=\d+; Path=\/$/), 'seen=yes; Path=/']
    const fields = { 'x-before': 'before', 'x-own': 'page', vary: 'Accept-Encoding, Origin', 'x-after': 'after' }
    const allowed = { 'access-control-allow-origin': 'https://shop.test', 'access-control-allow-credentials': 'true' }
    it.each<[string, MiddlewareHandler[], unknown[], Record<string, string | null>]>([
      ['nothing', [], [], { 'x-own': 'page', vary: 'Accept-Encoding' }],
      ['c.header', [header], [], fields],
      ['setCookie', [session], cookies, { 'x-own': 'page' }],
      ['cors()', [corsForShop], [], { ...allowed, vary: 'Accept-Encoding, Origin' }],
      [
        'cors(), then c.header',
        [corsForShop, header],
        [],
        { ...fields, ...allowed, vary: expect.stringContaining('Accept-Encoding, Origin') },
      ],
      [
        'c.header, then cors()',
        [header, corsForShop],
        [],
        { ...fields, ...allowed, vary: expect.stringContaining('Accept-Encoding, Origin') },
      ],
      ['cors(), then setCookie', [corsForShop, session], cookies, { ...allowed, 'x-own': 'page' }],
      ['setCookie, then cors()', [session, corsForShop], cookies, { ...allowed, 'x-own': 'page' }],
      ['secureHeaders()', [secureHeaders()], [], { 'x-frame-options': 'SAMEORIGIN', 'x-own': 'page' }],
      [
        'secureHeaders(), cors(), c.header, setCookie',
        [secureHeaders(), corsForShop, header, session],
        cookies,
        { ...allowed, 'x-own': 'page', 'x-before': 'before', 'x-frame-options': 'SAMEORIGIN' },
      ],
    ])(
      'headers set before next() reach the visitor and are not stored: %s',
      async (_name, above, setCookies, expected) => {
        vi.stubEnv('NODE_ENV', environment)
        const visit = await start(listener, sharedHeaders, above)
        const sessions = new Set<string>()
        for (const status of ['stored', 'hit', 'hit']) {
          const headers = await visit()
          expect(headers.get('cache-status')).toContain(status)
          expect(headers.getSetCookie()).toEqual(setCookies)
          expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected)
          sessions.add(headers.getSetCookie()[0] ?? '')
        }
        // A cookie that was stored would reach the next visitors.
        expect(sessions.size).toBe(setCookies.length > 0 ? 3 : 1)
      },
    )
  })
  it('cookies of a private page are sent after the cookies of other middleware, and win', async () => {
    const privateHeaders = { 'Cache-Control': 'private', 'Set-Cookie': 'session=own' }
    for (const above of [[session], [corsForShop, session]]) {
      const visit = await start(listener, privateHeaders, above)
      const cookies = (await visit()).getSetCookie()
      expect(cookies).toEqual([`session=${visits}; Path=/`, 'seen=yes; Path=/', 'session=own'])
    }
  })

  it('the middleware does not change a Response object that its handler returns for every request', async () => {
    const { honoMiddleware } = await import('./index.js')
    const shared = new Response(null, { status: 204 })
    const { url, close } = await listen(
      listener(
        new Hono().use(
          session,
          honoMiddleware(() => shared),
        ),
      ),
    )
    closes.push(close)
    for (let visit = 0; visit < 3; visit++) expect((await fetch(url)).headers.getSetCookie()).toHaveLength(2)
  })
})

describe('a cookie that middleware sets on a page for everyone', () => {
  const listener = nodeListener
  const warning =
    "Set-Cookie: expected none on c beside a response for everyone ('public, max-age=0, s-maxage=60'), got 'session'; this visitor gets it, and the response is stored without it, but a CDN may store both, or neither. Set it in a response of its own, or for the routes that need it"
  it.each<[string, object, MiddlewareHandler[], string, string[]]>([
    ['one warning in development', sharedHeaders, [session], 'development', [warning]],
    ['one warning below cors()', sharedHeaders, [corsForShop, session], 'development', [warning]],
    ['no warning in production', sharedHeaders, [session], 'production', []],
    ['no warning without a cookie', sharedHeaders, [header], 'development', []],
    ['no warning if the page is private', { 'Cache-Control': 'private' }, [session], 'development', []],
    ['no warning if the page has no Cache-Control', {}, [session], 'development', []],
  ])('warnings about a cookie on a page for everyone: %s', async (_, page, above, environment, texts) => {
    vi.stubEnv('NODE_ENV', environment)
    const visit = await start((app) => listener(app.fetch), page, above)
    for (let request = 0; request < 30; request++) await visit()
    expect(warn.mock.calls.map(([text]) => text)).toEqual(texts)
  })

  it('NODE_ENV is read when the middleware is created, not for each request', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const visit = await start((app) => listener(app.fetch), sharedHeaders, [session])
    vi.stubEnv('NODE_ENV', 'development')
    await visit()
    expect(warn).not.toHaveBeenCalled()
  })
})
