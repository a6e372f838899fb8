import { type ClientHttp2Session, type ClientHttp2Stream, connect, createServer } from 'node:http2'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createResponse } from '../../core/response-factory.js'
import { listen } from '../../test/adapter/listen.js'
import { nodeListener } from './listener.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Handler = (request: Request) => Promise<Response>

async function startHttp2(handler: Handler, options = {}): Promise<string> {
  const server = createServer(options, nodeListener(handler, { onError: () => {} })).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Connects as a client that reads no body. */
async function connectUnreading(url: string, options = {}): Promise<ClientHttp2Session> {
  const session = connect(url, { settings: { initialWindowSize: 0 }, ...options }).on('error', () => {})
  closing.push(() => session.destroy())
  await new Promise((resolve) => session.once('connect', resolve))
  return session
}

/** Resolves to the status, or the code of the reset. */
const outcomeOf = (stream: ClientHttp2Stream) =>
  new Promise<string>((resolve) => {
    stream.once('response', (headers) => resolve(`status ${headers[':status']}`))
    stream.on('error', () => {}).once('close', () => resolve(`reset ${stream.rstCode}`))
  })

const refused = 'reset 7'

describe('streams of one HTTP/2 connection', () => {
  const askOften = async (session: ClientHttp2Session) => {
    const streams = Array.from({ length: 3_000 }, () => session.request({ ':path': '/page' }))
    const outcomes = await Promise.all(streams.map(outcomeOf))
    return {
      answered: outcomes.filter((outcome) => outcome === 'status 200').length,
      refused: outcomes.filter((outcome) => outcome === refused).length,
    }
  }

  test('beyond 128 are refused before the handler runs, also of a client that ignores the limit', async () => {
    let calls = 0
    const url = await startHttp2(async () => {
      calls++
      return new Response('page')
    })
    const session = await connectUnreading(url, { peerMaxConcurrentStreams: 10_000 })
    expect(await askOften(session)).toEqual({ answered: 128, refused: 2_872 })
    expect(calls).toBe(128)
  })

  test('are told to clients, which then wait: all get their page', async () => {
    const url = await startHttp2(async () => new Response('page'))
    const session = connect(url).on('error', () => {})
    closing.push(() => session.destroy())
    const limited = new Promise<void>((resolve) => {
      session.on('remoteSettings', (settings) => settings.maxConcurrentStreams === 128 && resolve())
    })
    expect(await outcomeOf(session.request({ ':path': '/' }).resume())).toBe('status 200')
    await limited
    const streams = Array.from({ length: 500 }, () => session.request({ ':path': '/' }).resume())
    expect(new Set(await Promise.all(streams.map(outcomeOf)))).toEqual(new Set(['status 200']))
  })

  test('are as many as the server itself allows', async () => {
    const url = await startHttp2(async () => new Response('page'), { settings: { maxConcurrentStreams: 300 } })
    const session = await connectUnreading(url)
    await new Promise<void>((resolve) => session.ping(() => resolve())) // the server has the acknowledgement
    const streams = Array.from({ length: 300 }, () => session.request({ ':path': '/' }))
    expect(new Set(await Promise.all(streams.map(outcomeOf)))).toEqual(new Set(['status 200']))
  })
})

describe('clients that read nothing', () => {
  const size = 8 * 1024 * 1024

  test.each([
    ['texts', () => new Response('x'.repeat(size))],
    ['bytes, such as those of a stored page', () => createResponse(Buffer.alloc(size), {})],
    ['parts of such bytes', () => createResponse(Buffer.alloc(size).subarray(0, 100_000), {})],
  ])('over HTTP/2 are disconnected when they hold over 64 MiB of %s, and the others get theirs', async (_, respond) => {
    const url = await startHttp2(async () => respond())
    const streams: ClientHttp2Stream[] = []
    const closed = new Set<ClientHttp2Stream>()
    while (closed.size === 0) {
      const session = await connectUnreading(url)
      const stream = session.request({ ':path': '/' })
      stream.on('error', () => {}).once('close', () => closed.add(stream))
      streams.push(stream)
      await outcomeOf(stream)
      if (streams.length > 12) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect((await readHttp2(url)).length).toBe((await respond().arrayBuffer()).byteLength)
  })

  test('are not disconnected for the same bytes, which are in memory once', async () => {
    const body = Buffer.alloc(size)
    const url = await startHttp2(async ({ url }) => createResponse(url.endsWith('/part') ? body.subarray(1) : body, {}))
    const session = await connectUnreading(url)
    const closed = vi.fn()
    const ask = async (path: string) => {
      const stream = session.request({ ':path': path })
      stream.on('error', () => {}).once('close', closed)
      expect(await outcomeOf(stream)).toBe('status 200')
    }
    for (let count = 0; count < 50; count++) for (const path of ['/', '/part']) await ask(path)
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    for (let count = 0; count < 5; count++) await ask('/')
    expect(closed).not.toHaveBeenCalled()
  })

  test('over HTTP/1.1 as well', async () => {
    const server = await listen(nodeListener(async () => new Response('x'.repeat(size)), { onError: () => {} }))
    closing.push(server.close)
    const { port } = new URL(server.url)
    const sockets: Socket[] = []
    while (!(sockets[0] && (await isReset(sockets[0])))) {
      const socket = createConnection(Number(port), '127.0.0.1').on('error', () => {})
      closing.push(() => socket.destroy())
      sockets.push(socket)
      socket.write('GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
      await new Promise((resolve) => socket.once('readable', resolve))
      if (sockets.length > 12) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect((await (await fetch(server.url)).text()).length).toBe(size)
  })

  test('not even of their HTTP/2 connection hold no more than 64 MiB either', async () => {
    const size = 250_000
    const respond = async () => createResponse(Buffer.alloc(size), {})
    const server = createServer(nodeListener(respond, { onError: () => {} }))
    let total = 0
    let open = 0
    server.on('stream', (stream) => {
      total++
      open++
      stream.once('close', () => open--)
    })
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    // Node itself holds 10 MB for each.
    for (let count = 0; count < 12; count++) askWithoutReading(port)
    await vi.waitFor(() => expect(total * size).toBeGreaterThan(100_000_000), 20_000)
    await vi.waitFor(() => expect(open).toBeLessThanOrEqual((64 * 1024 * 1024) / size), 20_000)
    expect((await readHttp2(`http://127.0.0.1:${port}`)).length).toBe(size)
  })

  test('are disconnected, and those that read slowly are not, however much these hold', async () => {
    const part = 100_000
    const url = await startHttp2(async ({ url }) => new Response('x'.repeat(url.endsWith('/part') ? part : size)))
    const readSlowly = async (path: string, session: ClientHttp2Session, bytesPerSecond: number) => {
      let length = 0
      for await (const chunk of session.request({ ':path': path })) {
        length += chunk.length
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, (chunk.length / bytesPerSecond) * 1_000))
      }
      return length
    }
    let isOver = false
    const connectReading = () => {
      const session = connect(url, { settings: { initialWindowSize: 16_384 } })
      closing.push(() => session.destroy())
      return session
    }
    const long = Array.from({ length: 10 }, () => readSlowly('/', connectReading(), 150_000))
    // The images of a page: each of them waits for those before it.
    const session = connectReading()
    const short = Array.from({ length: 50 }, () => readSlowly('/part', session, 8_000))
    const stalled = (await connectUnreading(url)).request({ ':path': '/' }).on('error', () => {})
    await new Promise((resolve) => stalled.once('close', resolve))
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    isOver = true
    expect(new Set(await Promise.all(long))).toEqual(new Set([size]))
    expect(new Set(await Promise.all(short))).toEqual(new Set([part]))
  })

  test.each(['x'.repeat(size), Buffer.alloc(size, 'x')])(
    'a long body has its length and arrives whole',
    async (body) => {
      const server = await listen(nodeListener(async () => createResponse(body, {}), { onError: () => {} }))
      closing.push(server.close)
      const response = await fetch(server.url)
      expect(response.headers.get('content-length')).toBe(String(size))
      expect((await response.arrayBuffer()).byteLength).toBe(size)
    },
  )
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
  const socket = createConnection(port, '127.0.0.1').on('error', () => {})
  closing.push(() => socket.destroy())
  socket.pause()
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(Buffer.from(frames))
}

/** Whether the other side has reset the connection, which a socket notices when it writes. */
async function isReset(socket: Socket): Promise<boolean> {
  if (socket.destroyed) return true
  await new Promise<void>((resolve) => socket.write('\r\n', () => resolve()))
  return socket.destroyed
}

async function readHttp2(url: string): Promise<Buffer> {
  const session = connect(url)
  closing.push(() => session.destroy())
  const chunks: Buffer[] = []
  for await (const chunk of session.request({ ':path': '/' })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
