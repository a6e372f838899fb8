import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { type App, sharedCacheControl, startCachedApp, versions } from '../../adapters/express/testing/cached-app.js'

describe.each(versions)('what an app of %s behind the cache receives', (_, create) => {
  it('a page is stored without data of a visitor, and the answer to the first visitor has all of them', async () => {
    const storage = new AsyncLocalStorage<string>()
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get('/', (req, res) => {
          const see = () => [
            storage.getStore(),
            (req as { user?: string }).user,
            res.locals.user,
            req.ip,
            req.socket.remoteAddress,
            req.headers,
            req.get('X-User'),
          ]
          const first = see()
          res.set('Cache-Control', sharedCacheControl).write(' '.repeat(500_000))
          // Without `await`, which would bring the context of the route back.
          res.once('drain', () => {
            expect(see().slice(1)).toEqual(first.slice(1))
            res.end(JSON.stringify(first))
          })
        }),
      {},
      (app) =>
        app.use((req, res, next) => {
          const user = req.get('X-User')
          Object.assign(req, { user })
          res.locals.user = user
          if (user) storage.run(user, next)
          else next()
        }),
    )
    const headers = { 'X-User': 'Ann', 'X-Forwarded-For': '1.2.3.4', 'Accept-Language': 'de' }
    const own = expect.objectContaining({ 'x-user': 'Ann', 'x-forwarded-for': '1.2.3.4', 'accept-language': 'de' })
    const address = expect.stringContaining('127.0.0.1')
    expect(JSON.parse((await get('/', { headers })).text)).toEqual(['Ann', 'Ann', 'Ann', address, address, own, 'Ann'])
    const { text, cacheStatus } = await get('/', { headers })
    expect(cacheStatus).toContain('stored')
    const addressForAll = expect.stringMatching(/^2001:db8:/)
    expect(JSON.parse(text)).toEqual([
      ...[null, null, null],
      ...[addressForAll, addressForAll],
      {
        connection: 'close',
        host: expect.any(String),
        'user-agent': 'Mozilla/5.0 (compatible; sitewright)',
        'x-forwarded-for': addressForAll,
      },
      null,
    ])
  })

  it('a page is stored by the host and the protocol that the app trusts', async () => {
    const place = (app: App) =>
      void app.get('/', (req, res) => {
        res.set('Cache-Control', sharedCacheControl).send(`${req.protocol} ${req.hostname} ${req.ip}`)
      })
    const headers = {
      'X-Forwarded-Host': 'site.example, b',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '1.2.3.4',
    }
    for (const trust of ['loopback', true, 1]) {
      const { get } = await startCachedApp(create, (app) => place(app.set('trust proxy', trust)))
      const visit = (host: string) => get('/', { headers: { ...headers, 'X-Forwarded-Host': host } })
      expect((await visit('site.example, b')).text).toMatch(/^https site.example(, b)? 1.2.3.4$/)
      for (const expected of ['stored', 'hit']) {
        const page = await visit('site.example, b')
        expect(page.text).toMatch(/^https site.example 2001:db8:/)
        expect(page.cacheStatus).toContain(expected)
      }
      expect((await visit('other.example')).text).toContain('other.example')
    }
    const { get } = await startCachedApp(create, place)
    expect((await get('/', { headers })).text).toMatch(/^http 127.0.0.1 .*127.0.0.1$/)
    expect((await get('/', { headers })).text).toMatch(/^http 127.0.0.1 2001:db8:/)
  })

  it('declared fields and cookies reach the route', async () => {
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get(
          '/',
          (req, res) =>
            void res
              .set('Cache-Control', sharedCacheControl)
              .vary('Accept-Language')
              .send(`${req.get('Accept-Language')} ${req.headers.cookie}`),
        ),
      { fields: { 'Accept-Language': true }, cookies: ['theme'] },
    )
    const page = (language: string, theme: string) =>
      get('/', { headers: { 'Accept-Language': language, Cookie: `theme=${theme}; _ga=1` } })
    for (const expected of ['first', 'stored', 'hit']) {
      const own = expected === 'first' ? '; _ga=1' : ''
      const cacheStatus = expect.stringContaining(expected)
      expect(await page('de', 'dark')).toMatchObject({ text: `de theme=dark${own}`, cacheStatus })
      expect(await page('en', 'light')).toMatchObject({ text: `en theme=light${own}`, cacheStatus })
    }
  })

  it('a page is refreshed in the background, without a visitor', async () => {
    let version = 0
    const seen = vi.fn()
    const storage = new AsyncLocalStorage<string>()
    const { get } = await startCachedApp(
      create,
      (app) =>
        app.get('/', (req, res) => {
          seen(req.get('X-User'), storage.getStore())
          res.set('Cache-Control', 's-maxage=1, stale-while-revalidate=60').send(`${++version}`)
        }),
      {},
      (app) => app.use((_req, _res, next) => storage.run(_req.get('X-User') ?? 'nobody', next)),
    )
    const visit = () => get('/', { headers: { 'X-User': 'Ann' } })
    expect((await visit()).text).toBe('1')
    expect((await visit()).text).toBe('2')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect((await visit()).text).toBe('2')
    await vi.waitFor(async () => expect((await visit()).text).toBe('3'), 20_000)
    const forAll = [undefined, undefined]
    expect(seen.mock.calls.slice(0, 3)).toEqual([['Ann', 'Ann'], forAll, forAll])
  })

  it('in development, a route that reads a field that it did not receive causes a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { get } = await startCachedApp(create, (app) =>
      app.get('/', (req, res) => {
        res
          .set('Cache-Control', sharedCacheControl)
          .send(`${req.get('X-Plan')} ${Object.hasOwn(req.headers, 'x-plan')}`)
      }),
    )
    const headers = { 'X-Plan': 'gold' }
    expect((await get('/', { headers })).text).toBe('gold true')
    expect(warn.mock.calls.filter(([text]) => text.includes('x-plan'))).toEqual([])
    for (let visit = 0; visit < 3; visit++) expect((await get('/', { headers })).text).toContain('undefined')
    expect(warn.mock.calls.filter(([text]) => text.includes('x-plan'))).toEqual([
      [expect.stringContaining("fields: { 'x-plan': true }")],
    ])
    warn.mockRestore()
  })
})
