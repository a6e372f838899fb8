import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import compression from 'compression'
import type express from 'express'
import { describe, expect, it } from 'vitest'
import { type App, serveApp, sharedCacheControl, startCachedApp, versions, withCookie } from './testing/cached-app.js'

describe.each(versions)('responses of an app of %s behind the cache to requests that bypass it', (_, create) => {
  it('a request that bypasses the cache gets the same response, whichever function writes it', async () => {
    const { get } = await startCachedApp(create, (app) => {
      app.disable('x-powered-by')
      app.get('/end', (_req, res) => void res.end('text'))
      app.get(
        '/head',
        (_req, res) => void res.writeHead(201, 'Fine', { 'X-A': ['1', '2'], 'Set-Cookie': ['a=1', 'b=2'] }).end('x'),
      )
      app.get('/list', (_req, res) => void res.writeHead(200, ['X-A', '1']).end('x'))
      app.get('/pipe', (_req, res) => void Readable.from(['a', 'b'.repeat(2_000_000)]).pipe(res))
      app.get('/write', (_req, res) => {
        res.write('a', () => res.end('b'))
      })
      app.get('/none', (_req, res) => void res.status(204).end())
    })
    const getAsAnn = (path: string) => get(path, withCookie('user=Ann'))
    expect(await getAsAnn('/end')).toMatchObject({ status: 200, text: 'text' })
    const head = await getAsAnn('/head')
    expect(head).toMatchObject({ status: 201, text: 'x' })
    expect(head.headers.get('x-a')).toBe('1, 2')
    expect(head.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await getAsAnn('/list')).headers.get('x-a')).toBe('1')
    expect((await getAsAnn('/pipe')).text).toHaveLength(2_000_001)
    expect((await getAsAnn('/write')).text).toBe('ab')
    expect((await getAsAnn('/none')).status).toBe(204)
  })

  it('a conditional request that bypasses the cache is answered as Express does', async () => {
    const { get } = await startCachedApp(create, (app) => app.get('/', (_req, res) => void res.send('page')))
    const getAsAnn = (headers: object = {}) => get('/', { headers: { Cookie: 'user=Ann', ...headers } })
    const etag = (await getAsAnn()).headers.get('etag') as string
    expect(await getAsAnn({ 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })).toMatchObject({
      status: 304,
      text: '',
    })
    expect(await get('/', { ...withCookie('user=Ann'), method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  describe('with middleware that wraps responses', () => {
    /** Calls a listener before the head is written, like on-headers, which compression and express-session use. */
    const onHeaders = (res: express.Response, listener: () => void) => {
      const { writeHead } = res
      let isFired = false
      res.writeHead = ((status: number, ...rest: [Record<string, string>]) => {
        res.statusCode = status
        for (const [name, value] of Object.entries(rest[0] ?? {})) res.setHeader(name, value)
        if (!isFired) listener()
        isFired = true
        return writeHead.call(res, res.statusCode)
      }) as typeof writeHead
    }
    const fetchRaw = (url: string, headers: Record<string, string>, method = 'GET') =>
      new Promise<{ text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
        const request = httpRequest(url, { method, headers }, async (answer) => {
          const bytes = Buffer.concat(await answer.toArray())
          resolve({
            text: String(answer.headers['content-encoding'] ? gunzipSync(bytes) : bytes),
            headers: answer.headers,
          })
        })
        request.on('error', reject).end()
      })

    const pieces = ['a'.repeat(2000), 'b']
    const writers: Record<string, (res: express.Response) => unknown> = {
      send: (res) => res.send(pieces.join('')),
      writeHead: (res) => res.writeHead(200, { 'X-A': 'b' }).end(pieces.join('')),
      write(res) {
        res.write(pieces[0])
        res.end(pieces[1])
      },
      flushHeaders(res) {
        res.flushHeaders()
        res.end(pieces.join(''))
      },
      pipe: (res) => Readable.from(pieces).pipe(res),
      'pipe of large pieces': (res) => Readable.from(['a'.repeat(1_000_000), 'b'.repeat(1_000_000)]).pipe(res),
      pipeline: (res) => pipeline(Readable.from(pieces), res, () => {}),
      'pipeline of an iterable': (res) => pipeline(pieces, res, () => {}),
      async 'wait for drain'(res) {
        for (const piece of pieces) if (!res.write(piece)) await once(res, 'drain')
        res.end()
      },
      addListener(res) {
        if (res.write(pieces[0])) res.end(pieces[1])
        else res.addListener('drain', () => res.end(pieces[1]))
      },
    }
    describe.each(['above', 'below'])('compression %s the cache', (position) => {
      it.each(Object.entries(writers))('does not change a page that is written by %s', async (_name, write) => {
        const use = (app: App) => app.use(compression({ threshold: 0 }))
        const route: express.RequestHandler = (_req, res) => {
          res.set({ 'Cache-Control': sharedCacheControl, 'Content-Type': 'text/html' })
          void write(res)
        }
        const plainApp = create().all('/', route)
        const plain = await fetchRaw(await serveApp(plainApp), {})
        const { url } = await startCachedApp(
          create,
          (app) => {
            if (position === 'below') use(app)
            app.all('/', route)
          },
          {},
          position === 'above' ? use : undefined,
        )
        const gzip = { 'Accept-Encoding': 'gzip' }
        const visits = [gzip, {}, gzip, {}, { Cookie: 'session=1' }, { ...gzip, Cookie: 'session=1' }]
        for (const [visit, headers] of visits.entries()) {
          const page = await fetchRaw(url, headers)
          expect(page.text).toBe(plain.text)
          expect(page.headers['x-a']).toBe(plain.headers['x-a'])
          const isOwn = visit === 0 || 'Cookie' in headers
          const isCompressed = 'Accept-Encoding' in headers && (isOwn || position === 'above')
          expect(page.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined)
          if (visit > 1) expect(page.headers['cache-status']).toContain(isOwn ? 'detail=cookie' : 'hit')
        }
        expect((await fetchRaw(url, { ...gzip, Cookie: 'session=1' }, 'POST')).text).toBe(plain.text)
      })
    })

    it('the cookie of a session below the cache reaches its visitor, and no stored page has one', async () => {
      let id = 0
      const { get } = await startCachedApp(create, (app) => {
        app.use((req, res, next) => {
          const has = req.headers.cookie?.includes('sid=')
          onHeaders(res, () => has || res.cookie('sid', `${++id}`))
          next()
        })
        app.get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).send('page'))
      })
      for (const sid of ['1', '2']) {
        const page = await get()
        expect(page.headers.getSetCookie()).toEqual([`sid=${sid}; Path=/`])
        expect(page.cacheStatus).toContain('detail=set-cookie')
      }
      const bypassed = await get('/', withCookie('sid=1'))
      expect([bypassed.headers.getSetCookie(), bypassed.headers.get('cache-control')]).toEqual([[], 'private'])
    })

    it('a response that bypasses the cache gets the cookie of a session above the cache', async () => {
      const { get } = await startCachedApp(
        create,
        (app) =>
          app.get('/', (_req, res) => void res.set('Cache-Control', sharedCacheControl).cookie('a', '1').send('page')),
        {},
        (app) =>
          app.use((_req, res, next) => {
            onHeaders(res, () => res.cookie('sid', '1'))
            next()
          }),
      )
      expect((await get('/', withCookie('user=Ann'))).headers.getSetCookie()).toEqual(['a=1; Path=/', 'sid=1; Path=/'])
    })
  })

  it('a request that bypasses the cache keeps everything of its visitor', async () => {
    const storage = new AsyncLocalStorage<string>()
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get('/', (req, res) => {
          res.json([storage.getStore(), (req as { user?: string }).user, res.locals.user, req.ip, req.get('X-User')])
        }),
      {},
      (app) =>
        app.use((req, res, next) => {
          Object.assign(req, { user: 'Ann' })
          res.locals.user = 'Ann'
          storage.run('Ann', next)
        }),
    )
    const headers = { 'X-User': 'Ann', Cookie: 'user=Ann' }
    expect(JSON.parse((await get('/', { headers })).text)).toEqual([
      'Ann',
      'Ann',
      'Ann',
      expect.stringContaining('127.0.0.1'),
      'Ann',
    ])
  })
})
