import { expect, it } from 'vitest'
import { createResponseCache, memoryStore, type TagIndex } from '../../core/cache/index.js'
import { cloudflare, fastly, tagResponse } from './index.js'

const log = () => {}
const cdns = [fastly({ serviceId: 'a', token: 't' }), cloudflare({ zoneId: 'a', token: 't' })]
const away: TagIndex = { stamp: () => undefined, purgedSince: () => 'hard', purge: () => Promise.reject(new Error()) }
const all = { 'surrogate-key': 'menu document gr%C3%B6%C3%9Fe', 'cache-tag': 'menu,document,gr%C3%B6%C3%9Fe' }

const open = (tagIndex?: TagIndex) => {
  const store = memoryStore({ maxBytes: 1e6 })
  const cache = createResponseCache({ store, tagIndex, tags: ['document', 'größe'], log })
  const headers = { 'Cache-Control': 's-maxage=60', 'Cache-Tag': 'menu', ETag: '"a"' }
  return tagResponse(
    cache.wrap(async () => new Response('page', { headers })),
    ...cdns,
  )
}

it('a CDN is told the tags of the option, on a miss, a hit and a 304', async () => {
  const handler = open()
  for (const asked of [{}, {}, { 'If-None-Match': '"a"' }] as Record<string, string>[]) {
    const { headers } = await handler(new Request('https://site.test/', { headers: asked }))
    expect(Object.fromEntries(headers)).toMatchObject(all)
  }
})

it.each([
  ['while the tag index is away', {}, away],
  ['of part of a page that is not stored', { Range: 'bytes=0-1' }, undefined],
] as [string, Record<string, string>, TagIndex?][])('a CDN is told them %s', async (_, headers, index) => {
  const answer = await open(index)(new Request('https://site.test/', { headers }))
  expect(answer.headers.get('cache-status')).not.toContain('stored')
  expect(Object.fromEntries(answer.headers)).toMatchObject(all)
})
