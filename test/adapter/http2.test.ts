import { once } from 'node:events'
import { connect } from 'node:http2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ExpressRequest, expressMiddleware } from '../../adapters/express/index.js'
import { nodeListener } from '../../adapters/node/listener.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import type { Mountable } from '../../core/handler.js'
import type { RunningServer } from './adapter.js'
import { createHttp2Client, listenHttp2 } from './http2.js'
import { testAdapter } from './suite.js'

for (const [name, tls] of [
  ['h2c', false],
  ['TLS', true],
] as const) {
  testAdapter({
    name: `Node over HTTP/2, ${name}`,
    createClient: createHttp2Client,
    start: ({ handler, mount = '/', onError = () => {} }) =>
      listenHttp2(
        nodeListener(
          async (request) =>
            (new URL(request.url).pathname.startsWith(mount) && (await handler(request))) || new Response('next'),
          { onError },
        ),
        { tls },
      ),
  })
}

const http2Cancel = 8

// Express itself fails over HTTP/2: it puts prototypes of HTTP/1 before those of requests and responses.
testAdapter({
  name: 'Express middleware in a Connect-like app over HTTP/2',
  createClient: createHttp2Client,
  start: ({ handler, mount = '/', onError }) =>
    listenHttp2((req, res) => {
      const request = Object.assign(req, { protocol: 'http', originalUrl: req.url ?? '' }) as unknown as ExpressRequest
      const next = (error?: unknown) => {
        if (error !== undefined) onError?.(error)
        if (res.headersSent) return
        res.statusCode = error === undefined ? 200 : ((error as { status?: number }).status ?? 500)
        res.end('next')
      }
      if (req.url?.startsWith(mount)) void expressMiddleware(handler)(request, res, next)
      else next()
    }),
})

describe('over HTTP/2', () => {
  const client = createHttp2Client()
  let running: RunningServer | undefined
  afterEach(async () => {
    client.close()
    await running?.close()
    vi.restoreAllMocks()
  })
  const serve = async (handler: Mountable, { tls = false, onError = () => {} } = {}) => {
    running = await listenHttp2(nodeListener(handler, { onError }), { tls })
    return running.url
  }
  const get = async (url: string, headers: Record<string, string>) => {
    const stream = client.request(url, headers).end()
    const [head] = await once(stream, 'response')
    const body = (await stream.setEncoding('utf8').toArray()).join('')
    return { status: head[':status'], body, head }
  }

  it.each([
    ['h2c', false],
    ['TLS', true],
  ])('the response cache keeps the pages of two hosts apart: %s', async (_, tls) => {
    const pages = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
    const page = ({ url }: Request) =>
      Promise.resolve(new Response(`page of ${new URL(url).host}`, { headers: { 'Cache-Control': 's-maxage=60' } }))
    const url = await serve(pages.wrap(page), { tls })
    expect((await get(url, { ':authority': 'a.example' })).body).toBe('page of a.example')
    expect((await get(url, { ':authority': 'b.example' })).body).toBe('page of b.example')
    expect((await get(url, { ':authority': 'A.example' })).head['cache-status']).toContain('hit')
  })

  it.each([
    ['the same Host beside it', { ':authority': 'a.example', host: 'A.EXAMPLE' }, 200],
    ['another Host beside it', { ':authority': 'a.example', host: 'b.example' }, 400],
    ['user information', { ':authority': 'user@a.example' }, 400],
  ])(':authority with %s', async (_, headers, status) => {
    const url = await serve(({ url }) => Promise.resolve(new Response(url)))
    const response = await get(url, headers)
    expect(response.status).toBe(status)
    if (status === 200) expect(response.body).toBe('http://a.example/')
  })

  it('the parts of a cookie are joined by semicolons over HTTP/2', async () => {
    const url = await serve(({ headers }) => Promise.resolve(new Response(headers.get('cookie'))))
    const stream = client.request(url, { cookie: ['a=1', 'b=2'] }).end()
    expect((await stream.setEncoding('utf8').toArray()).join('')).toBe('a=1; b=2')
  })

  it('a response over HTTP/2 has no status text and no headers about the connection', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const headers = {
      Connection: 'keep-alive, X-Hop',
      'Keep-Alive': 'timeout=5',
      'Transfer-Encoding': 'chunked',
      Upgrade: 'h2c',
      'Proxy-Connection': 'keep-alive',
      'X-A': '1',
    }
    const url = await serve(() => Promise.resolve(new Response('fine', { statusText: 'Fine', headers })))
    const { status, body, head } = await get(url, {})
    expect([status, body, head['x-a']]).toEqual([200, 'fine', '1'])
    expect(Object.keys(head).sort()).toEqual([':status', 'content-type', 'date', 'x-a'])
    expect(warnings).not.toHaveBeenCalled()
  })

  it.each([
    ['more', '12345678'],
    ['less', '1234'],
  ])('a body of %s bytes than Content-Length is broken off and reported', async (_, body) => {
    const onError = vi.fn()
    const respond = () => Promise.resolve(new Response(body, { headers: { 'Content-Length': '5' } }))
    const url = await serve(respond, { onError })
    const broken = client.fetch(url).then((response) => response.text())
    await expect(broken).rejects.toThrow()
    expect(onError.mock.calls).toEqual([[new Error(expectedLength(body))]])
  })
  const expectedLength = (body: string) => `Response body: expected 5 bytes as in Content-Length, got ${body.length}`

  it.each(['bytes', 'a stream'])(
    'a page of 12 MB, of %s, does not block other requests on the connection',
    async (kind) => {
      const page = new Uint8Array(12_000_000)
      const body = () => (kind === 'bytes' ? page : new Response(page).body)
      const url = await serve(async (request) => new Response(request.url.endsWith('/large') ? body() : 'small'))
      const session = connect(url)
      const large = session.request({ ':path': '/large' })
      await once(large, 'response')
      const small = session.request({ ':path': '/small' }).setEncoding('utf8')
      expect(await small.toArray()).toEqual(['small'])
      let length = 0
      for await (const chunk of large) length += chunk.length
      expect(length).toBe(page.length)
      session.destroy()
    },
  )

  it('a body that fails midway is reported, and reset with an error code', async () => {
    const onError = vi.fn()
    const body = () => new ReadableStream({ pull: (controller) => controller.error(new Error('broken on purpose')) })
    const url = await serve(() => Promise.resolve(new Response(body())), { onError })
    await expect(client.fetch(url).then((response) => response.text())).rejects.toThrow(/NGHTTP2_INTERNAL_ERROR/)
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken on purpose' }))
  })

  it('an upload that the client breaks off fails for the handler, and is not reported', async () => {
    const onError = vi.fn()
    const reads: Promise<string>[] = []
    const url = await serve(
      async (request) => {
        reads.push(request.text())
        return new Response(await reads[0])
      },
      { onError },
    )
    client
      .request(url, { ':method': 'POST' })
      .on('error', () => {})
      .write('half')
    await vi.waitFor(() => expect(reads).toHaveLength(1), 20_000)
    client.close()
    await expect(reads[0]).rejects.toThrow('Client disconnected')
    expect(onError).not.toHaveBeenCalled()
  })

  it('the body of a handler that answers after the client has left is cancelled, and nothing is reported', async () => {
    const onError = vi.fn()
    let hasArrived = false
    const cancel = vi.fn()
    const url = await serve(
      async ({ signal }) => {
        hasArrived = true
        await new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 20)))
        return new Response(new ReadableStream({ cancel }))
      },
      { onError },
    )
    const stream = client
      .request(url, {})
      .on('error', () => {})
      .end()
    await vi.waitFor(() => expect(hasArrived).toBe(true), 20_000)
    stream.close(http2Cancel)
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledWith(new Error('Client disconnected')), 20_000)
    expect(onError).not.toHaveBeenCalled()
  })
})
