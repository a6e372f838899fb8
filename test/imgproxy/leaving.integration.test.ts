import type { Server } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import { Hono } from 'hono'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { expressMiddleware } from '../../adapters/express/index.js'
import { honoMiddleware } from '../../adapters/hono/index.js'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch, nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore, type ResponseCacheOptions } from '../../core/cache/index.js'
import { deferred } from '../../core/cache/testing/harness.js'
import type { RouteHandler } from '../../core/handler.js'
import { normalizeImageAccept } from '../../core/image/image-response.js'
import { encodeSource } from '../../core/image/url.js'
import { listen } from '../adapter/listen.js'
import { imageOf, serviceKey, startImgproxy } from './imgproxy.js'

const original = Buffer.from('the original')
const names = ['1.jpg', '2.jpg', '3.jpg']
const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

type OnError = (error: unknown) => void
const servers: Record<string, (handler: RouteHandler, onError: OnError) => ReturnType<typeof listen>> = {
  Node: (handler, onError) => listen(nodeListener(handler, { onError })),
  'Hono on @hono/node-server': (handler, onError) => {
    const app = new Hono().use(honoMiddleware(handler)).onError((error, context) => {
      onError(error)
      return context.text('failed', 500)
    })
    return listen(createAdaptorServer({ fetch: app.fetch }) as Server)
  },
  'Hono on sitewright/node': (handler, onError) => {
    const app = new Hono().use(honoMiddleware(handler)).onError((error, context) => {
      onError(error)
      return context.text('failed', 500)
    })
    return listen(nodeListener(app.fetch, { onError }))
  },
  Express: (handler, onError) => {
    const app = express().use(expressMiddleware(handler))
    app.use((error: unknown, _req: unknown, _res: unknown, next: () => void) => {
      onError(error)
      next()
    })
    return listen(app)
  },
}

/** Starts a site whose imgproxy finishes an image when the test says so. */
async function startSite(server: string, cacheOptions?: Partial<ResponseCacheOptions>) {
  const root = await folderWith(Object.fromEntries(names.map((name) => [name, original])))
  const gate = deferred()
  const imgproxy = await startImgproxy({ root, work: () => gate.promise })
  const upstream = createUpstreamFetch()
  const log = vi.fn()
  const proxy = createImageProxy({
    ...serviceKey,
    serviceUrl: imgproxy.url,
    sources: ['/'],
    sourceBaseUrl: 'local://',
    fetch: upstream,
    log,
  })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log, ...cacheOptions })
  const onError = vi.fn()
  const images = cacheOptions ? cache.wrap(proxy) : proxy
  let leftCount = 0
  const handler: RouteHandler = (request) => {
    request.signal.addEventListener('abort', () => leftCount++)
    return images(request)
  }
  const site = await (servers[server] as (typeof servers)[string])(handler, onError)
  closing.push(site.close, imgproxy.close, upstream.close)
  const get = (name: string, signal?: AbortSignal) =>
    fetch(`${site.url}/_image/${encodeSource(`/${name}`)}?width=640`, { signal: signal ?? null })
  return {
    imgproxy,
    get,
    finish: gate.resolve,
    reported: () => [...log.mock.calls, ...onError.mock.calls],
    /** Requests an image, and disconnects when imgproxy has begun. */
    async visit(name: string) {
      const visitor = new AbortController()
      const sourcesBefore = imgproxy.sources.length
      const response = get(name, visitor.signal).catch(() => 'left')
      await vi.waitFor(() => expect(imgproxy.sources.length).toBe(sourcesBefore + 1), 20_000)
      visitor.abort()
      expect(await response).toBe('left')
      await vi.waitFor(() => expect(leftCount).toBe(sourcesBefore + 1), 20_000)
      await setImmediate()
    },
  }
}

describe.each(Object.keys(servers))('%s: a client that disconnects before the answer', (server) => {
  test('a client that disconnects causes no log entry, and cancels the request to imgproxy unless another client waits', async () => {
    const site = await startSite(server, { bypass: () => false, fields: { Accept: normalizeImageAccept } })
    await site.visit('1.jpg')
    await vi.waitFor(() => expect(site.imgproxy.left()).toBe(1), 20_000)
    const otherResponse = site.get('2.jpg')
    await vi.waitFor(() => expect(site.imgproxy.sources).toHaveLength(2), 20_000)
    const leaving = new AbortController()
    const left = site.get('2.jpg', leaving.signal).catch(() => 'left')
    await setImmediate()
    leaving.abort()
    expect(await left).toBe('left')
    site.finish()
    const response = await otherResponse
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, imageOf('jpeg', original)])
    const later = await site.get('2.jpg')
    expect([await later.text(), later.headers.get('cache-status')]).toEqual([
      expect.any(String),
      expect.stringContaining('hit'),
    ])
    expect(site.imgproxy.sources).toHaveLength(2)
    expect(site.reported()).toEqual([])
  })

  test('without a cache, a client that disconnects cancels the request to imgproxy', async () => {
    const site = await startSite(server)
    await site.visit('1.jpg')
    await vi.waitFor(() => expect(site.imgproxy.left()).toBe(1), 20_000)
    site.finish()
    expect((await site.get('2.jpg')).status).toBe(200)
    expect(site.reported()).toEqual([])
  })
})
