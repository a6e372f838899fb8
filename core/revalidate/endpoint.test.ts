import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createResponseCache, memoryStore } from '../cache/index.js'
import { createRevalidateEndpoint, type RevalidateOptions } from './index.js'

const secret = 'test-secret'
const url = 'https://site.test/api/revalidate'
const invalidate = vi.fn<(tags: string[]) => unknown>()
const log = vi.fn<(message: string, detail: Record<string, unknown>) => void>()
beforeEach(() => {
  invalidate.mockReset()
  log.mockReset()
})
afterEach(() => vi.restoreAllMocks())

const endpoint = (options: Partial<RevalidateOptions> = {}) =>
  createRevalidateEndpoint({ secret, invalidate, log, ...options } as RevalidateOptions)

const post = (init: RequestInit & { duplex?: 'half' } = {}, token: string | null = `Bearer ${secret}`) =>
  new Request(url, { method: 'POST', ...init, headers: { ...(token && { Authorization: token }), ...init.headers } })

async function send(request: Request, options?: Partial<RevalidateOptions>) {
  const response = await endpoint(options)(request)
  if (!response) throw new Error('no response')
  return { status: response.status, body: await response.text(), headers: response.headers }
}

it('the handler of the images is rejected in place of the images', () => {
  const images = (async () => undefined) as never
  expect(() => createRevalidateEndpoint({ secret: 'a-secret', invalidate: () => {}, images })).toThrow(
    'images: expected the result of createImages, not its handler, got a function',
  )
})

describe('statuses and bodies, in their order', () => {
  const noSecret = { secret: undefined }
  const failing = { invalidate: () => Promise.reject(new Error('store is down')) }
  const wrongBody = { body: '{"tags":[]}' }
  const table: [string, number, string, Request, Partial<RevalidateOptions>?][] = [
    ['the right token', 200, '{"revalidated":true}', post()],
    ['a trailing slash', 200, '{"revalidated":true}', new Request(`${url}/`, post())],
    ['PUT', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'PUT' })],
    ['GET', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'GET' })],
    ['HEAD and allowGet', 405, '', post({ method: 'HEAD' }), { allowGet: true }],
    ['PUT and no secret', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'PUT' }), noSecret],
    ['no secret', 500, '{"error":"Revalidation is not configured","revalidated":false}', post(), noSecret],
    ['an empty secret', 500, '{"error":"Revalidation is not configured","revalidated":false}', post(), { secret: '' }],
    [
      'empty secrets',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post(),
      { secret: ['', ''] },
    ],
    [
      'no secret and no token',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post({}, null),
      noSecret,
    ],
    [
      'no secret and Bearer alone',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post({}, 'Bearer'),
      noSecret,
    ],
    ['no token', 401, '{"error":"Invalid token","revalidated":false}', post({}, null)],
    ['another token', 401, '{"error":"Invalid token","revalidated":false}', post({}, 'Bearer test')],
    [
      'another token and a wrong body',
      401,
      '{"error":"Invalid token","revalidated":false}',
      post(wrongBody, 'Bearer x'),
      { allowTags: true },
    ],
    [
      'a wrong body',
      400,
      '{"error":"tags must name at least one tag","revalidated":false}',
      post(wrongBody),
      { allowTags: true, ...failing },
    ],
    ['a failing invalidation', 503, '{"error":"Revalidation failed","revalidated":false}', post(), failing],
  ]
  it.each(table)('a request with %s is answered with %i', async (_, status, body, request, options) => {
    const response = await send(request, options)
    expect(response.status).toBe(status)
    if (request.method !== 'HEAD') expect(response.body).toBe(body)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
    expect(response.headers.get('Allow')).toBe(status === 405 ? (options?.allowGet ? 'GET, POST' : 'POST') : null)
    expect(invalidate).toHaveBeenCalledTimes(status === 200 ? 1 : 0)
  })

  it.each(['/', '/api', '/api/revalidate/x', '/api/revalidatex', '/API/revalidate', '//api/revalidate'])(
    'a request for another path is not answered: %s',
    async (path) => {
      expect(await endpoint()(new Request(`https://site.test${path}`, post()))).toBeUndefined()
    },
  )

  it.each<[string, number, string, Partial<RevalidateOptions>]>([
    ['?pth=/about', 400, 'Unknown parameter pth: expected path', {}],
    ['?x-vercel-protection-bypass=1', 200, '"revalidated":true', {}],
    ['?space=a', 200, '"revalidated":true', { secret: undefined, verify: () => true }],
    ['?space=a', 200, '"revalidated":true', { getTags: () => ['menu'] }],
  ])('an unknown parameter %s is answered with %i', async (query, status, body, options) => {
    const result = await send(new Request(`${url}${query}`, post({ body: '{}' })), options)
    expect(result).toMatchObject({ status, body: expect.stringContaining(body) })
    expect(invalidate).toHaveBeenCalledTimes(status === 200 ? 1 : 0)
  })

  it('a token in the URL is ignored', async () => {
    const request = new Request(`${url}?secret=${secret}&token=${secret}&access_token=${secret}`, { method: 'POST' })
    expect((await send(request)).status).toBe(401)
  })
})

describe('options', () => {
  it('the tags are document by default, and are passed as a copy without duplicates', async () => {
    await send(post())
    expect(invalidate).toHaveBeenLastCalledWith(['document'])
    invalidate.mockImplementation((tags) => tags.splice(0))
    const tags = ['document', 'menu', 'menu']
    const revalidate = endpoint({ tags })
    await revalidate(post())
    await revalidate(post())
    expect(invalidate.mock.calls.length).toBe(3)
    expect(tags).toEqual(['document', 'menu', 'menu'])
    const received: string[][] = []
    await send(post(), { tags, invalidate: (copy) => void received.push(copy) })
    expect(received).toEqual([['document', 'menu']])
  })

  it('allowGet allows GET', async () => {
    expect((await send(post({ method: 'GET' }), { allowGet: true, allowTags: true })).body).toBe('{"revalidated":true}')
    expect((await send(new Request(url), { allowGet: true })).status).toBe(401)
    expect((await send(post(), { allowGet: true })).status).toBe(200)
  })

  it.each(['/hooks/cms', 'hooks/cms', '/hooks/cms/'])('the option path accepts %s', async (path) => {
    const request = new Request('https://site.test/hooks/cms', post())
    expect((await endpoint({ path })(request))?.status).toBe(200)
    expect(await endpoint({ path })(post())).toBeUndefined()
  })

  it.each<[string, Partial<RevalidateOptions>]>([
    ['path', { path: '' }],
    ['path', { path: '/api/../x' }],
    ['path', { path: '/api?x' }],
    ['path', { path: 'https://site.test/api' }],
    ['tags', { tags: [] }],
    ['tags', { tags: [''] }],
    ['tags', { tags: 'document' as unknown as string[] }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: Number.POSITIVE_INFINITY }],
    ['secret', { secret: 'two words' }],
    ['secret, verify', { verify: () => true }],
  ])('the error names the malformed option %s: %j', (option, options) => {
    expect(() => endpoint(options)).toThrow(TypeError)
    expect(() => endpoint(options)).toThrow(new RegExp(`^${option}: `))
  })
})

describe('the log', () => {
  it('a thousand wrong tokens are logged in one line a minute, with a count', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const respond = endpoint()
    for (let round = 0; round < 1_000; round++) await respond(post({}, `Bearer ${round}`))
    vi.advanceTimersByTime(60_001)
    await respond(post({}, 'Bearer guess'))
    const detail = { reason: 'wrong token', method: 'POST', path: '/api/revalidate' }
    expect(log.mock.calls).toEqual([
      ['Invalid token for revalidate request', detail],
      ['Invalid token for revalidate request', { ...detail, suppressed: 999 }],
    ])
    vi.useRealTimers()
  })

  it('invalid tokens are logged in one line a minute for each reason', async () => {
    const respond = endpoint()
    for (const authorization of ['Bearer a', 'Basic b', 'Bearer c', 'Basic d']) {
      await respond(post({}, authorization))
    }
    expect(log.mock.calls.map(([, { reason }]) => reason)).toEqual(['wrong token', 'not the Bearer scheme'])
  })

  it('an invalid token is logged with reason, method and path, but without the token', async () => {
    await send(new Request(`${url}?token=in-the-url`, post({}, 'Bearer a-guess')))
    expect(log.mock.calls).toEqual([
      ['Invalid token for revalidate request', { reason: 'wrong token', method: 'POST', path: '/api/revalidate' }],
    ])
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/guess|in-the-url/)
  })

  it('the log is console.warn by default', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await send(post({}, null), { log: undefined })
    expect(warn.mock.calls).toEqual([
      [
        'Invalid token for revalidate request',
        { reason: 'no Authorization header', method: 'POST', path: '/api/revalidate' },
      ],
    ])
  })

  it('a missing secret and a failure are logged', async () => {
    await send(post(), { secret: '' })
    await send(post(), { invalidate: () => Promise.reject(new Error('store is down')) })
    expect(log.mock.calls).toEqual([
      [
        'Revalidation is not configured',
        { reason: 'secret is missing or empty: set it in the environment of the server', path: '/api/revalidate' },
      ],
      [
        'Revalidation is not configured',
        {
          reason: 'secret is missing or empty: set it in the environment of the server',
          method: 'POST',
          path: '/api/revalidate',
        },
      ],
      ['Revalidation failed', { reason: 'store is down', method: 'POST', path: '/api/revalidate', tags: ['document'] }],
    ])
  })

  it.each([undefined, '', [''], [undefined]])(
    'the missing secret %j is logged when the endpoint is created, also in production',
    (missing) => {
      vi.stubEnv('NODE_ENV', 'production')
      endpoint({ secret: missing })
      expect(log.mock.calls).toEqual([
        [
          'Revalidation is not configured',
          { reason: 'secret is missing or empty: set it in the environment of the server', path: '/api/revalidate' },
        ],
      ])
      vi.unstubAllEnvs()
    },
  )

  it('a missing secret is logged in one line a minute, for any number of requests', async () => {
    const endpoint = createRevalidateEndpoint({ secret: '', invalidate: () => {}, log })
    log.mockReset()
    for (let number = 0; number < 100; number++) expect((await endpoint(post()))?.status).toBe(500)
    expect(log).toHaveBeenCalledOnce()
  })

  it('failures are logged in one line a minute for each reason, whatever the tags are', async () => {
    let round = 0
    const failing = endpoint({
      getTags: () => [`post:${++round}`],
      invalidate: ([tag]) =>
        Promise.reject(new Error(round % 2 ? `cdn: 1 tag not purged ("${tag}")` : 'store is down')),
    })
    for (let number = 0; number < 100; number++) await failing(post({ body: '{}' }))
    expect(log.mock.calls.map(([message, { reason }]) => [message, reason])).toEqual([
      ['Revalidation failed', 'cdn: 1 tag not purged ("post:1")'],
      ['Revalidation failed', 'store is down'],
    ])
  })

  it('a failure is logged with ten tags at most, and the number of further tags', async () => {
    const getTags = () => ['x'.repeat(5000), ...Array.from({ length: 1500 }, (_, index) => `post:${index}`)]
    await send(post({ body: '{}' }), { getTags, invalidate: () => Promise.reject(new Error('down')) })
    const [[, detail]] = log.mock.calls as [[string, Record<string, unknown>]]
    expect(detail).toMatchObject({
      tags: [`${'x'.repeat(100)}…`, ...Array.from({ length: 9 }, (_, index) => `post:${index}`)],
      moreTags: 1491,
    })
  })

  it('an empty tag of getTags is logged, and the other tags are purged', async () => {
    const getTags = () => ['document', '']
    expect((await send(post({ body: '{}' }), { getTags })).body).toBe('{"revalidated":true}')
    expect(invalidate).toHaveBeenCalledExactlyOnceWith(['document'])
    expect(log.mock.calls).toEqual([
      [
        'Empty tag ignored',
        { reason: 'getTags returned an empty tag', method: 'POST', path: '/api/revalidate', tags: ['document'] },
      ],
    ])
    invalidate.mockReset()
    const emptyTags = await send(post({ body: '{}' }), { getTags: () => [' '] })
    expect([emptyTags.status, emptyTags.body]).toEqual([200, '{"revalidated":false}'])
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('the log never contains a secret, even if errors and tags contain it', async () => {
    const siteSecret = 'a-secret-of-the-site'
    await send(post({ body: '{}' }, `Bearer ${siteSecret}`), {
      secret: ['another-secret', siteSecret],
      getTags: () => [`tag of ${siteSecret}`],
      invalidate: () => Promise.reject(new Error(`rejected ${siteSecret}`)),
    })
    const verify = Object.assign(() => true, { redact: (text: string) => text.replaceAll('in-the-body', '[secret]') })
    await send(post({ body: '{}' }), {
      secret: undefined,
      verify,
      getTags: () => {
        throw new Error('cannot map {"secret":"in-the-body"}')
      },
    } as Partial<RevalidateOptions>)
    expect(log.mock.calls.map(([, { reason, tags }]) => [reason, tags])).toEqual([
      ['rejected [secret]', ['tag of [secret]']],
      ['cannot map {"secret":"[secret]"}', undefined],
    ])
  })

  it.each<[string, RequestInit, Partial<RevalidateOptions>, string]>([
    ['a wrong method', { method: 'PUT' }, {}, 'Method not allowed'],
    ['a body that is not JSON', { body: 'x' }, { getTags: () => [] }, 'Body is not JSON'],
    [
      'an unknown tag',
      { body: '{"tags":["a"]}' },
      { allowTags: true },
      'Unknown tag "a": list it in the option tags, or return it from getTags',
    ],
  ])('a rejected request is logged: %s', async (_, init, options, reason) => {
    await send(post(init), options as Partial<RevalidateOptions>)
    expect(log.mock.calls).toEqual([
      ['Revalidate request rejected', { reason, method: init.method ?? 'POST', path: '/api/revalidate' }],
    ])
  })

  it('a success is not logged', async () => {
    await send(post())
    expect(log).not.toHaveBeenCalled()
  })
})

describe('a path', () => {
  const images = {
    tagOf: (src: string) => (/^(?:\/media\/|https:\/\/cdn\.test\/)[^?]*$/.test(src) ? src : undefined),
    invalidate: vi.fn(async (_: readonly string[]) => {}),
  }
  const sendPaths = async (paths: string[], options?: Partial<RevalidateOptions>) => {
    const query = paths.map((path) => `path=${encodeURIComponent(path)}`).join('&')
    const { status, body } = await send(new Request(`${url}?${query}`, post()), options)
    return { status, ...JSON.parse(body) }
  }
  beforeEach(() => images.invalidate.mockClear())

  const pages: [string, string][] = [
    ['/about', '/about'],
    ['/about/', '/about'],
    ['/', '/'],
    ['/about?page=2#top', '/about'],
    ['/artikel/größe, neu', '/artikel/gr%C3%B6%C3%9Fe%2C%20neu'],
    ['/artikel/gr%c3%b6%c3%9fe', '/artikel/gr%C3%B6%C3%9Fe'],
    ['/%7Eann/100%', '/~ann/100%'],
    ['https://site.test/about/?page=2', '/about'],
    ['http://site.test', '/'],
    ['//site.test/about', '/about'],
  ]
  it.each(pages)('the path %s purges a page, with and without images', async (path, tag) => {
    for (const options of [{}, { images }]) {
      expect(await sendPaths([path], options)).toEqual({ status: 200, revalidated: true, tags: [tag] })
      expect(invalidate).toHaveBeenLastCalledWith([tag])
    }
    expect(images.invalidate.mock.lastCall).toEqual([[]])
  })

  it.each([
    ['/media/cat.jpg', '/media/cat.jpg'],
    ['/media/cat.jpg?v=2', '/media/cat.jpg'],
    ['https://site.test/media/cat.jpg', '/media/cat.jpg'],
    ['http://site.test/media/cat.jpg', '/media/cat.jpg'],
    ['//site.test/media/cat.jpg', '/media/cat.jpg'],
    ['https://cdn.test/cat.jpg', 'https://cdn.test/cat.jpg'],
  ])('the path %s purges an image', async (path, tag) => {
    expect(await sendPaths([path], { images })).toEqual({ status: 200, revalidated: true, tags: [tag] })
    expect([images.invalidate.mock.lastCall, invalidate.mock.lastCall]).toEqual([[[tag]], [[tag]]])
  })

  it('several paths may be those of pages and of images', async () => {
    const tags = ['/about', '/media/cat.jpg', '/']
    const paths = ['/about', '/about/', '/media/cat.jpg', '/?page=2']
    expect(await sendPaths(paths, { images })).toEqual({ status: 200, revalidated: true, tags })
    expect(invalidate).toHaveBeenCalledExactlyOnceWith(tags)
  })

  const pathError = 'path must be a path such as /about, or a URL of this site'
  const foreignPaths = [
    '',
    'about',
    'https://other.test/about',
    '//other.test/about',
    'ftp://site.test/about',
    'https://',
  ]
  it.each<[string, string, Partial<RevalidateOptions>]>([
    ...foreignPaths.map((path): [string, string, object] => [path, pathError, {}]),
    ...foreignPaths.map((path): [string, string, object] => [path, pathError, { images }]),
    ['https://cdn.test/cat.jpg', pathError, {}],
    ['/medai/cat.jpg', 'No source of the images has /medai/cat.jpg', { images }],
    ['https://site.test/medai/cat.AVIF', 'No source of the images has /medai/cat.AVIF', { images }],
  ])('the path %j is rejected, even beside a valid path: %s', async (path, error, options) => {
    for (const paths of [[path], ['/about', path]]) {
      expect(await sendPaths(paths, options)).toEqual({ status: 400, error, revalidated: false })
    }
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('without images, a path that looks like that of an image purges a page', async () => {
    expect(await sendPaths(['/media/cat.jpg'])).toMatchObject({ status: 200, tags: ['/media/cat.jpg'] })
  })

  it('the path of a cached page purges all its queries and variants, and its neighbours stay hits', async () => {
    const renders = vi.fn((request: Request) => {
      const headers = { 'Cache-Control': 's-maxage=60', Vary: 'Accept-Language' }
      return new Response(`${request.url} ${renders.mock.calls.length}`, { headers })
    })
    const cache = createResponseCache({
      store: memoryStore({ maxBytes: 2 ** 20 }),
      fields: { 'Accept-Language': true },
    })
    const site = cache.wrap(async (request) => renders(request))
    const read = async (path: string, headers: Record<string, string> = {}) =>
      (await site(new Request(`https://site.test${path}`, { headers })))?.text()
    const boats = '/articles/boats'
    const purgedPages: [string, Record<string, string>?][] = [
      [boats],
      [`${boats}/`],
      [`${boats}?page=2`],
      [boats, { 'Accept-Language': 'de' }],
      [boats, { 'X-Forwarded-Prefix': '/shop' }],
    ]
    const keptPages: [string, Record<string, string>?][] = [
      ['/'],
      ['/articles'],
      ['/articles/boat'],
      [`${boats}/sails`],
      ['/Articles/boats'],
      ['/articles/ships', { 'X-Forwarded-Prefix': boats }],
    ]
    const readAll = (pages: typeof purgedPages) => Promise.all(pages.map((page) => read(...page)))
    const firstReads = [await readAll(purgedPages), await readAll(keptPages)]
    expect([await readAll(purgedPages), await readAll(keptPages)]).toEqual(firstReads)
    expect(await sendPaths([`https://site.test${boats}?ref=cms`], { invalidate: cache.invalidate })).toEqual({
      status: 200,
      revalidated: true,
      tags: [boats],
    })
    renders.mockClear()
    expect(await readAll(keptPages)).toEqual(firstReads[1])
    expect(renders).not.toHaveBeenCalled()
    await readAll(purgedPages)
    expect(renders).toHaveBeenCalledTimes(purgedPages.length)
    // The path that visitors know, behind a proxy that removes the prefix.
    await sendPaths([`/shop${boats}`], { invalidate: cache.invalidate })
    renders.mockClear()
    await readAll(purgedPages)
    expect(renders).toHaveBeenCalledOnce()
  })
})

describe('an invalidation', () => {
  it.each<[string, RevalidateOptions['invalidate']]>([
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    ['rejects with a non-Error', () => Promise.reject('down')],
    ['rejects with undefined', () => Promise.reject(undefined)],
  ])('an invalidation that %s gives 503', async (_, failing) => {
    expect((await send(post(), { invalidate: failing })).status).toBe(503)
    expect(log).toHaveBeenCalledOnce()
  })

  it('an invalidation that hangs gives 503 after the timeout', async () => {
    const response = await send(post(), { invalidate: () => new Promise(() => {}), timeout: 20 })
    expect(response.status).toBe(503)
    expect(log.mock.calls[0]?.[1].reason).toBe('not done within 20 ms')
  })

  it('an invalidation that fails after the timeout causes no unhandled rejection', async () => {
    let fail = (_: Error) => {}
    const hanging = new Promise((_, reject) => {
      fail = reject
    })
    expect((await send(post(), { invalidate: () => hanging, timeout: 20 })).status).toBe(503)
    fail(new Error('late'))
    await new Promise((resolve) => setTimeout(resolve, 5)) // an unhandled rejection would fail the run
  })

  it('the response waits for the invalidation', async () => {
    let isDone = false
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      isDone = true
    }
    await send(post(), { invalidate: slow })
    expect(isDone).toBe(true)
  })
})

describe('the body', () => {
  const spiedBody = () => {
    const pull = vi.fn()
    const cancel = vi.fn()
    return { pull, cancel, body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), duplex: 'half' as const }
  }

  it('the body is read neither without allowTags nor with a wrong token', async () => {
    for (const [token, options] of [
      [`Bearer ${secret}`, {}],
      ['Bearer x', { allowTags: true }],
    ] as const) {
      const { pull, ...init } = spiedBody()
      await send(post(init, token), options)
      expect(pull).not.toHaveBeenCalled()
    }
    expect((await send(post({ body: 'x'.repeat(70_000) }))).status).toBe(200)
    expect((await send(post({ body: '{"tags":["nonsense"]}' }))).status).toBe(200)
  })

  it.each<[string, string, number]>([
    ['with tags alone', '{"tags":["menu"]}', 400],
    ['with tags among the other fields of a CMS', '{"tags":["menu"],"id":1}', 200],
    ['without tags', '{"id":1}', 200],
    ['that is not JSON', 'x', 200],
    ['that is a list', '["tags"]', 200],
    ['that is null', 'null', 200],
  ])('without allowTags, a body is rejected only if it has nothing but tags: a body %s', async (_, body, status) => {
    const response = await send(post({ body, headers: { 'Content-Length': String(body.length) } }))
    const error = 'tags of a body are not allowed: set the option allowTags'
    expect([response.status, response.body]).toEqual([
      status,
      JSON.stringify(status === 200 ? { revalidated: true } : { error, revalidated: false }),
    ])
    expect(invalidate).toHaveBeenCalledTimes(status === 200 ? 1 : 0)
  })

  it('with allowTags, the body narrows the tags', async () => {
    const options = { allowTags: true, tags: ['document', 'menu', 'footer'] }
    await send(post({ body: '{"tags":["footer","menu","menu"]}' }), options)
    expect(invalidate).toHaveBeenLastCalledWith(['menu', 'footer'])
    await send(post({ body: '{"tags":["unheard"]}' }), options)
    expect(invalidate).toHaveBeenCalledTimes(1)
  })

  it('a body is rejected as soon as more than 64 KB are read, even without a Content-Length', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 1000
          controller.enqueue(new Uint8Array(1000))
        },
      },
      { highWaterMark: 0 },
    )
    const response = await send(post({ body: endless, duplex: 'half' }), { allowTags: true })
    expect(response.status).toBe(413)
    expect(response.body).toBe('{"error":"Body is larger than 64 KB","revalidated":false}')
    expect(sent).toBeLessThanOrEqual(66_000)
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('a body whose Content-Length is over 64 KB is not read', async () => {
    const { pull, ...init } = spiedBody()
    const response = await send(post({ ...init, headers: { 'Content-Length': '65537' } }), { allowTags: true })
    expect(response.status).toBe(413)
    expect(pull).not.toHaveBeenCalled()
  })

  it('a body may have exactly 64 KB', async () => {
    const body = `{"tags":["document"]}${' '.repeat(65536 - 21)}`
    expect((await send(post({ body }), { allowTags: true })).status).toBe(200)
    expect((await send(post({ body: `${body} ` }), { allowTags: true })).status).toBe(413)
  })

  const signedBy = { secret: undefined, verify: () => true, allowTags: true }
  it.each<[string, Record<string, unknown>, number, number]>([
    ['a list of tags, 64 KB', { allowTags: true }, 65_536, 200],
    ['a larger list of tags', { allowTags: true }, 65_537, 413],
    ['the largest entry of Contentful', signedBy, 2_000_000, 200],
    ['a payload with a bearer token, 8 MB', { getTags: () => ['document'] }, 8_388_608, 200],
    ['a larger payload with a bearer token', { getTags: () => ['document'] }, 8_388_609, 413],
    ['a payload, 2 MB', signedBy, 2_097_152, 200],
    ['a larger payload', signedBy, 2_097_153, 413],
    ['maxBodyBytes', { ...signedBy, maxBodyBytes: 10_000 }, 10_000, 200],
    ['more than maxBodyBytes', { ...signedBy, maxBodyBytes: 10_000 }, 10_001, 413],
    ['more than maxBodyBytes with a bearer token', { allowTags: true, maxBodyBytes: 100 }, 101, 413],
    ['maxBodyBytes above the default', { ...signedBy, maxBodyBytes: 3_000_000 }, 3_000_000, 200],
  ])('the size of a body is limited, for %s: with %o, %i bytes give %i', async (_, options, bytes, status) => {
    const body = `{"tags":["document"]}${' '.repeat(bytes - 21)}`
    expect((await send(post({ body }), options)).status).toBe(status)
  })

  it.each([
    ['64 KB', undefined, 65_536],
    ['10000 bytes', 10_000, 10_000],
  ])('a body that is too large is logged with the name of the option: %s', async (size, maxBodyBytes, max) => {
    const body = 'x'.repeat(70_000)
    for (const headers of [{ 'Content-Length': '70000' }, {}]) {
      log.mockReset()
      const response = await send(post({ body, headers }), { allowTags: true, maxBodyBytes })
      expect([response.status, response.body]).toEqual([
        413,
        `{"error":"Body is larger than ${size}","revalidated":false}`,
      ])
      const shownLength = 'Content-Length' in headers ? '70000' : 'more'
      const reason = `maxBodyBytes: expected up to ${max} bytes, got ${shownLength}; have the CMS send less (a projection in Sanity, a custom payload in Contentful), or raise it`
      expect(log.mock.calls).toEqual([
        [`Body is larger than ${size}`, { reason, method: 'POST', path: '/api/revalidate' }],
      ])
    }
  })

  it('a body that fails, or was read before, gives 400', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const readRequest = post({ body: '{}' })
    await readRequest.text()
    for (const request of [post({ body: broken, duplex: 'half' }), readRequest]) {
      const response = await send(request, { allowTags: true })
      expect(response.status).toBe(400)
      expect(response.body).toBe('{"error":"Body could not be read","revalidated":false}')
    }
  })
})

describe('verify', () => {
  it.each([
    ['development', { hint: expect.stringContaining('a body parser has read the body before') }],
    ['production', {}],
  ])('a body that was read before is reported with its cause, in %s', async (environment, hint) => {
    vi.stubEnv('NODE_ENV', environment)
    const log = vi.fn()
    const endpoint = createRevalidateEndpoint({ verify: () => true, invalidate: () => {}, log })
    const request = new Request('http://site.test/api/revalidate', { method: 'POST', body: '{}' })
    await request.text() // such as `c.req.json()` of a middleware
    const response = await endpoint(request)
    expect([response?.status, await response?.json()]).toEqual([
      400,
      { error: 'Body could not be read', revalidated: false, ...hint },
    ])
    const reason = expect.stringContaining('mount the endpoint before the parser')
    expect(log.mock.calls).toEqual([['Body could not be read', { reason, method: 'POST', path: '/api/revalidate' }]])
    vi.unstubAllEnvs()
  })

  const signed = { secret: undefined, allowTags: true, tags: ['document', 'menu'] }

  it('verify replaces the bearer token, and receives the raw body and the headers', async () => {
    const verify = vi.fn(async (body: Uint8Array, headers: Headers) => {
      return headers.get('X-Signature') === `length-${body.length}`
    })
    const body = '{"tags": ["menu"]}\n'
    const valid = await send(post({ body, headers: { 'X-Signature': 'length-19' } }, null), { ...signed, verify })
    expect(valid.body).toBe('{"revalidated":true}')
    expect(new TextDecoder().decode(verify.mock.calls[0]?.[0])).toBe(body)
    expect(invalidate).toHaveBeenLastCalledWith(['menu'])
    const rejected = await send(post({ body, headers: { 'X-Signature': 'length-20' } }), { ...signed, verify })
    expect(rejected.status).toBe(401)
  })

  it.each<[string, () => unknown, string]>([
    ['false', () => false, 'wrong signature'],
    ['undefined', () => undefined, 'wrong signature'],
    ['a truthy value', () => 1, 'wrong signature'],
    ['a reason', () => 'too old', 'too old'],
    [
      'an error',
      () => {
        throw new Error('No matching signature')
      },
      'No matching signature',
    ],
    ['a rejection', () => Promise.reject(new Error('no key')), 'no key'],
  ])('a verify that gives %s rejects the request', async (_, verify, reason) => {
    const response = await send(post({ body: '{}' }), { ...signed, verify: verify as () => boolean })
    expect(response.status).toBe(401)
    expect(response.body).toBe('{"error":"Invalid token","revalidated":false}')
    expect(log.mock.calls[0]).toEqual([
      'Invalid token for revalidate request',
      { reason, method: 'POST', path: '/api/revalidate' },
    ])
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('verify is not called for a body over 2 MB', async () => {
    const verify = vi.fn(() => true)
    expect((await send(post({ body: 'x'.repeat(2 * 1024 ** 2 + 1) }), { ...signed, verify })).status).toBe(413)
    expect(verify).not.toHaveBeenCalled()
  })
})

it('a secret beside verify is a type error, too', () => {
  const verify = () => true
  // @ts-expect-error verify replaces the bearer token
  expect(() => createRevalidateEndpoint({ invalidate, secret, verify })).toThrow(
    /^secret, verify: expected one of them/,
  )
  expect(() => [
    createRevalidateEndpoint({ invalidate, verify }),
    createRevalidateEndpoint({ invalidate, secret }),
    createRevalidateEndpoint({ invalidate, secret: undefined }),
    createRevalidateEndpoint({ invalidate }),
  ]).not.toThrow()
})

describe('pathsOf', () => {
  const ask = (path: string, pathsOf: RevalidateOptions['pathsOf']) =>
    send(new Request(`${url}?path=${encodeURIComponent(path)}`, post()), { pathsOf })
  it('pathsOf purges a page in all languages', async () => {
    const { status, body } = await ask('/about', async (path) => [path, '/de/ueber-uns'])
    expect([status, body]).toEqual([200, '{"revalidated":true,"tags":["/about","/de/ueber-uns"]}'])
    expect(invalidate).toHaveBeenCalledWith(['/about', '/de/ueber-uns'])
  })

  it('pathsOf is not used for images', async () => {
    const { body } = await ask('/media/cat.jpg', () => ['/elsewhere'])
    expect(body).toBe('{"revalidated":true,"tags":["/media/cat.jpg"]}')
  })

  it('a pathsOf that fails is answered with 503, so that the CMS repeats the purge', async () => {
    const { status, body } = await ask('/about', () => Promise.reject(new Error('CMS down')))
    expect([status, body]).toEqual([503, '{"error":"Revalidation failed","revalidated":false}'])
    expect(invalidate).not.toHaveBeenCalled()
  })
})
