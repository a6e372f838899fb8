import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createRoutes, createSitemap, type SlugPage } from './index.js'

const slugs: Record<string, { en: string; de?: string | undefined; 'pt-BR'?: string | null }> = {
  'house-cat': { en: 'house-cat', de: 'hauskatze' },
  hauskatze: { en: 'house-cat', de: 'hauskatze' },
  boats: { en: 'boats' },
  größe: { en: 'size', de: 'größe', 'pt-BR': 'a b' },
}
const table = {
  languages: ['en', 'de', 'pt-BR'],
  default: 'en',
  paths: {
    '/about': { de: '/über-uns' },
    '/articles': { de: '/beitraege' },
    '/articles/[slug]': { de: '/beitraege/[slug]' },
    '/articles/archive': { de: '/beitraege/archiv' },
    '/jobs': { 'pt-BR': false },
    '/docs/[...slug]': { de: '/hilfe/[...slug]' },
  },
  translationsOf: ({ slug }: SlugPage) => slugs[slug],
} as const
const log = vi.fn()
const create = (prefix: 'always' | 'except-default', options = {}) =>
  createRoutes({ ...table, prefix, log, ...options })
const request = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { headers })
const locationOf = async (
  routes: { redirect: (request: Request) => Promise<Response | undefined> },
  path: string,
  headers = {},
) => {
  const response = await routes.redirect(request(path, headers))
  return response && [response.status, response.headers.get('location')]
}

// The cases that next-intl documents for its routing, in its order. Domains are left out: a path is the same on every
// host.
describe('the cases that next-intl documents', () => {
  const english = { 'accept-language': 'en' }
  it.each<[string, object, string, string | undefined]>([
    ['localePrefix always', { prefix: 'always' }, '/en/about', undefined],
    ['always: a path without language', { prefix: 'always' }, '/about', '/en/about'],
    ['always: the home page', { prefix: 'always' }, '/', '/en'],
    ['as-needed: the default language', { prefix: 'except-default' }, '/about', undefined],
    ['as-needed: another language', { prefix: 'except-default' }, '/de/jobs', undefined],
    ['as-needed: a superfluous prefix', { prefix: 'except-default' }, '/en/about', '/about'],
    ['prefixes: one segment', { prefixes: { 'pt-BR': '/br' } }, '/br/about', undefined],
    ['prefixes: several segments', { prefixes: { 'pt-BR': '/eu/pt' } }, '/eu/pt/about', undefined],
    ['prefixes: the tag', { prefixes: { 'pt-BR': '/br' } }, '/pt-BR/about', '/br/about'],
    ['pathnames: translated', {}, '/de/%C3%BCber-uns', undefined],
    ['pathnames: not encoded', {}, '/de/über-uns', undefined],
    ['pathnames: the path of the table', {}, '/de/about', '/de/%C3%BCber-uns'],
    ['pathnames: the path of another language', {}, '/en/beitraege', '/en/articles'],
    ['pathnames: dynamic', {}, '/de/beitraege/hauskatze', undefined],
    ['pathnames: a static one before a dynamic one', {}, '/de/beitraege/archiv', undefined],
    ['pathnames: catch-all', {}, '/de/hilfe/a/b', undefined],
    ['pathnames: one segment for all languages', {}, '/de/jobs', undefined],
    ['the trailing slash', {}, '/de/jobs/', '/de/jobs'],
    ['the query stays', {}, '/de/about?a=1&b=%20', '/de/%C3%BCber-uns?a=1&b=%20'],
  ])('as in next-intl, %s: with %o, %s leads to %s', async (_, options, path, target) => {
    const routes = create('always', options)
    expect((await locationOf(routes, path, english))?.[1]).toBe(target)
  })
})

describe('pathTo', () => {
  const routes = create('except-default', { prefixes: { 'pt-BR': '/br' } })
  it.each([
    ['/', 'en', '/'],
    ['/', 'de', '/de'],
    ['/', 'pt-BR', '/br'],
    ['/about', 'en', '/about'],
    ['/about', 'de', '/de/%C3%BCber-uns'],
    ['/articles/hauskatze', 'de', '/de/beitraege/hauskatze'],
    ['/articles/größe & mehr', 'de', '/de/beitraege/gr%C3%B6%C3%9Fe%20&%20mehr'],
    ['/articles/gr%C3%B6%C3%9Fe', 'de', '/de/beitraege/gr%C3%B6%C3%9Fe'],
    ['/docs/a/b', 'de', '/de/hilfe/a/b'],
  ] as const)('the path of %s in %s is %s', (path, language, expected) => {
    expect(routes.pathTo(path, language)).toBe(expected)
    expect(routes.match(expected)).toMatchObject({ language, path: expected })
  })

  it.each([
    ['/nowhere', 'en'],
    ['/articles/a/b', 'en'],
    ['/articles/..', 'en'],
    ['/articles/a%2Fb', 'en'],
    ['/articles/100%', 'en'],
    ['/jobs', 'pt-BR'],
    ['/about', 'fr'],
  ])('pathTo rejects %s in %s', (path, language) => {
    expect(() => routes.pathTo(path as '/about', language as 'en')).toThrow(
      `path: expected a path of the table that '${language}' has, got '${path}'`,
    )
  })
})

describe('match', () => {
  it.each<[string, 'always' | 'except-default', string, string, string | undefined, string[]]>([
    ['a slug', 'except-default', '/de/beitraege/hauskatze', 'de', '/articles/[slug]', ['articles', 'hauskatze']],
    [
      'an encoded slug',
      'except-default',
      '/de/beitraege/gr%C3%B6%C3%9Fe',
      'de',
      '/articles/[slug]',
      ['articles', 'größe'],
    ],
    ['a URL', 'except-default', 'https://a.test/articles?x=1#y', 'en', '/articles', ['articles']],
    ['an unknown path', 'except-default', '/de/nowhere/x', 'de', undefined, ['nowhere', 'x']],
    ['an unknown language', 'except-default', '/fr/about', 'en', undefined, ['fr', 'about']],
    ['a language with region', 'always', '/de-AT/about', 'en', undefined, ['de-AT', 'about']],
    ['a language in odd letter case', 'always', '/PT-br/about', 'pt-BR', '/about', ['about']],
    ['a language with an underscore', 'always', '/pt_BR/about', 'pt-BR', '/about', ['about']],
    ['an encoded slash', 'always', '/de/beitraege/a%2Fb', 'de', undefined, []],
    ['an encoded backslash', 'always', '/de/a%5Cb', 'de', undefined, []],
    ['a percent sign', 'always', '/de/50%-rabatt', 'de', undefined, []],
    ['a malformed escape', 'always', '//de//%E2%98', 'de', undefined, []],
    ['a malformed escape after an encoded language', 'always', '/%64e/%E2%98', 'de', undefined, []],
    ['a malformed escape in the default language', 'except-default', '/%E2%98', 'en', undefined, []],
    ['an encoded slash after a language', 'always', '/de%2Fabout', 'en', undefined, []],
    ['a segment with two dots', 'always', '/de/../en', 'de', undefined, []],
    ['an encoded segment with two dots', 'always', '/de/beitraege/%2e%2e', 'de', undefined, []],
    ['an untranslated page', 'always', '/pt-BR/jobs', 'pt-BR', undefined, ['jobs']],
    ['a name of Object.prototype', 'always', '/constructor', 'en', undefined, ['constructor']],
  ])('match finds the language and the route for %s', (_, prefix, path, language, route, slug) => {
    expect(create(prefix).match(path)).toMatchObject({ language, route, slug })
  })

  it('without a table, any path matches, but only in a language of the site', () => {
    const routes = createRoutes({ languages: ['en', 'de'], default: 'en' })
    expect(routes.match('/de/a/b')).toMatchObject({ language: 'de', route: '/[...slug]', slug: ['a', 'b'] })
    expect(routes.match('/de')).toMatchObject({ language: 'de', route: '/', slug: [] })
    expect(routes.match('/fr/a')).toMatchObject({ language: 'en', route: undefined })
  })

  it.each(['/de/50%-rabatt', '/de/a%2Fb'])('without a table, %s is a missing page in its language', async (path) => {
    const routes = createRoutes({ languages: ['en', 'de'], default: 'en' })
    expect(await routes.find(path)).toEqual({ language: 'de', route: undefined, slug: [], path, translations: {} })
    expect(await locationOf(routes, path)).toBeUndefined()
  })

  it('match takes linear time for paths that almost have a language', () => {
    const routes = createRoutes({ languages: ['en', 'de'], default: 'en' })
    for (const piece of ['_', '-', '_a', 'a_', '/', '%5F', '[', '..']) {
      expect(routes.match(`/aa${piece.repeat(8_000)}!`).language).toBe('en')
    }
  })

  it('a canonical path matches itself', () => {
    const routes = create('except-default')
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.constantFrom('en', 'de', 'pt-BR'),
        (text, language) => {
          fc.pre(!/[/\\\0]|^\.\.?$/.test(text))
          const path = routes.pathTo(`/docs/${encodeURIComponent(text)}`, language as 'en')
          expect(routes.match(path)).toMatchObject({ language, slug: ['docs', text], path })
          expect(routes.match(new URL(path, 'http://a').href)).toMatchObject({ path })
        },
      ),
    )
  })
})

describe('translations', () => {
  const routes = create('except-default')
  it.each([
    ['/about', { en: '/about', de: '/de/%C3%BCber-uns', 'pt-BR': '/pt-BR/about' }],
    ['/jobs', { en: '/jobs', de: '/de/jobs' }],
    ['/articles/house-cat', { en: '/articles/house-cat', de: '/de/beitraege/hauskatze' }],
    ['/de/beitraege/hauskatze', { en: '/articles/house-cat', de: '/de/beitraege/hauskatze' }],
    ['/articles/boats', { en: '/articles/boats' }],
    ['/articles/unknown', { en: '/articles/unknown' }],
    [
      '/de/beitraege/gr%C3%B6%C3%9Fe',
      { en: '/articles/size', de: '/de/beitraege/gr%C3%B6%C3%9Fe', 'pt-BR': '/pt-BR/articles/a%20b' },
    ],
    ['/nowhere', {}],
  ])('the translations of %s are found', async (path, translations) => {
    expect((await routes.find(path)).translations).toEqual(translations)
  })

  it.each<[string, unknown, string?]>([
    [
      'throws',
      () => {
        throw new Error('CMS down')
      },
      'CMS down',
    ],
    ['rejects', () => Promise.reject(new Error('CMS down')), 'CMS down'],
    ['hangs', () => new Promise(() => {}), 'not done within 20 ms'],
    ['returns null', () => null],
    ['returns text', () => 'text'],
    ['returns numbers and empty slugs', () => ({ de: 1, 'pt-BR': '' })],
    ['returns unknown languages', () => ({ fr: 'chat', __proto__: { de: 'x' } })],
  ])('a lookup that %s leaves the page without alternates', async (_, translationsOf, reason) => {
    log.mockClear()
    const page = await create('except-default', { translationsOf, timeout: 20 }).find('/articles/boats')
    expect(page.translations.en).toBe('/articles/boats')
    expect(page.translations['pt-BR']).toBeUndefined()
    if (reason === undefined) return
    expect(page.translations).toEqual({ en: '/articles/boats' })
    expect(log).toHaveBeenCalledWith('Translations not found', expect.objectContaining({ slug: 'boats', reason }))
  })

  it.each([
    ['archiv', '/articles/archive'],
    ['a/b', 'no route'],
    ['..', 'no route'],
  ])('an invalid slug %j of a translation is logged and left out', async (de, pageOf) => {
    log.mockClear()
    const page = await create('except-default', { translationsOf: () => ({ de }) }).find('/articles/boats')
    expect(page.translations).toEqual({ en: '/articles/boats' })
    expect(log).toHaveBeenCalledWith(
      'Translation ignored',
      expect.objectContaining({ language: 'de', slug: de, pageOf }),
    )
  })

  it('pathsOf rejects if the lookup fails, so that the CMS repeats the purge', async () => {
    expect(await routes.pathsOf('/de/beitraege/hauskatze')).toEqual(['/de/beitraege/hauskatze', '/articles/house-cat'])
    expect(await routes.pathsOf('/media/cat.jpg')).toEqual(['/media/cat.jpg'])
    const failing = create('except-default', { translationsOf: () => Promise.reject(new Error('CMS down')) })
    await expect(failing.pathsOf('/articles/boats')).rejects.toThrow('CMS down')
  })
})

describe('links', () => {
  const routes = create('except-default')
  it('the links of a page are available as HTML, as a header and for a language switch', async () => {
    const page = await routes.find('/de/beitraege/hauskatze')
    expect(routes.linkHtml(page, 'https://a.test').split('\n')).toEqual([
      '<link rel="canonical" href="https://a.test/de/beitraege/hauskatze">',
      '<link rel="alternate" hreflang="en" href="https://a.test/articles/house-cat">',
      '<link rel="alternate" hreflang="de" href="https://a.test/de/beitraege/hauskatze">',
      '<link rel="alternate" hreflang="x-default" href="https://a.test/articles/house-cat">',
    ])
    expect(routes.linkHeader(page, 'https://a.test').split(', ')).toEqual([
      '<https://a.test/de/beitraege/hauskatze>; rel="canonical"',
      '<https://a.test/articles/house-cat>; rel="alternate"; hreflang="en"',
      '<https://a.test/de/beitraege/hauskatze>; rel="alternate"; hreflang="de"',
      '<https://a.test/articles/house-cat>; rel="alternate"; hreflang="x-default"',
    ])
    expect(routes.languageLinks(page)).toEqual([
      { language: 'en', href: '/articles/house-cat', isCurrent: false, isTranslated: true },
      { language: 'de', href: '/de/beitraege/hauskatze', isCurrent: true, isTranslated: true },
      { language: 'pt-BR', href: '/pt-BR/articles', isCurrent: false, isTranslated: false },
    ])
  })

  it('a page in one language has only a canonical link, and a missing page has no link', async () => {
    expect(routes.links(await routes.find('/articles/boats'), 'https://a.test')).toEqual([
      { rel: 'canonical', href: 'https://a.test/articles/boats' },
    ])
    const missing = await routes.find('/de/nowhere/x')
    expect(routes.links(missing, 'https://a.test')).toEqual([])
    expect(routes.languageLinks(missing).map(({ href }) => href)).toEqual(['/', '/de', '/pt-BR'])
  })

  it.each(['https://a.test/', 'https://a.test/shop', 'a.test', '', undefined])(
    'links rejects the origin %j',
    (origin) => {
      const page = routes.match('/about')
      for (const write of [routes.links, routes.linkHtml, routes.linkHeader]) {
        expect(() => write(page, origin as string)).toThrow(
          "origin: expected an origin such as 'https://www.example.com'",
        )
      }
    },
  )

  it('html returns the direction of a language', () => {
    const languages = ['en', 'ar', 'he', 'ur', 'az-Arab', 'pa'] as const
    const { html } = createRoutes({ languages, default: 'en' })
    expect(languages.map((language) => html(language).dir)).toEqual(['ltr', 'rtl', 'rtl', 'rtl', 'rtl', 'ltr'])
  })
})

describe('redirect', () => {
  const german = { 'accept-language': 'de-AT,de;q=0.9' }
  it.each<[string, 'always' | 'except-default', string, Record<string, string>, [number, string] | undefined]>([
    ['the language of the browser', 'always', '/', german, [307, '/de']],
    ['a page without language', 'always', '/about?a=1', german, [307, '/de/%C3%BCber-uns?a=1']],
    ['a page whose slug is translated', 'always', '/articles/house-cat', german, [307, '/de/beitraege/hauskatze']],
    ['an untranslated page', 'always', '/articles/boats', german, [307, '/en/articles/boats']],
    ['the slug of another language', 'always', '/de/articles/house-cat', {}, [307, '/de/beitraege/hauskatze']],
    ['a cookie before the browser', 'always', '/', { ...german, cookie: 'sitewright-language=en' }, [307, '/en']],
    ['a cookie in odd case', 'always', '/', { cookie: 'a=1; sitewright-language=PT_br' }, [307, '/pt-BR']],
    [
      'the cookie of a language that is gone',
      'always',
      '/',
      { ...german, cookie: 'sitewright-language=fr' },
      [307, '/de'],
    ],
    ['a crawler', 'always', '/', {}, [307, '/en']],
    ['a crawler at its target', 'always', '/en', {}, undefined],
    ['a chosen language', 'always', '/en/about', german, undefined],
    ['an unknown path', 'always', '/robots.txt', german, undefined],
    ['the default language has no prefix', 'except-default', '/', german, undefined],
    ['two slashes', 'except-default', '//de//jobs', {}, [308, '/de/jobs']],
    ['two slashes before a host', 'except-default', '//evil.test/jobs', {}, undefined],
  ])('a request is redirected or passed on: %s (prefix %s, path %s)', async (_, prefix, path, headers, expected) => {
    expect(await locationOf(create(prefix), path, headers)).toEqual(expected)
  })

  it('a redirect varies by Accept-Language and Cookie', async () => {
    const response = await create('always').redirect(request('/', german))
    expect(Object.fromEntries(response?.headers ?? [])).toEqual({
      location: '/de',
      vary: 'Accept-Language, Cookie',
      'cache-control': 'public, max-age=0, s-maxage=3600',
      'cloudflare-cdn-cache-control': 'no-store',
    })
  })

  it('a choice of language is remembered, and overrides the language of the browser', async () => {
    const routes = create('except-default', { detect: true })
    expect(await locationOf(routes, '/', german)).toEqual([307, '/de'])
    const choice = await routes.redirect(request('/?set-language=en', german))
    expect([choice?.status, choice?.headers.get('location'), choice?.headers.get('cache-control')]).toEqual([
      307,
      '/',
      'no-store',
    ])
    const cookie = choice?.headers.get('set-cookie') ?? ''
    expect(cookie).toBe('sitewright-language=en; Path=/; Max-Age=31536000; SameSite=Lax')
    expect(await locationOf(routes, '/', { ...german, cookie: cookie.split(';')[0] })).toBeUndefined()
    expect(await locationOf(routes, '/de/jobs?set-language=xx', german)).toEqual([307, '/de/jobs'])
  })

  it('redirects never lead in circles', async () => {
    const paths = [
      '/',
      '/de',
      '/about',
      '/de/about',
      '/articles/house-cat',
      '/pt-BR/articles/house-cat',
      '/fr',
      '/docs/a/b',
      '//',
      '/%41',
    ]
    for (const prefix of ['always', 'except-default'] as const) {
      const routes = create(prefix, { detect: prefix === 'except-default' })
      for (const headers of [{}, german, { cookie: 'sitewright-language=pt-BR' }]) {
        for (const path of paths) {
          let location: string = path
          for (let hop = 0; hop < 2; hop++)
            location = String((await locationOf(routes, location, headers))?.[1] ?? location)
          expect(await locationOf(routes, location, headers)).toBeUndefined()
        }
      }
    }
  })

  it('requests with other methods are not redirected', async () => {
    expect(await create('always').redirect(new Request('http://localhost/', { method: 'POST' }))).toBeUndefined()
  })
})

describe('with a slash at the end', () => {
  const german = { 'accept-language': 'de' }
  const routes = create('except-default', { trailingSlash: true, detect: true })

  it.each<[string, Record<string, string>, [number, string] | undefined]>([
    ['/', {}, undefined],
    ['/', german, [307, '/de/']],
    ['/de/', german, undefined],
    ['/de', german, [308, '/de/']],
    ['/about', german, [308, '/about/']],
    ['/about/?a=1', german, undefined],
    ['/de/about?a=1', {}, [308, '/de/%C3%BCber-uns/?a=1']],
    ['/de/articles/house-cat', {}, [307, '/de/beitraege/hauskatze/']],
    ['/articles/v1.2', {}, undefined],
    ['/articles/v1.2/', {}, [308, '/articles/v1.2']],
    ['/sitemap.xml', {}, undefined],
    ['/nowhere', {}, undefined],
    ['/?set-language=de', {}, [307, '/de/']],
  ])('%s %o is redirected to %o', async (path, headers, expected) => {
    expect(await locationOf(routes, path, headers)).toEqual(expected)
  })

  it('paths, links and translations end in a slash', async () => {
    const page = await routes.find('/de/beitraege/hauskatze/')
    expect(page).toMatchObject({ route: '/articles/[slug]', slug: ['articles', 'hauskatze'] })
    expect([page.path, routes.pathTo('/', 'en'), routes.pathTo('/about', 'pt-BR')]).toEqual([
      '/de/beitraege/hauskatze/',
      '/',
      '/pt-BR/about/',
    ])
    expect(routes.links(page, 'https://a.test').map(({ href }) => href)).toEqual([
      'https://a.test/de/beitraege/hauskatze/',
      'https://a.test/articles/house-cat/',
      'https://a.test/de/beitraege/hauskatze/',
      'https://a.test/articles/house-cat/',
    ])
    expect(routes.languageLinks(page).map(({ href }) => href)).toEqual([
      '/articles/house-cat/',
      '/de/beitraege/hauskatze/',
      '/pt-BR/articles/',
    ])
    expect(routes.alternates(page).canonical).toBe('/de/beitraege/hauskatze/')
    expect(await routes.staticParams([{ path: '/about' }])).toContainEqual({ language: 'de', slug: ['about'] })
    expect(await routes.pathsOf('/about/')).toEqual(['/about/', '/de/%C3%BCber-uns/', '/pt-BR/about/'])
  })

  it('a sitemap lists the paths with a slash', async () => {
    const sitemap = createSitemap({ routes, origin: 'https://a.test', pages: () => [{ path: '/about' }] })
    const text = await (await sitemap(request('/sitemap.xml')))?.text()
    expect(text?.match(/<loc>[^<]*/g)).toEqual([
      '<loc>https://a.test/about/',
      '<loc>https://a.test/de/%C3%BCber-uns/',
      '<loc>https://a.test/pt-BR/about/',
    ])
  })
})

describe('handler', () => {
  const respond = ({ route, language }: { route: string | undefined; language: string }) =>
    new Response(language, { status: route === undefined ? 404 : 200 })
  it.each([
    ['/de/beitraege/hauskatze', 200, 'de', null],
    ['/de/nowhere', 404, 'de', null],
    ['/de/50%-rabatt', 404, 'de', null],
    ['/pt/nowhere', 404, 'en', null],
    ['/', 200, 'en', 'Accept-Language, Cookie'],
    ['/de/about', 308, '', null],
  ])('the handler answers %s with %i', async (path, status, text, vary) => {
    const response = await create('except-default', { detect: true }).handler(respond)(request(path))
    expect([response.status, await response.text(), response.headers.get('vary')]).toEqual([status, text, vary])
  })
})

describe('mistakes', () => {
  it.each<[object, string]>([
    [{ languages: [] }, "languages: expected canonical tags, each once, such as 'pt-BR', got an empty list"],
    [{ languages: ['en', 'pt_br'] }, "languages: expected canonical tags, each once, such as 'pt-BR', got 'pt_br'"],
    [{ languages: ['en', 'DE'] }, "languages: expected canonical tags, each once, such as 'de', got 'DE'"],
    [{ languages: ['en', 'en'] }, "languages: expected canonical tags, each once, such as 'en', got 'en'"],
    [{ languages: ['en', 'a b'] }, "languages: expected canonical tags, each once, such as 'pt-BR', got 'a b'"],
    [{ default: 'fr' }, "default: expected 'en' or 'de', got 'fr'"],
    [{ prefixes: { de: 'de' } }, "prefixes['de']: expected a language's own path, such as '/br', got 'de'"],
    [{ prefixes: { de: '/en' } }, "prefixes['de']: expected a language's own path, such as '/br', got '/en'"],
    [{ prefixes: { en: '/de' } }, "prefixes['de']: expected a language's own path, such as '/br', got '/de'"],
    [{ prefixes: { fr: '/f' } }, "prefixes: expected 'en' or 'de', got 'fr'"],
    [{ paths: { about: {} } }, "paths: expected a path such as '/about', got 'about'"],
    [{ paths: { '/a/../b': {} } }, "paths: expected a path such as '/about', got '/a/../b'"],
    [{ paths: { '/[...a]/b': {} } }, "paths: expected a path such as '/about', with [...a], got '/[...a]/b'"],
    [{ paths: { '/a': { fr: '/b' } } }, "paths['/a']: expected 'en' or 'de', got 'fr'"],
    [
      { paths: { '/a/[slug]': { de: '/b' } } },
      "paths['/a/[slug]'].de: expected a path such as '/about', with [slug], got '/b'",
    ],
    [{ paths: { '/a': { de: '/b' }, '/b': {} } }, "paths['/b'].de: expected a path that '/a' does not have, got '/b'"],
    [{ paths: { '/[a]': {}, '/[b]': {} } }, "paths: expected a path that '/[a]' does not have, got '/[b]'"],
    [
      { paths: { '/de/x': {} }, prefix: 'except-default' },
      "paths: expected no path that begins with a language, got '/de/x'",
    ],
    [{ prefix: 'never' }, "prefix: expected 'always' or 'except-default', got 'never'"],
    [{ timeout: 0 }, 'timeout: expected milliseconds > 0 and <= 2147483647, such as 10_000, got 0'],
    [
      { domains: [] },
      'domains: expected one of the options languages, default, prefix, prefixes, paths, translationsOf, detect, trailingSlash, timeout, log, got an unknown one',
    ],
  ])('createRoutes rejects %o', (options, message) => {
    expect(() => createRoutes({ languages: ['en', 'de'], default: 'en', ...options } as never)).toThrow(
      new TypeError(message),
    )
  })

  it('wrong languages and paths are type errors', () => {
    const routes = create('always')
    const mistakes = () => {
      // @ts-expect-error not a language of the site
      routes.pathTo('/about', 'fr')
      // @ts-expect-error not a path of the site
      routes.pathTo('/abuot', 'de')
      // @ts-expect-error not a language of the site
      createRoutes({ languages: ['en', 'de'], default: 'fr' })
      // @ts-expect-error not a language of the site
      createRoutes({ languages: ['en', 'de'], default: 'en', prefixes: { fr: '/f' } })
      createRoutes({
        languages: ['en', 'de'],
        default: 'en',
        // @ts-expect-error one of these languages is not a language of the site
        paths: { '/about': { de: '/ueber-uns', fr: '/a-propos' } },
      })
      // @ts-expect-error a path is text
      createRoutes({ languages: ['en', 'de'], default: 'en', paths: { '/about': { de: 1 } } })
    }
    expect(mistakes).toBeTypeOf('function')
    const slug: string = 'hauskatze'
    expect(routes.pathTo(`/articles/${slug}`, 'de')).toBe('/de/beitraege/hauskatze')
    expect(createRoutes({ languages: ['en', 'de'], default: 'en' }).pathTo(`/${slug}`, 'de')).toBe('/de/hauskatze')
  })
})

describe('for Next.js', () => {
  const nextRoutes = createRoutes({
    languages: ['en', 'de'],
    default: 'en',
    prefix: 'except-default',
    paths: { '/about': { de: '/ueber-uns' }, '/articles/[slug]': { de: '/beitraege/[slug]' } },
    translationsOf: () => ({ en: 'house-cat', de: 'größe' }),
  })

  it('metadata has the alternates of a page, and no alternates of a page that is not found', async () => {
    expect(nextRoutes.alternates(await nextRoutes.findBySlug('de', ['articles', 'gr%C3%B6%C3%9Fe']))).toEqual({
      canonical: '/de/beitraege/gr%C3%B6%C3%9Fe',
      languages: { en: '/articles/house-cat', de: '/de/beitraege/gr%C3%B6%C3%9Fe', 'x-default': '/articles/house-cat' },
    })
    expect(nextRoutes.alternates(await nextRoutes.findBySlug('de', ['nowhere']))).toEqual({
      canonical: null,
      languages: {},
    })
  })

  it('static params are the pages in all languages', async () => {
    expect(await nextRoutes.staticParams([{ path: '/' }, { path: '/about' }, { path: '/articles/house-cat' }])).toEqual(
      [
        { language: 'en', slug: [] },
        { language: 'de', slug: [] },
        { language: 'en', slug: ['about'] },
        { language: 'de', slug: ['about'] },
        { language: 'en', slug: ['articles', 'house-cat'] },
        { language: 'de', slug: ['articles', 'größe'] },
      ],
    )
  })
})
