import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { FastResponse } from 'srvx/node'
import { expect, it } from 'vitest'
import type { Client, Serve } from './adapter.js'
import { withResolvers } from './exchange.js'

interface WebObjectOptions {
  ownsConnection: boolean
}

/** The part of the conformance suite about requests and responses whose parts are created only when they are read. */
export function testWebObjects(serve: Serve, { fetch, exchange }: Client, options: WebObjectOptions): void {
  const { ownsConnection } = options
  it.each<[string, (request: Request) => Request]>([
    ['as it is', (request) => request],
    ['cloned', (request) => request.clone()],
    ['as new Request(request)', (request) => new Request(request)],
    ['as new Request(request, init)', (request) => new Request(request, { cache: 'no-store' })],
    ['as new Request(url, request)', (request) => new Request(request.url, request)],
    ['with new Headers', ({ url, headers, signal }) => new Request(url, { headers: new Headers(headers), signal })],
  ])('passes a request that is usable %s', async (_, convert) => {
    const url = await serve(async (request) => {
      const { method, headers, signal, url, body } = convert(request)
      const isWeb = request instanceof Request && signal instanceof AbortSignal
      return Response.json([method, url, headers.get('X-A'), headers.get('missing'), signal.aborted, body, isWeb])
    })
    const response = await fetch(`${url}/a?b`, { headers: { 'X-A': '1' } })
    expect(await response.json()).toEqual(['GET', `${url}/a?b`, '1', null, false, null, true])
  })

  it.each(['__proto__', 'constructor', 'toString'])('passes no header %s that was not sent', async (name) => {
    const url = await serve(async ({ headers }) => Response.json([headers.get(name), headers.has(name)]))
    expect(await (await fetch(url)).json()).toEqual([null, false])
  })

  // Servers of other packages need not support these.
  if (!ownsConnection) return

  const bytes = new Uint8Array(randomBytes(300_000))
  const nodeStream = (...chunks: unknown[]) => Readable.from(chunks, { objectMode: false }) as unknown as BodyInit

  it.each<[string, () => BodyInit | null, string | Uint8Array]>([
    ['text', () => 'ä', 'ä'],
    ['no text', () => '', ''],
    ['bytes', () => bytes, bytes],
    ['a stream of Node', () => nodeStream(Buffer.from(bytes)), bytes],
    ['a web stream', () => new Response(bytes).body, bytes],
    ['nothing', () => null, ''],
  ])('sends a FastResponse of srvx with %s', async (_, body, expected) => {
    const headers: [string, string][] = [
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-A', 'ä'],
    ]
    const url = await serve(async () => new FastResponse(body(), { status: 203, headers }))
    const response = await fetch(url)
    expect([response.status, response.headers.get('x-a'), response.headers.getSetCookie()]).toEqual([
      203,
      'ä',
      ['a=1', 'b=2'],
    ])
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(expected))).toBe(true)
    const head = await exchange(url, { method: 'HEAD' })
    expect([head.status, head.headers['x-a'], head.body.length]).toEqual([203, 'ä', 0])
  })

  it.each<[string, () => BodyInit, string]>([
    ['fails midway', () => failing() as unknown as BodyInit, ''],
    ['is longer than Content-Length', () => nodeStream(Buffer.from('12345'), Buffer.from('67890')), '7'],
    ['is shorter than Content-Length', () => nodeStream(Buffer.from('12345')), '7'],
  ])('breaks the transfer off when a stream of Node %s, and keeps serving', async (_, body, length) => {
    const url = await serve(async (request) =>
      request.url.endsWith('/break')
        ? new FastResponse(body(), { headers: length ? { 'Content-Length': length } : {} })
        : new Response('fine'),
    )
    await expect(fetch(`${url}/break`).then((response) => response.arrayBuffer())).rejects.toThrow()
    expect(await (await fetch(url)).text()).toBe('fine')
  })

  it('destroys a stream of Node when the client disconnects midway', async () => {
    const { promise: destroyed, resolve } = withResolvers()
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(1000))
      },
      destroy(error, callback) {
        resolve()
        callback(error)
      },
    })
    const url = await serve(async () => new FastResponse(endless as unknown as BodyInit))
    const visitor = new AbortController()
    const response = await fetch(url, { signal: visitor.signal })
    await response.body?.getReader().read()
    visitor.abort()
    await destroyed
  })
}

/** Returns a stream that fails after its first bytes had time to reach the client. */
function failing(): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.alloc(1000)
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('broken on purpose')
    })(),
    { objectMode: false },
  )
}
