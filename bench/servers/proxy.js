// Reverse proxies in front of the image service at ORIGIN. SERVER names one.
import { Agent, createServer } from 'node:http'
import { pipeline } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import fastProxy from 'fast-proxy'
import { Hono } from 'hono'
import { proxy } from 'hono/proxy'
import { createProxyServer } from 'http-proxy-3'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { expressMiddleware } from 'sitewright/express'
import { honoMiddleware } from 'sitewright/hono'
import { createImages } from 'sitewright/image'
import { imgproxy } from 'sitewright/imgproxy'
import { createUpstreamFetch, nodeListener } from 'sitewright/node'
import { Pool } from 'undici'

const { ORIGIN, PORT, SERVER, MEMORY } = process.env
// Without one, http-proxy and its successors open a connection for each request.
const agent = new Agent({ keepAlive: true })
const listen = (listener) =>
  createServer((req, res) => (MEMORY && reportMemory(req, res)) || listener(req, res)).listen(PORT, '127.0.0.1')
const listenHono = ({ fetch }) => listen(getRequestListener(fetch))
const key = { key: 'c0ffee', salt: 'decade' }
const images = () => {
  const service = imgproxy({ serviceUrl: ORIGIN, ...key, cache: false, fetch: createUpstreamFetch() })
  return createImages({ sources: ['/media/'], service }).handler
}

const servers = {
  // What any proxy on Node pays: one exchange with undici, and the bytes.
  'undici, bare': () => {
    const pool = new Pool(ORIGIN)
    listen(async (req, res) => {
      const { statusCode, headers, body } = await pool.request({ path: req.url, method: 'GET' })
      res.writeHead(statusCode, headers)
      pipeline(body, res, () => {})
    })
  },
  'sitewright on Node': () => listen(nodeListener(images())),
  'sitewright on Hono': () => listenHono(new Hono().use(honoMiddleware(images()))),
  'sitewright on Express': () => listen(express().use(expressMiddleware(images()))),
  'fast-proxy': () => {
    const { proxy } = fastProxy({ base: ORIGIN })
    listen((req, res) => proxy(req, res, req.url, {}))
  },
  'http-proxy-3': () => {
    const proxy = createProxyServer({ target: ORIGIN, agent })
    listen((req, res) => proxy.web(req, res))
  },
  'http-proxy-middleware on Express': () => listen(express().use(createProxyMiddleware({ target: ORIGIN, agent }))),
  'hono/proxy': () => listenHono(new Hono().get('*', ({ req }) => proxy(ORIGIN + req.path))),
}
servers[SERVER]()

/** Answers /memory, once a second garbage collection has run: the first one finds what was to be finalized. */
function reportMemory(req, res) {
  if (req.url !== '/memory') return false
  globalThis.gc()
  setTimeout(() => {
    globalThis.gc()
    const { heapUsed, external, rss } = process.memoryUsage()
    res.end(JSON.stringify({ held: heapUsed + external, resident: rss }))
  }, 100)
  return true
}
