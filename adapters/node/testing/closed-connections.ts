// Sends requests to servers that close or reset the connection before anybody reads the body, then reads the body.
// Prints the number of bytes read, or 'failed', by client, response and ending. An error without a listener ends the
// process.
import diagnosticsChannel from 'node:diagnostics_channel'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createUpstreamFetch } from '../upstream.js'

type Body = AsyncIterable<Uint8Array> | null | undefined

const upstream = createUpstreamFetch()

const clients: Record<string, (origin: string) => Promise<Body>> = {
  fetch: async (origin) => (await upstream(new Request(origin))).body as Body,
  send: async (origin) => {
    const response = await upstream.send(origin, {
      headers: {},
      timeout: 5_000,
      signal: () => undefined,
      onBodyError() {},
    })
    return (await response.openBody()) as Body
  },
}

// More than undici buffers (64 KiB), and less than undici and the socket buffer together: the parser is paused.
const size = 150 * 1024
const content = 'x'.repeat(size)
const chunked = `${size.toString(16)}\r\n${content}\r\n`
const responses = {
  'until the end': `Connection: close\r\n\r\n${content}`,
  length: `Connection: close\r\nContent-Length: ${size}\r\n\r\n${content}`,
  'length, too short': `Connection: close\r\nContent-Length: ${size + 1}\r\n\r\n${content}`,
  'length, kept alive': `Content-Length: ${size}\r\n\r\n${content}`,
  chunked: `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}0\r\n\r\n`,
  'chunked, too short': `Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
}
const endings = { end: (socket: Socket) => socket.end(), reset: (socket: Socket) => socket.resetAndDestroy() }

let connection: Socket | undefined
diagnosticsChannel.subscribe('undici:client:connected', (message) => {
  connection = (message as { socket: Socket }).socket
})

async function readAfter(ask: (origin: string) => Promise<Body>, fields: string, end: (socket: Socket) => void) {
  const response = `HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n${fields}`
  let peer: Socket | undefined
  const server = createServer((socket) => {
    peer = socket.on('error', () => {}).once('data', () => socket.write(response))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const body = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    while (connection && connection.bytesRead < response.length) await setTimeout(1)
    end(peer as Socket)
    await setTimeout(30)
    let length = 0
    for await (const chunk of body ?? []) length += chunk.length
    return length
  } catch {
    return 'failed'
  } finally {
    peer?.destroy()
    server.close()
  }
}

const results: Record<string, number | string> = {}
for (const [client, ask] of Object.entries(clients)) {
  for (const [response, fields] of Object.entries(responses)) {
    for (const [ending, end] of Object.entries(endings)) {
      results[`${client}: ${response}: ${ending}`] = await readAfter(ask, fields, end)
    }
  }
}
await upstream.close()
process.stdout.write(JSON.stringify(results))
