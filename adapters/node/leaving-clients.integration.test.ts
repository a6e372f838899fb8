import { createServer, type RequestListener } from 'node:http'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { nodeListener } from './listener.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

function open(port: number): Socket {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  closing.push(() => client.destroy())
  return client
}

const leave: [string, (client: Socket) => void][] = [
  ['ends', (client) => void client.end()],
  ['closes', (client) => void client.destroy()],
  ['resets', (client) => void client.resetAndDestroy()],
]

describe.each(leave)('when a client %s its connection', (_, leaveBy) => {
  test('a handler that reads its body is no error', async () => {
    const errors: unknown[] = []
    const settled = vi.fn()
    const began = vi.fn()
    const read = async (request: Request) => {
      began()
      return new Response(await request.text().finally(settled))
    }
    const port = await listen(nodeListener(read, { onError: (error) => errors.push(error) }))
    const client = open(port)
    client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nstart')
    await vi.waitFor(() => expect(began).toHaveBeenCalled(), 20_000)
    leaveBy(client)
    await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 20_000)
    expect((await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'whole' })).status).toBe(200)
    expect(errors).toEqual([])
  })

  test('a handler that waits for its signal is no error', async () => {
    const errors: unknown[] = []
    const settled = vi.fn()
    const began = vi.fn()
    const wait = async ({ signal, url }: Request) => {
      began()
      if (url.endsWith('/last')) return new Response()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      settled()
      throw signal.reason
    }
    const port = await listen(nodeListener(wait, { onError: (error) => errors.push(error) }))
    const client = open(port)
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await vi.waitFor(() => expect(began).toHaveBeenCalled(), 20_000)
    leaveBy(client)
    await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 20_000)
    expect((await fetch(`http://127.0.0.1:${port}/last`)).status).toBe(200)
    expect(errors).toEqual([])
  })

  test('a handler that checks its signal immediately after the client has left is no error', async () => {
    const errors: unknown[] = []
    const began = vi.fn()
    let onLeft = () => {}
    const left = new Promise<void>((resolve) => (onLeft = resolve))
    const look = async (request: Request) => {
      began()
      if (request.url.endsWith('/last')) return new Response()
      await left
      request.signal.throwIfAborted()
      return new Response()
    }
    const listener = nodeListener(look, { onError: (error) => errors.push(error) })
    const port = await listen((req, res) => {
      req.once('aborted', () => onLeft())
      listener(req, res)
    })
    const client = open(port)
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await vi.waitFor(() => expect(began).toHaveBeenCalled(), 20_000)
    leaveBy(client)
    await left
    expect((await fetch(`http://127.0.0.1:${port}/last`)).status).toBe(200)
    expect(errors).toEqual([])
  })
})

test.each([constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR])(
  'when a client resets its stream by %s, a handler that immediately checks its signal is no error',
  async (code) => {
    const errors: unknown[] = []
    const began = vi.fn()
    const settled = vi.fn()
    let onLeft = () => {}
    const left = new Promise<void>((resolve) => (onLeft = resolve))
    const look = async (request: Request) => {
      began()
      await left
      settled(request.signal.aborted)
      request.signal.throwIfAborted()
      return new Response()
    }
    const listener = nodeListener(look, { onError: (error) => errors.push(error) })
    const server = createHttp2Server((req, res) => {
      req.once('aborted', () => onLeft())
      listener(req, res)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closing.push(() => server.close())
    const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    closing.push(() => session.destroy())
    const stream = session.request({ ':path': '/' }).on('error', () => {})
    await vi.waitFor(() => expect(began).toHaveBeenCalled(), 20_000)
    stream.close(code)
    await vi.waitFor(() => expect(settled).toHaveBeenCalled(), 20_000)
    await new Promise<void>((resolve) => session.ping(() => resolve()))
    expect(errors).toEqual([])
  },
)

/** A body that ends only when it is cancelled. */
const unended = (onCancel: () => void) =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('start')), cancel: onCancel })

describe('when the client of pipelined requests leaves, the later requests never begin, and are no error', () => {
  test.each<[string, (onCancel: () => void) => RequestListener]>([
    [
      'a handler',
      (onCancel) =>
        nodeListener(async () => new Response(unended(onCancel) as BodyInit, { headers: { 'Content-Length': '5' } })),
    ],
    [
      'another listener',
      (onCancel) => (_, res) => {
        res.setHeader('Content-Length', 5).write('start')
        res.once('close', () =>
          setImmediate(() => {
            res.end()
            onCancel()
          }),
        )
      },
    ],
  ])('requests pipelined behind %s never begin when the client leaves', async (_, createFirst) => {
    const begunPaths: string[] = []
    const errors: unknown[] = []
    const onCancel = vi.fn()
    const firstListener = createFirst(onCancel)
    const otherListener = nodeListener(
      async (request) => {
        begunPaths.push(new URL(request.url).pathname)
        request.signal.throwIfAborted()
        return new Response('whole')
      },
      { onError: (error) => errors.push(error) },
    )
    const port = await listen((req, res) => (req.url === '/first' ? firstListener : otherListener)(req, res))
    const client = open(port)
    client.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => client.once('data', resolve))
    client.destroy()
    await vi.waitFor(() => expect(onCancel).toHaveBeenCalled(), 20_000)
    expect(await (await fetch(`http://127.0.0.1:${port}/last`)).text()).toBe('whole')
    expect(begunPaths).toEqual(['/last'])
    expect(errors).toEqual([])
  })
})
