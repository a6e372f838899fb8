// Servers of one page of 20 KB at /constant; ours and those with a cache also have it at /cached. SERVER names one.
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import { createRequestListener } from '@remix-run/node-fetch-server'
import express from 'express'
import { Hono } from 'hono'
import { expressMiddleware } from 'sitewright/express'
import { honoMiddleware } from 'sitewright/hono'
import { nodeListener } from 'sitewright/node'
import { FastResponse, NodeRequest, sendNodeResponse, toNodeHandler } from 'srvx/node'
import { caches, createPage, createPageText, pageHeaders } from '../caches.js'

const bytes = 20_000
const text = createPageText('http://site.test/constant', bytes)
const render = (url) => createPage(url, bytes)
const constant = () => new Response(text, { headers: pageHeaders(text) })
const cached = (name) => caches[name]({ render, tagOf: () => 'document', maxBytes: 64 * 1024 ** 2, items: 1000 }).handle

const listen = (listener) => createServer(listener).listen(process.env.PORT, '127.0.0.1')
const listenHono = (app) => serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
const at = (path, handler) => (request) => (new URL(request.url).pathname === path ? handler(request) : undefined)
const onHono = (name) => () => {
  const page = cached(name)
  return listenHono(new Hono().get('/constant', constant).get('/cached', ({ req }) => page(req.raw)))
}

const servers = {
  http: () => listen((_, res) => res.writeHead(200, pageHeaders(text)).end(text)),
  nodeListener: () => {
    const page = cached('sitewright')
    listen(nodeListener((request) => (request.url.endsWith('/cached') ? page(request) : constant())))
  },
  // As the features of sitewright respond.
  'nodeListener, FastResponse': () =>
    listen(nodeListener(() => new FastResponse(text, { headers: pageHeaders(text) }))),
  'hono node-server': () => listenHono(new Hono().get('/constant', constant)),
  'srvx FastResponse': () => listen(toNodeHandler(() => new FastResponse(text, { headers: pageHeaders(text) }))),
  'srvx Response': () => listen(toNodeHandler(constant)),
  'remix node-fetch-server': () => listen(createRequestListener(constant)),
  'express res.send': () => listen(express().get('/constant', (_, res) => res.set(pageHeaders(text)).send(text))),
  expressMiddleware: () =>
    listen(
      express()
        .use(expressMiddleware(at('/constant', constant)))
        .use(expressMiddleware(at('/cached', cached('sitewright')))),
    ),
  'expressMiddleware, FastResponse': () =>
    listen(express().use(expressMiddleware(() => new FastResponse(text, { headers: pageHeaders(text) })))),
  'express with srvx': () =>
    listen(
      express().use((req, res) => {
        const request = new NodeRequest({ req, res })
        return sendNodeResponse(res, new FastResponse(request.url && text, { headers: pageHeaders(text) }))
      }),
    ),
  honoMiddleware: () =>
    listenHono(
      new Hono()
        .use(honoMiddleware(at('/constant', constant)))
        .use(honoMiddleware(at('/cached', cached('sitewright')))),
    ),
  'bentocache on Hono': onHono('bentocache'),
  'cacheable on Hono': onHono('cacheable'),
  'ocache on Hono': onHono('ocache'),
}
servers[process.env.SERVER]()
