// An Express app with a page for all and a page without a lifetime, of 20 KB each. SERVER says what stands in front.
import { createServer } from 'node:http'
import express from 'express'
import { createResponseCache, memoryStore } from 'sitewright/cache'
import { inFrontOf } from 'sitewright/express'
import { createPageText } from '../caches.js'

const text = createPageText('http://site.test/page', 20_000)
const app = express()
  .disable('x-powered-by')
  .get('/page', (_, res) => res.set('Cache-Control', 'public, s-maxage=3600').send(text))
  .get('/own', (_, res) => res.send(text))

const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 ** 2 }) })
const listeners = {
  'plain Express': () => app,
  'createServer(inFrontOf(cache, app))': () => inFrontOf(cache, app),
  'server.use(inFrontOf(cache, app))': () => express().disable('x-powered-by').use(inFrontOf(cache, app)),
}
createServer(listeners[process.env.SERVER]()).listen(process.env.PORT, '127.0.0.1')
