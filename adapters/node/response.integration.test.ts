import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { createGzip, type Gzip } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { listen } from '../../test/adapter/listen.js'
import { nodeListener } from './index.js'

// Headers that `Headers` accepts but Node refuses to send, and responses that no constructor creates.
const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), log: () => {} })
const errors: unknown[] = []
const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)
const pages: Record<string, () => Response> = {
  '/control': () => new Response('page', { headers: { 'X-Search': '\x01', 'Cache-Control': 's-maxage=60' } }),
  '/control-length': () => new Response('page', { headers: { 'X-Search': '\x01', 'Content-Length': '4' } }),
  '/error': () => Response.error(),
  '/no-body': () => new Response(null, { headers: { 'Content-Length': '5' } }),
  '/status-text': () => new Response('page', { statusText: '\xe9' }),
  '/good': () => new Response('page'),
}
const handler = cache.wrap(async ({ url }) => pages[new URL(url).pathname]?.() ?? new Response(null, { status: 404 }))
const server = createServer(nodeListener(handler, { onError: (error) => errors.push(error) }))
let origin = ''
beforeAll(async () => {
  process.on('unhandledRejection', onRejection)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  process.off('unhandledRejection', onRejection)
  server.closeAllConnections()
  server.close()
})

test.each([
  ['/control', 500, 'Internal server error'],
  ['/control-length', 500, 'Internal server error'],
  ['/error', 500, 'Internal server error'],
  ['/no-body', 200, ''],
  ['/status-text', 200, 'page'],
  ['/good', 200, 'page'],
])('%s is answered with %s, twice, and the process lives on', async (path, status, body) => {
  for (let time = 0; time < 2; time++) {
    const response = await fetch(origin + path, { signal: AbortSignal.timeout(10_000) })
    expect([response.status, await response.text()]).toEqual([status, body])
  }
  expect(rejections).toEqual([])
})

test('a body that a middleware compresses is sent with a single drain listener, however long it is', async () => {
  const gzips: Gzip[] = []
  /** Sends through another stream, and adds listeners for `drain` to it, as the package `compression` does. */
  const compress = (res: ServerResponse) => {
    const gzip = createGzip({ level: 1 })
    const [end, on, write] = [res.end.bind(res), res.on.bind(res), res.write.bind(res)]
    gzip.on('data', (chunk) => void (write(chunk) || gzip.pause())).on('end', () => end())
    on('drain', () => gzip.resume())
    const onDrain = (name: string, listener: () => void) =>
      name === 'drain' ? gzip.on(name, listener) : on(name, listener)
    res.setHeader('content-encoding', 'gzip')
    Object.assign(res, { write: (chunk: Uint8Array) => gzip.write(chunk), end: () => gzip.end(), on: onDrain })
    gzips.push(gzip)
  }
  const chunk = new Uint8Array(randomBytes(100_000))
  const body = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let count = 0; count < 50; count++) controller.enqueue(chunk)
        controller.close()
      },
    })
  const send = nodeListener(async () => new Response(body()))
  const { url, close } = await listen((req, res) => {
    compress(res)
    send(req, res)
  })
  let length = 0
  for await (const part of (await fetch(url)).body ?? []) length += part.length
  await close()
  expect(length).toBe(50 * chunk.length)
  expect(gzips[0]?.listenerCount('drain')).toBeLessThan(3)
  expect(gzips[0]?.listenerCount('close')).toBeLessThan(3)
})
