import { AsyncLocalStorage } from 'node:async_hooks'
import { isbot } from 'isbot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { greetVisitors } from '../../test/cache/greeting.js'
import { trackingCookies } from '../tracking-cookies.js'
import { withCookies } from './bypass.js'
import { cacheable, deferred, rest, startCache } from './testing/harness.js'

const greet = ({ headers }: Request) => {
  const name = /(?:^|; )user=(\w+)/.exec(headers.get('cookie') ?? '')?.[1] ?? 'stranger'
  return new Response(`Hello, ${name}`, { headers: { 'Cache-Control': 'public, s-maxage=3600' } })
}

describe('a public page that prints a cookie', () => {
  it('a public page that prints a cookie is shared only among requests without the cookie, also after a purge', async () => {
    const cache = startCache()
    cache.serve(greet)
    const send = (init: RequestInit) => cache.wrapped(new Request('https://site.test/', init))
    await greetVisitors(send, () => cache.invalidate(['document']))
  })

  it('the log says which cookie costs how many hits, without its value', async () => {
    const cache = startCache()
    for (const cookie of ['user=Ann', 'user=Bob; _ga=1', 'sid=secret; user=Ann']) await cache.get('/', { cookie })
    for (let request = 0; request < 120; request++) await cache.get('/', { cookie: 'user=Ann' })
    const message = 'Response cache: requests with this cookie pass the cache'
    expect(cache.log.mock.calls.map(([text, { name, requests }]) => [text, name, requests])).toEqual([
      [message, 'user', 1],
      [message, 'sid', 1],
      [message, 'user', 10],
      [message, 'user', 100],
    ])
    expect(JSON.stringify(cache.log.mock.calls)).not.toMatch(/Ann|secret/)
    cache.log.mockClear()
    for (let name = 0; name < 100; name++) await cache.get('/', { cookie: `made-up-${name}=1` })
    expect(cache.log.mock.calls.length).toBe(18)
  })

  it('the log says what to write for client hints that a script keeps in cookies', async () => {
    const cache = startCache()
    await cache.get('/', { cookie: 'CH-prefers-color-scheme=dark; CH-time-zone=UTC' })
    const advice = cache.log.mock.calls.map(([, values]) => [values.name, values.advice])
    expect(advice).toEqual(
      ['CH-prefers-color-scheme', 'CH-time-zone'].map((name) => [
        name,
        `bypass: withCookies('session') for session cookies; cookies: ['${name}'] if many visitors share its value`,
      ]),
    )
    for (const options of [{ cookies: ['CH-*'] }, { bypass: withCookies('session') }]) {
      const declared = startCache(options)
      for (const expected of ['stored', 'hit'])
        expect((await declared.get('/', { cookie: 'CH-time-zone=UTC' })).cacheStatus).toContain(expected)
    }
  })
})

describe('a request is the visitor’s own', () => {
  const bypassOf = async (headers: Record<string, string>, init: RequestInit = {}, options = {}) => {
    const cache = startCache(options)
    const { cacheStatus } = await cache.get('/', headers, init)
    const [received] = cache.requests
    expect(received?.headers.get('x-mark')).toBe(/fwd=(?:bypass|method)/.test(cacheStatus) ? headers['x-mark'] : null)
    return /fwd=(\w+)(?:.*detail=([\w-]+))?/.exec(cacheStatus)?.slice(1)
  }
  const mark = { 'x-mark': 'whole' }

  it.each<[string, Record<string, string>, RequestInit, (string | undefined)[]]>([
    ['with Authorization', { authorization: 'Basic eA==' }, {}, ['bypass', 'authorization']],
    ['with an undeclared cookie', { cookie: 'session=1' }, {}, ['bypass', 'cookie']],
    ['with a cookie without a name', { cookie: '=1' }, {}, ['bypass', 'cookie']],
    ['with an unsafe method', {}, { method: 'POST' }, ['method', undefined]],
    ['with an upgrade to another protocol', { upgrade: 'websocket' }, {}, ['bypass', 'bypass']],
  ])('a request %s is the visitor’s own', async (_, headers, init, reason) => {
    expect(await bypassOf({ ...headers, ...mark }, init)).toEqual(reason)
  })

  it.each([...trackingCookies.map((name) => name.replace('*', 'x')), 'theme', 'sitewright-language'])(
    'a request with the cookie %s is not the visitor’s own',
    async (name) => {
      expect((await bypassOf({ cookie: `${name}=1`, ...mark }, {}, { cookies: ['theme'] }))?.[0]).not.toBe('bypass')
    },
  )

  // As the vendors set them: measurement, load balancers, and consent banners.
  const vendors = `_dc_gtm_UA-1-1 FPID FPLC __gads __gpi _gcl_au _ga_1A2B3C _uetsid AMCV_1%40AdobeOrg amp_6e403e _cs_id
    ARRAffinity ARRAffinitySameSite ApplicationGatewayAffinityCORS AWSALBCORS GCLB BIGipServerpool_www TS0136f5a2 SERVERID134211 visid_incap_1 ak_bmsc
    OptanonConsent eupubconsent-v2 CookieConsent cookieyes-consent cky-consent cmplz_marketing borlabs-cookie didomi_token euconsent-v2 notice_gdpr_prefs
    cmapi_cookie_privacy _iub_cs-123 osano_consentmanager cookieconsent_status klaro tarteaucitron axeptio_cookies cookiefirst-consent
    CookieInformationConsent cookiehub CookieControl consentUUID cc_cookie moove_gdpr_popup real_cookie_banner-v cookie_notice_accepted
    __cmpconsent123 CookieScriptConsent TC_PRIVACY cookie-agreed _tracking_consent ppms_privacy_1 hu-consent usprivacy addtl_consent`
  it('cookies of measurement, load balancers and consent banners leave a request to the cache', async () => {
    for (const name of vendors.trim().split(/\s+/)) {
      expect([name, (await bypassOf({ cookie: `${name}=1` }))?.[0]]).not.toEqual([name, 'bypass'])
    }
  })

  const ofSites = `session sid id uid user token auth PHPSESSID JSESSIONID connect.sid laravel_session XSRF-TOKEN csrftoken sessionid
    wordpress_logged_in_1 wp-settings-1 woocommerce_items_in_cart next-auth.session-token __Secure-next-auth.session-token __Host-session cart
    CF_Authorization _vercel_jwt __prerender_bypass _shopify_essential sb-x-auth-token fe_typo_user ASP.NET_SessionId .AspNetCore.Identity.Application
    .ASPXAUTH remember_user_token _gh_sess ssid lang theme currency cookie_consent SESS123 SSESS123 drupal_uid`
  it('cookies that sites set themselves make a request the visitor’s own', async () => {
    for (const name of ofSites.trim().split(/\s+/)) {
      expect([name, await bypassOf({ cookie: `${name}=1`, ...mark })]).toEqual([name, ['bypass', 'cookie']])
    }
  })

  it('with the option bypass, only the requests that it selects are the visitor’s own', async () => {
    const bypass = withCookies('session', 'preview_*')
    for (const cookie of ['a=1; session=2', 'preview_x=1']) {
      expect(await bypassOf({ cookie, ...mark }, {}, { bypass })).toEqual(['bypass', 'bypass'])
    }
    expect((await bypassOf({ cookie: 'other=1', ...mark }, {}, { bypass }))?.[0]).not.toBe('bypass')
    expect(await bypassOf({ authorization: 'x', ...mark }, {}, { bypass })).toEqual(['bypass', 'bypass'])
    expect((await bypassOf({ authorization: 'x', cookie: 'a=1', ...mark }, {}, { bypass: () => false }))?.[0]).toBe(
      'uri',
    )
    expect(() => withCookies()).toThrow("withCookies: expected names of cookies, such as 'session', got an empty list")
    expect(() => withCookies('a b')).toThrow(/^withCookies: /)
  })

  it('a request for a host that is not one of the site is the visitor’s own', async () => {
    const hosts = ['site.test', 'www.site.test:8080']
    expect(await bypassOf(mark, {}, { hosts: ['other.test'] })).toEqual(['bypass', 'unknown-host'])
    expect(await bypassOf({ 'x-forwarded-host': 'evil.test', ...mark }, {}, { hosts })).toEqual([
      'bypass',
      'unknown-host',
    ])
    const forwarded = { 'x-forwarded-host': 'WWW.site.test:8080, site.test:443', ...mark }
    expect((await bypassOf(forwarded, {}, { hosts }))?.[0]).toBe('miss')
  })
})

describe('the answer to a visitor’s own request', () => {
  it.each([
    ['public, s-maxage=60, max-age=5', 'private, max-age=5'],
    ['max-age=5, stale-while-revalidate=9', 'private, max-age=5'],
    ['no-cache', 'private, no-cache'],
    ['private, max-age=9', 'private, max-age=9'],
    ['no-store', 'no-store'],
    ['private="x", max-age=5', 'private, max-age=5'],
    [undefined, 'private'],
  ])('Cache-Control %s becomes %s in the answer to a visitor’s own request', async (original, sent) => {
    const cache = startCache()
    cache.serve(() => new Response('mine', { headers: { ...(original && { 'Cache-Control': original }), 'CDN-Cache-Control': 'max-age=9', 'Cache-Tag': 'a' } })) // biome-ignore format: a row
    for (const init of [{}, { method: 'POST' }]) {
      const { headers } = await cache.get('/', { cookie: 'a=1' }, init)
      expect(headers.get('cache-control')).toBe(sent)
      for (const name of ['cdn-cache-control', 'cache-tag']) expect(headers.has(name)).toBe(false)
    }
  })

  it('a visitor’s own request shares its render with no other request', async () => {
    const cache = startCache()
    const gate = deferred()
    cache.serve(async ({ headers }) => {
      await gate.promise
      return cacheable(headers.get('cookie') ?? 'all')
    })
    const visits = ['a=1', 'a=1', ''].map((cookie) => cache.get('/', cookie ? { cookie } : {}))
    await rest()
    expect(cache.requests).toHaveLength(3)
    gate.resolve()
    expect((await Promise.all(visits)).map(({ body }) => body)).toEqual(['a=1', 'a=1', 'all'])
  })
})

describe('the request that the handler of a shared page receives', () => {
  it('the handler of a shared page receives the URL, the declared fields and constant fields', async () => {
    const cache = startCache({ fields: { Accept: true }, cookies: ['theme'] })
    const visitorHeaders = {
      accept: 'text/html',
      'accept-encoding': 'br',
      'cache-control': 'max-age=0',
      cookie: '_ga=1; theme=dark',
      forwarded: 'for=203.0.113.9',
      'if-none-match': '"x"',
      origin: 'https://other.test',
      referer: 'https://other.test/',
      'sec-fetch-site': 'cross-site',
      'user-agent': 'Browser/1',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-real-ip': '203.0.113.9',
    }
    await cache.get('/page?utm_source=x&b=1#top', visitorHeaders)
    const [{ url, method, headers }] = cache.requests as [Request]
    expect(isbot(headers.get('user-agent'))).toBe(false)
    expect([url, method, Object.fromEntries(headers)]).toEqual([
      'https://site.test/page?b=1',
      'GET',
      {
        accept: 'text/html',
        cookie: 'theme=dark',
        host: 'site.test',
        'user-agent': 'Mozilla/5.0 (compatible; sitewright)',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-proto': 'https',
      },
    ])
  })

  it.each(['Host', 'Proto', 'Port', 'Prefix'])('each value of X-Forwarded-%s has its own page', async (name) => {
    const cache = startCache()
    const field = `x-forwarded-${name.toLowerCase()}`
    cache.serve(({ headers }) => cacheable(headers.get(field)))
    for (const value of ['a', 'b', 'a']) expect((await cache.get('/', { [field]: value })).body).toBe(value)
    expect(cache.requests).toHaveLength(2)
  })

  it('the handler of a shared page does not run in the asynchronous context of a visitor', async () => {
    const cache = startCache()
    const storage = new AsyncLocalStorage<string>()
    cache.serve(async () => {
      await rest(0)
      const renderStore = storage.getStore()
      const pull = (body: ReadableStreamDefaultController) => {
        body.enqueue(new TextEncoder().encode(`${renderStore} ${storage.getStore()}`))
        body.close()
      }
      return cacheable(new ReadableStream({ pull }, { highWaterMark: 0 }))
    })
    const body = await storage.run('Ann', async () => (await cache.get()).body)
    expect(body).toBe('undefined undefined')
  })
})

describe('in development', () => {
  afterEach(() => vi.restoreAllMocks())

  it('in development, a declared field causes no warning on a page that does not depend on it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const cache = startCache({ fields: { 'Accept-Language': (sent, { url }) => (url.endsWith('/') ? sent : null) } })
    cache.serve(({ headers }) => cacheable(`${headers.get('accept-language')}`))
    for (const path of ['/', '/de']) await cache.get(path, { 'accept-language': 'de' })
    expect(warn).not.toHaveBeenCalled()
  })

  it('in development, the cache warns once of each undeclared field that the handler reads, with advice', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const cache = startCache({ fields: { Accept: true }, bypass: () => false })
    cache.serve(({ headers }) =>
      cacheable(`${headers.get('User-Agent')} ${headers.get('cookie')} ${headers.has('dnt')}`),
    )
    const visitorHeaders = { 'user-agent': 'x', cookie: '_ga=1; theme=1', accept: 'a', 'if-none-match': '"a"' }
    for (let page = 0; page < 3; page++) await cache.get(`/${page}`, visitorHeaders)
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      "Response cache: the handler reads User-Agent, which shared pages do not get. Write fields: { 'user-agent': true } if pages depend on it, or return true from bypass for such requests",
      "Response cache: the handler reads cookie, which shared pages do not get. Write cookies: ['name'] if pages depend on a cookie, or bypass: withCookies('name') if it makes them the visitor's own",
    ])
  })
})
