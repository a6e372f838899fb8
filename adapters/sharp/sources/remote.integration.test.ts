import type { ServerResponse } from 'node:http'
import type { LookupFunction, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOrigin, startRawOrigin } from '../testing/origin.js'
import { bombPng, photograph } from '../testing/originals.js'
import { avif, startService, urlOf } from '../testing/service.js'

const allowNetworks = ['127.0.0.0/8']
const hanging: ServerResponse[] = []
let origin: Awaited<ReturnType<typeof startOrigin>>
let otherOrigin: Awaited<ReturnType<typeof startOrigin>>

const send = (res: ServerResponse, body: Uint8Array, headers: Record<string, string> = {}) =>
  res.writeHead(200, { 'content-type': 'image/jpeg', ...headers }).end(body)
const redirect = (res: ServerResponse, location: string, status = 302) =>
  res.writeHead(status, { location }).end('moved')

const routes: Record<string, (res: ServerResponse) => void> = {
  '/photos/cat.jpg': (res) => send(res, photograph),
  '/photos/untyped': (res) => res.end(photograph),
  '/photos/as-text.jpg': (res) => send(res, photograph, { 'content-type': 'text/html' }),
  '/photos/chunked.jpg': (res) => {
    res.write(photograph.subarray(0, 1000))
    setImmediate(() => res.end(photograph.subarray(1000)))
  },
  '/photos/moved.jpg': (res) => redirect(res, '/photos/cat.jpg', 301),
  '/photos/moved-relative.jpg': (res) => redirect(res, 'cat.jpg', 307),
  '/photos/moved-three.jpg': (res) => redirect(res, 'moved-twice.jpg'),
  '/photos/moved-dripping.jpg': (res) => {
    res.writeHead(302, { location: '/photos/cat.jpg' })
    routes['/photos/drips.jpg']?.(res)
  },
  '/photos/moved-twice.jpg': (res) => redirect(res, 'moved.jpg', 308),

  '/photos/moved-four.jpg': (res) => redirect(res, 'moved-three.jpg'),
  '/photos/loop.jpg': (res) => redirect(res, 'loop.jpg'),
  '/photos/nowhere.jpg': (res) => res.writeHead(302).end(),
  '/photos/out-of-prefix.jpg': (res) => redirect(res, '/private/cat.jpg'),
  '/photos/dotted.jpg': (res) => redirect(res, '/photos/..%2fprivate/cat.jpg'),
  '/photos/to-other.jpg': (res) => redirect(res, `${otherOrigin.origin}/photos/cat.jpg`),
  '/photos/to-metadata.jpg': (res) => redirect(res, 'http://169.254.169.254/latest/meta-data/'),
  '/photos/to-file.jpg': (res) => redirect(res, 'file:///etc/passwd'),
  '/photos/to-name.jpg': (res) => redirect(res, 'http://rebound.example/photos/cat.jpg'),
  '/private/cat.jpg': (res) => send(res, photograph),
  '/photos/missing.jpg': (res) => res.writeHead(404).end('<h1>Not found</h1>'),
  '/photos/forbidden.jpg': (res) => res.writeHead(403).end(),
  '/photos/down.jpg': (res) => res.writeHead(503).end('down'),
  '/photos/too-many.jpg': (res) => res.writeHead(429).end(),
  '/photos/partial.jpg': (res) =>
    res.writeHead(206, { 'content-range': `bytes 0-999/${photograph.length}` }).end(photograph.subarray(0, 1_000)),
  '/photos/rest.jpg': (res) =>
    res.writeHead(206, { 'content-range': `bytes 1-${photograph.length}/${photograph.length + 1}` }).end(photograph),
  '/photos/whole.jpg': (res) =>
    res.writeHead(206, { 'content-range': `bytes 0-${photograph.length - 1}/${photograph.length}` }).end(photograph),
  '/photos/accepted.jpg': (res) => res.writeHead(202).end(photograph),
  '/photos/unasked-304.jpg': (res) => res.writeHead(304).end(),
  '/photos/utf-8.jpg': (res) => send(res, photograph, { 'content-encoding': 'utf-8' }),
  '/photos/none.jpg': (res) => send(res, photograph, { 'content-encoding': 'none' }),
  '/photos/base64.jpg': (res) => send(res, photograph, { 'content-encoding': 'base64' }),
  '/photos/aws-chunked.jpg': (res) => send(res, photograph, { 'content-encoding': 'aws-chunked,UTF-8' }),
  '/photos/aws-gzip.jpg': (res) => send(res, photograph, { 'content-encoding': 'aws-chunked, gzip' }),
  '/photos/moved-utf-8.jpg': (res) => redirect(res, Buffer.from('/photos/größe.jpg').toString('latin1')),
  '/photos/moved-latin-1.jpg': (res) => redirect(res, '/photos/größe.jpg'),
  '/photos/moved-fragment.jpg': (res) => redirect(res, 'cat.jpg#top'),
  '/photos/gr%C3%B6%C3%9Fe.jpg': (res) => send(res, photograph),
  '/photos//twice.jpg': (res) => send(res, photograph),
  '/photos/folder/': (res) => send(res, photograph),
  '/photos/a%2Bb%2fc.jpg': (res) => send(res, photograph),
  '/photos/page.jpg': (res) => send(res, Buffer.from('<!doctype html><p>Sign in')),
  '/photos/bomb.png': (res) => send(res, bombPng()),
  '/photos/empty.jpg': (res) => send(res, Buffer.alloc(0)),
  '/photos/large.jpg': (res) => send(res, Buffer.concat([photograph, Buffer.alloc(1_000_001)])),
  '/photos/large-chunked.jpg': (res) => void res.write(Buffer.concat([photograph, Buffer.alloc(1_000_001)])), // and never ends
  '/photos/identity.jpg': (res) => send(res, photograph, { 'content-encoding': 'Identity' }),
  '/photos/zstd.jpg': (res) => send(res, photograph, { 'content-encoding': 'zstd' }),
  '/photos/hangs.jpg': (res) => void hanging.push(res),
  '/photos/stalls.jpg': (res) => void res.write(photograph.subarray(0, 1000)),
  '/photos/drips.jpg': (res) => {
    const timer = setInterval(() => res.write('x'), 20)
    res.on('close', () => clearInterval(timer))
  },
}

/** Creates a lookup that returns the given addresses. */
const resolveTo =
  (...addresses: string[]): LookupFunction =>
  (_, { all }, callback) => {
    const results = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (all) callback(null, results)
    else callback(null, results[0]?.address ?? '', results[0]?.family)
  }

const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({
    sources: { [`${origin.origin}/photos/`]: true, 'http://rebound.example/photos/': true },
    allowNetworks,
    maxSourceBytes: 1_000_000,
    sourceTimeout: 1_500,
    ...options,
  })

beforeAll(async () => {
  otherOrigin = await startOrigin((_, res) => send(res, photograph))
  origin = await startOrigin((req, res) => (routes[req.url ?? ''] ?? routes['/photos/missing.jpg'])?.(res))
})
afterAll(() => {
  origin.stop()
  otherOrigin.stop()
})

describe('an image is fetched', () => {
  test.each([
    'cat.jpg',
    'untyped',
    'as-text.jpg',
    'chunked.jpg',
    'identity.jpg',
    'moved.jpg',
    'moved-relative.jpg',
    'moved-three.jpg',
    'moved-dripping.jpg',
    'utf-8.jpg',
    'none.jpg',
    'base64.jpg',
    'aws-chunked.jpg',
    'moved-utf-8.jpg',
    'moved-latin-1.jpg',
    'moved-fragment.jpg',
    // as the page spells them
    '/twice.jpg',
    'folder/',
    'a%2Bb%2fc.jpg',
  ])('%s', async (name) => {
    const service = start({ sourceTimeout: 8_000 })
    const response = await service.get(urlOf(`${origin.origin}/photos/${name}`), avif)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/avif'])
  })
})

describe('a failure has its own status, and is not cached', () => {
  test.each([
    ['missing.jpg', 404, 'Unknown source'],
    ['forbidden.jpg', 404, 'Unknown source'],
    ['out-of-prefix.jpg', 404, 'Unknown source'],
    ['dotted.jpg', 404, 'Unknown source'],
    ['to-other.jpg', 404, 'Unknown source'],
    ['to-metadata.jpg', 404, 'Unknown source'],
    ['to-file.jpg', 404, 'Unknown source'],
    ['down.jpg', 502, 'The source failed'],
    ['too-many.jpg', 502, 'The source failed'],
    ['partial.jpg', 502, 'The source failed'],
    ['rest.jpg', 502, 'The source failed'],
    ['whole.jpg', 502, 'The source failed'],
    ['accepted.jpg', 502, 'The source failed'],
    ['unasked-304.jpg', 502, 'The source failed'],
    ['aws-gzip.jpg', 502, 'The source sent a content coding'],
    ['nowhere.jpg', 502, 'The source failed'],
    ['zstd.jpg', 502, 'The source sent a content coding'],
    ['loop.jpg', 502, 'The source redirects more than 3 times'],
    ['moved-four.jpg', 502, 'The source redirects more than 3 times'],
    ['hangs.jpg', 504, 'The source is too slow'],
    ['stalls.jpg', 504, 'The source is too slow'],
    ['drips.jpg', 504, 'The source is too slow'],
  ])('%s: %i %s', async (name, status, error) => {
    // Only requests that wait for the time limit get a short limit.
    const service = start(status === 504 ? { sourceTimeout: 300 } : {})
    const requestsBefore = origin.requests.length
    for (const attempt of [1, 2]) {
      const response = await service.get(urlOf(`${origin.origin}/photos/${name}`), avif)
      expect([response.status, service.lastFailure()]).toEqual([status, expect.stringContaining(error)])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(origin.requests.length - requestsBefore).toBeGreaterThanOrEqual(attempt)
    }
    expect(service.count('hit') + service.count('transform')).toBe(0)
  })

  test.each([
    ['large.jpg', 'The original is larger than 1000000 bytes'],
    ['large-chunked.jpg', 'The original is larger than 1000000 bytes'],
    ['page.jpg', 'The original is HTML, which is not accepted'],
    ['empty.jpg', 'The original is empty'],
    ['bomb.png', 'The original is too large: 50000 x 50000 pixels'],
  ])('%s is 422, and the failure is remembered by its URL', async (name, error) => {
    const service = start()
    const url = `${origin.origin}/photos/${name}`
    const requestsBefore = origin.requests.length
    for (const size of [320, 320, 640]) {
      const response = await service.get(urlOf(url, size), avif)
      expect([response.status, service.lastFailure()]).toEqual([422, expect.stringContaining(error)])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    expect(origin.requests.length - requestsBefore).toBe(1)
    expect((await service.get(urlOf(`${origin.origin}/photos/cat.jpg`), avif)).status).toBe(200)
  })

  const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: ${length}\r\n\r\n`
  const half = photograph.subarray(0, photograph.length / 2)
  test.each<[string, (socket: Socket) => void, number]>([
    ['closes before the head', (socket) => socket.end(), 502],
    ['resets before the head', (socket) => socket.resetAndDestroy(), 502],
    ['does not speak HTTP', (socket) => socket.end('hello\r\n\r\n'), 502],
    [
      'resets midway',
      (socket) =>
        socket.write(Buffer.concat([Buffer.from(head(photograph.length)), half]), () => socket.resetAndDestroy()),
      502,
    ],
    ['closes midway', (socket) => socket.end(Buffer.concat([Buffer.from(head(photograph.length)), half])), 502],
    [
      'announces more than it sends',
      (socket) => socket.end(Buffer.concat([Buffer.from(head(photograph.length + 9)), photograph])),
      502,
    ],
    [
      'announces less than it sends',
      (socket) => socket.end(Buffer.concat([Buffer.from(head(half.length)), photograph])),
      502,
    ],
    [
      'announces two lengths',
      (socket) =>
        socket.end(Buffer.concat([Buffer.from(head(9).replace('\r\n\r\n', '\r\nContent-Length: 8\r\n\r\n')), half])),
      502,
    ],
    [
      'switches protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      502,
    ],
    [
      'sends informational responses without an end',
      (socket) => {
        const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)
        const write = () => {
          while (!socket.destroyed && socket.write(hints));
        }
        socket.on('drain', write)
        write()
      },
      504,
    ],
    [
      'sends a few informational responses first',
      (socket) =>
        socket.end(
          Buffer.concat([
            Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)),
            Buffer.from(head(half.length)),
            half,
          ]),
        ),
      422,
    ],
  ])('the status for an origin that %s', async (_, answer, status) => {
    const raw = await startRawOrigin(answer)
    const service = start({ sources: { [`${raw.origin}/`]: true }, sourceTimeout: status === 504 ? 500 : 5_000 })
    for (const _attempt of [1, 2]) {
      expect((await service.get(urlOf(`${raw.origin}/cat.jpg`), avif)).status).toBe(status)
    }
    expect(service.count('hit') + service.count('transform')).toBe(0)
    raw.stop()
  })

  test('an origin that does not listen is a failure', async () => {
    const stoppedOrigin = await startOrigin(() => {})
    stoppedOrigin.stop()
    const service = start({ sources: { [`${stoppedOrigin.origin}/`]: true } })
    expect((await service.get(urlOf(`${stoppedOrigin.origin}/cat.jpg`))).status).toBe(502)
  })

  test('a host name that does not exist is a failure', async () => {
    const lookup: LookupFunction = (_, __, callback) =>
      callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), '', 0)
    expect((await start({ lookup }).get(urlOf('http://rebound.example/photos/cat.jpg'))).status).toBe(502)
  })
})

describe('private addresses are blocked', () => {
  const portOf = (url: string) => new URL(url).port

  test.each([
    ['loopback', '127.0.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['IPv6 loopback', '::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['6to4', '2002:7f00:1::'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['a public and a private one', '93.184.215.14', '10.0.0.1'],
  ])('a host name that resolves to %s is blocked', async (_, ...addresses) => {
    const name = `http://rebound.example:${portOf(origin.origin)}/photos/`
    const service = start({ sources: { [name]: true }, allowNetworks: [], lookup: resolveTo(...addresses) })
    const requestsBefore = origin.requests.length
    const response = await service.get(urlOf(`${name}cat.jpg`))
    expect([response.status, await response.json()]).toEqual([404, { error: 'Image not found' }])
    expect(origin.requests.length).toBe(requestsBefore)
    expect(String(service.lastFailure())).toMatch(/^Unknown source: rebound\.example resolves to .*allowNetworks$/)
  })

  test('a host name without addresses is blocked', async () => {
    const response = await start({ lookup: resolveTo() }).get(urlOf('http://rebound.example/photos/cat.jpg'))
    expect(response.status).toBe(404)
  })

  test.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '10.0.0.1'])(
    'the address %s itself is blocked',
    async (host) => {
      const prefix = `http://${host}:${portOf(origin.origin)}/photos/`
      const service = start({ sources: { [prefix]: true }, allowNetworks: [] })
      // The loader writes 127.0.0.1 for 0x7f.1.
      expect((await service.get(urlOf(new URL(`${prefix}cat.jpg`).href))).status).toBe(404)
    },
  )

  test('localhost, by the real resolver, is blocked', async () => {
    const prefix = `http://localhost:${portOf(origin.origin)}/photos/`
    const service = start({ sources: { [prefix]: true }, allowNetworks: [] })
    expect((await service.get(urlOf(`${prefix}cat.jpg`))).status).toBe(404)
  })

  test('allowNetworks allows private addresses, by name and by address', async () => {
    const prefix = `http://rebound.example:${portOf(origin.origin)}/photos/`
    const service = start({ sources: { [prefix]: true }, lookup: resolveTo('127.0.0.1'), sourceTimeout: 8_000 })
    expect((await service.get(urlOf(`${prefix}cat.jpg`))).status).toBe(200)
  })

  test('allowNetworks for one host does not allow private addresses of other hosts, however they are reached', async () => {
    const port = portOf(origin.origin)
    const [allowedUrl, otherUrl] = [`http://nas.internal:${port}/photos/`, `http://rebound.example:${port}/photos/`]
    const service = start({
      sources: { [allowedUrl]: true, [otherUrl]: true, [`${origin.origin}/photos/`]: true },
      allowNetworks: { 'NAS.internal': ['127.0.0.0/8'], 'rebound.example': [] },
      lookup: resolveTo('127.0.0.1'),
      sourceTimeout: 8_000,
    })
    const statusOf = async (source: string) => (await service.get(urlOf(source))).status
    expect(await statusOf(`${allowedUrl}cat.jpg`)).toBe(200)
    for (const prefix of [otherUrl, `${origin.origin}/photos/`]) expect(await statusOf(`${prefix}cat.jpg`)).toBe(404)
  })

  test('a second DNS answer is checked like the first (DNS rebinding)', async () => {
    const answers = [resolveTo('127.0.0.1'), resolveTo('10.0.0.1')]
    const lookup: LookupFunction = (...args) => answers.shift()?.(...args)
    const closing = await startOrigin((_, res) => send(res.setHeader('connection', 'close'), photograph))
    const prefix = `http://rebound.example:${portOf(closing.origin)}/`
    const service = start({ sources: { [prefix]: true }, lookup, remoteMaxAge: 0, sourceTimeout: 8_000 })
    expect((await service.get(urlOf(`${prefix}cat.jpg`))).status).toBe(200)
    expect((await service.get(urlOf(`${prefix}dog.jpg`))).status).toBe(404)
    closing.stop()
  })

  test('a redirect to a host name with a private address is blocked, although the host is one of the sources', async () => {
    const service = start({ lookup: resolveTo('10.0.0.1') })
    expect((await service.get(urlOf(`${origin.origin}/photos/to-name.jpg`))).status).toBe(404)
  })
})

describe('requests to the origin', () => {
  const requestsFor = (name: string) => origin.requests.filter((path) => path === `/photos/${name}`).length

  test('an original is requested once until remoteMaxAge is over', async () => {
    const url = `${origin.origin}/photos/cat.jpg`
    const service = start({ sourceTimeout: 8_000 })
    const requestsBefore = requestsFor('cat.jpg')
    for (const width of [64, 64, 64]) expect((await service.get(urlOf(url, width))).status).toBe(200)
    expect(requestsFor('cat.jpg') - requestsBefore).toBe(1)

    const withoutMaxAge = start({ sourceTimeout: 8_000, remoteMaxAge: 0 })
    for (const width of [64, 64, 64]) expect((await withoutMaxAge.get(urlOf(url, width))).status).toBe(200)
    // Requested again in the background, once a minute.
    await expect.poll(() => requestsFor('cat.jpg') - requestsBefore).toBe(3)
    await expect.poll(() => withoutMaxAge.count('load')).toBe(2)
    // The same bytes need no second transform.
    expect(withoutMaxAge.count('transform')).toBe(1)
  })

  test('a fetch is aborted when the only client disconnects', async () => {
    const service = start({ sourceTimeout: 60_000 })
    const client = new AbortController()
    const response = service.get(urlOf(`${origin.origin}/photos/hangs.jpg`), {}, { signal: client.signal })
    const before = hanging.length
    while (hanging.length === before) await new Promise((resolve) => setImmediate(resolve))
    const closed = new Promise((resolve) => hanging.at(-1)?.once('close', resolve))
    client.abort(new Error('gone'))
    await response
    await closed
    expect(service.logged).toEqual([])
  })
})
