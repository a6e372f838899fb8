import { type Context, Hono } from 'hono'
import { handle as handleOnLambda } from 'hono/aws-lambda'
import { handle as handleOnPages } from 'hono/cloudflare-pages'
import { handle as handleOnNetlify } from 'hono/netlify'
import { describe, expect, it } from 'vitest'
import { createResponseCache, memoryStore } from '../../core/cache/index.js'

// The adapters of Hono for functions pass the visitor's request to the app as a part of `c.env`.

const visitor = '203.0.113.7'
const url = 'https://site.test/'
const headers = { host: 'site.test', 'x-forwarded-for': visitor }
const request = () => new Request(url, { headers })
const http = { method: 'GET', path: '/', sourceIp: visitor, protocol: 'HTTP/1.1', userAgent: '' }
const requestContext = { http, domainName: 'site.test' }
const event = { version: '2.0', rawPath: '/', rawQueryString: '', headers, requestContext, isBase64Encoded: false }

type App = Pick<Hono, 'fetch'>
const platforms: [string, (app: App) => Promise<string>][] = [
  ['aws-lambda', async (app) => ((await handleOnLambda(app as Hono)(event as never)) as { body: string }).body],
  ['netlify', async (app) => (await handleOnNetlify(app as Hono)(request(), { ip: visitor } as never)).text()],
  [
    'cloudflare-pages',
    async (app) => (await handleOnPages(app as Hono)({ request: request(), env: { KEY: 'value' } } as never)).text(),
  ],
]

describe.each(platforms)('on hono/%s', (_, visit) => {
  it('the app sees the visitor in c.env when it answers that visitor alone, and not when it renders a page to be stored', async () => {
    const own = ['event', 'requestContext', 'context', 'eventContext']
    const show = (c: Context) => {
      const found = own.filter((name) => c.env[name]).join()
      return c.text(`${found || 'nobody'} ${c.env.KEY ?? ''}`, 200, { 'Cache-Control': 's-maxage=60' })
    }
    const cache = createResponseCache({ store: memoryStore({ maxBytes: 1_000_000 }) })
    const app = { fetch: cache.inFrontOf(new Hono().get('/', show).fetch as never) } as App
    const [first, stored, hit] = [await visit(app), await visit(app), await visit(app)]
    expect(first).toMatch(/^(?:event|context|eventContext)/)
    expect(stored).toMatch(/^nobody (?:value)?$/)
    expect(hit).toBe(stored)
  })
})
