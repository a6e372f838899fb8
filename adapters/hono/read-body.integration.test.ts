import { createHmac } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { validator } from 'hono/validator'
import { describe, expect, it } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { verifyStoryblok } from '../webhooks/index.js'
import { honoMiddleware } from './index.js'
import { serverNames, serveWith } from './testing/servers.js'

// Hono reads a request's body once and keeps it. `c.req` can then read it again, but `c.req.raw` has no body left.

const json = '{ "a": "Gezeiten ä" }'
const form = 'name=Ada&name=Bob'
const multipart = '--AaB03x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--AaB03x--\r\n'
const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=AaB03x',
}

type Read = (context: Context) => unknown
const reads: [string, Read][] = [
  ['json()', (c) => c.req.json()],
  ['text()', (c) => c.req.text()],
  ['arrayBuffer()', (c) => c.req.arrayBuffer()],
  ['blob()', (c) => c.req.blob()],
  ['text(), then json()', async (c) => [await c.req.text(), await c.req.json()]],
]

/** Serves an app and sends it one POST. Returns the status and text of the response. */
async function send(server: (typeof serverNames)[number], app: Hono, body: string, type: string, fields = {}) {
  const origin = await serveWith(server, app.fetch as never)
  const headers = { 'Content-Type': type, ...fields }
  const response = await fetch(`${origin}/api/revalidate`, { method: 'POST', headers, body })
  return [response.status, await response.text()]
}

/** Mounts a handler below middleware that has already read the body. */
const below = (read: Read, handler: Parameters<typeof honoMiddleware>[0]) =>
  new Hono()
    .use(async (c, next) => {
      await read(c)
      await next()
    })
    .use(honoMiddleware(handler))

const echo = async (request: Request) => new Response(await request.text())
const echoForm = async (request: Request) => Response.json((await request.formData()).getAll('name'))

describe.each(serverNames)('on %s', (server) => {
  it.each(reads)('a handler gets the bytes of a body that was read by %s', async (_, read) => {
    expect(await send(server, below(read, echo), json, types.json)).toEqual([200, json])
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
    expect(await send(server, below(read, cache.wrap(echo)), json, types.json)).toEqual([200, json])
    const app = new Hono().post('*', async (c) => c.json(await c.req.json()))
    expect(await send(server, below(read, cache.inFrontOf(app.fetch as never)), json, types.json)).toEqual([
      200,
      JSON.stringify(JSON.parse(json)),
    ])
  })

  it.each<[string, Read]>([
    ['parseBody()', (c) => c.req.parseBody()],
    ['formData()', (c) => c.req.formData()],
    ['formData(), then parseBody()', async (c) => [await c.req.formData(), await c.req.parseBody()]],
  ])('a handler gets a form that was read by %s', async (_, read) => {
    expect(await send(server, below(read, echoForm), form, types.form)).toEqual([200, '["Ada","Bob"]'])
    expect(await send(server, below(read, echoForm), multipart, types.multipart)).toEqual([200, '["Ada"]'])
  })

  it('a handler gets the body after validator() or bodyLimit() has read it', async () => {
    for (const above of [validator('json', (value) => value), bodyLimit({ maxSize: 1000 })]) {
      const app = new Hono().use(above).use(honoMiddleware(echo))
      expect(await send(server, app, json, types.json)).toEqual([200, json])
    }
  })

  it('the signature of a webhook is verified over a body that was read', async () => {
    const secret = 'a-secret-of-the-webhook'
    const body = '{ "action": "published" }'
    const signature = createHmac('sha1', secret).update(body).digest('hex')
    const revalidate = createRevalidateEndpoint({ verify: verifyStoryblok({ secret }), invalidate: () => {} })
    for (const [, read] of reads) {
      const sent = await send(server, below(read, revalidate), body, types.json, { 'Webhook-Signature': signature })
      expect(sent).toEqual([200, '{"revalidated":true}'])
    }
  })

  it('requests without a body, or whose body was not read, are passed as they are', async () => {
    let own: Request | undefined
    const keep = async (c: Context) => (own = c.req.raw)
    const handler = async (request: Request) => Response.json([request === own, await request.text()])
    expect(await send(server, below(keep, handler), json, types.json)).toEqual([200, JSON.stringify([true, json])])
    const readNothing = below((c) => [keep(c), c.req.text()], handler)
    const response = await fetch(await serveWith(server, readNothing.fetch as never))
    expect(await response.json()).toEqual([true, ''])
  })
})
