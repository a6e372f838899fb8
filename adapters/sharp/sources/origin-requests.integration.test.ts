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
  const seen: IncomingHttpHeaders[] = []
  const origin = await startOrigin((req, res) => {
    seen.push(req.headers)
    answer(req, res)
  })
  stops.push(origin.stop)
  return { ...origin, seen }
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
    statusOf: async (source: string, width = 64) => (await service.get(urlOf(source, `w:${width}`), avif)).status,
  }
}

describe('headers of an origin', () => {
  test('are sent to it, and by a redirect to no other', async () => {
    const other = await serving((_, res) => res.end(photograph))
    const origin = await serving((req, res) => {
      if (req.url === '/moved.jpg') res.writeHead(302, { location: `${other.origin}/cat.jpg` }).end()
      else if (req.url === '/inside.jpg') res.writeHead(302, { location: '/cat.jpg' }).end()
      else res.end(photograph)
    })
    const fields = { Authorization: 'Bearer secret', 'User-Agent': 'example.com (ops@example.com)' }
    const { statusOf } = start([`${origin.origin}/`, `${other.origin}/`], {
      headers: { [`${origin.origin}/`]: fields },
    })
    for (const path of ['/inside.jpg', '/moved.jpg']) expect(await statusOf(origin.origin + path)).toBe(200)
    expect(origin.seen).toHaveLength(3)
    for (const headers of origin.seen) {
      expect(headers).toMatchObject({ authorization: fields.Authorization, 'user-agent': fields['User-Agent'] })
      expect(headers).toMatchObject({ accept: 'image/*', 'accept-encoding': 'identity' })
    }
    expect(other.seen).toEqual([expect.objectContaining({ 'user-agent': 'sitewright' })])
    expect(other.seen[0]).not.toHaveProperty('authorization')
  })

  test('never show in an error', () => {
    const headers = { 'https://cdn.example.com/': { Authorization: 'Bearer sec\nret' } }
    expect(() => start(['https://cdn.example.com/'], { headers })).toThrow(
      "headers['https://cdn.example.com/']: expected names and values of header fields, got a malformed Authorization",
    )
    expect(() => start(['https://cdn.example.com/'], { headers: { 'cdn.example.com': {} } })).toThrow(/^sources: /)
  })
})

describe('an original that is out of date', () => {
  test('is not sent again if it has not changed', async () => {
    let etag = '"1"'
    const sent: number[] = []
    const origin = await serving((req, res) => {
      sent.push(req.headers['if-none-match'] === etag ? 304 : 200)
      res.writeHead(sent.at(-1) ?? 0, { etag }).end(sent.at(-1) === 200 ? photograph : undefined)
    })
    const store = memoryStore({ maxBytes: 1_000_000 })
    const tagIndex = memoryTagIndex()
    const url = `${origin.origin}/cat.jpg`
    // Each is a new process with the same store, because the original is asked for once a minute at most.
    const visit = async (requests: number) => {
      const { statusOf, count } = start([`${origin.origin}/`], { cache: store, tagIndex, remoteMaxAge: 0 })
      expect(await statusOf(url)).toBe(200)
      await expect.poll(() => sent.length).toBe(requests)
      return count
    }
    await visit(1)
    const count = await visit(2)
    expect([sent, count('hit'), count('load')]).toEqual([[200, 304], 1, 0])
    await visit(3)
    etag = '"2"'
    const changed = await visit(4)
    expect(sent).toEqual([200, 304, 304, 200])
    await expect.poll(() => changed('load')).toBe(1)
  })

  test('and another width is asked for: is sent whole', async () => {
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

  test('is one by its own Cache-Control', async () => {
    const origin = await serving((_, res) => res.writeHead(200, { 'cache-control': 'max-age=3600' }).end(photograph))
    const { statusOf, count } = start([`${origin.origin}/`], { remoteMaxAge: 0 })
    for (const _ of [1, 2, 3]) expect(await statusOf(`${origin.origin}/cat.jpg`)).toBe(200)
    expect([origin.requests.length, count('hit')]).toEqual([1, 2])
  })
})

test('signature parameters tell no images apart, but are sent', async () => {
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
    expect(await statusOf(`http://${host}:${port}/photos/cat.jpg`)).toBe(404)
  }
  expect(origin.requests).toEqual(['/photos/cat.jpg'])
})
