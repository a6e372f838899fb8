import { createServer } from 'node:http'
import express from 'express'
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createResponse } from '../../core/response-factory.js'
import { listen } from '../../test/adapter/listen.js'

const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  vi.resetModules()
  warn.mockReset().mockImplementation(() => {})
})
const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(closes.splice(0).map((close) => close()))
})

const sharedHeaders = { 'Cache-Control': 'public, max-age=0, s-maxage=60' }

describe.each<[string, typeof express]>([
  ['Express 5', express],
  ['Express 4', express4],
])('a cookie that %s sets on res, beside a Response', (_, create) => {
  const start = async (headers: HeadersInit, setsCookie = true) => {
    const { expressMiddleware } = await import('./index.js') // warns once in a process
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
    const app = create()
    let visits = 0
    app.use((_req, res, next) => {
      if (setsCookie) res.cookie('visit', `${++visits}`, { path: '/' })
      next()
    })
    app.use(expressMiddleware(cache.wrap(async () => new Response('page', { headers }))))
    const { url, close } = await listen(createServer(app))
    closes.push(close)
    return async () => {
      const response = await fetch(url)
      await response.text()
      return { cookies: response.headers.getSetCookie(), status: response.headers.get('cache-status') }
    }
  }

  it('a cookie on res reaches its visitor only: the page is stored without the cookie', async () => {
    const visit = await start(sharedHeaders)
    expect(await visit()).toEqual({ cookies: ['visit=1; Path=/'], status: expect.stringContaining('stored') })
    expect(await visit()).toEqual({ cookies: ['visit=2; Path=/'], status: expect.stringContaining('hit') })
  })

  it.each(['vary', 'Vary'])('a %s of res and of the Response is joined, so that a CDN varies by both', async (name) => {
    const { expressMiddleware } = await import('./index.js')
    const app = create()
    app.use((_req, res, next) => next(res.vary('Origin') && undefined))
    app.use(expressMiddleware(async () => createResponse('page', { headers: [[name, 'Accept']] })))
    const { url, close } = await listen(createServer(app))
    closes.push(close)
    expect((await fetch(url)).headers.get('vary')).toBe('Origin, Accept')
  })

  it('a cookie on res is sent in addition to the cookies of the Response', async () => {
    const visit = await start({ 'Cache-Control': 'private', 'Set-Cookie': 'own=1' })
    expect((await visit()).cookies).toEqual(['visit=1; Path=/', 'own=1'])
  })

  it('a cookie on res beside a page for everyone causes one warning in development', async () => {
    const visit = await start(sharedHeaders)
    for (let request = 0; request < 100; request++) await visit()
    expect(warn.mock.calls).toEqual([
      [
        "Set-Cookie: expected none on res beside a response for everyone ('public, max-age=0, s-maxage=60'), got 'visit'; this visitor gets it, and the response is stored without it, but a CDN may store both, or neither. Set it in a response of its own, or for the routes that need it",
      ],
    ])
  })

  it('a cookie on res that is set at the last moment, as sessions do, causes the warning, too', async () => {
    const { expressMiddleware } = await import('./index.js')
    const app = create()
    app.use((_req, res, next) => {
      const { writeHead } = res
      res.writeHead = ((...head: Parameters<typeof writeHead>) => {
        res.setHeader('Set-Cookie', 'connect.sid=1')
        return writeHead.apply(res, head)
      }) as typeof writeHead
      next()
    })
    app.use(expressMiddleware(async () => new Response('page', { headers: sharedHeaders })))
    const { url, close } = await listen(createServer(app))
    closes.push(close)
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['connect.sid=1'])
    await vi.waitFor(() => expect(warn.mock.calls.join()).toContain("got 'connect.sid'"), 20_000)
  })

  it.each<[string, HeadersInit, boolean, string]>([
    ['there is no cookie', sharedHeaders, false, 'development'],
    ['the page is private', { 'Cache-Control': 'private, s-maxage=60' }, true, 'development'],
    ['the page is not stored', { 'Cache-Control': 'no-store, public' }, true, 'development'],
    ['the page has no Cache-Control', {}, true, 'development'],
    ['the site is in production', sharedHeaders, true, 'production'],
  ])('there is no warning if %s', async (_, headers, setsCookie, environment) => {
    vi.stubEnv('NODE_ENV', environment)
    const visit = await start(headers, setsCookie)
    // NODE_ENV is read when the middleware is created, not for each request.
    vi.stubEnv('NODE_ENV', 'development')
    await visit()
    expect(warn.mock.calls.filter(([text]) => String(text).startsWith('Set-Cookie'))).toEqual([])
  })
})
