import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTokens } from '../image/sign.js'
import {
  createPreview,
  type PreviewOptions,
  type PreviewSource,
  prismicPreview,
  sanityPreview,
  sharedSecret,
  storyblokPreview,
} from './index.js'
import { secondsFromNow } from './session.js'

const site = 'https://www.example.com'
const secret = 's'.repeat(32)
const cms = sharedSecret({ secret: 'of the CMS' })
const start = (options: Partial<PreviewOptions> = {}) => createPreview({ secret, verify: [cms], ...options })
const preview = start()

const get = (path: string, headers: Record<string, string> = {}) => new Request(site + path, { headers })
const withCookie = (cookie: string) => get('/', { Cookie: cookie })
const opening = '/api/preview?secret=of+the+CMS&path=/articles/boats'

/** Opens a preview. Returns the cookie as browsers send it, and its attributes. */
async function open(request = get(opening), of = preview) {
  const response = await of.handler(request)
  const [cookie = '', ...attributes] = (response?.headers.getSetCookie()[0] ?? '').split('; ')
  return { response, cookie, attributes: attributes.join('; ') }
}

/** Sends what is in the fragment of a link, as the script of its page does. */
const follow = (link: string, of = preview) => {
  const [path = '', token = ''] = link.split('#')
  return of.handler(new Request(site + path, { method: 'POST', body: new URLSearchParams({ token }) }))
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('opening a preview', () => {
  it('redirects to the page with a cookie that turns the preview on', async () => {
    const { response, cookie, attributes } = await open()
    expect(response?.status).toBe(303)
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      location: '/articles/boats',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(attributes).toBe('Path=/; Max-Age=28800; HttpOnly; Secure; SameSite=Lax')
    expect(preview.isOn(withCookie(cookie))).toEqual({ source: 'cms', perspective: undefined })
    expect(preview.isOn(get('/'))).toBeUndefined()
  })

  it.each([
    ['in an iframe', site, { 'Sec-Fetch-Dest': 'iframe' }, '-frame', 'Secure; SameSite=None; Partitioned'],
    ['on a development server', 'http://localhost:3000', {}, '', 'SameSite=Lax'],
    ['on its IPv6 address', 'http://[::1]:3000', {}, '', 'SameSite=Lax'],
    [
      'in an iframe of it',
      'http://localhost',
      { 'Sec-Fetch-Dest': 'iframe' },
      '-frame',
      'Secure; SameSite=None; Partitioned',
    ],
    ['behind a proxy with TLS', 'http://localhost', { 'X-Forwarded-Proto': 'https' }, '', 'Secure; SameSite=Lax'],
    ['behind another proxy', 'http://www.example.com', {}, '', 'Secure; SameSite=Lax'],
    ['on a host that begins like it', 'http://localhost.example.com', {}, '', 'Secure; SameSite=Lax'],
  ])('%s, the cookie has the attributes that browsers accept there', async (_, origin, headers, name, attributes) => {
    const result = await open(new Request(origin + opening, { headers: headers as HeadersInit }))
    expect(result.cookie).toMatch(`sitewright-preview${name}=`)
    expect(result.attributes).toBe(`Path=/; Max-Age=28800; HttpOnly; ${attributes}`)
    expect(preview.isOn(withCookie(result.cookie))).toBeDefined()
  })

  it.each([
    ['no secret', '/api/preview?path=/'],
    ['an empty secret', '/api/preview?secret=&path=/'],
    ['another secret', '/api/preview?secret=of+the+CMs&path=/'],
    ['a name of an object', '/api/preview?__proto__=of+the+CMS'],
  ])('%s opens nothing, and the page says so', async (_, path) => {
    const response = await preview.handler(get(path))
    expect(response?.status).toBe(403)
    expect(response?.headers.getSetCookie()).toEqual([])
    expect(await response?.text()).toContain('This preview address is not valid')
  })

  it('a bearer token opens it, too', async () => {
    const { cookie } = await open(get('/api/preview?slug=a', { Authorization: 'Bearer of the CMS' }))
    expect(preview.isOn(withCookie(cookie))).toBeDefined()
    expect((await preview.handler(get('/api/preview', { Authorization: 'Bearer other' })))?.status).toBe(403)
  })

  it.each(['//evil.example', '/\\evil.example', '/%09/evil.example', '/.//evil.example'])(
    'refuses to redirect to %s',
    async (path) => {
      const response = await preview.handler(get(`/api/preview?secret=of+the+CMS&path=${path}`))
      expect(response?.headers.get('location') ?? '').not.toMatch(/^\/[/\\]/)
      if (!path.includes('%')) expect(response?.status).toBe(400)
    },
  )

  it('the handler answers its own paths only', async () => {
    const answers = ['/', '/api/previews', '/api/preview/other', '/api'].map((path) => preview.handler(get(path)))
    expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined, undefined])
    expect((await preview.handler(get(opening.replace('?', '/?'))))?.status).toBe(303)
    const own = start({ path: '/draft' })
    expect((await own.handler(get(opening.replace('/api/preview', '/draft'))))?.status).toBe(303)
    expect(own.bar(withCookie((await open()).cookie))).toContain('action="/draft/exit"')
  })

  it("Storyblok's signature opens it for an hour, and its page keeps what the script of Storyblok reads", async () => {
    const storyblok = start({ verify: [storyblokPreview({ token: 'preview token' })] })
    const send = (timestamp: string, of = `12:preview token:${timestamp}`) => {
      const token = createHash('sha1').update(of).digest('hex')
      const query = { _storyblok: '7', '_storyblok_tk[space_id]': '12', '_storyblok_tk[timestamp]': timestamp }
      return open(
        get(`/api/preview?path=/de/a&${new URLSearchParams({ ...query, '_storyblok_tk[token]': token })}`),
        storyblok,
      )
    }
    const now = secondsFromNow()
    const { response, cookie } = await send(`${now - 3590}`)
    const kept = `_storyblok=7&_storyblok_tk%5Bspace_id%5D=12&_storyblok_tk%5Btimestamp%5D=${now - 3590}`
    expect(response?.headers.get('location')).toBe(`/de/a?${kept}`)
    expect(storyblok.isOn(withCookie(cookie))?.source).toBe('storyblok')
    expect((await send(`${now - 3610}`)).response?.status).toBe(403)
    expect((await send('x')).response?.status).toBe(403)
    expect((await send(`${now}`, `12:another token:${now}`)).response?.status).toBe(403)
    expect((await storyblok.handler(get('/api/preview?path=/')))?.status).toBe(403)
  })
})

describe('a CMS that is asked', () => {
  const answer = vi.fn<(request: Request) => Response>()
  const token = 'https://site.prismic.io/previews/abc:def?websitePreviewId=x'
  const verify = [
    sanityPreview({ projectId: 'abc', dataset: 'production', token: 'viewer' }),
    prismicPreview({ repository: 'site', path: ({ lang, uid }) => `/${lang}/${uid}`, token: 'private' }),
  ]
  const own = start({ verify })
  const prismic = (query: object) => own.handler(get(`/api/preview?${new URLSearchParams({ ...query })}`))
  beforeEach(() => {
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => answer(new Request(input, init)))
    answer.mockReset().mockImplementation(() => Response.json({ results: [{ id: 'X1', uid: 'boote', lang: 'de' }] }))
  })
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it("Prismic's token opens the document that the API returns for it, and is the ref of the draft", async () => {
    const { response, cookie } = await open(
      get(`/api/preview?${new URLSearchParams({ token, documentId: 'X1' })}`),
      own,
    )
    expect(response?.headers.get('location')).toBe('/de/boote')
    const state = { source: 'prismic', perspective: token }
    expect(own.isOn(withCookie(cookie))).toEqual(state)
    const asked = new URL(answer.mock.calls[0]?.[0].url ?? '')
    expect(asked.origin + asked.pathname).toBe('https://site.cdn.prismic.io/api/v2/documents/search')
    const query = { ref: token, q: '[[at(document.id,"X1")]]', lang: '*', access_token: 'private' }
    expect(Object.fromEntries(asked.searchParams)).toEqual(query)
    await own.fetch(withCookie(cookie))('https://site.cdn.prismic.io/api/v2/documents/search?ref=master')
    expect(answer.mock.calls[1]?.[0].url).toContain(`ref=${encodeURIComponent(token)}`)
  })

  it.each([
    ['a published ref', { token: 'ZxY', documentId: 'X1' }],
    ['a token of another repository', { token: 'https://evil.prismic.io/previews/a', documentId: 'X1' }],
    ['a host that begins like it', { token: 'https://site.prismic.io.evil.example/previews/a', documentId: 'X1' }],
    ['no document', { token }],
    ['a part of a query', { token, documentId: 'X1")][at(document.type,"a' }],
  ])('%s asks nobody and opens nothing', async (_, query) => {
    expect((await prismic(query))?.status).toBe(403)
    expect(answer).not.toHaveBeenCalled()
  })

  it('a token that the API does not know opens nothing, and an API that fails is an error', async () => {
    answer.mockImplementation(() => Response.json({ message: 'expired' }, { status: 404 }))
    expect((await prismic({ token, documentId: 'X1' }))?.status).toBe(403)
    answer.mockImplementation(() => new Response('', { status: 502 }))
    await expect(prismic({ token, documentId: 'X1' })).rejects.toThrow('site.cdn.prismic.io answered 502')
    answer.mockImplementation(() => new Response('', { status: 401 }))
    await expect(own.handler(get('/api/preview?sanity-preview-secret=x'))).rejects.toThrow(
      'abc.api.sanity.io answered 401',
    )
  })

  it("Sanity's requests get its own API, the perspective and the token, and no other host gets them", async () => {
    answer.mockImplementation(() => Response.json({ result: 'of the studio' }))
    const { cookie } = await open(
      get('/api/preview?sanity-preview-secret=of+the+studio&sanity-preview-perspective=rA'),
      own,
    )
    const read = own.fetch(withCookie(cookie))
    await read('https://abc.apicdn.sanity.io/v2025-02-19/data/query/production?query=*')
    await read('https://abcd.api.sanity.io/v2025-02-19/data/query/production?query=*')
    const asked = answer.mock.calls.slice(1).map(([{ url, headers }]) => [url, headers.get('authorization')])
    expect(asked).toEqual([
      ['https://abc.api.sanity.io/v2025-02-19/data/query/production?query=*&perspective=rA', 'Bearer viewer'],
      ['https://abcd.api.sanity.io/v2025-02-19/data/query/production?query=*', null],
    ])
  })
})

describe('the cookie', () => {
  it('expires after eight hours, whatever the browser says', async () => {
    const { cookie } = await open()
    vi.advanceTimersByTime(8 * 3_600_000 - 1000)
    expect(preview.isOn(withCookie(cookie))).toBeDefined()
    vi.advanceTimersByTime(1000)
    expect(preview.isOn(withCookie(cookie))).toBeUndefined()
  })

  it('ends when its secret is removed, and not while it is in the list', async () => {
    const { cookie } = await open()
    const next = 'n'.repeat(32)
    expect(start({ secret: [next, secret] }).isOn(withCookie(cookie))).toBeDefined()
    expect(start({ secret: next }).isOn(withCookie(cookie))).toBeUndefined()
    expect(start({ secret: [undefined, ''] }).isOn(withCookie(cookie))).toBeUndefined()
  })

  it('no change of a cookie, and no text, is valid', async () => {
    const { cookie } = await open()
    const value = cookie.slice(cookie.indexOf('=') + 1)
    const position = fc.nat(value.length - 1)
    const changed = fc.oneof(
      position.map((index) => value.slice(0, index)),
      position.map((index) => value.slice(index + 1)),
      fc
        .tuple(position, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 2 }))
        .map(([index, text]) => value.slice(0, index) + text + value.slice(index + 1)),
      fc.constantFrom(`${value}.`, `.${value}`, `${value}${value}`, `${value}.${value}`, '.', ''),
      fc.string({ unit: 'grapheme-ascii' }),
    )
    fc.assert(
      fc.property(changed, (text) => {
        // A semicolon ends a cookie, and spaces around a value are not a part of it.
        if (text.split(';', 1)[0]?.trim() === value) return
        expect(preview.isOn(withCookie(`sitewright-preview=${text}`))).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
    expect(preview.isOn(withCookie(`sitewright-preview=${value}`))).toBeDefined()
  })

  it('counts if any of several is valid, in any place', async () => {
    const { cookie } = await open()
    const made = 'sitewright-preview=made-up'
    expect(preview.isOn(withCookie(`a=b; ${made}; ${cookie}; ${made}`))).toBeDefined()
    expect(preview.isOn(withCookie(`x${cookie}; ${cookie.replace('=', '2=')}`))).toBeUndefined()
  })

  it('a token of a link is no cookie, and a cookie is no token of a link', async () => {
    const { cookie } = await open()
    const token = preview.link('/').split('#')[1]
    expect(preview.isOn(withCookie(`sitewright-preview=${token}`))).toBeUndefined()
    expect((await follow(`/api/preview/link#${cookie.split('=')[1]}`))?.status).toBe(403)
  })

  it('a token is base64url(JSON).base64url(HMAC-SHA256)', () => {
    const { create, read } = createTokens('kind', [secret])
    const token = create({ until: 1 })
    const signature = createHmac('sha256', secret).update('sitewright kind:eyJ1bnRpbCI6MX0').digest('base64url')
    expect(token).toBe(`eyJ1bnRpbCI6MX0.${signature}`)
    expect(read(token)).toEqual({ until: 1 })
  })
})

describe('a link', () => {
  it('has its token in the fragment, opens its own page, and turns into a cookie that expires with it', async () => {
    const link = preview.link('/articles/boats?a=1', { hours: 2 })
    expect(link).toMatch(/^\/api\/preview\/link#[\w-]+\.[\w-]+$/)
    const response = await follow(link)
    expect(response?.status).toBe(303)
    expect(response?.headers.get('location')).toBe('/articles/boats?a=1')
    expect(response?.headers.get('referrer-policy')).toBe('no-referrer')
    const [cookie = ''] = response?.headers.getSetCookie() ?? []
    expect(cookie).toContain('Max-Age=7200')
    expect(preview.isOn(withCookie(cookie.split(';')[0] as string))).toEqual({ source: 'link', perspective: undefined })
    vi.advanceTimersByTime(2 * 3_600_000)
    expect(preview.isOn(withCookie(cookie.split(';')[0] as string))).toBeUndefined()
  })

  it('its page has a script that the policy allows, and sends no Referer', async () => {
    const page = await preview.handler(get('/api/preview/link'))
    const [, script = ''] = /<script>(.*)<\/script>/s.exec((await page?.text()) ?? '') ?? []
    const hash = createHash('sha256').update(script).digest('base64')
    expect(page?.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`)
    expect(page?.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page?.headers.get('cache-control')).toBe('no-store')
  })

  it('says in words that it has expired, or is not valid', async () => {
    const link = preview.link('/articles/boats', { hours: 1 })
    const cut = await follow(link.slice(0, -1))
    expect([cut?.status, await cut?.text()]).toEqual([403, expect.stringContaining('This preview link is not valid')])
    expect((await follow(link, start({ secret: 'x'.repeat(32) })))?.status).toBe(403)
    vi.advanceTimersByTime(3_600_000)
    const late = await follow(link)
    expect([late?.status, await late?.text()]).toEqual([410, expect.stringContaining('This preview link has expired')])
    expect(late?.headers.getSetCookie()).toEqual([])
  })

  it('keeps the draft that its creator sees', async () => {
    const draft = { source: 'cms', perspective: 'r1' }
    const [cookie = ''] = (await follow(preview.link('/', { draft })))?.headers.getSetCookie() ?? []
    expect(preview.isOn(withCookie(cookie.split(';')[0] as string))).toEqual(draft)
  })

  it('lasts 30 days at most, and leads to no other site', async () => {
    const [cookie] = (await follow(preview.link('/', { hours: 1e9 })))?.headers.getSetCookie() ?? []
    expect(cookie).toContain(`Max-Age=${720 * 3600};`)
    expect(() => preview.link('//evil.example')).toThrow(
      "page: expected a path of the site, such as '/articles/boats', got",
    )
    expect(() => preview.link('/', { hours: -1 })).toThrow('hours: expected a number >= 0, got -1')
    expect(() => start({ secret: undefined }).link('/')).toThrow('secret: expected 32 characters or more, got none')
  })

  it.each([100, 100_000])('a body of %s bytes that is no form opens nothing', async (length) => {
    const init = { method: 'POST', body: '\u0000'.repeat(length) }
    expect((await preview.handler(new Request(`${site}/api/preview/link`, init)))?.status).toBe(403)
  })
})

describe('the exit', () => {
  it('deletes both cookies, and leads back to the page', async () => {
    const init = { method: 'POST', headers: { Referer: `${site}/articles/boats?a=1` } }
    const response = await preview.handler(new Request(`${site}/api/preview/exit`, init))
    expect([response?.status, response?.headers.get('location')]).toEqual([303, '/articles/boats?a=1'])
    expect(response?.headers.getSetCookie()).toEqual([
      'sitewright-preview-frame=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=None; Partitioned',
      'sitewright-preview=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    ])
  })

  it.each([
    ['no Referer', undefined, '/'],
    ['another site', 'https://evil.example//evil.example/', '/'],
  ])('with %s, it leads to the site', async (_, referer, location) => {
    const init = { method: 'POST', headers: referer ? { Referer: referer } : {} }
    const response = await preview.handler(new Request(`${site}/api/preview/exit`, init))
    expect(response?.headers.get('location')).toBe(location)
  })

  it('no prefetch ends the preview', async () => {
    expect(await preview.handler(get('/api/preview/exit'))).toBeUndefined()
  })

  it('the bar is there in a preview only, and needs no inline style', async () => {
    const { cookie } = await open()
    const bar = preview.bar(withCookie(cookie))
    expect(bar).not.toMatch(/<style|style=|<script/)
    expect([preview.bar(get('/')), preview.bar(withCookie('sitewright-preview=x'))]).toEqual(['', ''])
    const [, href = ''] = /href="(.*?)"/.exec(bar) ?? []
    const stylesheet = await preview.handler(get(href))
    expect(stylesheet?.headers.get('content-type')).toBe('text/css')
  })
})

describe('an answer in a preview', () => {
  it.each([
    [null, "frame-ancestors 'self' https://studio.example"],
    [
      "default-src 'self'; frame-ancestors 'none'; img-src *;",
      "default-src 'self'; img-src *; frame-ancestors 'self' https://studio.example",
    ],
    [
      "Frame-Ancestors 'none', default-src 'self'",
      "frame-ancestors 'self' https://studio.example, default-src 'self'; frame-ancestors 'self' https://studio.example",
    ],
  ])('with the policy %j has the policy %j', async (policy, expected) => {
    const own = start({ studio: ['https://studio.example'] })
    const { cookie } = await open()
    const headers = new Headers({
      'Cache-Control': 's-maxage=60',
      'CDN-Cache-Control': 'max-age=60',
      'X-Frame-Options': 'DENY',
    })
    if (policy) headers.set('Content-Security-Policy', policy)
    const published = new Response('a', { headers })
    expect(own.respond(get('/'), published)).toBe(published)
    const response = own.respond(withCookie(cookie), published)
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'private, no-store',
      'content-security-policy': expected,
      'content-type': 'text/plain;charset=UTF-8',
      'x-robots-tag': 'noindex',
    })
  })
})

describe('fetch', () => {
  it('asks the draft API of each source in a preview, and else the given function', async () => {
    const asked: Request[] = []
    vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
      asked.push(new Request(input, init))
      return Response.json({})
    })
    const verify = [
      cms,
      storyblokPreview({ token: 'preview' }),
      sharedSecret({
        secret: 'x',
        draft: (url, headers) => url.host === 'cms.example' && headers.set('x-include-drafts', 'true'),
      }),
    ]
    const own = start({ verify })
    const published = vi.fn<typeof fetch>(async () => Response.json({}))
    const { cookie } = await open()
    await own.fetch(get('/'), published)('https://cms.example/a')
    expect([published.mock.calls.length, asked.length]).toEqual([1, 0])
    const read = own.fetch(withCookie(cookie), published)
    await read('https://api-us.storyblok.com/v2/cdn/stories/a?token=public&version=published')
    await read('https://cms.example/graphql', { method: 'POST', body: '{}' })
    await read(new Request('https://api.storyblok.com.evil.example/'))
    expect(published).toHaveBeenCalledTimes(1)
    expect(asked.map(({ url }) => url)).toEqual([
      'https://api-us.storyblok.com/v2/cdn/stories/a?token=preview&version=draft',
      'https://cms.example/graphql',
      'https://api.storyblok.com.evil.example/',
    ])
    expect(asked[1]?.headers.get('x-include-drafts')).toBe('true')
    expect(await asked[1]?.text()).toBe('{}')
  })
})

it.each([
  ['secret: expected 32 characters or more, got fewer', { secret: 'short' }],
  ['secret: expected 32 characters or more, got fewer', { secret: [secret, 'short'] }],
  ['studio: expected an origin', { studio: ['https://studio.example/'] }],
  ['path: expected a path', { path: '//evil' }],
])('%s', (message, options) => {
  expect(() => start(options)).toThrow(message)
})

it.each<[string, PreviewSource]>([
  ['a shared secret', sharedSecret({ secret: undefined })],
  ['an empty shared secret', sharedSecret({ secret: '' })],
  ['Storyblok', storyblokPreview({ token: undefined })],
  ['Sanity', sanityPreview({ projectId: 'a', dataset: 'b', token: undefined })],
])('%s without its variable of the environment opens nothing', async (_, source) => {
  const timestamp = String(secondsFromNow())
  const query = new URLSearchParams({
    secret: '',
    'sanity-preview-secret': 'x',
    '_storyblok_tk[space_id]': '1',
    '_storyblok_tk[timestamp]': timestamp,
    '_storyblok_tk[token]': createHash('sha1').update(`1:undefined:${timestamp}`).digest('hex'),
  })
  for (const headers of [{}, { Authorization: 'Bearer undefined' }]) {
    expect(await source.verify(get(`/api/preview?${query}`, headers as Record<string, string>))).toBeUndefined()
  }
})
