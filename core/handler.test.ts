import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createResponseCache, memoryStore } from './cache/index.js'
import { checkHandler, checkResponse, handleWhileConnected } from './handler.js'

it.each([
  ['one parameter', (request: Request) => new Response(request.url)],
  ['an environment, as on Workers', (request: Request, _environment?: unknown) => new Response(request.url)],
  ['a context, as in React Router', (request: Request, _context?: unknown) => new Response(request.url)],
  ['an init under any name', (_req: unknown, res: ResponseInit = {}) => new Response(null, res)],
  ['two parameters named as in Express', (request: Request, _response?: unknown) => new Response(request.url)],
  ['no parameters', () => new Response()],
])('checkHandler accepts a handler with %s', (_, handler) => {
  expect(checkHandler(handler)).toBe(handler)
})

it('middleware in place of a handler is rejected, and the error says where to mount it', () => {
  const serveStatic = (_req: unknown, _res: unknown, next: () => void) => next()
  expect(() => checkHandler(serveStatic)).toThrow('as middleware has; mount that as it is: app.use(middleware)')
  expect(() => cache.wrap(serveStatic as never)).toThrow('as middleware has')
})

it.each([
  ['text', '<h1>Hi</h1>', "'<h1>Hi</h1>'"],
  ['an empty text', '', "''"],
  ['a number', 404, '404'],
  ['an object', { title: 'Hi' }, 'an object'],
])('a handler that returns %s is rejected', async (_, returned, got) => {
  const message = `handler: expected a function from Request to Response, got one that returns ${got}; write (request) =>`
  expect(() => checkResponse(returned)).toThrow(message)
  const handler = async () => returned as never
  await expect(handleWhileConnected(handler, new Request('http://site.test'))).rejects.toThrow(message)
})

it.each([undefined, null, new Response(), { status: 200, headers: new Headers(), body: null }])(
  'checkResponse accepts every kind of response, and no response',
  (response) => {
    expect(checkResponse(response)).toBe(response)
  },
)

const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })

it('a cache in place of a handler is rejected, and the error says what to pass', () => {
  expect(() => checkHandler(cache as never)).toThrow(
    'handler: expected a function that takes a Request, got an object; a cache: pass cache.wrap(handler)',
  )
})

it('a wrapped handler that returns text in place of a response is rejected', async () => {
  const handler = cache.wrap((async () => '<h1>Hi</h1>') as never)
  await expect(handler(new Request('http://site.test'))).rejects.toThrow(
    "handler: expected a function from Request to Response, got one that returns '<h1>Hi</h1>'",
  )
})

it.each([
  new TypeError('data.title.map is not a function'),
  new TypeError("Cannot read properties of undefined (reading 'title')"),
  new TypeError('c.html is not a function'),
  'text',
])('the error of a handler is rethrown unchanged: %s', async (error) => {
  const handler = async () => {
    throw error
  }
  await expect(cache.wrap(handler)(new Request('http://site.test'))).rejects.toBe(error)
  await expect(handleWhileConnected(handler, new Request('http://site.test'))).rejects.toBe(error)
})

it('a Hono app is wrapped by its fetch, which may answer synchronously', async () => {
  const app = new Hono().get('/a/:slug', (c) => {
    c.header('Cache-Control', 's-maxage=60')
    return c.html(c.req.param('slug'))
  })
  const handler = cache.wrap(app.fetch)
  const read = async () => {
    const response: Response = await handler(new Request('http://site.test/a/b'))
    return [await response.text(), response.headers.get('cache-status')]
  }
  expect(await read()).toEqual(['b', expect.stringContaining('stored')])
  expect(await read()).toEqual(['b', expect.stringContaining('hit')])
})
