import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RouteHandler } from '../../core/handler.js'
import type { Adapter, Client, RunningServer, Serve } from './adapter.js'
import { testRequestAndResponseBodies } from './bodies.js'
import { createHttp1Client, withResolvers } from './exchange.js'
import { testWebObjects } from './web-objects.js'

/** The conformance suite: what every adapter must do, over a real socket. */
export function testAdapter({
  name,
  start,
  hasParser = false,
  ownsConnection = true,
  createClient = createHttp1Client,
}: Adapter): void {
  describe(name, () => {
    const client: Client = createClient()
    const { fetch, exchange } = client
    let running: RunningServer | undefined
    afterEach(async () => {
      client.close()
      await running?.close()
      running = undefined
    })

    const serve: Serve = async (handler, options = {}) => {
      running = await start({ handler, ...options })
      return running.url
    }

    it('sends a binary body byte for byte, with its status and headers', async () => {
      const bytes = new Uint8Array(randomBytes(300_000))
      const url = await serve(async () => new Response(bytes, { status: 203, headers: { 'X-A': 'ä', ETag: '"1"' } }))
      const response = await fetch(url)
      expect([response.status, response.headers.get('x-a'), response.headers.get('etag')]).toEqual([203, 'ä', '"1"'])
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    })

    it('keeps two cookies apart', async () => {
      const headers = new Headers()
      headers.append('Set-Cookie', 'a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT')
      headers.append('Set-Cookie', 'b=2')
      const url = await serve(async () => new Response('', { headers }))
      expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1; Expires=Sat, 21 Nov 2026 00:00:00 GMT', 'b=2'])
    })

    it('sends a 304 without a body', async () => {
      const url = await serve(async () => new Response(null, { status: 304, headers: { ETag: '"1"' } }))
      const { status, headers, body } = await exchange(url)
      expect([status, headers.etag, body.length]).toEqual([304, '"1"', 0])
      expect(headers['transfer-encoding']).toBeUndefined()
    })

    it('passes HEAD to the handler and sends no body', async () => {
      const url = await serve(
        async ({ method }) => new Response('12345', { headers: { 'X-Method': method, 'Content-Length': '5' } }),
      )
      const { status, headers, body } = await exchange(url, { method: 'HEAD' })
      expect([status, headers['x-method'], headers['content-length'], body.length]).toEqual([200, 'HEAD', '5', 0])
    })

    it('passes the complete URL, as the client sent it, below a mount path', async () => {
      const url = await serve(async (request) => new Response(request.url), { mount: '/mounted' })
      for (const path of ['/mounted/a%20b/%C3%A4%2Fc?x=1&x=%20&y', '/mounted/..%2f', '/mounted//double']) {
        expect(await (await fetch(url + path)).text()).toBe(url + path)
      }
    })

    it('passes the headers unchanged, repeated ones joined', async () => {
      const url = await serve(async ({ headers }) => Response.json([headers.get('x-a'), headers.get('authorization')]))
      // Node's HTTP/2 client sends no second Authorization.
      const second = client.httpVersion === 1 ? ['Authorization', 'B'] : []
      const { body } = await exchange(url, {
        headers: ['Host', new URL(url).host, 'X-A', '1', 'X-A', '2', 'Authorization', 'A', ...second],
      })
      expect(JSON.parse(body.toString())).toEqual(['1, 2', ['A', ...second.slice(1)].join(', ')])
    })

    it('ignores forwarding headers', async () => {
      const url = await serve(async (request) => new Response(request.url))
      const headers = { 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https', Forwarded: 'host=evil.test' }
      expect(await (await fetch(`${url}/a`, { headers })).text()).toBe(`${url}/a`)
    })

    it('calls the next handler on undefined', async () => {
      const url = await serve(async () => undefined)
      expect(await (await fetch(url)).text()).toBe('next')
    })

    it('answers 500 when the handler throws, and keeps serving', async () => {
      const url = await serve(async (request) => {
        if (request.url.endsWith('/throw')) throw new Error('thrown on purpose')
        return new Response('fine')
      })
      const failed = await fetch(`${url}/throw`)
      expect(failed.status).toBe(500)
      expect(await (await fetch(url)).text()).toBe('fine')
    })

    it('breaks the transfer off when the body fails midway, and keeps serving', async () => {
      const url = await serve(async (request) => {
        if (!request.url.endsWith('/break')) return new Response('fine')
        let chunks = 0
        const body = new ReadableStream({
          async pull(controller) {
            if (chunks++ < 3) return controller.enqueue(new Uint8Array(1000))
            // The chunks must reach the client before the socket is destroyed.
            await new Promise((resolve) => setTimeout(resolve, 50))
            controller.error(new Error('broken on purpose'))
          },
        })
        return new Response(body)
      })
      const response = await fetch(`${url}/break`)
      expect(response.status).toBe(200)
      await expect(response.arrayBuffer()).rejects.toThrow()
      expect(await (await fetch(url)).text()).toBe('fine')
    })

    it('aborts the request’s signal when the client disconnects before the response', async () => {
      const { promise: aborted, resolve } = withResolvers()
      const { promise: arrived, resolve: arrive } = withResolvers()
      const url = await serve((request) => {
        request.signal.addEventListener('abort', resolve)
        arrive()
        return aborted.then(() => new Response('too late'))
      })
      const visitor = new AbortController()
      const result = fetch(url, { signal: visitor.signal }).catch(() => 'disconnected')
      await arrived
      visitor.abort()
      expect(await result).toBe('disconnected')
      await aborted
    })

    it('reports the error of a handler, but not an error that is thrown because the client has disconnected', async () => {
      const onError = vi.fn()
      const written = vi.spyOn(console, 'error').mockImplementation(() => {})
      const { promise: aborted, resolve } = withResolvers()
      const { promise: arrived, resolve: arrive } = withResolvers()
      const handler: RouteHandler = async ({ url, signal }) => {
        if (url.endsWith('/throw')) throw new Error('thrown on purpose')
        if (!url.endsWith('/wait')) return new Response('fine')
        arrive()
        await new Promise<void>((onAbort) => signal.addEventListener('abort', () => onAbort()))
        setImmediate(resolve)
        throw signal.reason
      }
      const url = await serve(handler, { onError })
      const visitor = new AbortController()
      const result = fetch(`${url}/wait`, { signal: visitor.signal }).catch(() => 'disconnected')
      await arrived
      visitor.abort()
      expect(await result).toBe('disconnected')
      await aborted
      expect((await fetch(`${url}/throw`)).status).toBe(500)
      expect(await (await fetch(url)).text()).toBe('fine')
      expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: 'thrown on purpose' })]])
      expect(written.mock.calls).toEqual([])
      written.mockRestore()
    })

    it('cancels the body when the client disconnects midway, and reports nothing', async () => {
      const { promise: cancelled, resolve } = withResolvers()
      const onError = vi.fn()
      const written = vi.spyOn(console, 'error').mockImplementation(() => {})
      const url = await serve(
        async ({ method }) =>
          new Response(
            method === 'PUT'
              ? 'fine'
              : new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1000)), cancel: resolve }),
          ),
        { onError },
      )
      const visitor = new AbortController()
      const response = await fetch(url, { signal: visitor.signal })
      await response.body?.getReader().read()
      visitor.abort()
      await cancelled
      expect(await (await fetch(url, { method: 'PUT' })).text()).toBe('fine')
      expect([onError.mock.calls, written.mock.calls]).toEqual([[], []])
      written.mockRestore()
    })

    it('does not abort the signal after a complete response', async () => {
      let signal: AbortSignal | undefined
      const url = await serve(async (request) => {
        signal = request.signal
        return new Response('done')
      })
      await (await fetch(url, { headers: { Connection: 'close' } })).text()
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(signal?.aborted).toBe(false)
    })

    testWebObjects(serve, client, { ownsConnection })
    testRequestAndResponseBodies(serve, client, { hasParser, ownsConnection })

    it.each(['evil.test/path', 'user@evil.test', 'a b', 'evil.test?x', 'evil.test#x', '[::1'])(
      'answers 400 to the Host %j',
      async (host) => {
        const onError = vi.fn()
        const url = await serve(async (request) => new Response(request.url), { onError })
        expect(await client.statusForHost(url, host)).toBe(400)
        // Any client can send a malformed Host, so no server may log its stack.
        expect(onError).not.toHaveBeenCalled()
      },
    )
  })
}
