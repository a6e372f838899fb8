import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inFrontOf } from '../../adapters/express/index.js'
import { type Create, versions } from '../../adapters/express/testing/cached-app.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { listen } from '../adapter/listen.js'
import { cacheStatusOf, expectSame, requestOf, sendRaw, toOwn, withoutRandom } from './compare.js'

// Connections and requests of all kinds, with the cache in front of an app and without it: the same bytes.

const closes: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

const text = '0123456789'.repeat(10)
const events: string[] = []

function createApp(create: Create) {
  const app = create().set('env', 'test')
  app.all('/page', (req, res) => void res.set('Cache-Control', 'public, s-maxage=60').send(`${req.url} ${text}`))
  app.all('/own', (req, res) => void res.send(`${req.url} of ${req.headers.host}`))
  app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 30))
  app.post('/upload', async (req, res) => {
    let size = 0
    for await (const piece of req) size += piece.length
    res.send(`${size} bytes`)
  })
  app.get('/events', (req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' }).flushHeaders()
    let event = 0
    const timer = setInterval(() => (event++ < 3 ? res.write(`data: ${event}\n\n`) : res.end()), 10)
    res.on('close', () => clearInterval(timer))
    req.on('close', () => events.push('closed'))
  })
  // A long poll, which answers when another request comes.
  let answer: () => unknown = () => undefined
  app.get('/poll', (_req, res) => {
    answer = () => res.send('news')
  })
  app.post('/news', (_req, res) => void res.send(`told ${answer()}`))
  return app
}

/** Starts a server whose `upgrade` event may have a listener, as with a package for WebSockets. */
async function start(listener: RequestListener, hasUpgrade: boolean): Promise<string> {
  const server = createServer(listener)
  const onUpgrade = (_req: unknown, socket: Socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nframe')
  if (hasUpgrade) server.on('upgrade', onUpgrade)
  const { url, close } = await listen(server)
  closes.push(close)
  return url
}

async function startBoth(create: Create, hasUpgrade = false) {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 10_000_000 }), log: () => {} })
  const plain = await start(createApp(create), hasUpgrade)
  return { plain, cached: await start(inFrontOf(cache, createApp(create)), hasUpgrade) }
}

const line = (target: string, ...fields: string[]) => [`GET ${target} HTTP/1.1`, ...fields, '', ''].join('\r\n')
const close = 'Connection: close'
const host = 'Host: a.example'
const upgrade = [
  'Upgrade: websocket',
  'Connection: Upgrade, close',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: eA==',
]
const ownHeaders = [host, close, 'Cookie: session=1']

const rows: [name: string, sent: string][] = [
  ['pipelined requests', line('/slow', host) + line('/own', host) + line('/slow', ...ownHeaders)],
  ['pipelined requests of a signed-in visitor', line('/slow', host, 'Cookie: a=1') + line('/page', ...ownHeaders)],
  ['a connection that is kept alive', line('/own', host) + line('/own', host, close)],
  ['a Host with a space', line('/page', 'Host: a b', close)],
  ['a Host with a user', line('/page', 'Host: user@a.example', close)],
  ['a Host with a path', line('/page', 'Host: a.example/b', close)],
  ['an empty Host', line('/page', 'Host:', close)],
  ['two Hosts', line('/page', host, 'Host: b.example', close)],
  ['no Host', line('/page', close)],
  ['a target in absolute form', line('http://b.example/own', host, close)],
  ['a target in absolute form with a malformed host', line('http://b example/own', host, close)],
  ['a target with two slashes', line('//own', host, close)],
  ['a target with dots', line('/a/../own', host, close)],
  ['a target with encoded dots', line('/a/%2e%2e/own', host, close)],
  ['a target with a backslash', line('/a\\own', host, close)],
  ['a target with a malformed escape', line('/%zz', host, close)],
  ['a target with a fragment', line('/own#fragment', host, close)],
  ['a target without a slash', line('own', host, close)],
  ['a target that is long', line(`/own?${'a'.repeat(9_000)}`, host, close)],
  ['a target with all sorts of letters', line('/own?a=<b>&c="ü"', host, close)],
  ['a star', line('*', host, close).replace('GET', 'OPTIONS')],
  ['CONNECT', line('b.example:443', host).replace('GET', 'CONNECT')],
  ['a method that Express has no route for', line('/own', host, close).replace('GET', 'PROPFIND')],
  ['a malformed request', 'GET\r\n\r\n'],
  ['a malformed field', line('/own', host, 'a b: c', close)],
  ['Expect: 100-continue', requestOf('/upload', ['Expect: 100-continue', 'Content-Length: 5'], 'POST', '12345')],
  ['an upload in chunks', requestOf('/upload', ['Transfer-Encoding: chunked'], 'POST', '5\r\n12345\r\n0\r\n\r\n')],
  ['a GET with a body', requestOf('/own', ['Content-Length: 5'], 'GET', '12345')],
  ['an upgrade', line('/own', host, ...upgrade)],
  [
    'an upgrade to HTTP/2',
    line('/own', host, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__', 'Connection: Upgrade, close'),
  ],
  ['an upgrade of a page', line('/page', host, ...upgrade)],
  ['server-sent events', line('/events', host, close)],
]

describe.each(versions)('an app of %s', (_, create) => {
  describe.each([true, false])('with a listener for upgrades: %s', (hasUpgrade) => {
    it.each(rows.filter(([name]) => !hasUpgrade || name.includes('upgrade')))('%s', async (_name, sent) => {
      const { plain, cached } = await startBoth(create, hasUpgrade)
      for (let visit = 0; visit < 3; visit++) {
        const expected = toOwn(await sendRaw(plain, sent))
        expect(withoutRandom(await sendRaw(cached, sent))).toBe(expected)
      }
    })
  })

  const fields: [name: string, fields: string[]][] = [
    ['a known entity tag', ['If-None-Match: {etag}']],
    ['an unknown entity tag', ['If-None-Match: "unknown"']],
    ['any entity tag', ['If-None-Match: *']],
    ['a date', ['If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT']],
    ['a range', ['Range: bytes=2-5']],
    ['the last bytes', ['Range: bytes=-4']],
    ['a range beyond the end', ['Range: bytes=900-']],
    ['a malformed range', ['Range: lines=1-2']],
    ['a range if the page is the same', ['Range: bytes=2-5', 'If-Range: {etag}']],
    ['a precondition', ['If-Match: "unknown"']],
  ]
  it.each(fields)(
    'a request with %s, before the page is known, then, and once it is stored',
    async (name, conditions) => {
      const { plain, cached } = await startBoth(create)
      const etag = /^ETag: (.*)/m.exec(await sendRaw(plain, requestOf('/page')))?.[1] ?? ''
      const lines = conditions.map((text) => text.replace('{etag}', etag))
      const requests = ['GET', 'HEAD', 'GET'].map((method) => requestOf('/page', lines, method))
      const get = requestOf('/page')
      const visits = [requestOf('/page', [...lines, 'Cookie: session=1']), ...requests, get, ...requests, get, get]
      for (const text of [...visits, ...requests.slice(0, 2)]) {
        const answer = await sendRaw(cached, text)
        const isShared = /; (?:hit|stored)/.test(cacheStatusOf(answer))
        // Express ignores ranges and `If-Match`, which the cache answers from a stored page.
        if (isShared && /range|bytes|precondition/.test(name)) continue
        const expected = await sendRaw(plain, text)
        // A 304 of the cache has only the fields that RFC 9110, section 15.4.5, requires.
        if (isShared && expected.startsWith('HTTP/1.1 304')) expect(answer).toMatch(/^HTTP\/1.1 304/)
        else expectSame(answer, expected)
      }
    },
  )

  it('a visitor who leaves early ends the events, and a long poll gets its answer', async () => {
    const { plain, cached } = await startBoth(create)
    for (const headers of [{}, {}, { Cookie: 'session=1' }]) {
      events.length = 0
      const abort = new AbortController()
      const response = await fetch(`${cached}/events`, { headers, signal: abort.signal })
      abort.abort()
      await expect(response.text()).rejects.toThrow()
      await vi.waitFor(() => expect(events).toEqual(['closed']), 20_000)
    }
    for (const url of [plain, cached, cached, cached]) {
      const poll = sendRaw(url, requestOf('/poll'))
      await vi.waitFor(
        async () => expect(await sendRaw(url, requestOf('/news', [], 'POST'))).not.toContain('told undefined'),
        20_000,
      )
      expect(await poll).toMatch(/news$/)
    }
  })
})
