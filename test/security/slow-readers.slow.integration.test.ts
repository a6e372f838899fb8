import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import * as http2 from 'node:http2'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { nodeListener } from '../../adapters/node/index.js'
import { startService, urlOf } from '../../adapters/sharp/testing/service.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'

const MiB = 1024 ** 2
const pieceBytes = 64 * 1024
// A body of this size is larger than what the operating system buffers for a client over HTTP/1.1.
const socketBytes = 12 * MiB
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A site whose pages say their size in the path: `/7/a` is 7 MiB, in pieces of 64 KiB. */
function createSite(storeBytes: number) {
  const pulledBytes = new Map<string, number>()
  const pulled = (path: string) => pulledBytes.get(path) ?? 0
  const cache = createResponseCache({ store: memoryStore({ maxBytes: storeBytes }), log: () => {} })
  const handler = cache.wrap(async ({ url }) => {
    const path = new URL(url).pathname
    let remaining = (Number(path.split('/')[1]) * MiB) / pieceBytes
    const pull = (controller: ReadableStreamDefaultController) => {
      pulledBytes.set(path, pulled(path) + pieceBytes)
      controller.enqueue(new Uint8Array(pieceBytes))
      if (--remaining === 0) controller.close()
    }
    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    return new Response(body, { headers: { 'Cache-Control': 's-maxage=600' } })
  })
  return {
    listener: nodeListener(handler, { onError: () => {} }),
    /** Bytes that were rendered for a path. */
    pulled,
    /** Waits until nothing more is rendered. */
    async rest() {
      const total = () => [...pulledBytes.values()].reduce((sum, bytes) => sum + bytes, 0)
      for (let previousTotal = -1; previousTotal !== total(); await sleep(500)) previousTotal = total()
    },
  }
}

async function listen(server: Server | http2.Http2Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The requests of clients over one version of HTTP. */
interface Connection {
  /** Asks for a page and reads nothing of it. */
  stall(path: string): Promise<void>
  /** Asks for a page and reads it. */
  get(path: string): Promise<{ cacheStatus: string; length: number }>
  /** Disconnects those who do not read. */
  leave(): void
}

const protocols: Record<string, (listener: RequestListener) => Promise<Connection>> = {
  async 'HTTP/1.1'(listener) {
    const server = createServer(listener)
    const port = await listen(server)
    closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
    const sockets: Socket[] = []
    const leave = () => {
      for (const socket of sockets) socket.destroy()
    }
    closing.push(leave)
    return {
      leave,
      async stall(path) {
        const socket = connect(port, '127.0.0.1').pause()
        sockets.push(socket.on('error', () => {}))
        await once(socket, 'connect')
        socket.write(`GET ${path} HTTP/1.1\r\nHost: site.test\r\n\r\n`)
      },
      async get(path) {
        const response = await fetch(`http://127.0.0.1:${port}${path}`)
        const cacheStatus = response.headers.get('cache-status') ?? ''
        return { cacheStatus, length: (await response.arrayBuffer()).byteLength }
      },
    }
  },
  async 'HTTP/2'(listener) {
    const server = http2.createServer(listener as never)
    const port = await listen(server)
    const sessions = new Set<http2.ServerHttp2Session>()
    server.on('session', (session) => sessions.add(session))
    closing.push(() => {
      for (const session of sessions) session.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    })
    const origin = `http://127.0.0.1:${port}`
    const reading = http2.connect(origin)
    const stalled: http2.ClientHttp2Session[] = []
    const leave = () => {
      for (const session of stalled) session.destroy()
    }
    closing.push(() => leave() ?? reading.destroy())
    let streams = 0
    return {
      leave,
      async stall(path) {
        // Without a window the server can send no data.
        if (streams++ % 50 === 0) stalled.push(http2.connect(origin, { settings: { initialWindowSize: 0 } }))
        const stream = (stalled.at(-1) as http2.ClientHttp2Session).request({ ':path': path })
        stream.on('error', () => {})
        await once(stream, 'response')
      },
      async get(path) {
        const stream = reading.request({ ':path': path })
        const [headers] = await once(stream, 'response')
        let length = 0
        for await (const chunk of stream) length += chunk.length
        return { cacheStatus: headers['cache-status'], length }
      },
    }
  },
}

describe.each(Object.entries(protocols))('clients over %s that do not read', (_, start) => {
  test.each([
    ['pages that are stored', 7],
    ['pages that are too large to be stored', 20],
  ])(`%s take less than 400 MB, ${90} of them, and others get their pages`, { timeout: 90_000 }, async (_, size) => {
    const site = createSite(64 * MiB)
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const client = await start(site.listener)
    let stalled = 0
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 30; count++) await client.stall(`/${size}/${stalled++}`)
      const pages = await Promise.all([1, 1, 7, 7].map((megabytes) => client.get(`/${megabytes}/honest/${round}`)))
      expect(pages.map(({ length }) => length / MiB)).toEqual([1, 1, 7, 7])
    }
    await site.rest()
    await vi.waitFor(
      () => {
        collectGarbage()
        expect((process.memoryUsage().arrayBuffers - before) / 1e6).toBeLessThan(400)
      },
      { timeout: 20_000, interval: 500 },
    )
  })

  test('each client that does not read holds at most maxBodyBytes of a large page', { timeout: 60_000 }, async () => {
    const site = createSite(64 * MiB)
    const client = await start(site.listener)
    const paths = ['/100/a', '/100/b']
    for (const path of paths) await client.stall(path)
    await site.rest()
    for (const path of paths) expect(site.pulled(path)).toBeLessThan(8 * MiB + socketBytes)
    // A client that reads gets the whole page.
    expect((await client.get('/100/a')).length).toBe(100 * MiB)
  })

  test('after clients that do not read have left, pages are stored again', { timeout: 60_000 }, async () => {
    const site = createSite(64 * MiB)
    const client = await start(site.listener)
    for (let index = 0; index < 20; index++) await client.stall(`/7/${index}`)
    await site.rest()
    client.leave()
    await vi.waitFor(
      async () => {
        const path = `/1/${performance.now()}`
        await client.get(path)
        expect((await client.get(path)).cacheStatus).toContain('hit')
      },
      { timeout: 20_000, interval: 500 },
    )
  })
})

test('a client that reads one page after the other, slowly, over HTTP/2 gets all, while others are rendered', async () => {
  const size = 200_000
  const cache = createResponseCache({
    store: memoryStore({ maxBytes: 64 * MiB }),
    maxBodyBytes: MiB / 4,
    log: () => {},
  })
  const headers = { 'Cache-Control': 's-maxage=600' }
  const handler = cache.wrap(async () => new Response(new Uint8Array(size), { headers }))
  const server = http2.createServer(nodeListener(handler) as never)
  const origin = `http://127.0.0.1:${await listen(server)}`
  const [slow, fast] = [http2.connect(origin, { settings: { initialWindowSize: 16_384 } }), http2.connect(origin)]
  closing.push(() => Promise.all([slow, fast].map((session) => session.close())))
  closing.push(() => server.close())
  // Together, the pages are larger than the limit for all bodies in transfer.
  const streams = Array.from({ length: 10 }, (_, index) => slow.request({ ':path': `/${index}` }).on('error', () => {}))
  await Promise.all(streams.map((stream) => once(stream, 'response')))
  let otherCount = 0
  const timer = setInterval(() => fast.request({ ':path': `/others/${otherCount++}` }).resume(), 100)
  closing.push(() => clearInterval(timer))
  for (const stream of streams) {
    let length = 0
    for await (const chunk of stream) {
      length += chunk.length
      await sleep(20)
    }
    expect(length).toBe(size)
  }
  expect(otherCount).toBeGreaterThan(5)
})

describe('many clients that read nothing of one body that is stored in memory', () => {
  /** Asks for a path once, then by many who do not read. Returns by how much memory has grown, in sizes of the body. */
  const stallMany = async (listener: RequestListener, path: string, clients: number) => {
    const client = await (protocols['HTTP/1.1'] as (typeof protocols)[string])(listener)
    const { length } = await client.get(path)
    expect(length).toBeGreaterThan(7 * MiB)
    await sleep(500)
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for (let index = 0; index < clients; index++) await client.stall(path)
    await sleep(1_000)
    return () => {
      collectGarbage()
      return (process.memoryUsage().arrayBuffers - before) / length
    }
  }
  const clients = 40
  // Each connection also holds some separate pieces.
  const bodies = 4

  test('many clients that read nothing hold one copy of an image', { timeout: 60_000 }, async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const image = sharp({ create: { width: 1550, height: 1550, channels: 3, background: '#888', noise } })
    const folder = await folderWith({
      'noise.png': await image.ensureAlpha(0.9).png({ compressionLevel: 1 }).toBuffer(),
    })
    const { handler } = startService({ sources: { '/': folder }, cache: memoryStore({ maxBytes: 64 * MiB }) })
    const { pathname, search } = new URL(urlOf('/noise.png', 1550))
    const growth = await stallMany(nodeListener(handler), pathname + search, clients)
    await vi.waitFor(() => expect(growth()).toBeLessThan(bodies), { timeout: 10_000, interval: 500 })
  })

  test('many clients that read nothing hold one copy of a page', { timeout: 60_000 }, async () => {
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * MiB }), log: () => {} })
    const page = new Uint8Array(7.5 * MiB).fill(65)
    const headers = { 'Cache-Control': 's-maxage=600' }
    const listener = nodeListener(cache.wrap(async () => new Response(page, { headers })))
    const growth = await stallMany(listener, '/', clients)
    await vi.waitFor(() => expect(growth()).toBeLessThan(bodies), { timeout: 10_000, interval: 500 })
  })
})
