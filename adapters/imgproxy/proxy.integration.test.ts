import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Handler } from '../../core/handler.js'
import { encodeSource } from '../../core/image/url.js'
import { createUpstreamFetch } from '../node/upstream.js'
import { createImageProxy, type ImageProxyOptions } from './testing/proxy.js'

const cat = `http://site.test/_image/${encodeSource('/media/cat.jpg')}?width=640`
const safe = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" }
const image = Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2, 3, 0xff, 0xd9])
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Starts an image service on a socket, and a proxy in front of it. */
async function startProxy(listener: RequestListener, options: Partial<ImageProxyOptions> = {}) {
  const server = createServer(listener).listen(0, '127.0.0.1')
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
    fetch: upstream,
    log,
    ...options,
  })
  return { log, serviceUrl, get: async (init?: RequestInit) => (await proxy(new Request(cat, init))) as Response }
}

const respondWith =
  (status: number, headers: Record<string, string> = { 'Content-Type': 'image/jpeg' }): RequestListener =>
  (_, res) =>
    res.writeHead(status, headers).end(status === 304 ? undefined : image)

describe('an image', () => {
  it('an image is returned with type, length, caching headers and validators, and no other header of the service', async () => {
    const headers = {
      'Content-Type': 'image/avif',
      'Content-Length': String(image.length),
      'Cache-Control': 'public, max-age=60',
      'Last-Modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      Vary: 'Accept',
      Date: 'Sat, 21 Nov 2026 01:00:00 GMT',
    }
    const { get } = await startProxy(
      respondWith(200, {
        ...headers,
        ETag: '"1"',
        'Set-Cookie': 'a=b',
        Server: 'imgproxy',
        'X-Request-Id': '7',
        Location: '/x',
      }),
    )
    const response = await get()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'image/avif',
      'content-length': String(image.length),
      'cache-control': 'public, max-age=300, stale-if-error=86400',
      'cache-tag': '/media/cat.jpg',
      'last-modified': 'Sat, 21 Nov 2026 00:00:00 GMT',
      vary: 'Accept',
      etag: '"avif:1"',
      ...safe,
    })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(image)
  })

  it.each([
    ['Accept, Width, DPR, Cookie', 'Accept'],
    ['accept', 'Accept'],
    ['Width, Authorization', undefined],
    ['*', '*'],
    [undefined, undefined],
  ])(
    'an image of a service that says Vary: %s varies by %s, because the service receives no other field',
    async (vary, expected) => {
      const { get } = await startProxy(respondWith(200, { 'Content-Type': 'image/avif', ...(vary && { Vary: vary }) }))
      expect((await get()).headers.get('vary') ?? undefined).toBe(expected)
    },
  )

  it('the service is asked for a signed path, with the conditional headers of the client and no other headers of the client', async () => {
    let received: IncomingMessage | undefined
    const { get } = await startProxy(
      (req, res) => {
        received = req
        respondWith(200)(req, res as ServerResponse & { req: IncomingMessage })
      },
      { serviceSecret: 'between us' },
    )
    const accept = 'image/avif,*/*'
    const since = { 'if-modified-since': 'Sat, 21 Nov 2026 00:00:00 GMT' }
    await get({
      headers: {
        accept,
        ...since,
        'if-none-match': '"avif:1"',
        Cookie: 'session=1',
        Authorization: 'Basic eA',
        'X-Forwarded-For': '1.2.3.4',
      },
    })
    const { host, connection, ...headers } = received?.headers ?? {}
    const requestHeaders = { accept: 'image/avif', authorization: 'Bearer between us', 'accept-encoding': 'identity' }
    // If there is an entity tag, it alone decides (RFC 9110, section 13.1.3).
    expect(headers).toEqual({ ...requestHeaders, 'if-none-match': '"1"' })
    expect(received?.method).toBe('GET')
    expect(received?.url).toMatch(/^\/[\w-]{43}\/rs:fill:640\/g:sm\/L21lZGlhL2NhdC5qcGc$/)
    await get({ headers: { accept, ...since } })
    expect(received?.headers).toMatchObject(since)
    expect(received?.headers).not.toHaveProperty('if-none-match')
  })

  it('an image is streamed: its first chunk arrives before the last chunk is sent', async () => {
    let finish = () => {}
    const { get } = await startProxy((_, res) => {
      res.writeHead(200, { 'Content-Type': 'image/jpeg' }).write(image)
      finish = () => res.end(image)
    })
    const reader = (await get()).body?.getReader()
    expect(Buffer.from((await reader?.read())?.value as Uint8Array)).toEqual(image)
    finish()
    expect(Buffer.from((await reader?.read())?.value as Uint8Array)).toEqual(image)
    expect((await reader?.read())?.done).toBe(true)
  })

  it('an image that has not changed is a 304 without body and type', async () => {
    const { get } = await startProxy(respondWith(304, { ETag: '"1"', Vary: 'Accept', 'Cache-Control': 'max-age=60' }))
    const response = await get({ headers: { 'If-None-Match': '"jpeg:1"' } })
    expect(response.status).toBe(304)
    expect(response.body).toBeNull()
    expect(Object.fromEntries(response.headers)).toMatchObject({ etag: '"jpeg:1"', vary: 'Accept', ...safe })
  })

  it('an image requested by HEAD is fetched with GET, because imgproxy answers any HEAD with 200', async () => {
    let method: string | undefined
    const { get } = await startProxy((req, res) => {
      method = req.method
      respondWith(200, { 'Content-Type': 'image/jpeg', 'Content-Length': '9' })(req, res as never)
    })
    const response = await get({ method: 'HEAD' })
    expect([method, response.status, response.body]).toEqual(['GET', 200, null])
    expect(response.headers.get('content-length')).toBe('9')
  })
})

describe('failures of the service', () => {
  const noAnswer: RequestListener = () => {}
  const table: [string, RequestListener, number, string][] = [
    ['404', respondWith(404), 404, 'Image not found'],
    ['422', respondWith(422), 422, 'Image could not be processed'],
    ['HTML', respondWith(200, { 'Content-Type': 'text/html' }), 422, 'Image could not be processed'],
    ['no type', respondWith(200, {}), 422, 'Image could not be processed'],
    [
      'an empty body',
      (_, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end(),
      422,
      'Image could not be processed',
    ],
    ['500', respondWith(500), 502, 'Image service failed'],
    ['502', respondWith(502), 502, 'Image service failed'],
    ['403', respondWith(403), 502, 'Image service failed'],
    ['401', respondWith(401), 502, 'Image service failed'],
    ['204', respondWith(204), 502, 'Image service failed'],
    ['304 to a request without a condition', respondWith(304, { ETag: '"1"' }), 502, 'Image service failed'],
    [
      'an encoding that was not asked for',
      (_, res) => res.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Encoding': 'gzip' }).end(gzipSync(image)),
      502,
      'Image service failed',
    ],
    [
      'an encoding that nobody knows',
      respondWith(200, { 'Content-Type': 'image/jpeg', 'Content-Encoding': 'aws-chunked' }),
      502,
      'Image service failed',
    ],
    [
      'two types',
      (_, res) => res.writeHead(200, [...'Content-Type|image/png|Content-Type|text/html'.split('|')]).end(image),
      422,
      'Image could not be processed',
    ],
    ['504', respondWith(504), 504, 'Image service timed out'],
    ['a redirect', respondWith(302, { Location: 'http://evil.test/' }), 502, 'Image service failed'],
    ['a reset before the head', (req) => req.socket.destroy(), 502, 'Image service failed'],
    [
      'a reset right after the head',
      (req, res) =>
        res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '9' }).flushHeaders() ??
        setTimeout(() => req.socket.destroy(), 20),
      502,
      'Image service failed',
    ],
    ['429', respondWith(429), 503, 'Image service is busy'],
    ['503', respondWith(503), 503, 'Image service is busy'],
  ]

  it.each([
    ['no head in time', noAnswer],
    ['a body that stalls', (_, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).flushHeaders()],
  ] as [string, RequestListener][])('%s', async (_, listener) => {
    const { get } = await startProxy(listener, { timeout: 150 })
    const response = await get()
    expect([response.status, await response.json()]).toEqual([504, { error: 'Image service timed out' }])
  })

  it.each(table)('%s', async (_, listener, status, error) => {
    const { get } = await startProxy(listener)
    const response = await get()
    expect([response.status, await response.json()]).toEqual([status, { error }])
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'cache-control': 'no-store', ...safe })
    expect(response.headers.has('retry-after')).toBe(status === 503)
  })

  it.each(['zstd', 'aws-chunked', 'gzip, zstd', 'identity, gzip', 'gzip,'])(
    'the encoding %s, which fetch does not decode',
    async (coding) => {
      const headers = { 'Content-Type': 'image/jpeg', 'Content-Encoding': coding }
      const { get, log } = await startProxy(respondWith(200, headers), { fetch: (request) => fetch(request) })
      expect((await get()).status).toBe(502)
      expect(log.mock.lastCall?.[1].reason).toBe(`Content-Encoding: expected none, got '${coding}'`)
    },
  )

  it('a refused connection', async () => {
    const { get } = await startProxy(noAnswer, { serviceUrl: 'http://127.0.0.1:1' })
    expect((await get()).status).toBe(502)
  })

  it.each([
    ['7', '7'],
    ['3600', '3600'],
    ['999999999999', '3600'],
    ['9'.repeat(400), '3600'],
    ['0', '1'],
    ['-5', '1'],
    ['soon', '1'],
    ['7, 8', '1'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '3600'],
    ['Sat, 01 Jan 2000 00:00:00 GMT', '1'],
  ])('a Retry-After of %s from the service becomes %s: digits, and at most an hour', async (retryAfter, passed) => {
    const { get } = await startProxy(respondWith(503, { 'Retry-After': retryAfter }))
    expect((await get()).headers.get('retry-after')).toBe(passed)
  })

  it('a body in another encoding is discarded: no connection stays open, and the next request is served', async () => {
    const { get } = await startProxy((req, res) => {
      const coded = gzipSync(image)
      if (req.headers.accept) respondWith(200)(req, res as never)
      else res.writeHead(404, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(coded)
    })
    expect((await get()).status).toBe(404)
    expect((await get({ headers: { Accept: 'image/webp' } })).status).toBe(200)
  })

  it('a wrong key is logged, without the signature', async () => {
    const { get, log } = await startProxy(respondWith(403))
    await get()
    expect(log).toHaveBeenCalledWith('Image service failed', {
      status: 403,
      source: '/media/cat.jpg',
      reason:
        'image service rejected the signature or serviceSecret (403); compare key, salt and serviceSecret with those of the service',
    })
  })

  it('a body that fails or stalls midway errors the stream', async () => {
    for (const interrupt of [(req: IncomingMessage) => req.socket.destroy(), () => {}]) {
      const { get } = await startProxy(
        (req, res) => {
          res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100000' }).write(image)
          setTimeout(interrupt, 20, req)
        },
        { timeout: 2_000 },
      )
      const response = await get()
      expect(response.status).toBe(200)
      await expect(response.arrayBuffer()).rejects.toThrow()
    }
  })

  it('a body that fails midway is logged', async () => {
    const { get, log } = await startProxy((req, res) => {
      res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100000' }).write(image)
      setTimeout(() => req.socket.destroy(), 20)
    })
    await expect((await get()).arrayBuffer()).rejects.toThrow()
    expect(log).toHaveBeenCalledWith('Image service failed', { source: '/media/cat.jpg', reason: expect.any(String) })
  })

  it.each([
    ['fails', 502, (req: IncomingMessage) => req.socket.destroy()],
    ['stalls', 504, () => {}],
  ])('a short body that %s midway is an error response', async (_, status, interrupt) => {
    const { get, log } = await startProxy(
      (req, res) => {
        res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '100' }).write(image)
        setTimeout(interrupt, 20, req)
      },
      { timeout: 2_000 },
    )
    expect((await get()).status).toBe(status)
    expect(log).toHaveBeenCalledTimes(1)
  })

  it('a fetch that ignores its signal does not delay the error', async () => {
    const ignoresSignal: Handler = () => new Promise(() => {})
    const { get } = await startProxy(noAnswer, { fetch: ignoresSignal, timeout: 150 })
    expect((await get()).status).toBe(504)
  })
})

describe('what the service says about an error is logged', () => {
  const says =
    (type: string, text: string | Buffer, status = 404): RequestListener =>
    (_, res) =>
      res.writeHead(status, { 'Content-Type': type }).end(text)
  const reasonOf = async (listener: RequestListener, options: Partial<ImageProxyOptions> = {}) => {
    const { get, log } = await startProxy(listener, options)
    expect((await get()).status).toBe(404)
    expect(log).toHaveBeenCalledTimes(1)
    const [message, { status, source, reason }] = log.mock.calls[0] as [string, Record<string, string>]
    expect([message, status, source]).toEqual(['Image not found', 404, '/media/cat.jpg'])
    return reason
  }

  it.each([
    ['a line', 'text/plain', 'Invalid source URL', "the image service says 'Invalid source URL'"],
    ['JSON', 'application/json', '{"error":"Unknown source"}', `the image service says '{"error":"Unknown source"}'`],
    [
      'control characters',
      'text/plain',
      'a\u001b[31m\r\n2026-11-22 forged line\u202e',
      "the image service says 'a [31m 2026-11-22 forged line'",
    ],
    ['a megabyte', 'text/plain', 'x'.repeat(1_000_000), `the image service says '${'x'.repeat(200)}…'`],
    [
      'a megabyte of other characters',
      'text/plain',
      '🐈'.repeat(1_000_000),
      `the image service says '${'🐈'.repeat(200)}…'`,
    ],
  ])('%s', async (_, type, text, reason) => {
    expect(await reasonOf(says(type, text))).toBe(reason)
  })

  it.each([
    ['nothing', says('text/plain', ' ')],
    ['bytes', says('image/png', image)],
    ['a text that stalls', (_, res) => res.writeHead(404, { 'Content-Type': 'text/plain' }).flushHeaders()],
    [
      'a text that breaks off',
      (req, res) => {
        res.writeHead(404, { 'Content-Type': 'text/plain', 'Content-Length': '9' }).flushHeaders()
        setTimeout(() => req.socket.destroy(), 20)
      },
    ],
  ] as [string, RequestListener][])('%s', async (_, listener) => {
    expect(await reasonOf(listener, { timeout: 2_000 })).toMatch(
      /^image service says nothing more \(404\).*check the path of serviceUrl$/,
    )
  })

  it('the log has the part of an error text that arrived, and an endless text is aborted', async () => {
    let closed: Promise<unknown> | undefined
    const reason = await reasonOf(
      (req, res) => {
        closed = new Promise((resolve) => req.socket.once('close', resolve))
        res.writeHead(404, { 'Content-Type': 'text/plain' }).write('Source is unreach')
      },
      { timeout: 2_000 },
    )
    expect(reason).toBe("the image service says 'Source is unreach'")
    await closed
  })

  it('the error of the service is logged once a minute with a count, whichever images show it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const { get, log } = await startProxy(says('text/plain', 'Source is unreachable'))
      for (let count = 0; count < 3; count++) await get()
      expect(log).toHaveBeenCalledTimes(1)
      vi.advanceTimersByTime(60_000)
      await get()
      expect(log.mock.lastCall?.[1]).toMatchObject({ suppressed: 2 })
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a client that disconnects', () => {
  it.each([
    ['before the head', () => {}],
    [
      'midway through the body',
      (res: ServerResponse) => res.writeHead(200, { 'Content-Type': 'image/png' }).write(image),
    ],
  ])('%s aborts the request to the service, and is not logged', async (moment, respond) => {
    const client = new AbortController()
    let arrived = () => {}
    const requested = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let cancelled: Promise<unknown> | undefined
    const { get, log } = await startProxy(
      (req, res) => {
        cancelled = new Promise((resolve) => req.socket.once('close', resolve))
        respond(res)
        arrived()
      },
      { timeout: 10_000 },
    )
    const getting = get({ signal: client.signal })
    await requested
    const reader = moment === 'before the head' ? undefined : (await getting).body?.getReader()
    client.abort()
    await getting
    await reader?.read().catch(() => {})
    await cancelled
    expect(log).not.toHaveBeenCalled()
  })

  it('a client that disconnects aborts the request even after a garbage collection, which undici’s requests do not survive', async () => {
    const client = new AbortController()
    let cancelled: Promise<unknown> | undefined
    const { get } = await startProxy(
      (req, res) => {
        cancelled = new Promise((resolve) => req.socket.once('close', resolve))
        res.writeHead(200, { 'Content-Type': 'image/png' }).write(image)
      },
      { timeout: 600_000 }, // longer than the limit of this test
    )
    const reader = (await get({ signal: client.signal })).body?.getReader()
    await reader?.read()
    const pending = reader?.read().catch(() => {})
    setFlagsFromString('--expose-gc')
    for (let round = 0; round < 5; round++) {
      runInNewContext('gc')()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    client.abort()
    await Promise.all([cancelled, pending])
  }, 60_000)

  it('cancelling the body aborts the request to the service', async () => {
    let cancelled: Promise<unknown> | undefined
    const { get } = await startProxy((req, res) => {
      cancelled = new Promise((resolve) => req.socket.once('close', resolve))
      res.writeHead(200, { 'Content-Type': 'image/png' }).write(image)
    })
    await (await get()).body?.cancel()
    await cancelled
  })
})

describe('not configured', () => {
  it('a proxy that is not configured responds with 500 and logs which options are missing', async () => {
    const { get, log } = await startProxy(() => {}, { key: '', salt: undefined })
    const response = await get()
    expect([response.status, await response.json()]).toEqual([500, { error: 'Image Proxy is not configured' }])
    const line = ['Image Proxy is not configured', { missing: ['key', 'salt'] }]
    expect(log.mock.calls).toEqual([line, line]) // at creation, and at the first request
  })
})

it('405 lists the allowed methods', async () => {
  const { get } = await startProxy(() => {})
  const response = await get({ method: 'POST' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})
