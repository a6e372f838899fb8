/** @jsxImportSource hono/jsx */
import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { csrf } from 'hono/csrf'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { Suspense } from 'hono/jsx/streaming'
import { jsxRenderer } from 'hono/jsx-renderer'
import { languageDetector } from 'hono/language'
import { secureHeaders } from 'hono/secure-headers'
import { streamSSE } from 'hono/streaming'

const forAll = { 'Cache-Control': 'public, s-maxage=60' }
const html = { 'Content-Type': 'text/html' }
const text = 'The tide comes in twice a day. '.repeat(100)

export const addressOf = (context: Context) => `${getConnInfo(context).remote.address}`

/** Refuses an address after some requests, and counts them in a header, as rate limits do. */
export function limitRate(limit: number): MiddlewareHandler {
  const counts = new Map<string, number>()
  return async (context, next) => {
    const count = (counts.get(addressOf(context)) ?? 0) + 1
    counts.set(addressOf(context), count)
    if (count > limit) return context.text('Too many requests', 429, { 'Retry-After': '60' })
    context.header('RateLimit-Remaining', `${limit - count}`)
    await next()
  }
}

/** Keeps visitors in memory, extends the session at each visit, and shows a message once. */
function keepSessions(): MiddlewareHandler {
  const sessions = new Map<string, { visits: number; message?: string | undefined }>()
  return async (context, next) => {
    const id = getCookie(context, 'session')
    const session = id === undefined ? undefined : (sessions.get(id) ?? { visits: 0 })
    if (session && id) {
      sessions.set(id, session)
      session.visits++
      setCookie(context, 'session', id, { httpOnly: true, maxAge: 3600 })
    }
    context.set('session', session)
    await next()
    if (context.req.method === 'POST' && !id) setCookie(context, 'session', '1', { httpOnly: true })
    if (session) session.message = context.req.method === 'POST' ? 'Saved' : undefined
  }
}

/** What stands above the routes of an app. */
export const middleware: Record<string, () => MiddlewareHandler[]> = {
  nothing: () => [],
  'secureHeaders()': () => [secureHeaders()],
  'csrf()': () => [csrf()],
  'etag()': () => [etag()],
  'compress()': () => [compress()],
  'cors()': () => [cors()],
  'cors({ origin })': () => [cors({ origin: ['http://shop.test'], credentials: true })],
  'languageDetector()': () => [languageDetector({ supportedLanguages: ['en', 'de'] })],
  'languageDetector({ caches: false })': () => [languageDetector({ supportedLanguages: ['en', 'de'], caches: false })],
  'a rate limit': () => [limitRate(150)],
  sessions: () => [keepSessions()],
  'all of them': () => [
    compress(),
    secureHeaders(),
    cors(),
    csrf(),
    etag(),
    languageDetector({ supportedLanguages: ['en', 'de'], caches: false }),
    keepSessions(),
  ],
}

/** Creates an app with pages of all kinds, which was not written for a cache. */
export function createExistingApp(above: MiddlewareHandler[]): Hono {
  const app = new Hono()
  for (const handler of above) app.use(handler)
  const greet = (context: Context) => {
    const { visits, message = '' } = context.get('session') ?? {}
    return `${visits ?? 'Hello'} ${message} ${context.get('language') ?? ''} ${text}`
  }
  const Late = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return <p>The tide is late</p>
  }
  return app
    .get('/page', (c) => c.html(greet(c), 200, forAll))
    .get('/page-of-an-object', (c) => new Response(greet(c), { headers: { ...forAll, ...html, 'X-Own': 'page' } }))
    .get('/own', (c) => c.html(greet(c)))
    .get('/private', (c) => c.html(greet(c), 200, { 'Cache-Control': 'private, max-age=5' }))
    .get('/no-store', (c) => c.json({ text: greet(c) }, 200, { 'Cache-Control': 'no-store' }))
    .get('/browser', (c) => c.text(greet(c), 200, { 'Cache-Control': 'max-age=60', 'Set-Cookie': 'seen=1' }))
    .get('/nonce', (c) => c.html(text, 200, { ...forAll, 'Content-Security-Policy': "script-src 'nonce-1'" }))
    .get('/image', () => new Response(new Uint8Array(70_000), { headers: { 'Content-Type': 'image/png' } }))
    .get('/download', () => {
      const headers = { 'Content-Type': 'application/zip', 'Content-Length': `${text.length}` }
      return new Response(new Blob([text]).stream(), { headers })
    })
    .get('/range', (c) => {
      if (!c.req.header('Range')) return c.text(text, 200, { ...forAll, 'Accept-Ranges': 'bytes' })
      return c.text(text.slice(0, 10), 206, { ...forAll, 'Content-Range': `bytes 0-9/${text.length}` })
    })
    .get('/empty', (c) => c.body(null, 204))
    .get('/redirect', (c) => c.redirect('/page'))
    .get('/logout', (c) => {
      deleteCookie(c, 'session')
      return c.redirect('/', 303)
    })
    .get('/where', (c) => c.text(addressOf(c), 200, { 'Cache-Control': 'no-store' }))
    .get('/url', (c) => c.text(`${c.req.url} ${c.req.method}`, 200, { Vary: 'Accept-Encoding, Accept-Language' }))
    .get('/events', (c) =>
      streamSSE(c, async (stream) => {
        for (const data of ['one', 'two', 'three']) await stream.writeSSE({ data, event: 'tide' })
      }),
    )
    .use(
      '/suspense',
      jsxRenderer(({ children }) => <main>{children}</main>, { stream: true }),
    )
    .get('/suspense', (c) => {
      c.header('Cache-Control', 's-maxage=60')
      c.header('ETag', '"tide"') // the numbers of Suspense would change a digest
      return c.render(
        <Suspense fallback={<p>Waiting</p>}>
          <Late />
        </Suspense>,
      )
    })
    .get('/error', () => {
      throw new Error('broken on purpose')
    })
    .get('/teapot', () => {
      throw new HTTPException(418, { message: 'a teapot' })
    })
    .post('/form', async (c) => c.redirect(`/page?name=${(await c.req.parseBody()).name}`, 303))
    .post('/json', async (c) => c.json(await c.req.json()))
    .post('/echo', (c) => c.body(c.req.raw.body ?? '', 200, { 'Content-Type': 'text/plain' }))
    .delete('/page', (c) => c.body(null, 204))
    .notFound((c) => c.html('No such page', 404, { 'X-Not-Found': 'yes' }))
    .onError((error, c) => {
      if (error instanceof HTTPException) return error.getResponse()
      return c.json({ error: error.message }, 500, { 'X-Failed': 'yes' })
    })
}
