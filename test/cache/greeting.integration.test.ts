import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { afterEach, expect, it } from 'vitest'
import { expressMiddleware, inFrontOf } from '../../adapters/express/index.js'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import type { RunningServer } from '../adapter/adapter.js'
import { listen } from '../adapter/listen.js'
import { greetVisitors } from './greeting.js'

// A cache must not store the first visitor's name in a page for everyone, as caches do that store the response to a
// visitor's own request. The same test for Next.js is in test/next-site.

const lifetime = 'public, s-maxage=3600'
const createCache = () => createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })
const createSite = () =>
  new Hono()
    .get('/', (c) => c.text(`Hello, ${getCookie(c, 'user') ?? 'stranger'}`, 200, { 'Cache-Control': lifetime }))
    .post('/', (c) => c.text('purged'))

const servers: Record<string, () => Promise<RunningServer>> = {
  Node: () => listen(nodeListener(createCache().wrap(createSite().fetch))),
  'Hono on @hono/node-server': () => {
    const cached = createCache().wrap(createSite().fetch)
    return listen(createAdaptorServer({ fetch: new Hono().all('*', (c) => cached(c.req.raw)).fetch }) as Server)
  },
  'Express, a web handler': () => listen(express().use(expressMiddleware(createCache().wrap(createSite().fetch)))),
  'Express, an app behind the cache': async () => {
    const app = express()
    app.get('/', (req, res) => {
      const name = /user=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? 'stranger'
      res.set('Cache-Control', lifetime).send(`Hello, ${name}`)
    })
    app.post('/', (_req, res) => void res.send('purged'))
    const running = await listen(inFrontOf(createCache(), app))
    await fetch(running.url) // in front of an app, pages are shared from the second visit on
    return running
  },
}

let server: RunningServer
afterEach(() => server?.close())

it.each(Object.keys(servers))(
  'each visitor reads his own name, and visitors without a name read no name: %s',
  async (name) => {
    server = await (servers[name] as (typeof servers)[string])()
    await greetVisitors((init) => fetch(server.url, init))
    expect.hasAssertions()
  },
)
