import { doubleCsrf } from 'csrf-csrf'
import type { RequestHandler } from 'express'
import { describe, expect, it, vi } from 'vitest'
import { type App, type Create, versions } from '../../adapters/express/testing/cached-app.js'
import { withCookies } from '../../core/cache/index.js'
import { type Site, serveBoth } from './compare.js'
import { cookieParser, cookieSession, flash, lusca, passport, session } from './middleware.js'

// Visitors of sites with sessions, who keep their cookies: what they do works as without the cache.

type Any = ReturnType<typeof JSON.parse>
const forAll = { 'Cache-Control': 'public, s-maxage=60' }
const sessions = (saveUninitialized: boolean) => session({ secret: 's', resave: false, saveUninitialized })
const { doubleCsrfProtection } = doubleCsrf({
  getSecret: () => 's',
  getSessionIdentifier: () => '',
  cookieName: 'csrf',
  cookieOptions: { secure: false },
  getCsrfTokenFromRequest: (req) => req.body._csrf,
})
const tokenOf: (req: Any, res: Any) => string = (req, res) => res.locals._csrf ?? req.csrfToken()

passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))
passport.use({
  name: 'name',
  authenticate(this: Any, req: Any) {
    if (req.body.name) this.success({ name: req.body.name })
    else this.fail(403)
  },
})

const guards: [name: string, guard: RequestHandler[]][] = [
  ['express-session that saves each session, and lusca', [sessions(true), lusca.csrf()]],
  ['express-session, and lusca', [sessions(false), lusca.csrf()]],
  ['cookie-session, and lusca', [cookieSession({ keys: ['k'] }), lusca.csrf()]],
  ['csrf-csrf', [cookieParser(), doubleCsrfProtection]],
]
const places = ['for the whole app', 'for a Router', 'for each route']

/** A page with a form, a page for all, and the list of what was sent. */
function addForm(app: App, router: App, guard: RequestHandler[]) {
  const sent: string[] = []
  router.get('/form', guard, ((req, res) => void res.set(forAll).send(`_csrf=${tokenOf(req, res)};`)) as RequestHandler)
  router.post('/form', guard, ((req, res) => {
    sent.push(req.body.text)
    res.redirect(303, '/list')
  }) as RequestHandler)
  app.get('/list', (_req, res) => void res.set(forAll).send(sent.join()))
}

/** A visitor, who keeps cookies. */
function createVisitor(url: string, jar = new Map<string, string>()) {
  return async (path: string, body?: Record<string, string>) => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
    const post = { method: 'POST', body: new URLSearchParams(body) }
    const headers = cookie ? { cookie } : {}
    const response = await fetch(url + path, { headers, redirect: 'manual', ...(body && post) })
    for (const [, name = '', value = ''] of response.headers
      .getSetCookie()
      .map((line) => /^(.*?)=(.*?);/.exec(line) ?? []))
      jar.set(name, value)
    const cookies = response.headers.getSetCookie().length
    return {
      status: response.status,
      text: await response.text(),
      cookies,
      cacheControl: response.headers.get('cache-control'),
    }
  }
}

describe.each(versions)('an app of %s', (_, create) => {
  describe.each(guards)('%s', (_name, guard) => {
    it.each(places)('a form with a token, guarded %s, can be sent', async (place) => {
      const routes: Site['routes'] = (app) => {
        app.use(create.urlencoded())
        const router = place === 'for a Router' ? create.Router() : app
        if (place !== 'for each route') router.use(guard)
        addForm(app, router as App, place === 'for each route' ? guard : [])
        if (router !== app) app.use(router as App)
      }
      const { plain, cached } = await serveBoth(create, { routes })
      const visit = async (url: string) => {
        const seen: unknown[] = []
        for (let person = 0; person < 3; person++) {
          const visitor = createVisitor(url)
          for (let visits = 0; visits < 2; visits++) {
            seen.push((await visitor('/list')).text)
            const form = await visitor('/form')
            expect(form.cacheControl).toMatch(url === plain.url ? /public/ : /^private/)
            const _csrf = /_csrf=(.*?);/.exec(form.text)?.[1] ?? ''
            const answers = [
              await visitor('/form', { text: 'forged' }),
              await visitor('/form', { _csrf, text: `${person}` }),
            ]
            seen.push([form.status, form.cookies, ...answers.map(({ status, cookies }) => [status, cookies])])
            seen.push((await visitor('/list')).text) // the redirect's target, purged by the POST
          }
        }
        return seen
      }
      const expected = await visit(plain.url)
      expect(expected.at(-1)).toBe('0,0,1,1,2,2')
      expect(await visit(cached.url)).toEqual(expected)
    })
  })

  it('flash messages, sign-in and sign-out of passport', async () => {
    const routes: Site['routes'] = (app) => {
      app.use(create.urlencoded(), sessions(false), flash(), passport.initialize(), passport.session())
      app.get('/', (req: Any, res) => {
        const messages = req.session.passport ? req.flash('info') : []
        res.set(forAll).send(`${req.user?.name ?? 'nobody'} ${messages}`)
      })
      app.post('/sign-in', passport.authenticate('name') as RequestHandler, (req: Any, res) => {
        req.flash('info', 'welcome')
        res.redirect(303, '/')
      })
      app.post('/sign-out', (req: Any, res) =>
        req.session.destroy(() => res.clearCookie('connect.sid').redirect(303, '/')),
      )
    }
    const { plain, cached } = await serveBoth(create, { routes })
    const visit = async (url: string) => {
      const seen: unknown[] = []
      for (const name of ['', 'Ann', 'Bob']) {
        const visitor = createVisitor(url)
        seen.push((await visitor('/')).text, (await visitor('/')).text, (await visitor('/')).text)
        seen.push((await visitor('/sign-in', { name })).status, (await visitor('/')).text, (await visitor('/')).text)
        seen.push((await visitor('/sign-out', {})).status, (await visitor('/')).text)
      }
      return seen
    }
    const expected = await visit(plain.url)
    expect(expected).toContain('Ann welcome')
    expect(await visit(cached.url)).toEqual(expected)
  })

  it('a page whose render for all sets a cookie is each visitor’s own, after one discarded render', async () => {
    const options = { bypass: withCookies('session') }
    const routes: Site['routes'] = (app, _create, run) =>
      app.get('/', (req, res) => {
        run()
        if (!req.headers.cookie?.includes('csrf=')) res.cookie('csrf', 'new')
        res.set(forAll).send(`token of ${req.headers.cookie}`)
      })
    const { plain, cached } = await serveBoth(create, { routes, options })
    const runs: number[] = []
    for (const id of [1, 2, 3, 4, 5]) {
      const [expected, seen] = [plain, cached].map(({ url }) => createVisitor(url, new Map([['csrf', `${id}`]]))('/'))
      expect(await seen).toEqual({ ...(await expected), cacheControl: 'private' })
      runs.push(cached.runs)
    }
    expect(runs).toEqual([1, 3, 4, 5, 6])
  })
})

it.each([
  ['another cookie', 'CH-time-zone=UTC'],
  ['the cookie of a language', 'sitewright-language=de'],
])('a session that looks for its cookie causes no warning about %s of a visitor', async (_, cookie) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const routes: Site['routes'] = (app, create) => {
    app.use(create.urlencoded(), sessions(false))
    app.get('/', (_req, res) => void res.set(forAll).send('page'))
  }
  const { cached } = await serveBoth(versions[0]?.[1] as Create, {
    routes,
    options: { bypass: withCookies('connect.sid') },
  })
  for (let visit = 0; visit < 3; visit++) await (await fetch(cached.url, { headers: { cookie } })).text()
  expect(warn.mock.calls).toEqual([])
  warn.mockRestore()
})
