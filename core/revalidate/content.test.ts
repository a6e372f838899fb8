import { beforeEach, describe, expect, it, vi } from 'vitest'
import { contentSources } from '../../adapters/webhooks/index.js'
import { createResponseCache, memoryStore } from '../cache/index.js'
import { createContentTags } from '../content/index.js'
import { createRevalidateEndpoint, type RevalidateOptions } from './index.js'

const secret = 'test-secret'
const log = vi.fn<(message: string, detail: Record<string, unknown>) => void>()
beforeEach(() => void log.mockReset())

// A content system with three articles, which answers like Contentful.
const titles = new Map([
  ['a', 'Boats'],
  ['b', 'Cats'],
  ['größe, c', 'Alps'],
])
const entryOf = (id: string) => ({
  sys: { type: 'Entry', id, contentType: { sys: { id: 'article' } } },
  fields: { title: titles.get(id) },
})
const space = 'https://cdn.contentful.com/spaces/x'
const answer = async (input: RequestInfo | URL) => {
  const { pathname } = new URL(String(input))
  const id = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  const list = { sys: { type: 'Array' }, items: [...titles.keys()].map(entryOf) }
  return Response.json(id === 'entries' ? list : entryOf(id))
}

function createSite(options: Partial<RevalidateOptions> = {}) {
  const content = createContentTags({ sources: [contentSources.contentful], fetch: answer, log })
  const store = memoryStore({ maxBytes: 1e6 })
  const cache = createResponseCache({ store, content, log })
  const handler = cache.wrap(async (request) => {
    const { pathname } = new URL(request.url)
    const path = pathname === '/' ? '/entries?content_type=article' : `/entries${pathname}`
    const text = pathname === '/about' ? 'About' : JSON.stringify(await (await content.fetch(space + path)).json())
    return new Response(text, { headers: { 'Cache-Control': 's-maxage=3600' } })
  })
  const revalidate = createRevalidateEndpoint({
    secret,
    content,
    store,
    invalidate: cache.invalidate,
    log,
    ...options,
  } as RevalidateOptions)
  const visit = async (path: string) => {
    const response = await handler(new Request(`https://site.test${path}`))
    return { text: await response.text(), status: response.headers.get('Cache-Status') }
  }
  const send = async (payload: unknown, query = '', fields: Record<string, string> = {}) => {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const headers = { Authorization: `Bearer ${secret}`, ...fields }
    const url = `https://site.test/api/revalidate${query}`
    const response = await revalidate(new Request(url, { method: 'POST', headers, body }))
    return { status: response?.status, answer: await response?.json() }
  }
  return { visit, send }
}

const paths = ['/', '/a', '/b', '/größe, c', '/about'].map(encodeURI)

/** Visits all pages, sends the webhook, and returns its answer with the pages that it has purged. */
async function purgedBy(
  payload: unknown,
  query = '',
  options: Partial<RevalidateOptions> = {},
  fields: Record<string, string> = {},
) {
  const site = createSite(options)
  for (const path of paths) await site.visit(path)
  log.mockReset()
  const response = await site.send(payload, query, fields)
  const lines = log.mock.calls.map(([message, { tags }]) => [message, tags])
  const statuses = await Promise.all(paths.map(async (path) => [path, (await site.visit(path)).status]))
  const purged = statuses.filter(([, status]) => !status?.includes('; hit')).map(([path]) => path)
  return { ...response, purged, lines, statuses }
}

describe('a webhook', () => {
  it.each([
    ['an edit', entryOf('a'), ['contentful:a'], ['/', '/a']],
    ['an id with an umlaut and a comma', entryOf('größe, c'), ['contentful:größe, c'], ['/', '/gr%C3%B6%C3%9Fe,%20c']],
    ['a new entry', entryOf('new'), ['contentful:new'], ['/']],
    ['a deleted entry', { sys: { ...entryOf('b').sys, type: 'DeletedEntry' } }, ['contentful:b'], ['/', '/b']],
  ])('%s purges the pages that show the entry, and the lists of its type', async (_, payload, [entryTag], expected) => {
    const tags = [entryTag, 'contentful:type:article', 'contentful', 'any-content']
    const { status, answer, purged, lines } = await purgedBy(payload)
    expect({ status, answer }).toEqual({ status: 200, answer: { revalidated: true, tags } })
    expect(purged).toEqual(expected)
    expect(lines).toEqual([['Pages purged', tags]])
  })

  it('the next Cache-Status says that the page was purged', async () => {
    const { statuses } = await purgedBy(entryOf('a'))
    expect(Object.fromEntries(statuses)['/a']).toMatch(/fwd=stale.*detail=purged/)
  })
})

it.each([
  ['an unknown type', { sys: { type: 'ContentType', id: 'article' } }],
  ['a form', 'title=a'],
])('%s purges all pages, and the answer and the log say so', async (_, payload) => {
  const { answer, purged, lines } = await purgedBy(payload)
  expect(answer).toEqual({ revalidated: true, tags: ['document'] })
  expect(purged).toEqual(paths)
  expect(lines).toEqual([
    ['Content tags: no source knows this payload; all pages are purged', undefined],
    ['Pages purged', ['document']],
  ])
})

describe('a payload over maxBodyBytes', () => {
  const largeText = JSON.stringify({ ...entryOf('a'), padding: 'x'.repeat(2_000) })
  const withLength = { 'Content-Length': String(largeText.length) }
  it.each<[string, Record<string, string>]>([
    ['with its length', withLength],
    ['of unknown length', {}],
  ])('%s purges all pages, because a CMS sends it only once', async (_, headers) => {
    const { answer, status, purged, lines } = await purgedBy(largeText, '', { maxBodyBytes: 1_000 }, headers)
    expect({ status, answer }).toEqual({ status: 200, answer: { revalidated: true, tags: ['document'] } })
    expect(purged).toEqual(paths)
    expect(lines).toEqual([
      ['Body is larger than 1000 bytes; all pages are purged', ['document']],
      ['Pages purged', ['document']],
    ])
  })

  it('purges nothing without the right token', async () => {
    const { status, purged } = await purgedBy(largeText, '', { maxBodyBytes: 1_000, secret: 'another-secret' })
    expect({ status, purged }).toEqual({ status: 401, purged: [] })
  })

  it('purges nothing with a signature over the body, which cannot be verified', async () => {
    const { status, purged, lines } = await purgedBy(largeText, '', {
      maxBodyBytes: 1_000,
      secret: undefined,
      verify: () => true,
    })
    expect({ status, purged, lines }).toEqual({
      status: 413,
      purged: [],
      lines: [['Body is larger than 1000 bytes', undefined]],
    })
  })

  it('is over 8 MiB by default: the 4.8 MB of a Strapi tag with 40 articles purge their entries', async () => {
    const payload = { ...entryOf('a'), articles: 'x'.repeat(4_800_000) }
    expect((await purgedBy(payload)).purged).toEqual(['/', '/a'])
    expect((await purgedBy({ ...payload, more: 'x'.repeat(4_000_000) })).purged).toEqual(paths)
  })
})

it('a request without a body purges all pages, and a request with a path purges that page', async () => {
  expect(await purgedBy('')).toMatchObject({ answer: { revalidated: true }, purged: paths })
  expect(await purgedBy('', '?path=/b')).toMatchObject({ answer: { revalidated: true, tags: ['/b'] }, purged: ['/b'] })
})

describe('?dry-run', () => {
  const url = (path: string) => `https://site.test${path}`
  const tags = ['contentful:a', 'contentful:type:article', 'contentful', 'any-content']
  it.each<[string, unknown, string, object]>([
    ['a payload', entryOf('a'), '?dry-run', { tags, pages: [url('/'), url('/a')] }],
    ['a path', '', '?path=/b&dry-run', { tags: ['/b'], pages: [url('/b')] }],
    ['everything', '', '?dry-run', { tags: ['document'], pages: paths.map(url).sort() }],
    ['an entry on no page', entryOf('x'), '?dry-run=1', { pages: [url('/')] }],
  ])('?dry-run of %s lists the stored pages, and purges no page', async (_, payload, query, expected) => {
    const { status, answer, purged, lines } = await purgedBy(payload, query)
    expect(status).toBe(200)
    expect(answer).toMatchObject({ revalidated: false, dryRun: true, ...expected })
    expect({ purged, lines }).toEqual({ purged: [], lines: [] })
  })

  it('without a store that can list its entries, ?dry-run has a hint in place of the pages', async () => {
    const hint =
      'pages: listed only for a memoryStore, by the option store; stores on disk and in Redis cannot list theirs'

    const { entries: _, ...unlistable } = memoryStore({ maxBytes: 1e6 })
    for (const store of [undefined, unlistable]) {
      const { answer } = await createSite({ store }).send(entryOf('a'), '?dry-run')
      expect(answer).toEqual({ revalidated: false, dryRun: true, tags, hint })
    }
  })

  it('?dry-run needs the token, and is ignored for a signed webhook, whose query is not signed', async () => {
    const invalidate = vi.fn()
    const request = (headers = {}) =>
      new Request('https://site.test/api/revalidate?dry-run', { method: 'POST', headers, body: '{}' })
    const byToken = createRevalidateEndpoint({ secret, invalidate, log })
    expect((await byToken(request()))?.status).toBe(401)
    const signed = createRevalidateEndpoint({ verify: () => true, invalidate, log })
    expect(await (await signed(request()))?.json()).toEqual({ revalidated: true })
    expect(invalidate).toHaveBeenCalledOnce()
  })
})

it.each<[Partial<RevalidateOptions>, string]>([
  [{ getTags: () => [] }, 'getTags: expected neither tags, allowTags nor content beside it, got one of them'],
  [{ allowTags: true }, 'content: expected no allowTags beside it, got both'],
  [{ content: {} as never }, 'content: expected the result of createContentTags, got an object'],
  [{ store: {} as never }, 'store: expected the store of the response cache, such as memoryStore'],
])('createRevalidateEndpoint rejects %j', (options, message) => expect(() => createSite(options)).toThrow(message))
