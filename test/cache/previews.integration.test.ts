import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
// @ts-expect-error: without types of its own
import express4 from 'express4'
import { Hono } from 'hono'
import { afterEach, expect, it } from 'vitest'
import { expressMiddleware } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, type Handler, memoryStore } from '../../core/cache/index.js'
import type { RunningServer } from '../adapter/adapter.js'
import { listen } from '../adapter/listen.js'

// An editor's preview of a published page, on each server. In Next.js, draft mode bypasses the cache.

const servers: Record<string, (handler: Handler) => Promise<RunningServer>> = {
  Node: (handler) => listen(nodeListener(handler)),
  'Express 5': (handler) => listen(express().use(expressMiddleware(handler))),
  'Express 4': (handler) => listen(express4().use(expressMiddleware(handler))),
  'Hono on sitewright/node': (handler) => listen(nodeListener(new Hono().use(honoMiddleware(handler)).fetch)),
  'Hono on @hono/node-server': (handler) =>
    listen(createAdaptorServer({ fetch: new Hono().use(honoMiddleware(handler)).fetch }) as Server),
}

let server: RunningServer
afterEach(() => server?.close())

it.each(Object.keys(servers))('the preview cookie bypasses the cache on %s', async (name) => {
  let text = 'published'
  const pages = createResponseCache({
    store: memoryStore({ maxBytes: 1_000_000 }),
    bypass: ({ headers }) => /(^|; )__preview=secret(;|$)/.test(headers.get('cookie') ?? ''),
  })
  const handler = pages.wrap(async ({ headers }) => {
    const isPreview = headers.get('cookie')?.includes('__preview=secret')
    return new Response(isPreview ? 'draft' : text, { headers: { 'Cache-Control': 's-maxage=60' } })
  })
  server = await (servers[name] as (typeof servers)[string])(handler)
  const read = async (cookie?: string) => {
    const response = await fetch(server.url, { headers: cookie ? { Cookie: cookie } : {} })
    return [await response.text(), response.headers.get('cache-control')]
  }
  const draft = ['draft', 'private']

  expect(await read('__preview=secret')).toEqual(draft)
  expect(await read()).toEqual(['published', 's-maxage=60'])
  text = 'not rendered again'
  expect(await read('a=1; __preview=secret; b=2')).toEqual(draft)
  expect(await read('a=1; __preview=other')).toEqual(['published', 's-maxage=60'])
  expect(await read()).toEqual(['published', 's-maxage=60'])
})
