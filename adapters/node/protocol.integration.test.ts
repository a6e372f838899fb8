import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, expect, test } from 'vitest'
import { rawExchange } from '../../test/adapter/exchange.js'
import { expressMiddleware } from '../express/index.js'
import { toRequest } from './index.js'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

// A proxy that passes on the client's own X-Forwarded-Proto: nginx does, unless it is configured otherwise.
const servers: [string, () => Promise<string>][] = [
  [
    'Express behind a trusted proxy',
    () => {
      const app = express().set('trust proxy', 1)
      app.use('/admin', (_req, res) => void res.status(401).send('login'))
      return listen(app.use(expressMiddleware(async (request) => new Response(request.url))))
    },
  ],
  [
    'toRequest',
    () =>
      listen((req, res) => {
        try {
          res.end(toRequest(req, res, { protocol: String(req.headers['x-forwarded-proto']) }).url)
        } catch (error) {
          res.writeHead((error as { status: number }).status).end()
        }
      }),
  ],
]

const send = async (url: string, protocol: string) => {
  const fields = `Host: site.test\r\nX-Forwarded-Proto: ${protocol}\r\nConnection: close`
  const [head = '', body] = (await rawExchange(url, `GET /about HTTP/1.1\r\n${fields}\r\n\r\n`)).split('\r\n\r\n')
  return [Number(head.split(' ')[1]), body?.replace(/^\w+\r\n|\r\n0$/g, '')]
}

test.each(servers)(
  '%s accepts only the protocols http and https, and no text that would change host or path',
  async (_, start) => {
    const url = await start()
    expect(await send(url, 'https')).toEqual([200, 'https://site.test/about'])
    expect(await send(url, 'HTTP')).toEqual([200, 'http://site.test/about'])
    for (const protocol of [
      'http://site.test/admin?',
      'http://site.test/admin#',
      'a1',
      'javascript',
      'https:',
      'http//',
    ]) {
      expect([protocol, (await send(url, protocol))[0]]).toEqual([protocol, 400])
    }
  },
)

test.each(servers)('%s rejects a path that a URL parser would change', async (_, start) => {
  const url = await start()
  const statusOf = async (target: string) => {
    const fields = 'Host: site.test\r\nX-Forwarded-Proto: https\r\nConnection: close'
    return Number((await rawExchange(url, `GET ${target} HTTP/1.1\r\n${fields}\r\n\r\n`)).split(' ')[1])
  }
  const resolved = [
    '/x/../admin',
    '/./admin',
    '/%2e/admin',
    '/x/%2E./admin',
    '/.\\admin',
    '/x\\..\\admin',
    '/x/..',
    '/.',
  ]
  for (const path of resolved) {
    for (const target of [path, `http://site.test${path}`, `${path}?a=1`]) {
      expect([target, await statusOf(target)]).toEqual([target, 400])
    }
  }
  const plain = ['/.well-known/x', '/a/..b', '/a/.../b', '/a.b/c', '/%2ehidden', '/?a=/../b', '/?a=\\']
  for (const target of plain) expect([target, await statusOf(target)]).toEqual([target, 200])
})
