import type { ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { startOrigin, startRawOrigin } from '../testing/origin.js'
import { photograph } from '../testing/originals.js'
import { startService, urlOf } from '../testing/service.js'

const stops: (() => unknown)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const serving = async (listener: (res: ServerResponse) => void) => {
  const origin = await startOrigin((_, res) => listener(res))
  stops.push(origin.stop)
  return origin
}

const start = (origins: string[], options: Partial<Parameters<typeof startService>[0]> = {}) => {
  const service = startService({
    sources: Object.fromEntries(origins.map((origin) => [`${origin}/`, true as const])),
    allowNetworks: ['127.0.0.0/8'],
    sourceTimeout: 60_000,
    ...options,
  })
  const visitors = new AbortController()
  stops.push(() => visitors.abort())
  const statusOf = async (url: string) => (await service.get(urlOf(url, 'w:9'), {}, { signal: visitors.signal })).status
  /** Asks for many images. Whether anybody waits for them or not, those who leave at the end are no failure. */
  const flood = (origin: string, count: number) =>
    Array.from({ length: count }, (_, index) => statusOf(`${origin}/${index}.jpg`).catch(() => undefined))
  return { statusOf, flood }
}

const send = (res: ServerResponse) => void res.end(photograph)

describe('an origin that does not answer', () => {
  test.each<[string, (res: ServerResponse) => void]>([
    ['at all', () => {}],
    ['after its head', (res) => void res.writeHead(200).flushHeaders()],
    [
      'but by interim responses',
      (res) => {
        const timer = setInterval(() => res.writeProcessing(), 5)
        res.on('close', () => clearInterval(timer))
      },
    ],
    ['but by a redirect whose body never ends', (res) => void res.writeHead(302, { location: '/x.jpg' }).write('x')],
  ])('%s, delays no other', async (_, hang) => {
    const hanging = await serving(hang)
    const good = await serving(send)
    const { flood, statusOf } = start([hanging.origin, good.origin])
    void flood(hanging.origin, 300)
    await expect.poll(() => hanging.requests.length).toBeGreaterThan(0)
    for (let index = 0; index < 20; index++) expect(await statusOf(`${good.origin}/${index}.jpg`)).toBe(200)
  })

  test('gets 503 for those beyond its own queue, and no other does', async () => {
    const hanging = await serving(() => {})
    const good = await serving(send)
    const { flood, statusOf } = start([hanging.origin, good.origin], { maxQueue: 4, fetchConcurrencyPerOrigin: 2 })
    const statuses = flood(hanging.origin, 10)
    expect(await Promise.race(statuses)).toBe(503)
    expect(await statusOf(`${good.origin}/1.jpg`)).toBe(200)
    expect(hanging.requests.length).toBeLessThanOrEqual(2)
  })
})

test('all origins together have no more than fetchConcurrency places', async () => {
  const waiting: ServerResponse[] = []
  const origins = await Promise.all([1, 2, 3, 4].map(() => serving((res) => void waiting.push(res))))
  const addresses = origins.map(({ origin }) => origin)
  const service = start(addresses, { fetchConcurrency: 3, fetchConcurrencyPerOrigin: 2 })
  const statuses = addresses.flatMap((origin) => service.flood(origin, 4))
  let most = 0
  for (let done = 0; done < statuses.length; done++) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 20))
    most = Math.max(most, waiting.length)
    waiting.shift()?.end(photograph)
  }
  expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200))
  expect(most).toBe(3)
})

test('a name that does not resolve takes one place of the resolver, which has few threads', async () => {
  const good = await serving(send)
  const asked: string[] = []
  const lookup: LookupFunction = (hostname, _, callback) => {
    asked.push(hostname)
    if (hostname === 'good.example') callback(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const { port } = new URL(good.origin)
  const { flood, statusOf } = start(['http://slow.example', `http://good.example:${port}`], { lookup })
  void flood('http://slow.example', 50)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect(await statusOf(`http://good.example:${port}/1.jpg`)).toBe(200)
  expect(asked.filter((name) => name === 'slow.example')).toHaveLength(1)
})

test('two names that do not resolve take both threads of the resolver, and names that resolved before go on', async () => {
  const good = await serving((res) => send(res.setHeader('connection', 'close')))
  let hanging = 0
  const lookup: LookupFunction = (hostname, _, callback) => {
    if (hanging === 2) return
    if (hostname === 'good.example') callback(null, [{ address: '127.0.0.1', family: 4 }])
    else hanging++
  }
  const { port } = new URL(good.origin)
  const names = ['http://slow.example', 'http://slower.example', `http://good.example:${port}`]
  const { flood, statusOf } = start(names, { lookup, remoteMaxAge: 0 })
  expect(await statusOf(`http://good.example:${port}/1.jpg`)).toBe(200)
  void flood('http://slow.example', 5)
  void flood('http://slower.example', 5)
  await expect.poll(() => hanging).toBe(2)
  expect(await Promise.all([2, 3].map((number) => statusOf(`http://good.example:${port}/${number}.jpg`)))).toEqual([
    200, 200,
  ])
  expect(await statusOf(`http://good.example:${port}/4.jpg`)).toBe(200)
})

test('trailers, 1 MB of headers and header floods are no image, and end no process', async () => {
  const trailer = `0\r\n${'X-Trailer: x\r\n'.repeat(50_000)}\r\n`
  const heads = [
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n\r\n1\r\nx\r\n${trailer}`,
    `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}\r\nx`,
    `${'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(20_000)}HTTP/1.1 500 No\r\n\r\n`,
  ]
  for (const head of heads) {
    const raw = await startRawOrigin((socket) => socket.end(head))
    stops.push(raw.stop)
    expect([422, 502]).toContain(await start([raw.origin]).statusOf(`${raw.origin}/1.jpg`))
  }
})

test('a redirect to a URL with credentials, and a loop between two origins, are refused', async () => {
  const one: Awaited<ReturnType<typeof startOrigin>> = await serving((res) =>
    res.writeHead(302, { location: `${two.origin}/1.jpg` }).end(),
  )
  const two = await serving((res) => res.writeHead(302, { location: `${one.origin}/1.jpg` }).end())
  const { host } = new URL(two.origin)
  const credentials = await serving((res) => res.writeHead(302, { location: `http://user:pass@${host}/1.jpg` }).end())
  const { statusOf } = start([one.origin, two.origin, credentials.origin])
  expect(await statusOf(`${one.origin}/1.jpg`)).toBe(502)
  expect(one.requests.length + two.requests.length).toBe(4)
  expect(await statusOf(`${credentials.origin}/1.jpg`)).toBe(404)
  expect(two.requests.length).toBe(2)
})
