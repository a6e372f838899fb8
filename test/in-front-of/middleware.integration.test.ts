import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import compression from 'compression'
import { doubleCsrf } from 'csrf-csrf'
import type { RequestHandler, Response } from 'express'
import { rateLimit } from 'express-rate-limit'
import helmet from 'helmet'
import { describe, expect, it } from 'vitest'
import { type App, type Create, sharedCacheControl, versions } from '../../adapters/express/testing/cached-app.js'
import { cacheStatusOf, expectSame, requestOf, type Site, sendRaw, serveBoth } from './compare.js'
import { cookieParser, cookieSession, cors, flash, lusca, morgan, passport, pug, session } from './middleware.js'

// What the middleware of public sites does, with the cache in front of it and without.

/** `stored`: the page is for all; `own`: no answer is stored. */
type Kind = 'stored' | 'own'
type Row = [name: string, kind: Kind, use: (app: App, create: Create) => unknown, page?: Page, more?: Partial<Site>]
type Page = (req: Parameters<RequestHandler>[0] & Record<string, Any>, res: Response) => unknown
type Any = ReturnType<typeof JSON.parse>

const folder = mkdtempSync(join(tmpdir(), 'pages-'))
writeFileSync(join(folder, 'page.pug'), 'doctype html\np= title')
writeFileSync(join(folder, 'file.txt'), 'text of a file '.repeat(20_000))

const page: Page = (_req, res) => res.send('<p>page</p>'.repeat(300))
const withSession = (options = {}) => session({ secret: 's', resave: false, saveUninitialized: false, ...options })
const { doubleCsrfProtection } = doubleCsrf({ getSecret: () => 's', getSessionIdentifier: () => '' })
const protectedByCsrf = (app: App) => app.use(cookieParser(), doubleCsrfProtection)
const none = () => {}
const logged: string[] = []
const logTo = { stream: { write: (line: string) => logged.push(line) } }

const rows: Row[] = [
  ['express-session that saves each session', 'own', (app) => app.use(withSession({ saveUninitialized: true }))],
  ['express-session, unused by the page', 'stored', (app) => app.use(withSession())],
  [
    'express-session, used by the page',
    'own',
    (app) => app.use(withSession()),
    (req, res) => {
      req.session.visits = (req.session.visits ?? 0) + 1
      res.send(`visit ${req.session.visits}`)
    },
  ],
  ['cookie-session, unused', 'stored', (app) => app.use(cookieSession({ keys: ['k'] }))],
  [
    'cookie-session, used',
    'own',
    (app) => app.use(cookieSession({ keys: ['k'] })),
    (req, res) => {
      req.session.visits = (req.session.visits ?? 0) + 1
      res.send(`visit ${req.session.visits}`)
    },
  ],
  [
    'lusca',
    'own',
    (app) => app.use(withSession(), lusca.csrf()),
    (_req, res) => res.send(`token ${(res.locals._csrf as string).length}`),
  ],
  [
    'csrf-csrf, a page with a token',
    'own',
    protectedByCsrf,
    (req, res) => res.send(`token ${req.csrfToken?.().length}`),
  ],
  ['csrf-csrf, a page without a token', 'stored', protectedByCsrf],
  [
    'connect-flash',
    'own',
    (app) => app.use(withSession(), flash()),
    (req, res) => {
      req.flash('info', 'saved')
      res.send(req.flash('info').join())
    },
  ],
  [
    'passport',
    'stored',
    (app) => app.use(withSession(), passport.initialize(), passport.session()),
    (req, res) => res.send(`signed in: ${req.isAuthenticated()}`),
  ],
  ['compression in the app', 'stored', (app) => app.use(compression({ threshold: 0 }))],
  ['compression in front', 'stored', none, page, { front: (server) => server.use(compression({ threshold: 0 })) }],
  ['morgan in the app', 'stored', (app) => app.use(morgan(':method :url :status', logTo))],
  ['morgan in front', 'stored', none, page, { front: (server) => server.use(morgan(':method :status', logTo)) }],
  ['helmet', 'stored', (app) => app.use(helmet())],
  [
    'helmet with a nonce',
    'own',
    (app) =>
      app.use(
        (_req, res, next) => next(Object.assign(res.locals, { nonce: randomBytes(16).toString('hex') }) && undefined),
        helmet({
          contentSecurityPolicy: { directives: { scriptSrc: [(_, res) => `'nonce-${(res as Any).locals.nonce}'`] } },
        }),
      ),
    (_req, res) => res.send(`<script nonce=${res.locals.nonce}></script>`),
  ],
  [
    'pug',
    'stored',
    (app) => app.set('views', folder).set('view engine', 'pug').engine('pug', pug.__express),
    (_req, res) => res.render('page', { title: 'Title' }),
  ],
  [
    'express-rate-limit in front',
    'stored',
    none,
    page,
    { front: (server) => server.use(rateLimit({ limit: 100, standardHeaders: 'draft-8', legacyHeaders: false })) },
  ],
  [
    'express-rate-limit in the app',
    'stored',
    (app) => app.use(rateLimit({ limit: 100, standardHeaders: 'draft-7', legacyHeaders: false })),
  ],
  ['cors for all origins', 'stored', (app) => app.use(cors())],
  ['cors for some origins', 'own', (app) => app.use(cors({ origin: ['https://a.example'] }))],
  [
    'cookie-parser',
    'stored',
    (app) => app.use(cookieParser('s')),
    (req, res) => res.json(Object.keys(req.signedCookies)),
  ],
  ['express.static', 'stored', (app, create) => app.use(create.static(folder, { maxAge: '1h' }))],
  ['res.sendFile', 'stored', none, (_req, res) => res.sendFile('file.txt', { root: folder, maxAge: '1h' })],
  ['an undeclared Vary', 'own', none, (_req, res) => res.vary('Accept-Language').send('page')],
  [
    'a declared Vary',
    'stored',
    none,
    (req, res) => res.vary('Accept-Language').send(`page in ${req.acceptsLanguages('de', 'en')}`),
    { options: { fields: { 'Accept-Language': true } } },
  ],
  ['res.format', 'own', none, (_req, res) => res.format({ html: () => res.send('page'), json: () => res.json({}) })],
  ['res.redirect', 'own', none, (_req, res) => res.redirect(301, '/elsewhere')],
  ['private', 'own', none, (_req, res) => res.set('Cache-Control', 'private, max-age=60').send('page')],
  ['no Cache-Control', 'own', none, (_req, res) => (res.removeHeader('Cache-Control') as Any) ?? res.send('page')],
  ['a 404 of the app', 'stored', none, (req, _res) => req.next?.()],
  ['an error of the app', 'own', none, (req, _res) => req.next?.(new Error('of the page'))],
]

// Ids and tokens, which are random.
const mask = [/(?<=connect\.sid=)[^;]+/g, /(?<=_csrf=|csrf-token=)[^;]+/g, /(?<=nonce[-=])\w+/g, /(?<=^etag: ).*/gim]
const visitors: [string, string[]][] = [
  ['anonymous visitors', ['Accept-Encoding: gzip', 'Accept-Language: de']],
  ['visitors with a cookie of a session', ['Cookie: connect.sid=unknown; session=unknown', 'Accept-Encoding: gzip']],
]
const visitCount = 5
/** The runs of the route after each visit. */
const runsOf = { stored: [1, 2, 2, 2, 2], own: [1, 2, 3, 4, 5] }

describe.each(versions)('middleware of an app of %s', (_, create) => {
  describe.each(rows)('%s', (name, kind, use, route = page, more = {}) => {
    it.each(visitors)('%s get the same as without the cache', async (_visitor, fields) => {
      const { plain, cached } = await serveBoth(create, {
        ...more,
        routes(app, ...rest) {
          use(app, rest[0])
          const isStatic = name === 'express.static'
          if (isStatic) return
          app.get('/file.txt', (req, res) => {
            rest[1]()
            res.set('Cache-Control', sharedCacheControl.replace('3600', '60'))
            return route(req as Any, res) as Any
          })
        },
      })
      const runs: number[] = []
      const hasCookie = fields.join().includes('Cookie')
      for (let visit = 0; visit < visitCount; visit++) {
        const request = requestOf('/file.txt', fields)
        const answer = await sendRaw(cached.url, request)
        const isShared = expectSame(answer, await sendRaw(plain.url, request), mask)
        expect([visit, cacheStatusOf(answer), isShared]).toEqual([
          visit,
          expect.any(String),
          kind === 'stored' && !hasCookie && visit > 0,
        ])
        runs.push(cached.runs)
      }
      if (name !== 'express.static') expect(runs).toEqual(hasCookie ? runsOf.own : runsOf[kind])
    })
  })
})
