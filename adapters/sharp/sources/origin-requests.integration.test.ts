import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryStore, memoryTagIndex } from '../../../core/cache/index.js'
import { startOrigin } from '../testing/origin.js'
import { photograph } from '../testing/originals.js'
import { avif, startService, type TestOptions, urlOf } from '../testing/service.js'

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Starts an origin that keeps the headers of its requests. */
const serving = async (answer: (req: IncomingMessage, res: ServerResponse) => void) => {
  const receivedHeaders: IncomingHttpHeaders[] = []
  const origin = await startOrigin((req, res) => {
    receivedHeaders.push(req.headers)
    answer(req, res)
  })
  stops.push(origin.stop)
  return { ...origin, seen: receivedHeaders }
}

const start = (origins: string[], options: Partial<TestOptions> = {}) => {
  const service = startService({
    sources: Object.fromEntries(origins.map((origin) => [origin, true as const])),
    allowNetworks: ['127.0.0.0/8'],
    sourceTimeout: 60_000,
    ...options,
  })
  return {
    ...service,
    statusOf: async (source: string, width = 64) => (await service.get(urlOf(source, width), avif)).status,
  }
}

describe('headers of an origin', () => {
  test('the headers of an origin are sent to it, and after a redirect to no other origin', async () => {
    const otherOrigin = await serving((_, res) => res.end(photograph))
    const origin = await serving((req, res) => {
      if (req.url === '/moved.jpg') res.writeHead(302, { location: `${otherOrigin.origin}/cat.jpg` }).end()
      else if (req.url === '/inside.jpg') res.writeHead(302, { location: '/cat.jpg' }).end()
      else res.end(photograph)
    })
    const fields = { Authorization: 'Bearer secret', 'User-Agent': 'example.com (ops@example.com)' }
    const { statusOf } = start([`${origin.origin}/`, `${otherOrigin.origin}/`], {
      headers: { [`${origin.origin}/`]: fields },
    })
    for (const path of ['/inside.jpg', '/moved.jpg']) expect(await statusOf(origin.origin + path)).toBe(200)
    expect(origin.seen).toHaveLength(3)
    for (const headers of origin.seen) {
      expect(headers).toMatchObject({ authorization: fields.Authorization, 'user-agent': fields['User-Agent'] })
      expect(headers).toMatchObject({ accept: 'image/*', 'accept-encoding': 'identity' })
    }
    expect(otherOrigin.seen).toEqual([expect.objectContaining({ 'user-agent': 'sitewright' })])
    expect(otherOrigin.seen[0]).not.toHaveProperty('authorization')
  })

  test('the headers of an origin never show in an error', () => {
    const headers = { 'https://cdn.example.com/': { Authorization: 'Bearer sec\nret' } }
    expect(() => start(['https://cdn.example.com/'], { headers })).toThrow(
      "headers['https://cdn.example.com/']: expected names and values of header fields, got a malformed Authorization",
    )
    expect(() => start(['https://cdn.example.com/'], { headers: { 'cdn.example.com': {} } })).toThrow(/^sources: /)
  })
})

describe('an original that is out of date', () => {
  test('an outdated original is not sent again if it has not changed', async () => {
    let etag = '"1"'
    const sentStatuses: number[] = []
    const origin = await serving((req, res) => {
      sentStatuses.push(req.headers['if-none-match'] === etag ? 304 : 200)
      res.writeHead(sentStatuses.at(-1) ?? 0, { etag }).end(sentStatuses.at(-1) === 200 ? photograph : undefined)
    })
    const store = memoryStore({ maxBytes: 1_000_000 })
    const tagIndex = memoryTagIndex()
    const url = `${origin.origin}/cat.jpg`
    // Each visit is to a new service with the same store, because an original is requested at most once a minute.
    const visit = async (requests: number) => {
      const { statusOf, count } = start([`${origin.origin}/`], { cache: store, tagIndex, remoteMaxAge: 0 })
      expect(await statusOf(url)).toBe(200)
      await expect.poll(() => sentStatuses.length).toBe(requests)
      return count
    }
    await visit(1)
    const count = await visit(2)
    expect([sentStatuses, count('hit'), count('load')]).toEqual([[200, 304], 1, 0])
    await visit(3)
    etag = '"2"'
    const changed = await visit(4)
    expect(sentStatuses).toEqual([200, 304, 304, 200])
    await expect.poll(() => changed('load')).toBe(1)
  })

  test('an outdated original is sent completely if another width is requested', async () => {
    const origin = await serving((req, res) => {
      res.writeHead(req.headers['if-none-match'] ? 304 : 200, { etag: '"1"' })
      res.end(req.headers['if-none-match'] ? undefined : photograph)
    })
    const { statusOf } = start([`${origin.origin}/`], { remoteMaxAge: 0 })
    const url = `${origin.origin}/cat.jpg`
    const statuses = [
      await statusOf(url),
      ...(await Promise.all([statusOf(url), statusOf(url, 32), statusOf(url, 48)])),
    ]
    expect(statuses).toEqual([200, 200, 200, 200])
  })

  test('the Cache-Control of an original decides when it is outdated', async () => {
    const origin = await serving((_, res) => res.writeHead(200, { 'cache-control': 'max-age=3600' }).end(photograph))
    const { statusOf, count } = start([`${origin.origin}/`], { remoteMaxAge: 0 })
    for (const _ of [1, 2, 3]) expect(await statusOf(`${origin.origin}/cat.jpg`)).toBe(200)
    expect([origin.requests.length, count('hit')]).toEqual([1, 2])
  })
})

test('signature parameters do not distinguish images, but are sent', async () => {
  const origin = await serving((_, res) => res.end(photograph))
  const names = ['X-Amz-*', 'token']
  const { statusOf, count } = start([`${origin.origin}/?`], { signatureParameters: names })
  const signed = (id: number, signature: string) =>
    `${origin.origin}/cat.jpg?id=${id}&X-Amz-Date=${signature}&X-Amz-Signature=${signature}&token=${signature}%2F`
  for (const signature of ['a', 'b', 'c']) expect(await statusOf(signed(1, signature))).toBe(200)
  expect(await statusOf(signed(2, 'd'))).toBe(200)
  expect(origin.requests).toEqual([1, 2].map((id) => signed(id, id === 1 ? 'a' : 'd').slice(origin.origin.length)))
  expect(count('transform')).toBe(1) // of the same bytes
  expect(() => start([`${origin.origin}/?`], { signatureParameters: ['a b'] })).toThrow(/^signatureParameters: /)
})

test('a wildcard stands for the hosts of a prefix', async () => {
  const origin = await serving((_, res) => res.end(photograph))
  const { port } = new URL(origin.origin)
  const { statusOf } = start([`http://*.cdn.test:${port}/photos/`], {
    lookup: (_, { all }, callback) =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  })
  expect(await statusOf(`http://a.b.cdn.test:${port}/photos/cat.jpg`)).toBe(200)
  for (const host of ['cdn.test', 'evil.test', 'a.cdn.test.evil.test']) {
    expect(await statusOf(`http://${host}:${port}/photos/cat.jpg`)).toBe(403)
  }
  expect(origin.requests).toEqual(['/photos/cat.jpg'])
})
