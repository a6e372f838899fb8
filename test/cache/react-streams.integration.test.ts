import { PassThrough, Readable } from 'node:stream'
import compression from 'compression'
import express from 'express'
import { isbot } from 'isbot'
import { createElement, Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expressMiddleware, inFrontOf } from '../../adapters/express/index.js'
import { nodeListener } from '../../adapters/node/index.js'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { listen } from '../adapter/listen.js'

// A page whose data comes late. As React Router does by default, the server waits for all of the page for a bot.

const headers = { 'Cache-Control': 's-maxage=60', 'Content-Type': 'text/html' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

let sendData = (_: string) => {}
function renderPage(
  userAgent: string | null,
  onReady: (pipe: <Target extends NodeJS.WritableStream>(to: Target) => Target) => void,
) {
  const data = new Promise<string>((resolve) => (sendData = resolve))
  const Late = () => createElement('p', {}, use(data))
  const page = createElement('main', {}, createElement(Suspense, { fallback: 'Loading' }, createElement(Late)))
  const readyOption = isbot(userAgent) ? 'onAllReady' : 'onShellReady'
  const { pipe } = renderToPipeableStream(page, { [readyOption]: () => onReady(pipe) })
}

const handler = (request: Request) =>
  new Promise<Response>((resolve) => {
    renderPage(request.headers.get('user-agent'), (pipe) => {
      resolve(new Response(Readable.toWeb(pipe(new PassThrough())) as BodyInit, { headers }))
    })
  })
const createApp = () =>
  express().get('/', (req, res) => renderPage(req.get('user-agent') ?? null, (pipe) => pipe(res.set(headers))))

// Pieces that are smaller than those that compression sends on its own.
let sendEvent = (_: string) => {}
const onRequest = vi.fn()
const events = express().get('/', (_req, res) => {
  res.set({ ...headers, 'Content-Type': 'text/event-stream' }).flushHeaders()
  sendEvent = (text) => {
    if (text) res.write(`data: ${text}\n\n`)
    else res.end()
    res.flush?.()
  }
  onRequest()
})

type Cache = ReturnType<typeof createResponseCache>
const compressed = () => compression({ threshold: 0 })
// isbot takes the User-Agent of Node's fetch for a bot's.
const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const anonymous: RequestInit = { headers: browser }
const signedIn: RequestInit = { headers: { ...browser, Cookie: 'session=1' } }
const gzip = 'with compression'

async function start(listener: (cache: Cache) => Parameters<typeof listen>[0]): Promise<string> {
  const { url, close } = await listen(listener(createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })))
  ends.push(close)
  return url
}

/** Visits a page, and collects what has arrived of it. */
function visit(url: string, init: RequestInit) {
  const visited = { text: '', status: '' as string | null, end: Promise.resolve() }
  const read = async () => {
    const response = await fetch(url, init)
    visited.status = response.headers.get('cache-status')
    for await (const piece of response.body ?? []) visited.text += Buffer.from(piece)
  }
  visited.end = read()
  return visited
}

const visitors: [init: RequestInit, status: string][] = [
  [signedIn, 'detail=cookie'],
  [anonymous, 'detail=first'],
  [anonymous, 'stored'],
  [anonymous, 'hit'],
  [signedIn, 'detail=cookie'],
]

describe.each<[string, boolean, (cache: Cache) => Parameters<typeof listen>[0]]>([
  ['a handler', false, (cache) => nodeListener(cache.wrap(handler))],
  [`a handler ${gzip}`, false, (cache) => express().use(compressed(), expressMiddleware(cache.wrap(handler)))],
  ['an app', true, (cache) => inFrontOf(cache, createApp())],
  [`an app ${gzip} in front`, true, (cache) => express().use(compressed(), inFrontOf(cache, createApp()))],
  [`an app ${gzip} of its own`, true, (cache) => inFrontOf(cache, express().use(compressed(), createApp()))],
])('%s that streams a page of React', (_, isApp, listener) => {
  it('each visitor gets the first byte before the data, and the end after it', async () => {
    const url = await start(listener)
    for (const [init, status] of visitors.filter(([, status]) => isApp || !status.includes('first'))) {
      const page = visit(url, init)
      if (status !== 'hit') {
        await vi.waitFor(() => expect(page.text).toContain('Loading'), 20_000)
        expect(page.text).not.toContain('data')
        sendData('the data')
      }
      await page.end
      expect(page.text).toContain('the data')
      expect(page.status).toContain(status)
    }
  })
})

it.each<[string, (cache: Cache) => Parameters<typeof listen>[0]]>([
  ['in front of the cache', (cache) => express().use(compressed(), inFrontOf(cache, events))],
  ['in the app', (cache) => inFrontOf(cache, express().use(compressed(), events))],
])('events arrive one by one with compression %s', async (_, listener) => {
  const url = await start(listener)
  for (const [init, status] of visitors.filter(([, status]) => status !== 'hit')) {
    onRequest.mockReset()
    const page = visit(url, init)
    await vi.waitFor(() => expect(onRequest).toHaveBeenCalled(), 20_000)
    for (const text of ['one', 'two', 'three']) {
      sendEvent(text)
      await vi.waitFor(() => expect(page.text).toMatch(new RegExp(`data: ${text}\n\n$`)), 20_000)
    }
    expect(page.status).toContain(status)
    sendEvent('')
    await page.end
  }
})
