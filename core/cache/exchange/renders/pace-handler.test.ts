import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { nodeListener } from '../../../../adapters/node/index.js'
import { setConnection } from '../../../handler.js'
import { cacheable, startCache } from '../../testing/harness.js'

type Cache = ReturnType<typeof startCache>

/** Asks for a page over a connection; resolves with the head of its response. */
function ask({ wrapped }: Cache, path: string, connection: object, init: RequestInit = {}) {
  const request = new Request(`https://site.test${path}`, init)
  setConnection(request, connection)
  return wrapped(request)
}

it('a burst of requests for new pages leaves time for others: for stored pages, new ones and a POST', async () => {
  const cache = startCache()
  const server = http2.createServer(nodeListener(cache.wrapped)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connect = () => http2.connect(`http://127.0.0.1:${port}`)
  const read = async (client: http2.ClientHttp2Session, path: string, method = 'GET') => {
    const stream = client.request({ ':path': path, ':method': method })
    const [headers] = await once(stream, 'response')
    for await (const _ of stream) {
      // until its end
    }
    return String(headers['cache-status'])
  }
  const [visitor, ...strangers] = Array.from({ length: 9 }, connect)
  if (!visitor) throw new Error('no client')
  await read(visitor, '/stored')
  await Promise.all(strangers.map((stranger) => read(stranger, '/stored')))

  cache.serve(() => {
    for (const start = performance.now(); performance.now() - start < 2; );
    return cacheable('new')
  })
  const burst = strangers.flatMap((stranger, number) =>
    Array.from({ length: 100 }, (_, page) => read(stranger, `/${number}/${page}`)),
  )
  await expect.poll(() => cache.asked.length, { interval: 1 }).toBeGreaterThan(1)
  expect(await read(visitor, '/stored')).toContain('hit')
  expect(await read(visitor, '/new')).toContain('stored')
  expect(await read(visitor, '/form', 'POST')).toContain('fwd=method')
  expect(cache.asked.length).toBeLessThan(600)
  expect(new Set(await Promise.all(burst))).toEqual(new Set(['sitewright; fwd=uri-miss; fwd-status=200; stored']))
  for (const client of [visitor, ...strangers]) client.close()
  server.close()
})

const pages = Array.from({ length: 20 }, (_, number) => `/${number}`)

it('calls begin in the order in which they came, and few in a turn of the event loop when each takes long', async () => {
  const cache = startCache()
  cache.serve(() => {
    for (const start = performance.now(); performance.now() - start < 40; );
    return cacheable('slow')
  })
  const answers = pages.map((page) => ask(cache, page, cache))
  const counts: number[] = []
  while (cache.asked.length < pages.length) {
    const before = cache.asked.length
    await nextTurn()
    counts.push(cache.asked.length - before)
  }
  await Promise.all(answers)
  expect(Math.max(...counts)).toBeLessThan(5)
  expect(cache.asked.map(({ url }) => new URL(url).pathname)).toEqual(pages)
})

it('what was begun is answered before the handler is called for those who came later', async () => {
  const cache = startCache()
  const answered: number[] = []
  const answers = pages.map((page) => ask(cache, page, cache).then(() => answered.push(cache.asked.length)))
  await Promise.all(answers)
  expect(answered[0]).toBeLessThan(pages.length)
})

it('who leaves meanwhile does not reach the handler', async () => {
  const cache = startCache()
  const controller = new AbortController()
  const answer = ask(cache, '/', cache)
  const headers = { authorization: 'Bearer mine' } // a page for others would be rendered all the same
  const methods = ['GET', 'HEAD', 'POST']
  const left = methods.map((method) => ask(cache, '/left', cache, { method, headers, signal: controller.signal }))
  controller.abort(new Error('left'))
  for (const late of left) await expect(late).rejects.toThrow('left')
  await answer
  expect(cache.asked).toHaveLength(1)
})

it('connections take turns, whatever one of them has asked for', async () => {
  const cache = startCache()
  const answers = pages.flatMap((page) => [ask(cache, page, cache), ask(cache, `${page}/0`, cache)])
  const visitors = ['/a', '/b'].map((page) => ask(cache, page, {}))
  await Promise.all(visitors)
  expect(cache.asked.length).toBeLessThan(10)
  await Promise.all(answers)
})

it('requests of unknown connections are not held up', async () => {
  const cache = startCache()
  const answers = pages.map((page) => cache.get(page))
  expect(cache.asked).toHaveLength(pages.length)
  await Promise.all(answers)
})

it('nothing is held for those who have left meanwhile, however many they are', async () => {
  const cache = startCache()
  const first = ask(cache, '/', cache, { method: 'POST' })
  const left = Array.from({ length: 10_000 }, async (_, number) => {
    const controller = new AbortController()
    const answer = ask(cache, `/${number}`, cache, { method: 'POST', signal: controller.signal })
    controller.abort(new Error('left'))
    await expect(answer).rejects.toThrow('left')
  })
  // In many more turns as many steps would have been taken.
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  expect(await Promise.race([Promise.all(left), nextTurn()])).toHaveLength(left.length)
  await first
  expect(cache.asked).toHaveLength(1)
})

it('who joins a render does not wait for the turn of the connection that began it', async () => {
  const cache = startCache()
  const attacker = {}
  const others = Array.from({ length: 20 }, () => ({}))
  const flood = [attacker, ...others].flatMap((connection, number) =>
    pages.map((page) => ask(cache, `/${number}${page}`, connection)),
  )
  // The last of all that the attacker waits for.
  const begun = ask(cache, '/home', attacker)
  await nextTurn()
  const joined = ask(cache, '/home', {})
  await joined
  expect(cache.asked.length).toBeLessThan(200)
  await Promise.all([begun, ...flood])
  expect(cache.asked.filter(({ url }) => url.endsWith('/home'))).toHaveLength(1)
})

it('a refresh in the background does not wait for the turn of the connection that asked first', async () => {
  const cache = startCache()
  cache.serve(() => cacheable('page', { 'Cache-Control': 's-maxage=60, stale-while-revalidate=600' }))
  await cache.get('/home')
  cache.pass(61)
  cache.asked.length = 0
  const attacker = {}
  const others = Array.from({ length: 20 }, () => ({}))
  const flood = [attacker, ...others].flatMap((connection, number) =>
    pages.map((page) => ask(cache, `/${number}${page}`, connection)),
  )
  const stale = await ask(cache, '/home', attacker)
  expect(stale?.headers.get('age')).toBe('61')
  await Promise.all(flood)
  const order = () => cache.asked.map(({ url }) => new URL(url).pathname)
  await expect.poll(order).toContain('/home')
  expect(order().indexOf('/home')).toBeLessThan(200)
})

it('a response does not age while its call waits for a turn', async () => {
  const cache = startCache()
  cache.serve(() => {
    for (const start = performance.now(); performance.now() - start < 40; );
    return cacheable('page', { 'Cache-Control': 's-maxage=2' })
  })
  const connection = {}
  await Promise.all(Array.from({ length: 60 }, (_, number) => ask(cache, `/${number}`, connection)))
  cache.serve(() => cacheable('never'))
  expect((await ask(cache, '/59', connection))?.headers.get('age')).toBe('0')
})
