import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expressMiddleware } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { nodeListener } from '../../adapters/node/index.js'
import type { Mountable } from '../../core/handler.js'

const servers: Server[] = []
const clients: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Sends requests for all paths together, over one connection. */
function pipeline(port: number, paths: readonly string[]): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  return client
}

const mounts: [string, (handler: Mountable) => RequestListener][] = [
  ['nodeListener', (handler) => nodeListener(handler)],
  ['Express', (handler) => express().use(expressMiddleware(handler))],
  ['Hono', (handler) => getRequestListener(new Hono().use(honoMiddleware(handler)).fetch)],
]

describe.each(mounts)('pipelined requests to %s', (_, mount) => {
  it('pipelined requests are handled one after the other', async () => {
    let running = 0
    let maxConcurrent = 0
    const port = await listen(
      mount(async ({ url }) => {
        maxConcurrent = Math.max(maxConcurrent, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return new Response(`[${new URL(url).pathname}]`)
      }),
    )
    const client = pipeline(port, ['/1', '/2', '/3', '/4', '/5'])
    let received = ''
    client.on('data', (piece) => (received += piece))
    await vi.waitFor(() => expect(received).toContain('[/5]'), 20_000)
    expect(received.match(/\[.*?\]/g)).toEqual(['[/1]', '[/2]', '[/3]', '[/4]', '[/5]'])
    expect(maxConcurrent).toBe(1)
  })

  it('pipelined requests are not begun after the client has left', async () => {
    const signals: AbortSignal[] = []
    const port = await listen(
      mount((request) => {
        signals.push(request.signal)
        return new Promise(() => {})
      }),
    )
    const client = pipeline(port, ['/1', '/2', '/3'])
    await vi.waitFor(() => expect(signals).toHaveLength(1), 20_000)
    client.destroy()
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 20_000)
    expect(signals).toHaveLength(1)
  })
})
