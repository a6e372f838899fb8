import { expect, it } from 'vitest'
import { createResponseCache, memoryStore, type TagIndex } from '../../core/cache/index.js'
import { cloudflare, fastly, tagResponse } from './index.js'

const log = () => {}
const cdns = [fastly({ serviceId: 'a', token: 't' }), cloudflare({ zoneId: 'a', token: 't' })]
const downTagIndex: TagIndex = {
  stamp: () => undefined,
  purgedSince: () => 'hard',
  purge: () => Promise.reject(new Error()),
}
const tagHeaders = {
  'surrogate-key': 'menu document gr%C3%B6%C3%9Fe /page',
  'cache-tag': 'menu,document,gr%C3%B6%C3%9Fe,/page',
}

const createHandler = (tagIndex?: TagIndex) => {
  const store = memoryStore({ maxBytes: 1e6 })
  const cache = createResponseCache({ store, tagIndex, tags: ['document', 'größe'], log })
  const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'menu', ETag: '"a"' }
  return tagResponse(
    cache.wrap(async () => new Response('page', { headers })),
    ...cdns,
  )
}

it('a CDN gets the tags of the option tags on a miss, a hit and a 304', async () => {
  const handler = createHandler()
  for (const requestHeaders of [{}, {}, { 'If-None-Match': '"a"' }] as Record<string, string>[]) {
    const { headers } = await handler(new Request('https://site.test/page', { headers: requestHeaders }))
    expect(Object.fromEntries(headers)).toMatchObject(tagHeaders)
  }
})

it.each([
  ['with a comma', 'post:Hello, world'],
  ['in white space', ' a '],
  ['of two words', 'a b'],
  ['beyond ASCII', 'größe'],
  ['of 2,000 characters', 'x'.repeat(2000)],
  ['with a thousand commas', 'ä, '.repeat(1000)],
])('a CDN purges a tag %s under the name that the responses carry', async (_, tag) => {
  const purged: string[] = []
  const send = async (request: Request) => {
    purged.push(...((await request.json()) as { surrogate_keys: string[] }).surrogate_keys)
    return new Response()
  }
  const cdn = fastly({ serviceId: 'a', token: 't', fetch: send })
  const cache = createResponseCache({ store: memoryStore({ maxBytes: 1e6 }), tags: [tag], log })
  const handler = tagResponse(
    cache.wrap(async () => new Response('page', { headers: { 'Cache-Control': 's-maxage=60' } })),
    cdn,
  )
  const { headers } = await handler(new Request('https://site.test/page'))
  await cdn.purge([tag])
  expect(headers.get('surrogate-key')).toBe(`${purged[0]} /page`)
})

it.each([
  ['while the tag index is down', {}, downTagIndex],
  ['on a partial response that is not stored', { Range: 'bytes=0-1' }, undefined],
] as [string, Record<string, string>, TagIndex?][])(
  'a CDN gets the tags of the option tags %s',
  async (_, headers, index) => {
    const response = await createHandler(index)(new Request('https://site.test/page', { headers }))
    expect(response.headers.get('cache-status')).not.toContain('stored')
    expect(Object.fromEntries(response.headers)).toMatchObject(tagHeaders)
  },
)
