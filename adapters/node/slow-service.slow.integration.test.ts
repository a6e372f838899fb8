import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createImageProxy } from '../imgproxy/testing/proxy.js'
import { createUpstreamFetch } from './upstream.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const drip = (res: ServerResponse) => {
  const timer = setInterval(() => res.write('x'), 50)
  res.once('close', () => clearInterval(timer))
}

async function startService(respond: RequestListener) {
  let open = 0
  const service = createServer(respond).listen(0, '127.0.0.1')
  service.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
  })
  await new Promise((resolve) => service.once('listening', resolve))
  closing.push(
    () => service.close(),
    () => service.closeAllConnections(),
  )
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`, openConnections: () => open }
}

/** Starts a service and a proxy for it. The response to `bad` has the status and the headers, and never ends. */
async function start(status: number, headers: Record<string, string>) {
  const { url, openConnections } = await startService((req, res) => {
    const isBad = req.url?.endsWith(Buffer.from('local:///media/bad.jpg').toString('base64url'))
    if (isBad) drip(res.writeHead(status, headers))
    else res.writeHead(200, { 'content-type': 'image/png' }).end('image')
  })
  const upstream = createUpstreamFetch()
  const proxy = createImageProxy({
    serviceUrl: url,
    sourceBaseUrl: 'local://',
    key: '00',
    salt: '00',
    sources: ['/media/'],
    timeout: 20_000,
    fetch: upstream,
    log: () => {},
  })
  const get = async (name: string, method = 'GET') => {
    const path = `/_image/${Buffer.from(`/media/${name}.jpg`).toString('base64url')}?width=640`
    const response = await proxy(new Request(`http://site.test${path}`, { method }))
    return response?.status
  }
  return { get, close: () => upstream.close(), openConnections }
}

const png = { 'content-type': 'image/png' }

test('300 requests for images of a source that hangs do not delay a request for another image', async () => {
  let waiting = 0
  const { url } = await startService((req, res) => {
    if (req.url === '/hanging') waiting++
    else res.end('image')
  })
  const upstream = createUpstreamFetch()
  const hanging = Array.from({ length: 300 }, () => upstream(new Request(`${url}hanging`)).catch(() => 'closed'))
  await vi.waitFor(() => expect(waiting).toBe(300), { timeout: 5_000 })
  expect(await (await upstream(new Request(`${url}image`))).text()).toBe('image')
  expect(waiting).toBe(300)
  for (const close of closing.splice(0).reverse()) await close()
  await Promise.all(hanging)
  await upstream.close()
})

test.each([
  ['is not an image', 'GET', 200, { 'content-type': 'text/html' }, 422],
  ['is an error', 'GET', 500, png, 502],
  ['is a redirect', 'GET', 302, { ...png, location: '/' }, 502],
  ['a HEAD does not need', 'HEAD', 200, png, 200],
  ['a HEAD does not need, with a Content-Length', 'HEAD', 200, { ...png, 'content-length': '9000' }, 200],
  ['is encoded', 'GET', 200, { ...png, 'content-encoding': 'br' }, 502],
  ['a 205 must not have', 'GET', 205, png, 502],
])(
  'an endless body that %s does not hold its connection open',
  { timeout: 60_000 },
  async (_, method, status, headers, expected) => {
    const { get, close, openConnections } = await start(status, headers)
    expect(await get('bad', method)).toBe(expected)
    expect(await get('good')).toBe(200)
    await close()
    await vi.waitFor(() => expect(openConnections()).toBe(0), 20_000)
  },
)

// The visitor keeps reading, and each byte comes within the time limit.
test.each([
  ['without a length', png],
  ['with a length', { ...png, 'content-length': '9000' }],
])('an image %s that arrives too slowly does not hold its connection open', { timeout: 60_000 }, async (_, headers) => {
  const { url, openConnections } = await startService((_, res) => drip(res.writeHead(200, headers)))
  const upstream = createUpstreamFetch()
  closing.push(() => upstream.close())
  const failure = vi.fn<(error: unknown) => void>()
  const read = async () => {
    const options = { headers: {}, signal: () => undefined, timeout: 300, onBodyError: failure }
    const body = await (await upstream.send(url, options)).openBody()
    return await new Response(body as BodyInit).text()
  }
  await expect(read()).rejects.toThrow()
  if (headers === png) expect(failure.mock.calls.join()).toContain('not done within 1800 ms')
  await vi.waitFor(() => expect(openConnections()).toBe(0), 20_000)
})

test('a request whose connection closes before the head is sent again, within the same time limit', async () => {
  let requests = 0
  const { url } = await startService((req) => {
    if (++requests === 1) setTimeout(() => req.socket.destroy(), 900)
  })
  const upstream = createUpstreamFetch()
  closing.push(() => upstream.close())
  const options = { headers: {}, signal: () => undefined, timeout: 1_000, onBodyError() {} }
  await expect(upstream.send(url, options)).rejects.toThrow('not done within 1000 ms')
  expect(requests).toBe(2)
})

test('an image that arrives in single bytes is aborted, because each byte takes its own memory', async () => {
  const { url } = await startService((_, res) => {
    const send = () => {
      if (res.destroyed) return
      for (let count = 0; count < 1_000; count++) res.write('x')
      setImmediate(send)
    }
    send()
  })
  const upstream = createUpstreamFetch()
  closing.push(() => upstream.close())
  await expect((async () => (await upstream(new Request(url))).text())()).rejects.toThrow()
})

test('a connection is kept if the rest of a discarded body is short', async () => {
  let connections = 0
  const service = createServer((_, res) => void res.writeHead(422, png).end('short')).listen(0, '127.0.0.1')
  service.on('connection', () => connections++)
  await new Promise((resolve) => service.once('listening', resolve))
  closing.push(() => service.close())
  const upstream = createUpstreamFetch()
  closing.push(() => upstream.close())
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  for (let count = 0; count < 20; count++) {
    const options = { headers: {}, signal: () => undefined, timeout: 20_000, onBodyError() {} }
    const answer = await upstream.send(url, options)
    answer.discard()
  }
  expect(connections).toBeLessThan(5)
})
