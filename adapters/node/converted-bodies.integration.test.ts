import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import type { RouteHandler } from '../../core/handler.js'
import { nodeListener } from './index.js'

// `Readable.toWeb` of Node throws where nobody can catch it, when its stream is cancelled before it has begun to flow.
const uncaught = vi.fn()
afterEach(() => {
  process.off('uncaughtException', uncaught)
  uncaught.mockReset()
})

const converted = (length = 3) => {
  const stream = new Readable({ read() {} })
  for (let index = 0; index < length; index++) stream.push(Buffer.alloc(40_000, 'a'))
  stream.push(null)
  return Readable.toWeb(stream) as ReadableStream
}

const start = async (handler: RouteHandler) => {
  process.on('uncaughtException', uncaught)
  const server = createServer(nodeListener(handler)).listen(0)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const ask = (headers: Record<string, string>, method = 'GET', leaves = false) =>
    new Promise<void>((resolve) => {
      const request = get(url, { method, headers, agent: false }, (response) => {
        if (leaves) request.destroy()
        else response.resume()
      })
      request.on('close', resolve).on('error', () => {})
    })
  return { ask, close: () => server.close() }
}

const handlers: [string, () => Response][] = [
  ['a handler', () => new Response(converted())],
  ['a handler with ETag', () => new Response(converted(), { headers: { ETag: '"1"', 'Cache-Control': 's-maxage=1' } })],
  [
    'a handler that fails',
    () => new Response(converted(), { status: 503, headers: { 'Cache-Control': 's-maxage=1' } }),
  ],
  ['a handler of a private page', () => new Response(converted(), { headers: { 'Set-Cookie': 'a=1' } })],
  [
    'a handler of a missing page',
    () => new Response(converted(), { status: 404, headers: { 'Cache-Control': 's-maxage=1' } }),
  ],
  ['a handler of a large page', () => new Response(converted(50), { headers: { 'Content-Length': '2000000' } })],
]

test.each(handlers)('%s may return a converted stream of Node, whatever clients send', async (_, respond) => {
  const handler: RouteHandler = async () => respond()
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), maxBodyBytes: 100_000 })
  for (const route of [handler, cache.wrap(handler)]) {
    const { ask, close } = await start(route)
    for (const method of ['GET', 'HEAD']) {
      for (const headers of [{}, { 'If-None-Match': '"1"' }, { cookie: 'a=1', 'User-Agent': 'Browser/1' }]) {
        await Promise.all([ask(headers, method), ask(headers, method), ask(headers, method, true)])
      }
    }
    close()
  }
  expect(uncaught).not.toHaveBeenCalled()
})
