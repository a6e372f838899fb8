import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
// @ts-expect-error the alias of Express 4 has no types
import express4 from 'express4'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { createResponseCache } from '../../core/cache/response-cache.js'
import { memoryStore } from '../../core/cache/store/memory-store.js'
import { type RouteHandler, whereToMount } from '../../core/handler.js'
import { createImages } from '../../core/image/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/endpoint.js'
import { createStyleguideRoute } from '../../core/styleguide/route.js'
import { listen } from './listen.js'

const sources = ['/media/']
const pages = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }) })
const images = createImages({ sources, service: imgproxy({ serviceUrl: undefined, key: undefined, salt: undefined }) })

const handlers: [string, RouteHandler][] = [
  ['createImages', images.handler],
  ['the revalidation endpoint', createRevalidateEndpoint({ invalidate: () => {} })],
  [
    'the styleguide',
    createStyleguideRoute({ tree: { title: 'Styleguide' }, enabled: true, render: () => new Response() }),
  ],
  ['the response cache', pages.wrap(async () => new Response())],
]

describe.each(handlers)('%s without an adapter', (_, handler) => {
  it.each<[string, typeof express]>([
    ['Express 5', express],
    ['Express 4', express4],
  ])('without an adapter on %s, the error says how to mount the handler', async (_, create) => {
    const app = create()
    // No type error: Express' types take any function of one parameter, for a handler of errors.
    app.use(handler)
    const respond: ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(String(error))
    app.use(respond)
    const server = await listen(createServer(app))
    try {
      const response = await fetch(`${server.url}/media`)
      expect(await response.text()).toBe(`TypeError: handler: expected a Request, got an object; ${whereToMount}`)
    } finally {
      await server.close()
    }
  })

  it('without an adapter on Hono, the error says how to mount the handler', async () => {
    const app = new Hono()
    // @ts-expect-error a handler is not a middleware of Hono
    app.use(handler)
    app.onError((error, context) => context.text(String(error), 500))
    const response = await app.request('/media')
    expect(await response.text()).toBe(`TypeError: handler: expected a Request, got an object; ${whereToMount}`)
  })

  it.each([
    ['undefined', undefined],
    ["'/media'", '/media'],
    ['an object', {}],
  ])('the error says how to mount the handler if it is called with %s', async (kind, argument) => {
    const call = async () => handler(argument as unknown as Request)
    await expect(call()).rejects.toThrow(new TypeError(`handler: expected a Request, got ${kind}; ${whereToMount}`))
  })
})
