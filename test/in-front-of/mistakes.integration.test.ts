import express from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { inFrontOf } from '../../adapters/express/index.js'
import { serveApp, versions } from '../../adapters/express/testing/cached-app.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createHttp2Client, listenHttp2 } from '../adapter/http2.js'
import { requestOf, sendRaw } from './compare.js'

// What one may get wrong at first use. The mistakes that show at once are in test/options/shapes.test.ts.

afterEach(() => void vi.restoreAllMocks())
const createCache = () => createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }), log: () => {} })

it.each(versions)(
  'an app of %s that contains the cache in front of itself is told where it belongs',
  async (_, create) => {
    const app = create()
    app.use(inFrontOf(createCache(), app))
    const onError: express.ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(error.message)
    const url = await serveApp(app.use(onError))
    const requests = [requestOf('/'), requestOf('/', ['Cookie: a=1']), requestOf('/', [], 'POST'), requestOf('/a/../b')]
    for (const request of requests)
      expect(await sendRaw(url, request)).toContain(
        'write createServer(inFrontOf(cache, app)), or server.use(inFrontOf(cache, app))',
      )
  },
)

it.each([true, false])('a server of HTTP/2 is told that only HTTP/1 works, with TLS: %s', async (tls) => {
  const onError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const listener: unknown = inFrontOf(createCache(), express())
  const { url, close } = await listenHttp2(listener as Parameters<typeof listenHttp2>[0], { tls })
  const client = createHttp2Client()
  const { status } = await client.exchange(url)
  client.close()
  await close()
  expect(status).toBe(500)
  expect(String(onError.mock.calls)).toContain('inFrontOf: expected a request over HTTP/1, got one over HTTP/2')
})
