import { Readable } from 'node:stream'
import type express from 'express'
import { describe, expect, it, vi } from 'vitest'
import { sharedCacheControl, startCachedApp, versions, withCookie } from '../../adapters/express/testing/cached-app.js'

// The first visitor of a page gets the app's own answer, the second one the page that is rendered for all and stored.

describe.each(versions)('pages of an app of %s that are stored in front of it', (_, create) => {
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
    for (const expected of ['detail=first', 'stored', 'hit', 'hit']) {
      const page = await get()
      expect([page.status, page.headers.get('content-type'), page.text]).toEqual([200, type, text])
      expect(page.cacheStatus).toContain(expected)
    }
    expect(route).toHaveBeenCalledTimes(2)
  })

  it('a page that shows a name from a cookie is sent only to its visitor', async () => {
    const { get, cache } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => {
        const user = /user=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? 'stranger'
        res.set('Cache-Control', sharedCacheControl).send(`Hello, ${user}`)
      }),
    )
    expect((await get()).cacheStatus).toContain('detail=first')
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
      expect((await get()).cacheStatus).toContain('stored')
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
    expect((await get('/old')).cacheStatus).toContain('stored')
    const moved = await get('/old')
    expect([moved.status, moved.headers.get('location')]).toEqual([301, '/new'])
    expect(moved.cacheStatus).toContain('hit')

    const head = await get('/', { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
    expect((await get()).cacheStatus).toContain('stored') // the head of a HEAD makes a page known
    const etag = (await get()).headers.get('etag') as string
    expect(route).toHaveBeenCalledTimes(2)
    expect((await get('/', { method: 'HEAD' })).cacheStatus).toContain('hit')
    expect(await get('/', { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 304, text: '' })
    expect(await get('/', { headers: { Range: 'bytes=2-3' } })).toMatchObject({ status: 206, text: '23' })
    expect(route).toHaveBeenCalledTimes(2)
  })
})
