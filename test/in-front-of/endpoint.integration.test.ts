import type { RequestHandler } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import { expressMiddleware } from '../../adapters/express/index.js'
import { serveApp, versions } from '../../adapters/express/testing/cached-app.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { lusca, session } from './middleware.js'

// A site that answers what is meant for the endpoint. The CMS would notice at the first webhook, or nobody.

afterEach(() => vi.unstubAllEnvs())

const toGerman: RequestHandler = (req, res, next) =>
  req.path.startsWith('/de') ? next() : res.redirect(302, `/de${req.originalUrl}`)
const showPage: RequestHandler = (req, res, next) => (req.path.startsWith('/api') ? void res.send('a page') : next())
const sessions = session({ secret: 's', resave: false, saveUninitialized: false })

const taken: [name: string, front: RequestHandler[], detail: object | undefined][] = [
  ['redirects all paths', [toGerman], { status: 302, location: '/de/api/revalidate' }],
  ['has a page for it', [showPage], { status: 200 }],
  ['asks for a CSRF token', [sessions, lusca.csrf()], { status: 403 }],
  ['passes it on', [sessions], undefined],
]

it.each(taken)('in development, the endpoint says at the first start that a site %s', async (_, front, detail) => {
  for (const [, create] of versions) {
    const log = vi.fn()
    const invalidate = vi.fn()
    const endpoint = createRevalidateEndpoint({ secret: 'a-secret', invalidate, log })
    const url = await serveApp(
      create()
        .set('env', 'test')
        .use(...front, expressMiddleware(endpoint), (_req, res) => void res.send('site')),
    )
    for (let visit = 0; visit < 3; visit++) await (await fetch(`${url}/de`)).text()
    const wrong = { method: 'POST', headers: { Authorization: 'Bearer wrong' } }
    await vi.waitFor(async () => {
      if (detail) return expect(log).toHaveBeenCalled()
      // The answer to a later request: the endpoint has been asked by then.
      await fetch(`${url}/api/revalidate`, wrong)
      expect(log).toHaveBeenCalledWith('Invalid token for revalidate request', expect.anything())
    }, 20_000)
    const calls = log.mock.calls.filter(([message]) => !message.startsWith('Invalid token'))
    const advice = expect.stringContaining('mount the endpoint before')
    expect(calls).toEqual(
      detail
        ? [['Revalidation: the site answers in place of the endpoint', { path: '/api/revalidate', ...detail, advice }]]
        : [],
    )
    expect(invalidate).not.toHaveBeenCalled()
  }
})

it.each([
  ['production', 'http://localhost:1/', 0],
  ['development', 'http://localhost:1/', 1],
  ['development', 'http://site.test/', 0],
  ['development', 'http://localhost.site.test/', 0],
])('in %s, a request of %s makes the endpoint send %s requests', async (mode, url, count) => {
  vi.stubEnv('NODE_ENV', mode)
  const request = vi.spyOn(globalThis, 'fetch')
  const endpoint = createRevalidateEndpoint({ secret: 'a-secret', invalidate() {}, log() {} })
  for (let visit = 0; visit < 2; visit++) expect(await endpoint(new Request(url))).toBeUndefined()
  expect(request).toHaveBeenCalledTimes(count)
  request.mockRestore()
})
