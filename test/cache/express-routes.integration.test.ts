import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import express from 'express'
import { describe, expect, it, vi } from 'vitest'
import { cachedRoutes } from '../../adapters/express/index.js'
import {
  type App,
  serveApp,
  sharedCacheControl,
  startCachedApp,
  versions,
  withCookie,
} from '../../adapters/express/testing/cached-app.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'

describe.each(versions)('cached routes of %s', (_, create) => {
  it.each<[string, (res: express.Response) => unknown, string, string]>([
    ['res.send', (res) => res.send('<p>page</p>'), 'text/html; charset=utf-8', '<p>page</p>'],
    ['res.json', (res) => res.json({ a: 1 }), 'application/json; charset=utf-8', '{"a":1}'],
    ['res.render', (res) => res.render('home', { name: 'x' }), 'text/html; charset=utf-8', 'home of x'],
    ['res.end', (res) => res.type('txt').end('text'), 'text/plain; charset=utf-8', 'text'],
    [
      'res.write',
      (res) => {
        res.type('txt').write('a')
        res.write(Buffer.from('ü'))
        res.end('aMO8', 'base64')
      },
      'text/plain; charset=utf-8',
      'aühü',
    ],
    ['writeHead', (res) => res.writeHead(200, 'Fine', { 'Content-Type': 'text/x' }).end('x'), 'text/x', 'x'],
    ['chunks', (res) => res.set({ 'Transfer-Encoding': 'chunked', 'Content-Type': 'a/b' }).end('x'), 'a/b', 'x'],
    [
      'a pipe',
      (res) => Readable.from(['a', 'b'.repeat(200_000)]).pipe(res.type('txt')),
      'text/plain; charset=utf-8',
      `a${'b'.repeat(200_000)}`,
    ],
    [
      'res.sendFile',
      (res) => res.type('txt').sendFile(import.meta.filename),
      'text/plain; charset=utf-8',
      expect.stringContaining('res.sendFile'),
    ],
  ])('stores a page by %s', async (_, respond, type, text) => {
    const route = vi.fn()
    const { get } = await startCachedApp(create, (app) => {
      app.engine('tpl', (_path, values, done) => done(null, `home of ${(values as { name: string }).name}`))
      app.set('views', import.meta.dirname).set('view engine', 'tpl')
      app.set(
        'view',
        class {
          path = 'x'
          render(values: { name: string }, done: (e: null, t: string) => void) {
            done(null, `home of ${values.name}`)
          }
        },
      )
      app.get('/', (_req, res) => {
        route()
        res.set('Cache-Control', sharedCacheControl)
        respond(res)
      })
    })
    const [first, second] = [await get(), await get()]
    for (const page of [first, second])
      expect([page.status, page.headers.get('content-type'), page.text]).toEqual([200, type, text])
    expect(first.cacheStatus).toContain('stored')
    expect(second.cacheStatus).toContain('hit')
    expect(route).toHaveBeenCalledTimes(1)
  })

  it('a page that shows a name from a cookie is sent only to its visitor', async () => {
    const { get, cache } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => {
        const user = /user=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? 'stranger'
        res.set('Cache-Control', sharedCacheControl).send(`Hello, ${user}`)
      }),
    )
    for (let round = 0; round < 3; round++) {
      for (const user of ['Ann', 'Bob']) {
        const page = await get('/', withCookie(`user=${user}`))
        expect(page.text).toBe(`Hello, ${user}`)
        expect(page.headers.get('cache-control')).toBe('private')
        expect(page.cacheStatus).toContain('detail=cookie')
      }
      expect(await get()).toMatchObject({ text: 'Hello, stranger' })
      expect(await get('/', withCookie('_ga=1'))).toMatchObject({
        text: 'Hello, stranger',
        cacheStatus: expect.stringContaining('hit'),
      })
      await cache.invalidate(['document'])
    }
  })

  it('a redirect is stored, and HEAD, conditional and range requests are answered from the store', async () => {
    const route = vi.fn()
    const { get } = await startCachedApp(
      create,
      (app) => {
        app.get('/old', (_req, res) => void res.set('Cache-Control', sharedCacheControl).redirect(301, '/new'))
        app.get('/', (_req, res) => {
          route()
          res.set('Cache-Control', sharedCacheControl).send('0123456789')
        })
      },
      { fields: { Accept: () => null } },
    ) // by which Express varies the text of redirects
    await get('/old')
    const moved = await get('/old')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/new'])
    expect(moved.cacheStatus).toContain('hit')

    const head = await get('/', { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
    const etag = (await get()).headers.get('etag') as string
    expect(route).toHaveBeenCalledTimes(2)
    expect((await get('/', { method: 'HEAD' })).cacheStatus).toContain('hit')
    expect(await get('/', { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 304, text: '' })
    expect(await get('/', { headers: { Range: 'bytes=2-3' } })).toMatchObject({ status: 206, text: '23' })
    expect(route).toHaveBeenCalledTimes(2)
  })

  it('a cookie that a shared page sets is sent, and the page is not stored', async () => {
    let visits = 0
    const { get } = await startCachedApp(create, (app) =>
      app.get(
        '/',
        (_req, res) =>
          void res.cookie('a', `${++visits}`).cookie('b', '2').set('Cache-Control', sharedCacheControl).send('page'),
      ),
    )
    for (const visit of ['1', '2']) {
      const page = await get()
      expect(page.headers.getSetCookie()).toEqual([`a=${visit}; Path=/`, 'b=2; Path=/'])
      expect(page.cacheStatus).toContain('detail=set-cookie')
    }
  })

  it.each([{}, withCookie('user=Ann')])('errors reach the error handler of the app, %o', async (init) => {
    const onError = vi.fn()
    const { get } = await startCachedApp(create, (app) => {
      app.get('/throw', () => {
        throw new Error('thrown')
      })
      app.get('/next', (_req, _res, next) => next(new Error('passed')))
      if (create === express) {
        app.get('/reject', async () => {
          throw new Error('rejected')
        })
      }
      app.get('/late', (_req, res, next) => {
        res.json({ a: 1 })
        next(new Error('late'))
      })
      app.get('/twice', (_req, res) => {
        res.send('first')
        res.send('second')
      })
      app.get('/default', () => {
        throw Object.assign(new Error('default'), { status: 418 })
      })
      const handle: express.ErrorRequestHandler = (error, req, res, next) => {
        onError(error.message)
        if (res.headersSent || req.path === '/default') return next(error)
        res.status(503).set('Cache-Control', sharedCacheControl).send(`handled: ${error.message}`)
      }
      app.use(handle)
    })
    expect(await get('/throw', init)).toMatchObject({ status: 503, text: 'handled: thrown' })
    expect(await get('/next', init)).toMatchObject({ status: 503, text: 'handled: passed' })
    if (create === express) expect(await get('/reject', init)).toMatchObject({ status: 503, text: 'handled: rejected' })
    expect((await get('/default', init)).status).toBe(418)
    // As without a cache, an error after the response breaks the connection off, or comes too late for that.
    for (const path of ['/late', '/twice']) {
      const answer = await get(path, init).catch(() => undefined)
      if (answer) expect(answer).toMatchObject({ status: 200 })
    }
    expect(onError).toHaveBeenCalledWith('late')
    expect(onError).toHaveBeenCalledWith(expect.stringContaining('after they are sent'))
  })

  it.each(['above', 'below'])(
    'a POST reaches its route with its body, parsed %s, and purges the page',
    async (position) => {
      let title = 'old'
      const parse = (app: App) => app.use(create.json())
      const { get } = await startCachedApp(
        create,
        (app) => {
          if (position === 'below') parse(app)
          app.get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).send(title))
          app.post('/', (req, res) => {
            title = req.body.title
            res.status(201).set('Cache-Control', sharedCacheControl).json(req.body)
          })
        },
        {},
        position === 'above' ? parse : undefined,
      )
      await get()
      expect((await get()).cacheStatus).toContain('hit')
      const body = JSON.stringify({ title: 'n'.repeat(90_000) })
      const headers = { 'Content-Type': 'application/json' }
      const post = await get('/', { method: 'POST', body, headers })
      expect([post.status, post.text === body, post.headers.get('cache-control')]).toEqual([201, true, 'private'])
      expect((await get()).text).toBe(title)
      expect(title).toHaveLength(90_000)
    },
  )

  it('routes in a Router and in a sub-app are cached', async () => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
    const seen = vi.fn()
    const page: express.RequestHandler = (req, res) => {
      seen(req.originalUrl, req.baseUrl, req.path)
      res.set('Cache-Control', sharedCacheControl).send(`${req.params.id} ${req.query.page}`)
    }
    const app = create()
    const router = create.Router()
    router.use(cachedRoutes(cache))
    router.get('/:id', page)
    const sub = create()
    sub.use('/deep', cachedRoutes(cache))
    sub.get('/deep/:id', page)
    app.use('/router', router)
    app.use('/sub', sub)
    app.get('/plain/:id', page)
    const url = await serveApp(app)
    for (const [path, base, routePath] of [
      ['/router/a', '/router', '/a'],
      ['/sub/deep/b', '/sub', '/deep/b'],
    ]) {
      for (const expected of ['stored', 'hit']) {
        const response = await fetch(`${url}${path}?page=2&utm_source=x`)
        expect(await response.text()).toBe(`${path?.at(-1)} 2`)
        expect(response.headers.get('cache-status')).toContain(expected)
      }
      expect(seen.mock.calls.splice(0)).toEqual([[`${path}?page=2`, base, routePath]])
    }
    expect((await fetch(`${url}/plain/c`)).headers.get('cache-status')).toBeNull()
  })

  it('a path without a route is a 404 of Express', async () => {
    const { get } = await startCachedApp(create, (app) => app.get('/', (_req, res) => void res.send('page')))
    for (const init of [{}, withCookie('user=Ann'), { method: 'POST' }]) {
      expect(await get('/none', init)).toMatchObject({ status: 404, text: expect.stringContaining('Cannot') })
    }
  })

  it.each([sharedCacheControl, 'no-store'])(
    'a page for all visitors is rendered without data of a visitor, with %s',
    async (cacheControl) => {
      const storage = new AsyncLocalStorage<string>()
      const { get } = await startCachedApp(
        create,
        (app) =>
          app.get('/', (req, res) => {
            const see = () => [
              storage.getStore(),
              (req as { user?: string }).user,
              res.locals.user,
              req.ip,
              req.socket.remoteAddress,
              req.headers,
              req.get('X-User'),
            ]
            const first = see()
            res.set('Cache-Control', cacheControl).write(' '.repeat(500_000))
            // Without `await`, which would bring the context of the route back.
            res.once('drain', () => {
              expect(see()).toEqual(first)
              res.end(JSON.stringify(see()))
            })
          }),
        {},
        (app) =>
          app.use((req, res, next) => {
            const user = req.get('X-User')
            Object.assign(req, { user })
            res.locals.user = user
            if (user) storage.run(user, next)
            else next()
          }),
      )
      const headers = { 'X-User': 'Ann', 'X-Forwarded-For': '1.2.3.4', 'Accept-Language': 'de' }
      const seen = JSON.parse((await get('/', { headers })).text)
      expect(seen).toEqual([
        null,
        ...[null, null],
        ...['192.0.2.1', '192.0.2.1'],
        {
          connection: 'close',
          host: expect.any(String),
          'user-agent': 'Mozilla/5.0 (compatible; sitewright)',
          'x-forwarded-for': '192.0.2.1',
        },
        null,
      ])
    },
  )

  it('a page is stored by the host and the protocol that the app trusts', async () => {
    const place = (app: App) =>
      void app.get('/', (req, res) => void res.send(`${req.protocol} ${req.hostname} ${req.ip}`))
    const headers = {
      'X-Forwarded-Host': 'site.example, b',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '1.2.3.4',
    }
    for (const trust of ['loopback', true, 1]) {
      const { get } = await startCachedApp(create, place, {}, (app) => app.set('trust proxy', trust))
      expect((await get('/', { headers })).text).toBe('https site.example 192.0.2.1')
    }
    const { get } = await startCachedApp(create, place)
    expect((await get('/', { headers })).text).toBe('http 127.0.0.1 192.0.2.1')
  })

  it('in development, a route that reads a field that it did not receive causes a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { get } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => void res.send(`${req.get('X-Plan')} ${Object.hasOwn(req.headers, 'x-plan')}`)),
    )
    for (let visit = 0; visit < 3; visit++) {
      expect((await get('/', { headers: { 'X-Plan': 'gold' } })).text).toBe('undefined false')
    }
    expect(warn.mock.calls.filter(([text]) => text.includes('x-plan'))).toEqual([
      [expect.stringContaining("fields: { 'x-plan': true }")],
    ])
    warn.mockRestore()
  })

  it('declared fields and cookies reach the route', async () => {
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get(
          '/',
          (req, res) =>
            void res
              .set('Cache-Control', sharedCacheControl)
              .vary('Accept-Language')
              .send(`${req.get('Accept-Language')} ${req.headers.cookie}`),
        ),
      { fields: { 'Accept-Language': true }, cookies: ['theme'] },
    )
    const page = (language: string, theme: string) =>
      get('/', { headers: { 'Accept-Language': language, Cookie: `theme=${theme}; _ga=1` } })
    expect((await page('de', 'dark')).text).toBe('de theme=dark')
    expect((await page('en', 'light')).text).toBe('en theme=light')
    expect(await page('de', 'dark')).toMatchObject({
      text: 'de theme=dark',
      cacheStatus: expect.stringContaining('hit'),
    })
  })

  it('a page is refreshed in the background, without a visitor', async () => {
    let version = 0
    const seen = vi.fn()
    const storage = new AsyncLocalStorage<string>()
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get('/', (req, res) => {
          seen(req.get('X-User'), storage.getStore())
          res.set('Cache-Control', 's-maxage=1, stale-while-revalidate=60').send(`${++version}`)
        }),
      {},
      (app) => app.use((_req, _res, next) => storage.run(_req.get('X-User') ?? 'nobody', next)),
    )
    const visit = () => get('/', { headers: { 'X-User': 'Ann' } })
    expect((await visit()).text).toBe('1')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await visit()).text).toBe('1')
    await vi.waitFor(async () => expect((await visit()).text).toBe('2'), 20_000)
    expect(seen.mock.calls).toEqual([
      [undefined, 'nobody'],
      [undefined, 'nobody'],
    ])
  })

  it('middleware above runs for the visitor, and once more for the page', async () => {
    const log: string[] = []
    const { get } = await startCachedApp(
      create,
      (app) => app.get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).send('page')),
      {},
      (app) =>
        app.use((req, res, next) => {
          res.set('X-Above', 'yes')
          res.on('finish', () => log.push(`${req.ip === '192.0.2.1' ? 'page' : 'visitor'} ${res.statusCode}`))
          next()
        }),
    )
    expect((await get()).headers.get('x-above')).toBe('yes')
    await get()
    await get('/', withCookie('user=Ann'))
    await vi.waitFor(() => expect(log).toEqual(['page 200', 'visitor 200', 'visitor 200', 'visitor 200']), 20_000)
  })

  it('a malformed request target is a 400', async () => {
    const { url } = await startCachedApp(create, (app) => app.get('/', (_req, res) => void res.send('page')))
    const [answer] = (await once(httpRequest(url, { path: '/a/../b' }).end(), 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(400)
  })
})

it('cachedRoutes throws an error if it gets no cache, or no request of Express', async () => {
  expect(() => cachedRoutes({} as never)).toThrow(
    'cachedRoutes: expected a cache of createResponseCache, got an object',
  )
  const middleware = cachedRoutes(createResponseCache({ store: memoryStore({ maxBytes: 1_000 }) }))
  const next = () => {}
  expect(() => middleware({} as never, {} as ServerResponse, next)).toThrow(
    'cachedRoutes: expected a request of Express, got undefined',
  )
})
