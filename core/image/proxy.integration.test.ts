import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createUpstreamFetch } from '../../adapters/node/upstream.js'
import type { Handler } from '../handler.js'
import { createImageProxy, type ImageProxyOptions } from './proxy.js'
import { encodeSource } from './source-encoding.js'

const cat = `http://site.test/_image/${encodeSource('/media/cat.jpg')}?width=640`
const safe = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" }
const picture = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2, 3, 0xff, 0xd9])
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A real image service on a socket, scripted by `answer`, and the proxy in front of it. */
async function proxyTo(answer: RequestListener, options: Partial<ImageProxyOptions> = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const upstream = createUpstreamFetch()
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
    await upstream.close()
  })
  const log = vi.fn()
  const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const proxy = createImageProxy({
    serviceUrl,
    key: 'aa',
    salt: 'bb',
    sources: ['/media/'],
    timeout: 150,
    fetch: upstream,
    log,
    ...options,
  })
  return { log, serviceUrl, get: async (init?: RequestInit) => (await proxy(new Request(cat, init))) as Response }
}

const answerWith =
  (status: number, headers: Record<string, string> = { 'Content-Type': 'image/jpeg' }): RequestListener =>
  (_, res) =>
    res.writeHead(status, headers).end(status === 304 ? undefined : picture)

describe('a picture', () => {
  it('comes back with type, length, caching and validators, and nothing else of the service', async () => {
    const headers = {
      'Content-Type': 'image/avif',
      'Content-Length': String(picture.length),
      'Cache-Control': 'public, max-age=60',
      ETag: '"1"',
      'Last-Modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      Vary: 'Accept',
      Date: 'Sat, 21 Nov 2026 01:00:00 GMT',
    }
    const { get } = await proxyTo(
      answerWith(200, { ...headers, 'Set-Cookie': 'a=b', Server: 'imgproxy', 'X-Request-Id': '7', Location: '/x' }),
    )
    const response = await get()
    const expected = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({ ...Object.fromEntries(expected), ...safe })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture)
  })

  it('is asked for with the condition headers of the visitor and no other, on a signed path', async () => {
    let asked: IncomingMessage | undefined
    const { get } = await proxyTo(
      (req, res) => {
        asked = req
        answerWith(200)(req, res as ServerResponse & { req: IncomingMessage })
      },
      { serviceSecret: 'between us' },
    )
    const conditions = {
      accept: 'image/avif,*/*',
      'if-none-match': '"1"',
      'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT',
    }
    await get({
      headers: { ...conditions, Cookie: 'session=1', Authorization: 'Basic eA', 'X-Forwarded-For': '1.2.3.4' },
    })
    const { host, connection, ...headers } = asked?.headers ?? {}
    expect(headers).toEqual({ ...conditions, authorization: 'Bearer between us', 'accept-encoding': 'identity' })
    expect(asked?.method).toBe('GET')
    expect(asked?.url).toMatch(/^\/[\w-]{43}\/rs:fill:640\/g:sm\/L21lZGlhL2NhdC5qcGc$/)
  })

  it('streams: the first piece arrives while the service still works', async () => {
    let finish = () => {}
    const { get } = await proxyTo((_, res) => {
      res.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(picture)
      finish = () => res.end(picture)
    })
    const reader = (await get()).body?.getReader()
    expect(Buffer.from((await reader?.read())?.value as Uint8Array)).toEqual(picture)
    finish()
    expect(Buffer.from((await reader?.read())?.value as Uint8Array)).toEqual(picture)
    expect((await reader?.read())?.done).toBe(true)
  })

  it('unchanged is a 304 without body and type', async () => {
    const { get } = await proxyTo(answerWith(304, { ETag: '"1"', Vary: 'Accept', 'Cache-Control': 'max-age=60' }))
    const response = await get({ headers: { 'If-None-Match': '"1"' } })
    expect(response.status).toBe(304)
    expect(response.body).toBeNull()
    expect(Object.fromEntries(response.headers)).toMatchObject({ etag: '"1"', vary: 'Accept', ...safe })
  })

  it('by HEAD is asked for with GET, since imgproxy answers any HEAD with 200', async () => {
    let method: string | undefined
    const { get } = await proxyTo((req, res) => {
      method = req.method
      answerWith(200, { 'Content-Type': 'image/jpeg', 'Content-Length': '9' })(req, res as never)
    })
    const response = await get({ method: 'HEAD' })
    expect([method, response.status, response.body]).toEqual(['GET', 200, null])
    expect(response.headers.get('content-length')).toBe('9')
  })
})

describe('failures of the service', () => {
  const nothing: RequestListener = () => {}
  const table: [string, RequestListener, number, string][] = [
    ['404', answerWith(404), 404, 'Image not found'],
    ['422', answerWith(422), 422, 'Image could not be processed'],
    ['HTML', answerWith(200, { 'Content-Type': 'text/html' }), 422, 'Image could not be processed'],
    ['no type', answerWith(200, {}), 422, 'Image could not be processed'],
    [
      'an empty picture',
      (_, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end(),
      422,
      'Image could not be processed',
    ],
    ['500', answerWith(500), 502, 'Image service failed'],
    ['502', answerWith(502), 502, 'Image service failed'],
    ['403', answerWith(403), 502, 'Image service failed'],
    ['401', answerWith(401), 502, 'Image service failed'],
    ['204', answerWith(204), 502, 'Image service failed'],
    ['a redirect', answerWith(302, { Location: 'http://evil.test/' }), 502, 'Image service failed'],
    ['a reset before the head', (req) => req.socket.destroy(), 502, 'Image service failed'],
    [
      'a reset right after the head',
      (req, res) =>
        res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '9' }).flushHeaders() ??
        setTimeout(() => req.socket.destroy(), 20),
      502,
      'Image service failed',
    ],
    ['429', answerWith(429), 503, 'Image service is busy'],
    ['503', answerWith(503), 503, 'Image service is busy'],
    ['no head in time', nothing, 504, 'Image service timed out'],
    [
      'a body that stalls',
      (_, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).flushHeaders(),
      504,
      'Image service timed out',
    ],
  ]

  it.each(table)('%s', async (_, answer, status, error) => {
    const { get } = await proxyTo(answer)
    const response = await get()
    expect([response.status, await response.json()]).toEqual([status, { error }])
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'cache-control': 'no-store', ...safe })
    expect(response.headers.has('retry-after')).toBe(status === 503)
  })

  it('refused', async () => {
    const { get } = await proxyTo(nothing, { serviceUrl: 'http://127.0.0.1:1' })
    expect((await get()).status).toBe(502)
  })

  it('a Retry-After of the service is passed on', async () => {
    const { get } = await proxyTo(answerWith(503, { 'Retry-After': '7' }))
    expect((await get()).headers.get('retry-after')).toBe('7')
  })

  it('a wrong key is logged loudly, without the signature', async () => {
    const { get, log } = await proxyTo(answerWith(403))
    await get()
    expect(log).toHaveBeenCalledWith('Image service failed', {
      status: 403,
      reason: expect.stringContaining('THE SERVICE REFUSED THE SIGNATURE'),
    })
  })

  it('a body that breaks or stalls in the middle is an error of the stream, not an end', async () => {
    for (const breakOff of [(req: IncomingMessage) => req.socket.destroy(), () => {}]) {
      const { get } = await proxyTo((req, res) => {
        res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100' }).write(picture)
        setTimeout(breakOff, 20, req)
      })
      const response = await get()
      expect(response.status).toBe(200)
      await expect(response.arrayBuffer()).rejects.toThrow()
    }
  })

  it('a body that breaks off is told to the operator', async () => {
    const { get, log } = await proxyTo((req, res) => {
      res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100' }).write(picture)
      setTimeout(() => req.socket.destroy(), 20)
    })
    await expect((await get()).arrayBuffer()).rejects.toThrow()
    expect(log).toHaveBeenCalledWith('Image service failed', { reason: expect.any(String) })
  })

  it('a client that is deaf to the signal cannot hold the visitor', async () => {
    const deaf: Handler = () => new Promise(() => {})
    const { get } = await proxyTo(nothing, { fetch: deaf })
    expect((await get()).status).toBe(504)
  })
})

describe('a visitor who leaves', () => {
  it.each([
    ['before the head', () => {}],
    [
      'in the middle of the body',
      (res: ServerResponse) => res.writeHead(200, { 'Content-Type': 'image/png' }).write(picture),
    ],
  ])('%s cancels the request to the service, and is not logged', async (when, answer) => {
    const leaving = new AbortController()
    let arrived = () => {}
    const asked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let cancelled: Promise<unknown> | undefined
    const { get, log } = await proxyTo(
      (req, res) => {
        cancelled = new Promise((resolve) => req.socket.once('close', resolve))
        answer(res)
        arrived()
      },
      { timeout: 10_000 },
    )
    const getting = get({ signal: leaving.signal })
    await asked
    const reader = when === 'before the head' ? undefined : (await getting).body?.getReader()
    leaving.abort()
    await getting
    await reader?.read().catch(() => {})
    await cancelled
    expect(log).not.toHaveBeenCalled()
  })

  it('cancels it also after a garbage collection, which undici’s own request does not outlive', async () => {
    const leaving = new AbortController()
    let cancelled: Promise<unknown> | undefined
    const { get } = await proxyTo(
      (req, res) => {
        cancelled = new Promise((resolve) => req.socket.once('close', resolve))
        res.writeHead(200, { 'Content-Type': 'image/png' }).write(picture)
      },
      { timeout: 20_000 },
    )
    const reader = (await get({ signal: leaving.signal })).body?.getReader()
    await reader?.read()
    const pending = reader?.read().catch(() => {})
    setFlagsFromString('--expose-gc')
    for (let round = 0; round < 5; round++) {
      runInNewContext('gc')()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    leaving.abort()
    await Promise.all([cancelled, pending])
  }, 5_000)

  it('by cancelling the body cancels the request to the service too', async () => {
    let cancelled: Promise<unknown> | undefined
    const { get } = await proxyTo((req, res) => {
      cancelled = new Promise((resolve) => req.socket.once('close', resolve))
      res.writeHead(200, { 'Content-Type': 'image/png' }).write(picture)
    })
    await (await get()).body?.cancel()
    await cancelled
  })
})

describe('not configured', () => {
  it('answers 500 and tells the operator what is missing', async () => {
    const { get, log } = await proxyTo(() => {}, { key: '', salt: undefined })
    const response = await get()
    expect([response.status, await response.json()]).toEqual([500, { error: 'Image Proxy is not configured' }])
    expect(log).toHaveBeenCalledWith('Image Proxy is not configured', { missing: ['key', 'salt'] })
  })
})

it('405 names the methods that are allowed', async () => {
  const { get } = await proxyTo(() => {})
  const response = await get({ method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
