import { once } from 'node:events'
import { createServer, type Server, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { nodeListener } from '../../adapters/node/index.js'
import {
  createResponseCache,
  memoryStore,
  type ResponseCacheOptions,
  type RouteHandler,
} from '../../core/cache/index.js'
import { createImageLoader } from '../../core/image/index.js'
import { rawExchange, rawStatus } from '../adapter/exchange.js'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Starts a server with a handler behind a response cache. Returns its port. */
async function serve(handler: RouteHandler, options: Partial<ResponseCacheOptions> = {}): Promise<number> {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 512 * 1024 ** 2 }), log: () => {}, ...options })
  const server = createServer(nodeListener(cache.wrap(handler), { onError: () => {} })).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Sends one request as it is, and returns its answer. */
function ask(port: number, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const request = sendRequest({ host: '127.0.0.1', port, path, headers, agent: false }, async (response) => {
      let body = ''
      for await (const piece of response) body += piece
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
    request.on('error', reject).end()
  })
}

test.each([
  ['HX-Request', 'true,', 'true', (value: string | null) => (value === 'true' ? 'fragment' : 'whole page')],
  ['Accept-Language', 'd e-DE', 'de-DE', (value: string | null) => (value === 'de-DE' ? 'Deutsch' : 'English')],
  ['Origin', 'https://app.example,', 'https://app.example', (value: string | null) => `CORS for ${value}`],
  ['Accept', 'text/ html', 'text/html', (value: string | null) => (value === 'text/html' ? '<p>' : '{}')],
  ['X-Tenant', 'a,', 'a', (value: string | null) => `tenant ${value}`],
  ['X-Spaces', '1,  2', '1, 2', (value: string | null) => `of ${value}`],
])('%s: %s does not poison the page of %s', async (name, forged, honest, pageFor) => {
  const handler = async ({ headers }: Request) =>
    new Response(pageFor(headers.get(name)), { headers: { 'Cache-Control': 's-maxage=60', Vary: name } })
  const port = await serve(handler, { fields: { [name]: true } })
  expect((await ask(port, '/', { [name]: forged })).body).toBe(pageFor(forged))
  expect((await ask(port, '/', { [name]: honest })).body).toBe(pageFor(honest))
})

test.each([
  ['beside another one in the request target', 'GET http://www.example.com/ HTTP/1.1', 'Host: evil.example'],
  ['in upper case', 'GET / HTTP/1.1', 'Host: WWW.Example.com'],
  ['with the default port', 'GET / HTTP/1.1', 'Host: www.example.com:80'],
])('a Host %s does not poison the page of the URL', async (_, requestLine, host) => {
  const port = await serve(async ({ headers }) => {
    return new Response(`links to ${headers.get('host')}`, { headers: { 'Cache-Control': 's-maxage=60' } })
  })
  const url = `http://127.0.0.1:${port}`
  const forged = await rawExchange(url, `${requestLine}\r\n${host}\r\nConnection: close\r\n\r\n`)
  expect(forged).toContain('fwd=uri-miss')
  const honest = await ask(port, '/', { Host: 'www.example.com' })
  expect(honest.headers['cache-status']).toContain('hit')
  expect(honest.body).toBe('links to www.example.com')
})

test('a request with two Hosts is a 400, and the page of neither', async () => {
  const handler = vi.fn(async () => new Response('page'))
  const url = `http://127.0.0.1:${await serve(handler)}`
  const request = 'GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n'
  expect(await rawStatus(url, request)).toBe(400)
  expect(handler).not.toHaveBeenCalled()
})

test.each(['stale-while-revalidate', 'stale-if-error'])(
  'a client whose header makes the handler throw does not keep a page with %s old for others',
  async (directive) => {
    let version = 1
    const handler = vi.fn(async ({ headers }: Request) => {
      decodeURIComponent(headers.get('x-campaign') ?? '')
      return new Response(`version ${version}`, { headers: { 'Cache-Control': `max-age=0, ${directive}=600` } })
    })
    const port = await serve(handler)
    await ask(port, '/')
    version = 2
    const first = directive === 'stale-while-revalidate' ? 'version 1' : 'version 2'
    expect((await ask(port, '/', { 'X-Campaign': '%' })).body).toBe(first)
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2), 20_000)
    await ask(port, '/')
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(3), 20_000)
    await vi.waitFor(async () => expect((await ask(port, '/')).body).toBe('version 2'), 20_000)
  },
)

test('a client whose cookie makes the handler throw fails alone', async () => {
  const port = await serve(async ({ headers }) => {
    await sleep(200)
    decodeURIComponent(headers.get('cookie') ?? '')
    return new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } })
  })
  for (const page of ['/1', '/2', '/3']) {
    const attack = ask(port, page, { cookie: '%' })
    await sleep(50)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(port, page, { cookie: 'a=1' })))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await attack).status).toBe(500)
  }
})

test('fifty visitors of one image are one request to a service that does not answer', async () => {
  let requests = 0
  const service = createServer(() => requests++).listen(0, '127.0.0.1')
  servers.push(service)
  await once(service, 'listening')
  const { port: servicePort } = service.address() as AddressInfo
  const options = { sources: ['/media/'], key: 'aa', salt: 'bb', timeout: 500, log: () => {} }
  const port = await serve(createImageProxy({ ...options, serviceUrl: `http://127.0.0.1:${servicePort}` }))
  const url = createImageLoader({ sources: options.sources })({ src: '/media/cat.jpg', width: 640 })
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(port, url)))
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([504, '{"error":"Image service timed out"}'])
  }
  expect(requests).toBe(1)
})
