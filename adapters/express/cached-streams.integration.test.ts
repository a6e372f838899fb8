import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { sharedCacheControl, startCachedApp, versions, withCookie } from './testing/cached-app.js'

// A page is asked for by a first visitor, who gets the app's own answer, by a later one, for whom it is rendered for all,
// or by a signed-in one.
const visitors: [name: string, init: { headers?: Record<string, string> }, earlierVisits: number][] = [
  ['a first visitor', {}, 0],
  ['a later visitor', {}, 1],
  ['a signed-in visitor', withCookie('user=Ann'), 0],
]

describe.each(versions)('an app of %s behind the cache, piece by piece', (_, create) => {
  it.each(visitors)('%s gets the first piece before the last one is written', async (_name, init, earlierVisits) => {
    let end = () => {}
    const { url } = await startCachedApp(create, (app) =>
      app.get('/', (_req, res) => {
        res.set('Cache-Control', sharedCacheControl).write('first')
        end = () => res.end('last')
      }),
    )
    for (let visit = 0; visit <= earlierVisits; visit++) {
      const { body, headers } = await fetch(url, init)
      expect(headers.get('cache-status')?.includes('stored')).toBe(visit === 1)
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      const read = async () => Buffer.from((await reader.read()).value ?? []).toString()
      expect(await read()).toBe('first')
      end()
      expect(await read()).toBe('last')
      expect((await reader.read()).done).toBe(true)
    }
  })

  it.each(visitors)('a route waits for %s who reads slowly', async (_name, init, earlierVisits) => {
    let written = 0
    const { url } = await startCachedApp(create, (app) =>
      app.get('/', (_req, res) => {
        const piece = Buffer.alloc(100_000)
        const write = () => {
          while (written < 50_000_000) {
            written += piece.length
            if (!res.write(piece)) return void res.once('drain', write)
          }
          res.end()
        }
        write()
      }),
    )
    for (let visit = 0; visit < earlierVisits; visit++) await (await fetch(url, { ...init, method: 'HEAD' })).text()
    written = 0
    const response = await fetch(url, init)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(written).toBeLessThan(20_000_000)
    expect((await response.arrayBuffer()).byteLength).toBe(50_000_000)
  })

  it('streams server-sent events, and closes them when their reader leaves', async () => {
    const closed = vi.fn()
    const { url } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => {
        res.writeHead(200, {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache',
          Connection: 'keep-alive',
        })
        res.flushHeaders()
        const timer = setInterval(() => res.write('data: now\n\n'), 20)
        res.on('close', () => clearInterval(timer))
        req.on('close', closed)
      }),
    )
    for (const headers of [{}, { Cookie: 'user=Ann' }]) {
      closed.mockReset()
      const abort = new AbortController()
      const { body } = await fetch(url, { headers, signal: abort.signal })
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      for (let event = 0; event < 3; event++)
        expect(Buffer.from((await reader.read()).value ?? []).toString()).toContain('data: now')
      abort.abort()
      await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 20_000)
    }
  })

  it.each(visitors)('%s sees that a response breaks off', async (_name, init, earlierVisits) => {
    const { get, url } = await startCachedApp(create, (app) => {
      app.get('/', (_req, res) => {
        res.set('Cache-Control', sharedCacheControl).write('half')
        setTimeout(() => res.destroy(), 20)
      })
      app.get('/error', (_req, res) => {
        res.set('Cache-Control', sharedCacheControl).write('half')
        setTimeout(() => res.destroy(new Error('broken')), 20)
      })
      app.get('/short', (_req, res) => {
        res.set({ 'Cache-Control': sharedCacheControl, 'Content-Length': '9' }).write('half')
        setTimeout(() => res.end(), 20)
      })
      app.get('/never', (_req, res) => void res.destroy())
      app.get('/ok', (_req, res) => void res.send('ok'))
    })
    for (const path of ['/', '/error']) {
      for (let visit = 0; visit <= earlierVisits; visit++) {
        const response = await fetch(url + path, init)
        await expect(response.text(), path).rejects.toThrow()
        expect(response.headers.get('cache-status')).not.toContain('hit')
      }
    }
    // If the body of an own answer is shorter than its Content-Length, Node lets the client wait for the rest.
    if (earlierVisits > 0) {
      await fetch(`${url}/short`, { method: 'HEAD' })
      const response = await fetch(`${url}/short`)
      expect(response.headers.get('cache-status')).toContain('stored')
      await expect(response.text()).rejects.toThrow()
    }
    await expect(get('/never', init)).rejects.toThrow()
    expect((await get('/ok', init)).text).toBe('ok')
  })

  it('a route can stream an upload', async () => {
    const { get } = await startCachedApp(create, (app) => {
      app.post('/', async (req, res) => {
        let size = 0
        for await (const piece of req) size += piece.length
        res.send(`${size}`)
      })
    })
    expect((await get('/', { method: 'POST', body: Buffer.alloc(3_000_000) })).text).toBe('3000000')
  })

  it('a render continues for others when the visitor who began it leaves, and ends when nobody waits', async () => {
    const events: string[] = []
    let answer = () => {}
    const { url, cache } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => {
        events.push('begins')
        req.on('close', () => events.push(`request ${req.aborted}`))
        res.on('close', () => events.push(`response ${res.writableFinished}`))
        answer = () => res.set('Cache-Control', sharedCacheControl).send('page')
      }),
    )
    const first = fetch(url)
    await vi.waitFor(() => expect(events).toEqual(['begins']), 20_000)
    answer()
    await (await first).text()
    events.length = 0
    const visit = () => {
      const abort = new AbortController()
      const response = fetch(url, { signal: abort.signal })
      response.catch(() => {})
      return { response, leave: () => abort.abort() }
    }
    const firstVisit = visit()
    await vi.waitFor(() => expect(events).toEqual(['begins']), 20_000)
    const second = visit()
    await new Promise((resolve) => setTimeout(resolve, 100))
    firstVisit.leave()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(events).toEqual(['begins'])
    answer()
    expect(await (await second.response).text()).toBe('page')
    await vi.waitFor(() => expect(events.sort()).toEqual(['begins', 'request false', 'response true']), 20_000)

    events.length = 0
    const alone = visit()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(events).toEqual([]) // a hit
    await cache.invalidate(['document'])
    await expect(fetch(url, { signal: AbortSignal.timeout(150) })).rejects.toThrow()
    await vi.waitFor(() => expect(events.sort()).toEqual(['begins', 'request true', 'response false']), 20_000)
    alone.leave()
  })

  it('a shared page is not rendered in the async context of the visitor who reads it', async () => {
    const storage = new AsyncLocalStorage<string>()
    const seen = vi.fn()
    const see = () => seen(storage.getStore())
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get('/', (req, res) => {
          res.set('Cache-Control', sharedCacheControl).on('close', see).on('finish', see)
          req.on('close', see)
          let pieces = 0
          const write = () => {
            see()
            while (pieces++ < 100) if (!res.write('x'.repeat(30_000))) return void res.once('drain', write)
            res.end()
          }
          write()
        }),
      {},
      (app) => app.use((req, _res, next) => (req.get('X-User') ? storage.run('Ann', next) : next())),
    )
    await get()
    seen.mockReset()
    const page = await get('/', { headers: { 'X-User': 'Ann' } })
    expect([page.text.length, page.cacheStatus]).toEqual([3_000_000, expect.stringContaining('stored')])
    await vi.waitFor(() => expect(seen.mock.calls.length).toBeGreaterThan(20), 20_000)
    expect(new Set(seen.mock.calls.flat())).toEqual(new Set([undefined]))
  })

  it('a response to a request that bypasses the cache is closed when its visitor leaves', async () => {
    const events: string[] = []
    const { url, get } = await startCachedApp(create, (app) => {
      app.get('/', (_req, res) => {
        events.push('begins')
        res.on('close', () => events.push(`response ${res.writableFinished}`))
      })
      app.get('/ok', (_req, res) => void res.send('ok'))
    })
    await expect(fetch(url, { ...withCookie('user=Ann'), signal: AbortSignal.timeout(100) })).rejects.toThrow()
    await vi.waitFor(() => expect(events).toEqual(['begins', 'response false']), 20_000)
    expect((await get('/ok')).text).toBe('ok')
  })

  it('a shared page has no interim responses or trailers, and may have a large head', async () => {
    const { get, url } = await startCachedApp(create, (app) => {
      app.get('/hints', (_req, res) => {
        res.writeEarlyHints({ link: '</a.css>; rel=preload' })
        res.writeProcessing()
        res.set({ 'Cache-Control': sharedCacheControl, Trailer: 'X-End' }).write('page')
        res.addTrailers({ 'X-End': '1' })
        res.end()
      })
      app.get(
        '/big',
        (_req, res) => void res.set({ 'X-Big': 'x'.repeat(40_000), 'Cache-Control': 's-maxage=9' }).send('big'),
      )
    })
    for (const expected of ['first', 'stored', 'hit']) {
      expect(await get('/hints')).toMatchObject({ text: 'page', cacheStatus: expect.stringContaining(expected) })
    }
    expect((await get('/hints', withCookie('user=Ann'))).text).toBe('page')
    for (const expected of ['first', 'stored', 'hit']) {
      const bigRequest = httpRequest(`${url}/big`, { maxHeaderSize: 100_000 }).end()
      const [answer] = (await once(bigRequest, 'response')) as [IncomingMessage]
      answer.resume()
      expect([answer.statusCode, answer.headers['x-big']?.length]).toEqual([200, 40_000])
      expect(answer.headers['cache-status']).toContain(expected)
    }
  })

  it('responses to pipelined requests, shared and bypassed, come in the order of the requests', async () => {
    const { url } = await startCachedApp(create, (app) => {
      app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 50))
      app.get('/fast', (_req, res) => void res.send('fast'))
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const line = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`
    socket.write(
      line('/slow', 'Cookie: a=1\r\n') +
        line('/fast', 'Cookie: a=1\r\n') +
        line('/slow') +
        line('/fast', 'Cookie: a=1\r\nConnection: close\r\n'),
    )
    const text = String(Buffer.concat(await socket.toArray()))
    expect(text.match(/^(?:slow|fast)/gm)).toEqual(['slow', 'fast', 'slow', 'fast'])
  })
})
