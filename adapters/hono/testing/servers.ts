import type { Server } from 'node:http'
import { afterEach } from 'vitest'
import { listen } from '../../../test/adapter/listen.js'

type Fetch = (request: Request) => Response | Promise<Response>

const create = {
  '@hono/node-server 1.14': async () => (await import('hono-server-1.14')).createAdaptorServer,
  '@hono/node-server 1.19.9': async () => (await import('hono-server-1.19.9')).createAdaptorServer,
  '@hono/node-server 1.19': async () => (await import('hono-server-1.19')).createAdaptorServer,
  '@hono/node-server 2': async () => (await import('@hono/node-server')).createAdaptorServer,
}

export type ServerName = keyof typeof create
export const serverNames = Object.keys(create) as ServerName[]

const { Request, Response } = globalThis
const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closes.splice(0).map((close) => close()))
})

/**
 * Serves until the test ends. Each version puts its own `Request` and `Response` in place of the platform's. The
 * platform's are restored first, because a version would otherwise build on the classes of another one.
 */
export async function serveWith(name: ServerName, fetch: Fetch): Promise<string> {
  Object.assign(globalThis, { Request, Response })
  const createServer = await create[name]()
  const { url, close } = await listen(createServer({ fetch: fetch as never }) as Server)
  closes.push(close)
  return url
}
