import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import {
  type Cdn,
  type CdnOptions,
  cloudflare,
  cloudfront,
  fastly,
  netlify,
  type PurgeMode,
  purgeEverywhere,
  vercel,
} from './index.js'

interface Call {
  url: string
  method: string | undefined
  headers: IncomingHttpHeaders
  tags: string[]
  body: Record<string, unknown>
  at: number
}
/** How the scripted API responds to a call; a number is a status. */
type Step =
  | number
  | 'hang'
  | 'stall'
  | 'reset'
  | 'cut'
  | { status: number; headers?: Record<string, string>; body?: string }

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Starts a purge API on a socket of its own; `script` says how it responds to its nth call. */
async function startApi(script: readonly Step[] | ((call: Call, index: number) => Step)) {
  const calls: Call[] = []
  let concurrent = 0
  let maxConcurrent = 0
  const server = createServer(async (req, res) => {
    maxConcurrent = Math.max(maxConcurrent, ++concurrent)
    req.socket.once('close', () => concurrent--)
    res.once('finish', () => concurrent--)
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece as Buffer)
    const content = Buffer.concat(pieces).toString()
    const body = content.startsWith('<') ? parseInvalidation(content) : JSON.parse(content)
    const call: Call = {
      url: req.headers['x-original-url'] as string,
      method: req.method,
      headers: req.headers,
      tags: Object.values(body).find(Array.isArray) as string[], // each provider has its own name for the list
      body,
      at: Date.now(),
    }
    calls.push(call)
    const step = typeof script === 'function' ? script(call, calls.length - 1) : script[calls.length - 1]
    respond(res, step ?? 200)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (request: Request) => {
    const moved = new Request(origin + new URL(request.url).pathname, request)
    moved.headers.set('x-original-url', request.url)
    return fetch(moved)
  }
  return { calls, send, maxConcurrent: () => maxConcurrent }
}

/** The body of CloudFront's `CreateInvalidation`: its tags, without the `#` that marks them. */
function parseInvalidation(xml: string) {
  const texts = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as Record<string, string>
  const [, reference] = /<CallerReference>(.*)<\/CallerReference>/.exec(xml) ?? []
  const paths = [...xml.matchAll(/<Path>#(.*?)<\/Path>/g)].map(([, path = '']) => path)
  expect(xml).toContain(`<Quantity>${paths.length}</Quantity>`)
  return { tags: paths.map((path) => path.replace(/&(\w+);/g, (_, name) => texts[name] ?? '')), reference }
}

function respond(res: ServerResponse, step: Step): void {
  if (step === 'hang') return
  if (step === 'reset') return void res.socket?.destroy()
  if (step === 'stall' || step === 'cut') {
    res.writeHead(step === 'cut' ? 200 : 500, { 'Content-Length': '100' }).write('{"success"')
    if (step === 'cut') setTimeout(() => res.socket?.destroy(), 20)
    return
  }
  const { status, headers = {}, body = '{"success":true}' } = typeof step === 'number' ? { status: step } : step
  res.writeHead(status, headers).end(body)
}

const providers: {
  name: string
  create: (options?: Partial<CdnOptions>) => Cdn
  token: [string, string]
  batchSize: number
  header: string
  separator: string
  urls: Record<PurgeMode, string>
  body: (tags: string[]) => object
  /** Default: that of JSON. */
  contentType?: string
  /** Whether all letters of a purged tag are small. */
  isLowerCase?: true
}[] = [
  {
    name: 'fastly',
    create: (options) => fastly({ serviceId: 'SU1Z0', token: 'api-token', ...options }),
    token: ['fastly-key', 'api-token'],
    batchSize: 256,
    header: 'Surrogate-Key',
    separator: ' ',
    urls: { soft: 'https://api.fastly.com/service/SU1Z0/purge', hard: 'https://api.fastly.com/service/SU1Z0/purge' },
    body: (tags) => ({ surrogate_keys: tags }),
  },
  {
    name: 'cloudflare',
    create: (options) => cloudflare({ zoneId: '023e105f', token: 'api-token', ...options }),
    token: ['authorization', 'Bearer api-token'],
    batchSize: 100,
    header: 'Cache-Tag',
    separator: ',',
    urls: {
      soft: 'https://api.cloudflare.com/client/v4/zones/023e105f/invalidate_cache',
      hard: 'https://api.cloudflare.com/client/v4/zones/023e105f/purge_cache',
    },
    body: (tags) => ({ tags }),
  },
  {
    name: 'vercel',
    create: (options) => vercel({ projectId: 'prj_1', teamId: 'team_1', token: 'api-token', ...options }),
    token: ['authorization', 'Bearer api-token'],
    batchSize: 16,
    header: 'Vercel-Cache-Tag',
    separator: ',',
    urls: {
      soft: 'https://api.vercel.com/v1/edge-cache/invalidate-by-tags?projectIdOrName=prj_1&teamId=team_1',
      hard: 'https://api.vercel.com/v1/edge-cache/dangerously-delete-by-tags?projectIdOrName=prj_1&teamId=team_1',
    },
    body: (tags) => ({ tags }),
  },
  {
    name: 'netlify',
    create: (options) => netlify({ siteId: '3970e0fe-8564', token: 'api-token', ...options }),
    token: ['authorization', 'Bearer api-token'],
    batchSize: 100,
    header: 'Netlify-Cache-Tag',
    separator: ',',
    urls: { soft: 'https://api.netlify.com/api/v1/purge', hard: 'https://api.netlify.com/api/v1/purge' },
    body: (tags) => ({ site_id: '3970e0fe-8564', cache_tags: tags }),
  },
  {
    name: 'cloudfront',
    create: ({ token = 'api-token', ...options } = {}) => {
      const credentials = () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: token })
      return cloudfront({ distributionId: 'E1ABC', credentials, ...options })
    },
    token: ['x-amz-security-token', 'api-token'],
    batchSize: 1000,
    header: 'Cache-Tag',
    separator: ',',
    urls: {
      soft: 'https://cloudfront.amazonaws.com/2020-05-31/distribution/E1ABC/invalidation',
      hard: 'https://cloudfront.amazonaws.com/2020-05-31/distribution/E1ABC/invalidation',
    },
    body: (tags) => ({ tags, reference: expect.stringMatching(/^[\da-f-]{36}$/) }),
    contentType: 'application/xml',
    isLowerCase: true,
  },
]

const range = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`)
const failureOf = (purge: Promise<void>) =>
  purge.then(
    () => {
      throw new Error('purged')
    },
    (error: unknown) => error as Error,
  )

describe.each(providers)('$name', (provider) => {
  const { name, create, token, batchSize, header, separator, urls, body, contentType = 'application/json' } = provider

  it.each(['soft', 'hard'] as const)('a %s purge sends the documented call', async (mode) => {
    const { calls, send } = await startApi([])
    await create({ fetch: send }).purge(['document', 'menu'], { mode })
    expect(calls).toHaveLength(1)
    const [call] = calls
    expect(call).toMatchObject({ method: 'POST', url: urls[mode], body: body(['document', 'menu']) })
    expect(call?.headers).toMatchObject({ [token[0]]: token[1], 'content-type': contentType })
    expect(call?.headers['fastly-soft-purge']).toBe(name === 'fastly' && mode === 'soft' ? '1' : undefined)
    expect(Object.keys(call?.body ?? {})).toEqual(Object.keys(body([])))
  })

  it('a purge is soft by default', async () => {
    const { calls, send } = await startApi([])
    await create({ fetch: send }).purge(['document'])
    expect(calls[0]?.url).toBe(urls.soft)
  })

  it('splits 1,000 tags into batches up to the limit, each tag in one batch', async () => {
    const { calls, send, maxConcurrent } = await startApi(() => ({ status: 200, headers: { Connection: 'close' } }))
    const tags = range(1_000)
    await create({ fetch: send, timeout: 60_000 }).purge([...tags, ...tags])
    expect(calls.map((call) => call.tags.length).sort((a, b) => b - a)).toEqual([
      ...Array(Math.floor(1_000 / batchSize)).fill(batchSize),
      ...(1_000 % batchSize ? [1_000 % batchSize] : []),
    ])
    expect(calls.flatMap((call) => call.tags).sort()).toEqual([...tags].sort())
    expect(maxConcurrent()).toBeLessThanOrEqual(4)
  })

  it('sends no call without tags, since some APIs would purge everything', async () => {
    const { calls, send } = await startApi([])
    await create({ fetch: send }).purge([])
    expect(calls).toEqual([])
  })

  it.concurrent.each([
    ['429, then 200', [429, 200], 2],
    ['500, 503, then 200', [500, 503, 200], 3],
    ['a reset, then 200', ['reset', 200], 2],
    ['a hang, then 200', ['hang', 200], 2],
    ['a body that stalls, then 200', ['stall', 200], 2],
    ['408, then 200', [408, 200], 2],
  ] as [string, Step[], number][])('a purge succeeds after %s', async (_, script, count) => {
    const { calls, send } = await startApi(script)
    // A call has a third of the time. Only a hang has to wait for its end: on a busy machine an answer may take longer.
    const isAwaited = script.includes('hang') || script.includes('stall')
    await create({ fetch: send, timeout: isAwaited ? 6_000 : 60_000 }).purge(['document'])
    expect(calls).toHaveLength(count)
    for (const call of calls) expect(call.tags).toEqual(['document'])
  })

  it.concurrent.each([
    ['500 each time', 500, 2, /HTTP 500/],
    ['a reset each time', 'reset', 2, /fetch failed/],
    ['a hang each time', 'hang', 2, /no response in time/],
    ['401', 401, 1, /HTTP 401/],
    ['403', 403, 1, /HTTP 403/],
    ['404', 404, 1, /HTTP 404/],
    ['400', { status: 400, body: '{"error":"bad\r\n\u0007tag"}' }, 1, /HTTP 400: \{"error":"bad tag"\}/],
    ['a redirect, which is not followed', { status: 307, headers: { Location: '/' } }, 1, /HTTP 307/],
  ] as [string, Step, number, RegExp][])('%s is reported with its tags', async (_, step, count, reason) => {
    const { calls, send } = await startApi(() => step)
    const timeout = step === 'hang' ? 1_500 : count === 1 ? 60_000 : 8_000
    const error = await failureOf(create({ fetch: send, timeout }).purge(['document', 'gr\u00fc\u00dfe']))
    if (count === 1) expect(calls).toHaveLength(1)
    else expect(calls.length).toBeGreaterThanOrEqual(count)
    expect(error.message).toMatch(reason)
    expect(error.message).toContain(`${name}: 2 of 2 tags not purged ("document", "gr\u00fc\u00dfe")`)
    expect(error.message).not.toContain('api-token')
  })

  it.concurrent('names the tags of a failed batch, and purges the other batches once', async () => {
    const tags = range(batchSize * 2 + 1)
    const { calls, send } = await startApi(({ tags: [first] }) => (first === `tag-${batchSize}` ? 500 : 200))
    const error = await failureOf(create({ fetch: send, timeout: 3_000 }).purge(tags))
    expect(error.message).toContain(`${batchSize} of ${tags.length} tags not purged ("tag-${batchSize}", `)
    expect(error.message.length).toBeLessThan(600)
    const count = (first: string) => calls.filter((call) => call.tags[0] === first).length
    expect([count('tag-0'), count(`tag-${batchSize * 2}`)]).toEqual([1, 1])
    expect(count(`tag-${batchSize}`)).toBeGreaterThan(1)
  })

  it.concurrent('a purge honors Retry-After', async () => {
    const { calls, send } = await startApi([{ status: 429, headers: { 'Retry-After': '1' } }])
    await create({ fetch: send }).purge(['a'])
    expect(calls).toHaveLength(2)
    expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })

  it('a purge fails immediately on a Retry-After beyond the time limit, and sends no more calls', async () => {
    const { calls, send } = await startApi(() => ({ status: 429, headers: { 'Retry-After': '3600' } }))
    // Longer than the test's own limit, so waiting it out fails the test; shorter than the longest pause.
    const cdn = create({ fetch: send, timeout: 200_000 })
    const error = await failureOf(cdn.purge(range(batchSize * 6)))
    expect(calls).toHaveLength(4)
    expect(error.message).toMatch(/HTTP 429.*; not sent within 200000 ms/)
    await failureOf(cdn.purge(['a']))
    expect(calls).toHaveLength(4)
  })

  it('the time limit of a purge holds even for a fetch that ignores its signal', async () => {
    const hanging = () => new Promise<Response>(() => {})
    const error = await failureOf(create({ fetch: hanging, timeout: 300 }).purge(range(2000)))
    expect(error.message).toContain('2000 of 2000 tags not purged')
  })

  it('a purge reports a fetch that throws', async () => {
    const broken = () => {
      throw new Error('no network')
    }
    const error = await failureOf(create({ fetch: broken, timeout: 100 }).purge(['a']))
    expect(error.message).toContain('no network')
  })

  it('encodes a tag the same in the header and in the purge', async () => {
    const { calls, send } = await startApi([])
    const cdn = create({ fetch: send })
    const tags = [
      'document',
      'post:42',
      'news, Z\u00fcrich',
      '100%',
      'a b',
      '\u{1f511}',
      '\ud800',
      'x'.repeat(5000),
      '"<>\\',
    ]
    await cdn.purge(tags)
    const value = cdn.headers(tags)[header]
    const cased = (tag: string) => (provider.isLowerCase ? tag.toLowerCase() : tag)
    expect(value?.split(separator).map(cased)).toEqual(calls[0]?.tags.slice(0, tags.length))
    expect(value).toMatch(/^[\x20-\x7e]+$/)
    const encoded = ['document', 'post:42', 'news%2C%20Z%C3%BCrich', '100%', 'a%20b']
    expect(calls[0]?.tags.slice(0, 5)).toEqual(encoded.map(cased))
    expect(calls[0]?.tags.slice(tags.length)).toEqual(['post:'])
    expect(new Set(calls[0]?.tags).size).toBe(tags.length + 1)
  })

  it('purges two tags with the same encoding once, and names both', async () => {
    const { calls, send } = await startApi(() => 400)
    const error = await failureOf(create({ fetch: send }).purge(['a b', 'a%20b', 'a b']))
    expect(calls[0]?.tags).toEqual(['a%20b'])
    expect(error.message).toContain('2 of 2 tags not purged ("a b", "a%20b")')
  })

  it.each([[['']], [['a', '']], [[undefined]], [[42]]])('throws on the tags %j', async (tags) => {
    const { calls, send } = await startApi([])
    const cdn = create({ fetch: send })
    expect(() => cdn.headers(tags as string[])).toThrow(/^tags: /)
    await expect(cdn.purge(tags as string[])).rejects.toThrow(TypeError)
    expect(calls).toEqual([])
  })

  it('throws on an unknown mode', async () => {
    await expect(create().purge(['a'], { mode: 'gentle' as PurgeMode })).rejects.toThrow(
      "mode: expected 'soft' or 'hard', got 'gentle'",
    )
  })

  it('returns no header without tags, and each tag once', () => {
    expect(create().headers([])).toEqual({})
    expect(create().headers(['a', 'b', 'a'])).toEqual({ [header]: ['a', 'b'].join(separator) })
  })

  it('a response with more tags than the CDN accepts is kept out of the CDN', () => {
    const headers = create().headers(range(10_000))
    expect(headers).not.toHaveProperty(header)
    expect(Object.values(headers).join()).toMatch(/no-store|private/)
  })

  it.each([
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: Number.NaN }],
    ['timeout', { timeout: 2 ** 31 }],
  ])('an invalid %s throws: %j', (option, options) => expect(() => create(options)).toThrow(new RegExp(`^${option}: `)))
})

const credentials = () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' })

describe.each(providers.filter(({ name }) => name !== 'cloudfront'))('$name', ({ create }) => {
  it.each(['', undefined, 'with space', 'with\nnewline', 'm\u00fcll'])(
    'the token %j throws an error that does not show the token',
    (wrong) => {
      const make = () => create({ token: wrong } as CdnOptions)
      expect(make).toThrow(TypeError)
      expect(make).toThrow(/^token: /)
    },
  )
})

describe('identifiers', () => {
  it.each(['', '..', 'a/b', 'a?b', 'a b', undefined])(
    'the identifier %j throws an error that names the option',
    (id) => {
      const wrong = id as string
      expect(() => fastly({ serviceId: wrong, token: 't' })).toThrow(/^serviceId: /)
      expect(() => cloudflare({ zoneId: wrong, token: 't' })).toThrow(/^zoneId: /)
      expect(() => vercel({ projectId: wrong, token: 't' })).toThrow(/^projectId: /)
      expect(() => netlify({ siteId: wrong, token: 't' })).toThrow(/^siteId: /)
      expect(() => cloudfront({ distributionId: wrong, credentials })).toThrow(/^distributionId: /)
      if (id !== undefined) expect(() => vercel({ projectId: 'a', teamId: id, token: 't' })).toThrow(/^teamId: /)
    },
  )
})

describe('the limits of a response', () => {
  const [longTag, lastTag] = ['a'.repeat(1000), 'b'.repeat(383)]
  it('Fastly accepts 16,384 bytes of tags, spaces included', () => {
    const cdn = fastly({ serviceId: 'a', token: 't' })
    const sixteen = Array.from({ length: 16 }, (_, index) => longTag.slice(2) + String(index).padStart(2, '0'))
    expect(cdn.headers([...sixteen, lastTag.slice(0, 368)])).toHaveProperty('Surrogate-Key')
    expect(cdn.headers([...sixteen, lastTag.slice(0, 369)])).toEqual({
      'Cache-Control': 'private, no-cache',
      'Surrogate-Control': 'max-age=0',
    })
  })

  it.each([
    ['Cloudflare', cloudflare({ zoneId: 'a', token: 't' }), 1000, { 'Cloudflare-CDN-Cache-Control': 'no-store' }],
    ['Vercel', vercel({ projectId: 'a', token: 't' }), 128, { 'Vercel-CDN-Cache-Control': 'no-store' }],
    ['Netlify', netlify({ siteId: 'a', token: 't' }), 500, { 'Netlify-CDN-Cache-Control': 'no-store' }],
    ['CloudFront', cloudfront({ distributionId: 'a', credentials }), 50, { 'Cache-Control': 'private, no-store' }],
  ])('%s gets no response with more tags than it accepts', (_, cdn, maxTags, noStoreHeaders) => {
    expect(Object.values(cdn.headers(range(maxTags)))[0]?.split(',')).toHaveLength(maxTags)
    expect(cdn.headers(range(maxTags + 1))).toEqual(noStoreHeaders)
  })
})

describe('Cloudflare reports success in the body', () => {
  const purge = async (script: Step[]) => {
    const { calls, send } = await startApi(script)
    const error = await cloudflare({ zoneId: 'a', token: 't', fetch: send })
      .purge(['a'])
      .catch((reason: Error) => reason)
    return { calls: calls.length, message: error?.message }
  }
  it.each([
    ['success: false', '{"success":false,"errors":[{"code":1134}]}', 1],
    ['an HTML page', '<html>', 1],
    ['an empty body', '', 1],
    ['null', 'null', 1],
    ['a body of 1 MB', 'x'.repeat(2 ** 20), 1],
  ])('Cloudflare: %s in a 200 is a failure', async (_, body, calls) => {
    const result = await purge([{ status: 200, body }])
    expect(result).toEqual({ calls, message: expect.stringContaining('1 of 1 tags not purged ("a"): HTTP 200') })
    expect(result.message?.length).toBeLessThan(300)
  })
  it('Cloudflare: a call whose response breaks off is retried', async () => {
    expect(await purge(['cut', 200])).toEqual({ calls: 2, message: undefined })
  })
})

describe('behind the revalidation endpoint', () => {
  const post = () =>
    new Request('https://site.test/api/revalidate', { method: 'POST', headers: { Authorization: 'Bearer s' } })

  async function revalidate(step: Step, store: (tags: string[], options: { mode: PurgeMode }) => unknown = () => {}) {
    const { calls, send } = await startApi(() => step)
    const logged: unknown[] = []
    const storeCalls: string[] = []
    const limits = { fetch: send, timeout: 1_000 }
    const invalidate = purgeEverywhere({
      invalidate: (tags, options) => {
        storeCalls.push(`store ${tags} ${options.mode} ${calls.length}`)
        return store(tags, options)
      },
      cdns: [fastly({ serviceId: 'a', token: 't', ...limits }), netlify({ siteId: 'b', token: 't', ...limits })],
      repeatAfter: 0,
    })
    const endpoint = createRevalidateEndpoint({ secret: 's', invalidate, log: (...entry) => logged.push(entry) })
    const response = await endpoint(post())
    return { status: response?.status, body: await response?.json(), calls, storeCalls, logged }
  }

  it('the endpoint purges the store first, and hard, and then every CDN', async () => {
    const { status, calls, storeCalls } = await revalidate(200)
    expect([status, storeCalls, calls.length]).toEqual([200, ['store document hard 0'], 2])
  })

  it('the endpoint answers 503 when a CDN fails, and logs the CDN and the tags', async () => {
    const { status, body, calls, logged } = await revalidate(500)
    expect([status, body]).toEqual([503, { error: 'Revalidation failed', revalidated: false }])
    expect(new Set(calls.map(({ url }) => new URL(url).hostname)).size).toBe(2)
    expect(JSON.stringify(logged)).toMatch(/fastly: 1 of 1 tags.*HTTP 500.*; netlify: 1 of 1 tags.*HTTP 500/)
  })

  it('the endpoint answers 503 when the store fails, and calls no CDN', async () => {
    const { status, calls } = await revalidate(200, () => Promise.reject(new Error('store is down')))
    expect([status, calls]).toEqual([503, []])
  })
})
