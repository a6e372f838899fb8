import { createServer } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import express from 'express'
import { isbot } from 'isbot'
import { createElement, Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { cachedRoutes } from '../../adapters/express/index.js'
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

type Cache = ReturnType<typeof createResponseCache>
it.each<[string, (cache: Cache) => Parameters<typeof listen>[0]]>([
  [
    'a handler',
    (cache) =>
      nodeListener(
        cache.wrap(
          (request) =>
            new Promise((resolve) => {
              renderPage(request.headers.get('user-agent'), (pipe) => {
                const body = Readable.toWeb(pipe(new PassThrough())) as BodyInit
                resolve(new Response(body, { headers }))
              })
            }),
        ),
      ),
  ],
  [
    'a route of Express',
    (cache) => {
      const app = express().use(cachedRoutes(cache))
      app.get('/', (req, res) => renderPage(req.get('user-agent') ?? null, (pipe) => pipe(res.set(headers))))
      return createServer(app)
    },
  ],
])('an anonymous visitor of %s gets the first byte of a page before its data', async (_, listener) => {
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
  const { url, close } = await listen(listener(cache))
  ends.push(close)
  let text = ''
  const response = fetch(url).then(async ({ body }) => {
    for await (const piece of body ?? []) text += Buffer.from(piece)
  })
  await vi.waitFor(() => expect(text).toContain('Loading'), 20_000)
  expect(text).not.toContain('data')
  sendData('the data')
  await response
  expect(text).toContain('the data')
  expect((await fetch(url)).headers.get('cache-status')).toContain('hit')
})
