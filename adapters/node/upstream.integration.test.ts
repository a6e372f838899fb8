import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createUpstreamFetch } from './upstream.js'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Starts a client and a service that answers `/bad` with raw bytes and every other path correctly. */
async function start(bad: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (request) => {
      if (/^\w+ \/bad/.test(request.toString('latin1'))) bad(socket)
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const upstream = createUpstreamFetch()
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    return upstream.close()
  })
  const origin = `http://127.0.0.1:${port}`
  return Object.assign((path: string) => upstream(new Request(origin + path)), { upstream, origin })
}

const endless = (head: string) => (socket: Socket) => void socket.write(`${head}\r\n\r\n${'x'.repeat(200_000)}`)

describe('a hostile response', () => {
  test.each([
    ['a status above 599', 'HTTP/1.1 999 Odd\r\nContent-Length: 900000'],
    ['a header outside of Latin-1', 'HTTP/1.1 200 OK\r\nX-Cat: 🐈\r\nContent-Length: 900000'],
    ['1 MB of headers', `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(1_000)}Content-Length: 900000`],
    ['205 with a body', 'HTTP/1.1 205 Reset Content\r\nContent-Length: 900000'],
  ])('a response with %s frees its connection', async (_, head) => {
    const get = await start(endless(head))
    await get('/bad').then(
      ({ body }) => body?.cancel(),
      () => {},
    )
    expect(await (await get('/good')).text()).toBe('ok')
  })
})

test('a request that gets endless 1xx responses is aborted, by fetch and by send', async () => {
  const get = await start((socket) => {
    const flood = () => {
      if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), () => setImmediate(flood))
    }
    flood()
  })
  await expect(get('/bad')).rejects.toThrow('more than 10 1xx responses')
  const options = { headers: {}, signal: () => undefined, timeout: 60_000, onBodyError() {} }
  await expect(get.upstream.send(`${get.origin}/bad`, options)).rejects.toThrow('more than 10 1xx responses')
  expect(await (await get('/good')).text()).toBe('ok')
})

test.each([
  ['never comes', ''],
  ['breaks off', 'x'],
])('a 205 neither waits for a body that %s, nor keeps its connection', async (_, start205) => {
  const get = await start((socket) => {
    socket.write(`HTTP/1.1 205 Reset Content\r\nContent-Length: 10\r\n\r\n${start205}`)
  })
  expect((await get('/bad')).status).toBe(205)
  expect(await (await get('/good')).text()).toBe('ok')
})

test.each([204, 304])('a %s keeps its connection', async (status) => {
  const ports = new Set<unknown>()
  const get = await start((socket) => {
    ports.add(socket.remotePort)
    socket.write(`HTTP/1.1 ${status} x\r\nETag: "1"\r\n\r\n`)
  })
  for (let count = 0; count < 10; count++) expect((await get('/bad')).status).toBe(status)
  expect(ports.size).toBeLessThan(3)
})

describe('a connection that the service closes instead of answering', () => {
  const options = { headers: {}, signal: () => undefined, timeout: 60_000, onBodyError() {} }
  test.each([
    ['closes', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['breaks off in the head of the response', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
  ])('a request is sent once more if its connection %s', async (_, end) => {
    let requestCount = 0
    const get = await start((socket) => {
      requestCount++
      if (requestCount % 2 === 1) (end as (socket: Socket) => void)(socket)
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nagain')
    })
    expect(await (await get('/good')).text()).toBe('ok')
    expect(await (await get('/bad')).text()).toBe('again')
    const response = await get.upstream.send(`${get.origin}/bad`, options)
    expect(Buffer.from((await response.openBody()) as Uint8Array).toString()).toBe('again')
    expect(requestCount).toBe(4)
  })

  test('a request is not sent a third time if its connection closes twice', async () => {
    let asked = 0
    const get = await start((socket) => {
      asked++
      socket.end()
    })
    await expect(get('/bad')).rejects.toThrow()
    expect(asked).toBe(2)
  })
})

test('readStart reads a body that arrives in pieces up to its maximum', async () => {
  const get = await start((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\nab')
    setTimeout(() => socket.write('cdef'), 50)
  })
  const options = { headers: {}, signal: () => undefined, timeout: 10_000, onBodyError() {} }
  const response = await get.upstream.send(`${get.origin}/bad`, options)
  expect(new TextDecoder().decode(await response.readStart(5))).toBe('abcde')
})
