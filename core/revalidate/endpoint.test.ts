import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  createRevalidateEndpoint({ secret, invalidate, log, ...options })

const post = (init: RequestInit & { duplex?: 'half' } = {}, token: string | null = `Bearer ${secret}`) =>
  new Request(url, { method: 'POST', ...init, headers: { ...(token && { Authorization: token }), ...init.headers } })

async function ask(request: Request, options?: Partial<RevalidateOptions>) {
  const response = await endpoint(options)(request)
  if (!response) throw new Error('not answered')
  return { status: response.status, body: await response.text(), headers: response.headers }
}

describe('statuses and bodies, in their order', () => {
  const none = { secret: undefined }
  const failing = { invalidate: () => Promise.reject(new Error('store away')) }
  const wrongBody = { body: '{"tags":[]}' }
  const table: [string, number, string, Request, Partial<RevalidateOptions>?][] = [
    ['the right token', 200, '{"revalidated":true}', post()],
    ['a slash at the end', 200, '{"revalidated":true}', new Request(`${url}/`, post())],
    ['PUT', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'PUT' })],
    ['GET', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'GET' })],
    ['HEAD, with allowGet', 405, '', post({ method: 'HEAD' }), { allowGet: true }],
    ['PUT, without a secret', 405, '{"error":"Method not allowed","revalidated":false}', post({ method: 'PUT' }), none],
    ['no secret', 500, '{"error":"Revalidation is not configured","revalidated":false}', post(), none],
    ['an empty secret', 500, '{"error":"Revalidation is not configured","revalidated":false}', post(), { secret: '' }],
    [
      'empty secrets',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post(),
      { secret: ['', ''] },
    ],
    [
      'no secret, no token',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post({}, null),
      none,
    ],
    [
      'no secret, Bearer alone',
      500,
      '{"error":"Revalidation is not configured","revalidated":false}',
      post({}, 'Bearer'),
      none,
    ],
    ['no token', 401, '{"error":"Invalid token","revalidated":false}', post({}, null)],
    ['another token', 401, '{"error":"Invalid token","revalidated":false}', post({}, 'Bearer test')],
    [
      'another token, wrong body',
      401,
      '{"error":"Invalid token","revalidated":false}',
      post(wrongBody, 'Bearer x'),
      { allowTags: true },
    ],
    [
      'wrong body',
      400,
      '{"error":"tags must name at least one tag","revalidated":false}',
      post(wrongBody),
      { allowTags: true, ...failing },
    ],
    ['a failing invalidation', 503, '{"error":"Revalidation failed","revalidated":false}', post(), failing],
  ]
  it.each(table)('%s: %i', async (_, status, body, request, options) => {
    const answer = await ask(request, options)
    expect(answer.status).toBe(status)
    if (request.method !== 'HEAD') expect(answer.body).toBe(body)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    expect(answer.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'Bearer' : null)
    expect(answer.headers.get('Allow')).toBe(status === 405 ? (options?.allowGet ? 'GET, POST' : 'POST') : null)
    expect(invalidate).toHaveBeenCalledTimes(status === 200 ? 1 : 0)
  })

  it.each(['/', '/api', '/api/revalidate/x', '/api/revalidatex', '/API/revalidate', '//api/revalidate'])(
    'another path is not answered: %s',
    async (path) => {
      expect(await endpoint()(new Request(`https://site.test${path}`, post()))).toBeUndefined()
    },
  )

  it('a token in the URL is none', async () => {
    const request = new Request(`${url}?secret=${secret}&token=${secret}&access_token=${secret}`, { method: 'POST' })
    expect((await ask(request)).status).toBe(401)
  })
})

describe('options', () => {
  it('tags are the document’s unless given, and the caller’s own list', async () => {
    await ask(post())
    expect(invalidate).toHaveBeenLastCalledWith(['document'])
    invalidate.mockImplementation((tags) => tags.splice(0))
    const tags = ['document', 'menu', 'menu']
    const revalidate = endpoint({ tags })
    await revalidate(post())
    await revalidate(post())
    expect(invalidate.mock.calls.length).toBe(3)
    expect(tags).toEqual(['document', 'menu', 'menu'])
    const given: string[][] = []
    await ask(post(), { tags, invalidate: (all) => void given.push(all) })
    expect(given).toEqual([['document', 'menu']])
  })

  it('allowGet lets GET do the same', async () => {
    expect((await ask(post({ method: 'GET' }), { allowGet: true, allowTags: true })).body).toBe('{"revalidated":true}')
    expect((await ask(new Request(url), { allowGet: true })).status).toBe(401)
    expect((await ask(post(), { allowGet: true })).status).toBe(200)
  })

  it.each(['/hooks/cms', 'hooks/cms', '/hooks/cms/'])('path may be %s', async (path) => {
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
  ])('%s is named when it is malformed: %j', (option, options) => {
    expect(() => endpoint(options)).toThrow(TypeError)
    expect(() => endpoint(options)).toThrow(new RegExp(`^${option}: `))
  })
})

describe('the log', () => {
  it('warns of an invalid token, with reason, method and path, and never the token', async () => {
    await ask(new Request(`${url}?token=in-the-url`, post({}, 'Bearer a-guess')))
    expect(log.mock.calls).toEqual([
      ['Invalid token for revalidate request', { reason: 'wrong token', method: 'POST', path: '/api/revalidate' }],
    ])
    expect(JSON.stringify(log.mock.calls)).not.toMatch(/guess|in-the-url/)
  })

  it('is console.warn unless given', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await ask(post({}, null), { log: undefined })
    expect(warn.mock.calls).toEqual([
      [
        'Invalid token for revalidate request',
        { reason: 'no Authorization header', method: 'POST', path: '/api/revalidate' },
      ],
    ])
  })

  it('is told of a missing secret and of a failure', async () => {
    await ask(post(), { secret: '' })
    await ask(post(), { invalidate: () => Promise.reject(new Error('store away')) })
    expect(log.mock.calls).toEqual([
      [
        'Revalidation is not configured',
        { reason: 'secret is missing or empty', method: 'POST', path: '/api/revalidate' },
      ],
      ['Revalidation failed', { reason: 'store away', method: 'POST', path: '/api/revalidate', tags: ['document'] }],
    ])
  })

  it('is not told of what is right', async () => {
    await ask(post())
    expect(log).not.toHaveBeenCalled()
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
    ['throws what is no Error', () => Promise.reject('down')],
    ['throws nothing at all', () => Promise.reject(undefined)],
  ])('that %s is 503', async (_, failing) => {
    expect((await ask(post(), { invalidate: failing })).status).toBe(503)
    expect(log).toHaveBeenCalledOnce()
  })

  it('that hangs is 503 once the time is over', async () => {
    const answer = await ask(post(), { invalidate: () => new Promise(() => {}), timeout: 20 })
    expect(answer.status).toBe(503)
    expect(log.mock.calls[0]?.[1].reason).toBe('not done within 20 ms')
  })

  it('that fails after that harms nobody', async () => {
    let fail = (_: Error) => {}
    const hanging = new Promise((_, reject) => {
      fail = reject
    })
    expect((await ask(post(), { invalidate: () => hanging, timeout: 20 })).status).toBe(503)
    fail(new Error('late'))
    await new Promise((resolve) => setTimeout(resolve, 5)) // an unhandled rejection would fail the run
  })

  it('is waited for', async () => {
    let done = false
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      done = true
    }
    await ask(post(), { invalidate: slow })
    expect(done).toBe(true)
  })
})

describe('the body', () => {
  const untouched = () => {
    const pull = vi.fn()
    const cancel = vi.fn()
    return { pull, cancel, body: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), duplex: 'half' as const }
  }

  it('is left alone without allowTags, and when the token is wrong', async () => {
    for (const [token, options] of [
      [`Bearer ${secret}`, {}],
      ['Bearer x', { allowTags: true }],
    ] as const) {
      const { pull, ...init } = untouched()
      await ask(post(init, token), options)
      expect(pull).not.toHaveBeenCalled()
    }
    expect((await ask(post({ body: 'x'.repeat(70_000) }))).status).toBe(200)
    expect((await ask(post({ body: '{"tags":["nonsense"]}' }))).status).toBe(200)
  })

  it('narrows the tags with allowTags', async () => {
    const options = { allowTags: true, tags: ['document', 'menu', 'footer'] }
    await ask(post({ body: '{"tags":["footer","menu","menu"]}' }), options)
    expect(invalidate).toHaveBeenLastCalledWith(['menu', 'footer'])
    await ask(post({ body: '{"tags":["unheard"]}' }), options)
    expect(invalidate).toHaveBeenCalledTimes(1)
  })

  it('is counted as it comes and refused once over 64 KB, whatever its header says', async () => {
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
    const answer = await ask(post({ body: endless, duplex: 'half' }), { allowTags: true })
    expect(answer.status).toBe(413)
    expect(answer.body).toBe('{"error":"Body is larger than 64 KB","revalidated":false}')
    expect(sent).toBeLessThanOrEqual(66_000)
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('is not even begun when its header says that it is over 64 KB', async () => {
    const { pull, ...init } = untouched()
    const answer = await ask(post({ ...init, headers: { 'Content-Length': '65537' } }), { allowTags: true })
    expect(answer.status).toBe(413)
    expect(pull).not.toHaveBeenCalled()
  })

  it('may be of 64 KB', async () => {
    const body = `{"tags":["document"]}${' '.repeat(65536 - 21)}`
    expect((await ask(post({ body }), { allowTags: true })).status).toBe(200)
    expect((await ask(post({ body: `${body} ` }), { allowTags: true })).status).toBe(413)
  })

  it('that breaks, or was read before, is 400', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
    const read = post({ body: '{}' })
    await read.text()
    for (const request of [post({ body: broken, duplex: 'half' }), read]) {
      const answer = await ask(request, { allowTags: true })
      expect(answer.status).toBe(400)
      expect(answer.body).toBe('{"error":"Body could not be read","revalidated":false}')
    }
  })
})

describe('verify', () => {
  const signed = { secret: undefined, allowTags: true, tags: ['document', 'menu'] }

  it('takes the place of the bearer token, over raw body and headers', async () => {
    const verify = vi.fn(async (body: Uint8Array, headers: Headers) => {
      return headers.get('X-Signature') === `length-${body.length}`
    })
    const body = '{"tags": ["menu"]}\n'
    const right = await ask(post({ body, headers: { 'X-Signature': 'length-19' } }, null), { ...signed, verify })
    expect(right.body).toBe('{"revalidated":true}')
    expect(new TextDecoder().decode(verify.mock.calls[0]?.[0])).toBe(body)
    expect(invalidate).toHaveBeenLastCalledWith(['menu'])
    const wrong = await ask(post({ body, headers: { 'X-Signature': 'length-20' } }), { ...signed, verify })
    expect(wrong.status).toBe(401)
  })

  it.each<[string, () => unknown, string]>([
    ['false', () => false, 'wrong signature'],
    ['nothing', () => undefined, 'wrong signature'],
    ['something true-like', () => 1, 'wrong signature'],
    ['a reason', () => 'too old', 'too old'],
    [
      'an error',
      () => {
        throw new Error('No matching signature')
      },
      'No matching signature',
    ],
    ['a rejection', () => Promise.reject(new Error('no key')), 'no key'],
  ])('that answers %s refuses', async (_, verify, reason) => {
    const answer = await ask(post({ body: '{}' }), { ...signed, verify: verify as () => boolean })
    expect(answer.status).toBe(401)
    expect(answer.body).toBe('{"error":"Invalid token","revalidated":false}')
    expect(log.mock.calls[0]).toEqual([
      'Invalid token for revalidate request',
      { reason, method: 'POST', path: '/api/revalidate' },
    ])
    expect(invalidate).not.toHaveBeenCalled()
  })

  it('comes after the limit of the body', async () => {
    const verify = vi.fn(() => true)
    expect((await ask(post({ body: 'x'.repeat(65_537) }), { ...signed, verify })).status).toBe(413)
    expect(verify).not.toHaveBeenCalled()
  })
})
