import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { secureHeaders } from 'hono/secure-headers'
import { describe, expect, it } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import type { RouteHandler } from '../../core/handler.js'
import { setResponseFactory } from '../../core/response-factory.js'
import { createStyleguideRoute } from '../../core/styleguide/index.js'
import { listen } from '../../test/adapter/listen.js'
import { fastly, tagResponse } from '../cdn/index.js'
import { nodeListener } from '../node/listener.js'
import { honoMiddleware } from './index.js'
import { serverNames, serveWith } from './testing/servers.js'

const createCache = () => createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })

/** Middleware that changes the response after its route, as sessions and security headers do. */
const addAfter: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.append('Set-Cookie', 'a=1')
  c.res.headers.append('Set-Cookie', 'b=2')
  c.res.headers.set('Content-Security-Policy', "default-src 'self'")
}

const page = 'page'.repeat(1000)
const pages = (above: MiddlewareHandler[]) =>
  above
    .reduce((app, middleware) => app.use(middleware), new Hono())
    .all('/private', (c) => c.html(page, 200, { 'Cache-Control': 'private, max-age=5' }))
    .all('/no-store', (c) => c.json({ page }, 200, { 'Cache-Control': 'no-store' }))
    .all('/stored', (c) => c.html(page, 201, { 'Cache-Control': 's-maxage=60' }))
    .all('/object', () => new Response(page, { headers: { 'X-Own': 'page', 'Cache-Control': 'no-store' } }))
    .all('/bytes', () => new Response(new TextEncoder().encode(page), { headers: [['X-Own', 'page']] }))
    .all('/empty', (c) => c.body(null, 204))
    .all('/redirect', (c) => c.redirect('/none'))

const paths = ['/private', '/no-store', '/stored', '/object', '/bytes', '/empty', '/redirect']
const requests: [string, RequestInit][] = [
  ['GET', {}],
  ['GET with a cookie', { headers: { Cookie: 'session=1' } }],
  ['POST', { method: 'POST', body: 'text' }],
]

async function read(url: string, init: RequestInit) {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value.replace('; charset', ';charset')}`)
  return { status: response.status, text: await response.text(), lines }
}

// Fields of one connection, and fields that the cache adds. A shared page is made without Accept-Encoding.
const ignored =
  /^(?:age|cache-status|cache-tag|connection|content-encoding|content-length|date|etag|keep-alive|transfer-encoding):/

type Answer = Awaited<ReturnType<typeof read>>

/** Returns what differs between an answer with the cache and the same answer without it. */
function differences(plain: Answer, cached: Answer): string[] {
  const expected = plain.lines.filter((line) => !ignored.test(line))
  const lines = cached.lines.filter((line) => !ignored.test(line))
  const isForAll = cached.lines.some((line) => /^cache-status: .*(?:uri-miss|hit)/.test(line))
  // The cache makes an answer for one visitor private, unless it is.
  if (!isForAll) {
    const at = expected.findIndex((line) => line.startsWith('cache-control:'))
    if (at < 0) expected.push('cache-control: private')
    else expected[at] = expected[at]?.replace('s-maxage=60', 'private') ?? ''
  }
  return [
    ...(cached.status === plain.status ? [] : [`status ${cached.status}`]),
    ...(cached.text === plain.text ? [] : ['another body']),
    ...expected.filter((line) => !lines.includes(line)).map((line) => `without ${line}`),
    ...lines.filter((line) => !expected.includes(line)).map((line) => `with ${line}`),
  ]
}

describe.each(serverNames)('on %s', (server) => {
  describe.each<[string, MiddlewareHandler[], MiddlewareHandler[]]>([
    ['below the cache', [], [secureHeaders(), addAfter]],
    ['above the cache', [secureHeaders(), addAfter], []],
    ['above and below the cache', [secureHeaders()], [addAfter]],
    ['above the cache, below compress()', [compress(), secureHeaders(), addAfter], []],
    ['below the cache, below compress()', [], [compress(), secureHeaders(), addAfter]],
  ])('with middleware %s', (_, above, below) => {
    it.each(requests)('%s gets the headers that it gets without the cache', async (_name, init) => {
      const plainUrl = await serveWith(server, pages([...above, ...below]).fetch as never)
      const app = above.reduce((outer, middleware) => outer.use(middleware), new Hono())
      app.use(honoMiddleware(createCache().wrap(pages(below).fetch as never)))
      const plain = await Promise.all(paths.map((path) => read(plainUrl + path, init)))
      const url = await serveWith(server, app.fetch as never)
      const found: string[] = []
      for (const visit of ['first', 'second'])
        for (const [index, path] of paths.entries()) {
          const answer = await read(url + path, init)
          found.push(...differences(plain[index] as typeof answer, answer).map((text) => `${path}, ${visit}: ${text}`))
        }
      expect(found).toEqual([])
    })
  })

  it.each([
    ['text', 'page', { 'Content-Type': 'text/html' }],
    ['text with a length', 'page', { 'Content-Type': 'text/html', 'Content-Length': '4' }],
    ['bytes', new Uint8Array(100_000), { 'Content-Type': 'image/png' }],
  ])('an answer of %s has one Content-Length at most, and a hit has exactly one', async (_, body, headers) => {
    const render = async () => new Response(body, { headers: { 'Cache-Control': 's-maxage=60', ...headers } })
    const origin = await serveWith(server, createCache().wrap(render))
    const lengthsOf = async (method: string, fields: Record<string, string> = {}) => {
      const request = httpRequest(origin, {
        method,
        headers: { Connection: 'close', ...fields },
        insecureHTTPParser: true,
      })
      const [answer] = (await once(request.end(), 'response')) as [IncomingMessage]
      await answer.toArray()
      return answer.rawHeaders.flatMap((name, at) =>
        /^content-length$/i.test(name) ? [answer.rawHeaders[at + 1]] : [],
      )
    }
    expect((await lengthsOf('GET')).length).toBeLessThan(2)
    for (let visit = 0; visit < 3; visit++) {
      expect(await lengthsOf('GET')).toEqual([`${body.length}`])
      expect(await lengthsOf('HEAD')).toEqual([`${body.length}`])
      expect(await lengthsOf('GET', { Range: 'bytes=0-1' })).toEqual(['2'])
      expect(await lengthsOf('GET', { 'If-None-Match': '*' })).toEqual([])
    }
    expect((await fetch(origin)).headers.get('cache-status')).toContain('hit')
  })

  describe('headers that a page changes after it made its response', () => {
    const respond = () => {
      const response = new Response('page', { headers: { 'Cache-Tag': 'a', 'Content-Type': 'text/html' } })
      response.headers.set('X-Changed', 'yes')
      return response
    }
    const renderError = ({ error }: { error?: unknown }) => {
      if (!error) throw new Error('broken on purpose')
      return respond()
    }
    const styleguide = { tree: { title: 'Styleguide' }, enabled: true, log: () => {} }
    it.each<[string, RouteHandler]>([
      ['tagResponse', tagResponse(async () => respond(), fastly({ serviceId: 'a', token: 'b' }))],
      ['a page of the styleguide', createStyleguideRoute({ ...styleguide, render: respond })],
      ['an error page of the styleguide', createStyleguideRoute({ ...styleguide, render: renderError })],
    ])('are sent by %s', async (_, handler) => {
      const origin = await serveWith(server, handler as never)
      const { headers } = await fetch(`${origin}/styleguide`)
      expect(headers.get('x-changed')).toBe('yes')
    })

    it('are sent by nodeListener, whose process has this server too', async () => {
      await serveWith(server, respond)
      const { url, close } = await listen(nodeListener(respond))
      expect((await fetch(url)).headers.get('x-changed')).toBe('yes')
      setResponseFactory()
      await close()
    })
  })

  it('tagResponse tags the response of a fetch, whose headers cannot be changed', async () => {
    const originUrl = await serveWith(server, () => new Response('page', { headers: { 'Cache-Tag': 'a' } }))
    const tagged = tagResponse(() => fetch(originUrl), fastly({ serviceId: 'a', token: 'b' }))
    const { status, headers } = await fetch(await serveWith(server, tagged))
    expect([status, headers.get('surrogate-key'), headers.has('cache-tag')]).toEqual([200, 'a', false])
  })
})
