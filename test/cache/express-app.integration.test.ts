import express from 'express'
import { describe, expect, it, vi } from 'vitest'
import { expressMiddleware, inFrontOf } from '../../adapters/express/index.js'
import {
  type App,
  serveApp,
  sharedCacheControl,
  startCachedApp,
  versions,
  withCookie,
} from '../../adapters/express/testing/cached-app.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'

describe.each(versions)('an app of %s behind the cache', (_, create) => {
  it('the cookie of a page is sent, and the page is not stored', async () => {
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
      for (const expected of ['first', 'stored', 'hit']) expect((await get()).cacheStatus).toContain(expected)
      const body = JSON.stringify({ title: 'n'.repeat(90_000) })
      const headers = { 'Content-Type': 'application/json' }
      const post = await get('/', { method: 'POST', body, headers })
      expect([post.status, post.text === body, post.headers.get('cache-control')]).toEqual([201, true, 'private'])
      expect(await get()).toMatchObject({ text: title, cacheStatus: expect.stringContaining('stored') })
      expect(title).toHaveLength(90_000)
    },
  )

  it.each(['hard', 'soft'] as const)('the endpoint in front of the cache purges a page, mode %s', async (mode) => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
    const secret = 'a-secret-of-at-least-thirty-two-characters'
    const invalidate = (tags: string[]) => cache.invalidate(tags, { mode })
    const endpoint = createRevalidateEndpoint({ secret, invalidate, path: '/revalidate' })
    let title = 'old'
    const app = create().get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).send(title))
    const url = await serveApp(create().use(expressMiddleware(endpoint), inFrontOf(cache, app)))
    const read = async () => (await fetch(url)).text()
    for (let visit = 0; visit < 3; visit++) expect(await read()).toBe('old')
    title = 'new'
    expect(await read()).toBe('old')
    const headers = { Authorization: `Bearer ${secret}` }
    expect((await fetch(`${url}/revalidate?path=/`, { method: 'POST', headers })).status).toBe(200)
    if (mode === 'hard') expect(await read()).toBe('new')
    else await vi.waitFor(async () => expect(await read()).toBe('new'), 20_000)
  })

  it('an app that is mounted at a path sees the same URLs as without a cache', async () => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
    const seen = vi.fn()
    const page: express.RequestHandler = (req, res) => {
      seen(req.originalUrl, req.baseUrl, req.path)
      res.set('Cache-Control', sharedCacheControl).send(`${req.params.id} ${req.query.page}`)
    }
    const app = create().use('/deep', create.Router().get('/:id', page))
    const server = create().use('/site', inFrontOf(cache, app))
    const url = await serveApp(server.get('/plain/:id', page))
    const plain = await serveApp(create().use('/site', app))
    await fetch(`${plain}/site/deep/a?page=2`)
    const [expectedUrls] = seen.mock.calls.splice(0)
    for (const expected of ['first', 'stored', 'hit']) {
      const response = await fetch(`${url}/site/deep/a?page=2`)
      expect(await response.text()).toBe('a 2')
      expect(response.headers.get('cache-status')).toContain(expected)
    }
    expect(seen.mock.calls.splice(0)).toEqual([expectedUrls, expectedUrls])
    expect((await fetch(`${url}/site/none`)).status).toBe(404)
    expect((await fetch(`${url}/plain/c`)).headers.get('cache-status')).toBeNull()
  })

  it('a request that the app passes on, and an error of the app, reach the outer app', async () => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
    const app = create().get('/error', (_req, _res, next) => next(new Error('of the app')))
    const server = create().use(inFrontOf(cache, app))
    server.get('/other', (req, res) => void res.send(`${req.app === server} ${res.app === server}`))
    const onError: express.ErrorRequestHandler = (error, _req, res, _next) => void res.status(503).send(error.message)
    const url = await serveApp(server.use(onError))
    for (const init of [{}, {}, withCookie('user=Ann')]) {
      expect(await (await fetch(`${url}/other`, init)).text()).toBe('true true')
      const failed = await fetch(`${url}/error`, init)
      expect([failed.status, await failed.text()]).toEqual([503, 'of the app'])
    }
  })

  it('a page of the outer app is not replaced by a 404 of the app that has passed it on', async () => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
    const runs = vi.fn()
    const app = create().use((_req, res, next) => next(res.set('Cache-Control', sharedCacheControl) && runs()))
    const server = create().use(inFrontOf(cache, app))
    const url = await serveApp(server.get('/other', (_req, res) => void res.send('other')))
    for (let visit = 0; visit < 4; visit++) {
      const response = await fetch(`${url}/other`)
      expect([response.status, await response.text()]).toEqual([200, 'other'])
    }
    expect(runs).toHaveBeenCalledTimes(5) // and one discarded render
  })

  it('a path without a route is a 404 of Express', async () => {
    const { get } = await startCachedApp(create, (app) => app.get('/', (_req, res) => void res.send('page')))
    for (const init of [{}, withCookie('user=Ann'), { method: 'POST' }]) {
      expect(await get('/none', init)).toMatchObject({ status: 404, text: expect.stringContaining('Cannot') })
    }
  })

  it('middleware in front runs once for each visitor, and middleware of the app for no hit', async () => {
    const log: string[] = []
    const { get } = await startCachedApp(
      create,
      (app) => {
        app.use((req, _res, next) => next(log.push(req.ip?.startsWith('2001:db8:') ? 'for all' : 'own') && undefined))
        app.get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).send('page'))
      },
      {},
      (app) =>
        app.use((_req, res, next) => {
          res.set('X-Above', 'yes')
          res.on('finish', () => log.push(`finish ${res.statusCode}`))
          next()
        }),
    )
    for (const init of [{}, {}, {}, withCookie('user=Ann')])
      expect((await get('/', init)).headers.get('x-above')).toBe('yes')
    const runs = ['own', 'finish 200', 'for all', 'finish 200', 'finish 200', 'own', 'finish 200']
    await vi.waitFor(() => expect(log).toEqual(runs), 20_000)
  })
})
