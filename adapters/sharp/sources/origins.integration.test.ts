import type { ServerResponse } from 'node:http'
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
  const statusOf = async (url: string) => (await service.get(urlOf(url, 9), {}, { signal: visitors.signal })).status
  /** Asks for many images. Clients that leave at the end are no failure. */
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
  ])('an origin that does not answer, %s, delays no other origin', async (_, hang) => {
    const hanging = await serving(hang)
    const good = await serving(send)
    const { flood, statusOf } = start([hanging.origin, good.origin])
    void flood(hanging.origin, 100)
    await expect.poll(() => hanging.requests.length).toBeGreaterThan(0)
    for (let index = 0; index < 5; index++) expect(await statusOf(`${good.origin}/${index}.jpg`)).toBe(200)
  })
})

test('trailers, 1 MB of headers and floods of headers give no image, and end no process', async () => {
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
  const firstOrigin: Awaited<ReturnType<typeof startOrigin>> = await serving((res) =>
    res.writeHead(302, { location: `${secondOrigin.origin}/1.jpg` }).end(),
  )
  const secondOrigin = await serving((res) => res.writeHead(302, { location: `${firstOrigin.origin}/1.jpg` }).end())
  const { host } = new URL(secondOrigin.origin)
  const credentials = await serving((res) => res.writeHead(302, { location: `http://user:pass@${host}/1.jpg` }).end())
  const { statusOf } = start([firstOrigin.origin, secondOrigin.origin, credentials.origin])
  expect(await statusOf(`${firstOrigin.origin}/1.jpg`)).toBe(502)
  expect(firstOrigin.requests.length + secondOrigin.requests.length).toBe(4)
  expect(await statusOf(`${credentials.origin}/1.jpg`)).toBe(404)
  expect(secondOrigin.requests.length).toBe(2)
})
