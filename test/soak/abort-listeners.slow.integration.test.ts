import { createServer } from 'node:http'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch, nodeListener } from '../../adapters/node/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { createImages } from '../../core/image/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { measureImages } from '../../core/styleguide/index.js'
import { withTimeout } from '../../core/timeout.js'
import { listen } from '../adapter/listen.js'
import { type AbortListeners, watchAbortListeners } from './abort-listeners.js'

// The rule: no listener of ours outlives its exchange on any signal. A bundler merges scopes, and what is left on a
// signal then holds the whole exchange.

let listeners: AbortListeners
const closing: (() => unknown)[] = []
beforeEach(() => {
  listeners = watchAbortListeners()
})
afterEach(async () => {
  listeners.restore()
  for (const close of closing.splice(0)) await close()
})
const expectNone = async () => {
  // Some work ends after its response, such as a cancelled upstream request.
  await vi.waitFor(() => expect(listeners.remaining()).toEqual([]), 20_000)
  expect(listeners.added()).toBeGreaterThan(0)
}

const keys = { key: 'aa', salt: 'bb' }
const image = (status = 200) =>
  new Response(status === 304 ? null : new Uint8Array(100_000), { status, headers: { 'Content-Type': 'image/png' } })
const stalled = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), image())
const broken = () => {
  let chunks = 0
  const pull = (controller: ReadableStreamDefaultController) =>
    chunks++ ? controller.error(new Error('broken on purpose')) : controller.enqueue(new Uint8Array(1))
  return new Response(new ReadableStream({ pull }), { headers: { 'Content-Type': 'image/png' } })
}
const proxyOf = (fetch: (request: Request) => Promise<Response>) =>
  createImageProxy({ serviceUrl: 'http://images.test', ...keys, sources: 'any', fetch, timeout: 50, log: () => {} })
const url = `http://site.test/_image/${Buffer.from('/a.png').toString('base64url')}?width=640`

test.each<[string, RequestInit, () => Promise<Response>]>([
  ['200', {}, async () => image()],
  ['200 for HEAD', { method: 'HEAD' }, async () => image()],
  ['304', {}, async () => image(304)],
  ['404', {}, async () => image(404)],
  ['503', {}, async () => image(503)],
  ['a body that is not an image', {}, async () => new Response('text')],
  ['an empty body', {}, async () => new Response(null, { headers: { 'Content-Type': 'image/png' } })],
  ['a fetch that throws', {}, () => Promise.reject(new Error('refused'))],
  ['no response', {}, () => new Promise(() => {})],
  ['a body that stalls', {}, async () => stalled()],
  ['a body that fails', {}, async () => broken()],
])('the image proxy, on the visitor’s signal and the service’s: %s', async (_, init, fetch) => {
  // The signal is kept, because objects that a collected signal held are not a leak.
  const visitor = new AbortController()
  const response = await proxyOf(fetch)(new Request(url, { ...init, signal: visitor.signal }))
  await response?.arrayBuffer().catch(() => {})
  await expectNone()
})

test('the image proxy, whose visitor leaves while the body streams', async () => {
  const visitor = new AbortController()
  const response = await proxyOf(async () => stalledAfterOne())(new Request(url, { signal: visitor.signal }))
  await response?.body?.getReader().read()
  visitor.abort()
  await expectNone()
})
const stalledAfterOne = () => {
  let chunks = 0
  const pull = (controller: ReadableStreamDefaultController) =>
    chunks++ ? new Promise<void>(() => {}) : controller.enqueue(new Uint8Array(1))
  return new Response(new ReadableStream({ pull }), { headers: { 'Content-Type': 'image/png' } })
}

test('the embedded image service behind a server, with a remote original', async () => {
  const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const origin = await listen(createServer((req, res) => res.writeHead(req.url === '/a.jpg' ? 200 : 404).end(bytes)))
  const service = sharpService({
    allowNetworks: ['127.0.0.1/32'],
    log: () => {},
  })
  const { handler } = createImages({ sources: { [`${origin.url}/`]: true }, service, log: () => {} })
  const site = await listen(nodeListener(handler))
  closing.push(origin.close, site.close)
  const get = (source: string, init?: RequestInit) =>
    fetch(`${site.url}/_image/${Buffer.from(source).toString('base64url')}?width=64`, init)
  for (const [source, init] of [
    [`${origin.url}/a.jpg`, {}],
    [`${origin.url}/a.jpg`, { method: 'HEAD' }],
    [`${origin.url}/missing.jpg`, {}],
  ] as const) {
    await (await get(source, init)).arrayBuffer()
  }
  const visitor = new AbortController()
  const abandoned = get(`${origin.url}/a.jpg?2`, { signal: visitor.signal }).catch(() => {})
  visitor.abort()
  await abandoned
  await expectNone()
})

test('a stored image whose origin has begun to hang, in the embedded service', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  let requestCount = 0
  const origin = await listen(createServer((_req, res) => void (requestCount++ === 0 && res.end(bytes))))
  closing.push(origin.close)
  const service = sharpService({
    allowNetworks: ['127.0.0.1/32'],
    remoteMaxAge: 0,
    sourceTimeout: 3_000,
    isolation: 'none',
    log: () => {},
  })
  const { handler } = createImages({ sources: { [`${origin.url}/`]: true }, service })
  const path = `/_image/${Buffer.from(`${origin.url}/a.jpg`).toString('base64url')}?width=64`
  const visitors = [new AbortController(), new AbortController(), new AbortController()]
  for (const { signal } of visitors) {
    const response = await handler(new Request(`http://site.test${path}`, { signal }))
    expect(response?.status).toBe(200)
    await response?.arrayBuffer()
  }
  await expect.poll(() => requestCount).toBe(2)
  await expectNone()
})

test('a stored image while imgproxy hangs', async () => {
  let asked = 0
  const fetch = async () => (asked++ === 0 ? image() : await new Promise<Response>(() => {}))
  const images = createImages({
    sources: ['/media/'],
    maxAge: 0,
    service: imgproxy({ serviceUrl: 'http://images.test', ...keys, fetch, timeout: 3_000 }),
    log: () => {},
  })
  const path = images.loader({ src: '/media/a.png', width: 640 })
  const visitors = [new AbortController(), new AbortController(), new AbortController()]
  for (const { signal } of visitors) {
    const response = await images.handler(new Request(`http://site.test${path}`, { signal }))
    expect(response?.status).toBe(200)
    await response?.arrayBuffer()
  }
  await expect.poll(() => asked).toBe(2)
  await expectNone()
})

test('a client for a service over a socket', async () => {
  const service = await listen(
    createServer((_req, res) => res.writeHead(200, { 'Content-Type': 'image/png' }).end('x')),
  )
  const upstream = createUpstreamFetch()
  closing.push(upstream.close, service.close)
  const images = createImageProxy({ serviceUrl: service.url, ...keys, sources: 'any', fetch: upstream })
  for (let round = 0; round < 3; round++) await (await images(new Request(url)))?.arrayBuffer()
  await expectNone()
})

test('a purge that takes longer than its limit', async () => {
  const { signal } = new AbortController()
  await withTimeout(1_000, Promise.resolve(), signal)
  const revalidate = createRevalidateEndpoint({
    secret: 'secret-of-the-cms',
    invalidate: () => new Promise(() => {}),
    timeout: 10,
    log: () => {},
  })
  const headers = { Authorization: 'Bearer secret-of-the-cms' }
  await revalidate(new Request('http://site.test/api/revalidate', { method: 'POST', headers, signal }))
  await expectNone()
})

test('measured images, some of which take too long', async () => {
  const fetch = ({ url }: Request) => (url.includes('640') ? new Promise<Response>(() => {}) : Promise.resolve(image()))
  const loader = ({ src, width }: { src: string; width: number }) => `${src}?width=${width}`
  await measureImages({ fetch, loader, src: '/a.png', widths: [320, 640], timeout: 20 })
  await expectNone()
})
