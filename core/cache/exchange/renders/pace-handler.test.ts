import { once } from 'node:events'
import * as http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { nodeListener } from '../../../../adapters/node/index.js'
import { cacheable, startCache } from '../../testing/harness.js'

it('a burst of requests for new pages does not make a stored one wait until all are rendered', async () => {
  const cache = startCache()
  const server = http2.createServer(nodeListener(cache.wrapped)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connect = () => http2.connect(`http://127.0.0.1:${port}`)
  const ask = async (client: http2.ClientHttp2Session, path: string) => {
    const stream = client.request({ ':path': path })
    const [headers] = await once(stream, 'response')
    for await (const _ of stream) {
      // until its end
    }
    return String(headers['cache-status'])
  }
  const [visitor, ...strangers] = Array.from({ length: 9 }, connect)
  if (!visitor) throw new Error('no client')
  await ask(visitor, '/stored')
  await Promise.all(strangers.map((stranger) => ask(stranger, '/stored')))

  cache.serve(() => {
    for (const start = performance.now(); performance.now() - start < 2; );
    return cacheable('new')
  })
  const burst = strangers.flatMap((stranger, number) =>
    Array.from({ length: 100 }, (_, page) => ask(stranger, `/${number}/${page}`)),
  )
  await expect.poll(() => cache.asked.length, { interval: 1 }).toBeGreaterThan(1)
  expect(await ask(visitor, '/stored')).toContain('hit')
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
  const answers = pages.map((page) => cache.get(page))
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
  const answers = pages.map((page) => cache.get(page).then(() => answered.push(cache.asked.length)))
  await Promise.all(answers)
  expect(answered[0]).toBeLessThan(pages.length)
})

it('who leaves meanwhile does not reach the handler', async () => {
  const cache = startCache()
  const controller = new AbortController()
  const answer = cache.get()
  const headers = { authorization: 'Bearer mine' } // a page for others would be rendered all the same
  const methods = ['GET', 'HEAD', 'POST']
  const left = methods.map((method) => cache.get('/left', headers, { method, signal: controller.signal }))
  controller.abort(new Error('left'))
  for (const late of left) await expect(late).rejects.toThrow('left')
  await answer
  expect(cache.asked).toHaveLength(1)
})
