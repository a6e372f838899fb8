import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import * as http2 from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createResponse } from '../../core/response-factory.js'
import { nodeListener } from './listener.js'

const closing: (() => unknown)[] = []
const onError = vi.fn()
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  expect(onError).not.toHaveBeenCalled()
})

type Handler = (request: Request) => Promise<Response>

// More bytes than the operating system buffers for a client.
const size = 12 * 1024 ** 2
// The minute of `sendResponse` lasts this many milliseconds here.
const minute = 300

/** Lets a minute of a socket, or of a stream of HTTP/2, pass in a third of a second. */
function hasten(connection: { setTimeout(time: number, callback?: () => void): unknown }): void {
  const { setTimeout } = connection
  connection.setTimeout = (time, callback) => setTimeout.call(connection, time === 60_000 ? minute : time, callback)
}

async function listen(server: Server | http2.Http2Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a server of HTTP/1.1. Returns a function that opens a connection on which nothing is read until `resume`. */
async function startHttp1(handler: Handler, options = {}) {
  const server = createServer(options, nodeListener(handler, { onError })).on('connection', hasten)
  const port = await listen(server)
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const open = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    closing.push(() => socket.destroy())
    ask(socket, path)
    return socket.pause()
  }
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { open, connections, server }
}

const ask = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: site.test\r\n\r\n`)

/** A body whose first part comes immediately, and the second after three minutes. */
function pausedBody(part: Uint8Array): ReadableStream {
  let parts = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (parts++ > 0) await sleep(3 * minute)
        controller.enqueue(part)
        if (parts === 2) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const bodies: [name: string, create: () => Response][] = [
  ['bytes', () => createResponse(Buffer.alloc(size), {})],
  ['a text', () => createResponse('x'.repeat(size), {})],
  ['a stream', () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(60_000)) }))],
]

describe('a client over HTTP/1.1', () => {
  test.each(bodies)(
    'a client over HTTP/1.1 that reads nothing of %s for a minute is disconnected',
    async (_, create) => {
      const { open, connections } = await startHttp1(async () => create())
      open('/')
      await vi.waitFor(async () => expect(await connections()).toBe(1), 20_000)
      await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
    },
  )

  test('a client that pipelines requests and reads nothing of their short responses is disconnected', async () => {
    const { open, connections } = await startHttp1(async () => createResponse(Buffer.alloc(200_000), {}))
    const socket = open('/')
    for (let count = 0; count < 90; count++) ask(socket, '/')
    await vi.waitFor(async () => expect(await connections()).toBe(1), 20_000)
    await vi.waitFor(async () => expect(await connections()).toBe(0), 20_000)
  })

  test('a client over HTTP/1.1 that reads slowly, for some minutes, gets the whole response', async () => {
    const long = 3 * size
    const { open } = await startHttp1(async () => createResponse(Buffer.alloc(long), {}))
    const socket = open('/')
    let length = 0
    socket.on('data', (chunk) => (length += chunk.length))
    const began = performance.now()
    // The operating system accepts more bytes when a third of its buffer has been read.
    const timer = setInterval(() => {
      socket.resume()
      setTimeout(() => socket.pause(), 2)
    }, minute / 4)
    await vi.waitFor(() => expect(length).toBeGreaterThan(long), 60_000)
    clearInterval(timer)
    expect(performance.now() - began).toBeGreaterThan(3 * minute)
  })

  test('a client waits for a handler as long as necessary, before the response and midway', async () => {
    const { open } = await startHttp1(async ({ url }) => {
      if (url.endsWith('/late')) await sleep(3 * minute)
      return url.endsWith('/paused') ? new Response(pausedBody(Buffer.alloc(300_000))) : new Response('late')
    })
    const received = { late: '', paused: 0 }
    open('/late')
      .on('data', (chunk) => (received.late += chunk))
      .resume()
    open('/paused')
      .on('data', (chunk) => (received.paused += chunk.length))
      .resume()
    await vi.waitFor(() => expect(received.late).toContain('late'), 20_000)
    await vi.waitFor(() => expect(received.paused).toBeGreaterThan(600_000), 20_000)
  })

  test.each([
    ['keeps a client connected between requests if it keeps connections without a limit', 0, 1],
    ['disconnects a client between requests after its keepAliveTimeout', 300, 0],
  ])('a server %s', async (_, keepAliveTimeout, expected) => {
    const { open, connections } = await startHttp1(
      async ({ url }) => (url.endsWith('/text') ? new Response('text') : new Response(pausedBody(Buffer.alloc(10)))),
      { keepAliveTimeout },
    )
    const socket = open('/text').resume()
    await sleep(100)
    ask(socket, '/paused')
    await sleep(2 * minute)
    expect(await connections()).toBe(1)
    await sleep(2 * minute)
    // Node keeps a connection for a second longer than it announces.
    await vi.waitFor(async () => expect(await connections()).toBe(expected), 20_000)
  })

  test('if the server has its own time limit, that limit applies to a client that reads nothing', async () => {
    const { open, connections, server } = await startHttp1(async () => createResponse(Buffer.alloc(size), {}))
    server.setTimeout(10 * minute)
    open('/')
    await sleep(4 * minute)
    expect(await connections()).toBe(1)
  })
})

describe('a client over HTTP/2', () => {
  async function startHttp2(handler: Handler, settings: http2.Settings = { initialWindowSize: 0 }) {
    const server = http2.createServer()
    server.on('stream', hasten).on('request', nodeListener(handler, { onError }))
    const port = await listen(server)
    closing.push(() => server.close())
    const session = http2.connect(`http://127.0.0.1:${port}`, { settings }).on('error', () => {})
    closing.push(() => session.destroy())
    await once(session, 'remoteSettings')
    const request = (path: string, method = 'GET') =>
      session.request({ ':path': path, ':method': method }).on('error', () => {})
    return { request, server, port }
  }

  test.each([...bodies, ['a short response', () => createResponse(Buffer.alloc(1_000), {})] as const])(
    'a stream over HTTP/2 that reads nothing of %s for a minute is reset, and another stream is served',
    async (_, create) => {
      const { request } = await startHttp2(async ({ url }) => (url.endsWith('/empty') ? new Response() : create()))
      const streams = [request('/'), request('/', 'POST'), request('/')]
      await Promise.all(streams.map((stream) => new Promise<void>((resolve) => stream.once('close', resolve))))
      expect(streams.map(({ rstCode }) => rstCode)).toEqual(streams.map(() => http2.constants.NGHTTP2_INTERNAL_ERROR))
      const [headers] = await once(request('/empty').resume(), 'response')
      expect(headers[':status']).toBe(200)
    },
  )

  test('a client that reads nothing of its HTTP/2 connection holds no response', async () => {
    const closed = vi.fn()
    const { server, port } = await startHttp2(async () => createResponse(Buffer.alloc(250_000), {}))
    server.on('stream', (stream) => stream.once('close', closed))
    askWithoutReading(port)
    await vi.waitFor(() => expect(closed.mock.calls.length).toBeGreaterThan(30), 20_000)
  })

  test('a client over HTTP/2 that reads its responses slowly gets all of them', async () => {
    const { request } = await startHttp2(async () => new Response(new Uint8Array(400_000)), {})
    const read = async (stream: http2.ClientHttp2Stream) => {
      let length = 0
      for await (const chunk of stream) {
        length += chunk.length
        await sleep(minute / 4)
      }
      return length
    }
    const lengths = await Promise.all(Array.from({ length: 8 }, () => read(request('/'))))
    expect(lengths).toEqual(lengths.map(() => 400_000))
  })

  test('a client waits for a handler as long as necessary, before the response and midway', async () => {
    const respond = async ({ url }: Request) => {
      if (url.endsWith('/late')) await sleep(3 * minute)
      return url.endsWith('/late') ? new Response('late') : new Response(pausedBody(Buffer.alloc(30_000)))
    }
    const { request } = await startHttp2(respond, {})
    const lengthOf = async (path: string) => {
      let length = 0
      for await (const chunk of request(path)) length += chunk.length
      return length
    }
    expect(await Promise.all([lengthOf('/late'), lengthOf('/paused')])).toEqual([4, 60_000])
  })
})

test.each(['x'.repeat(size), Buffer.alloc(size, 'x')])('a long body has its length and arrives whole', async (body) => {
  const server = createServer(nodeListener(async () => createResponse(body, {})))
  const port = await listen(server)
  closing.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  const response = await fetch(`http://127.0.0.1:${port}`)
  expect(response.headers.get('content-length')).toBe(String(size))
  expect((await response.arrayBuffer()).byteLength).toBe(size)
})

/** Asks for 128 pages over one connection, with the largest windows, and reads nothing from its socket. */
function askWithoutReading(port: number): void {
  const frame = (type: number, flags: number, stream: number, payload: number[]) => [
    ...[0, 0, payload.length, type, flags, 0, 0, 0, stream],
    ...payload,
  ]
  const largest = [0x7f, 0xff, 0xff, 0xff]
  // Indexed fields of RFC 7541, appendix A: GET, http, /. Then `:authority: a`.
  const fields = [0x82, 0x86, 0x84, 0x41, 1, 'a'.charCodeAt(0)]
  const ids = Array.from({ length: 128 }, (_, index) => index * 2 + 1)
  const headers = (id: number) => {
    const head = frame(1, 0x5, 0, fields)
    return [...head.slice(0, 7), id >> 8, id & 255, ...head.slice(9)]
  }
  const frames = [
    ...frame(4, 0, 0, [0, 4, ...largest]), // SETTINGS_INITIAL_WINDOW_SIZE
    ...frame(8, 0, 0, [0x7f, 0xff, 0, 0]), // WINDOW_UPDATE of the connection
    ...ids.flatMap(headers),
  ]
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  closing.push(() => socket.destroy())
  socket.pause()
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(Buffer.from(frames))
}
