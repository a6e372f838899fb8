import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeTag } from '../../core/tags.js'
import { cloudflare, cloudfront, fastly, netlify, vercel } from './index.js'
import { encodeCdnTag, groupOf } from './tags.js'

const anyTag = fc.string({ unit: 'binary', minLength: 1, maxLength: 2000 }).filter((text) => text.trim() !== '')

describe('encodeCdnTag', () => {
  it.each([
    ['document', 'document'],
    ['post:42', 'post:42'],
    ['a,b', 'a%2Cb'],
    ['a b', 'a%20b'],
    ['100%', '100%'],
    ['a\r\nb', 'a%0D%0Ab'],
    [' a ', 'a'],
    ['\u00fc', '%C3%BC'],
    ['\u{1f511}', '%F0%9F%94%91'],
    ['\u007f', '%7F'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
  ])('encodes the tag %j', (tag, encoded) => expect(encodeCdnTag(tag, 1024)).toBe(encoded))

  it('replaces an encoded tag that is too long by its digest', () => {
    const tag = '\u00fc'.repeat(170)
    expect(encodeCdnTag(tag, 6 * 170)).toMatch(/^%C3/)
    expect(encodeCdnTag(tag, 6 * 170 - 1)).toBe(
      `sha256-${createHash('sha256').update('%C3%BC'.repeat(170)).digest('hex')}`,
    )
  })

  it('an encoded tag is visible ASCII without a comma, within the limit, deterministic and idempotent', () => {
    fc.assert(
      fc.property(anyTag, (tag) => {
        const encoded = encodeCdnTag(tag, 256)
        expect(encoded).toMatch(/^[\x21-\x2b\x2d-\x7e]{1,256}$/)
        expect(encodeCdnTag(tag, 256)).toBe(encoded)
        expect(encodeCdnTag(encoded, 256)).toBe(encoded)
        // The tags of a header are already encoded by the response cache; the tags of a purge are not.
        expect(encodeCdnTag(encodeTag(tag), 256)).toBe(encoded)
      }),
    )
  })

  it('keeps tags without a percent sign distinct', () => {
    const tag = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 300 })
      .filter((text) => text.trim() === text && !/[%\p{Surrogate}]/u.test(text))
    fc.assert(
      fc.property(tag, tag, (a, b) => {
        expect(encodeCdnTag(a, 256) === encodeCdnTag(b, 256)).toBe(a === b)
      }),
    )
  })
})

it.each([
  ['document', 'document'],
  ['post:42', 'post:'],
  ['sanity:type:post', 'sanity:'],
  ['/articles/boats', '/articles/boats'],
  [':42', ':'],
])('the group of %s is %s', (tag, group) => expect(groupOf(tag)).toBe(group))

describe.each([
  ['fastly', 'Surrogate-Key', fastly, { serviceId: 'a' }],
  ['cloudflare', 'Cache-Tag', cloudflare, { zoneId: 'a' }],
  ['vercel', 'Vercel-Cache-Tag', vercel, { projectId: 'a' }],
  ['netlify', 'Netlify-Cache-Tag', netlify, { siteId: 'a' }],
  ['cloudfront', 'Cache-Tag', cloudfront, { distributionId: 'a' }],
] as const)('%s', (cdnName, header, create, ids) => {
  const purged: string[] = []
  const send = async (request: Request) => {
    const text = await request.text()
    const paths = [...text.matchAll(/<Path>#(.*?)<\/Path>/g)].map(([, path = '']) => path)
    const body = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { paths }
    purged.push(...(Object.values(body).find(Array.isArray) as string[]))
    return new Response('{"success":true}')
  }
  const credentials = () => ({ accessKeyId: 'a', secretAccessKey: 'secret' })
  const access = cdnName === 'cloudfront' ? { credentials } : { token: 't' }
  const cdn = (create as (options: object) => ReturnType<typeof fastly>)({ ...ids, ...access, fetch: send })
  const separator = cdn.headers(['a', 'b'])[header]?.slice(1, -1) ?? ''

  it('5,000 entries of two sources become two groups, beside the tags without a group', () => {
    const entries = Array.from({ length: 5000 }, (_, id) => [`sanity:post-${id}`, `shop:${id}`]).flat()
    expect(cdn.headers(['document', '/', ...entries])).toEqual({
      [header]: ['document', '/', 'sanity:', 'shop:'].join(separator),
    })
  })

  it('a purge of any tag reaches a response with any number of tags, unless the response is kept out of the CDN', async () => {
    const names = fc.constantFrom('sanity:', 'größe, a:', 'shop:type:', '', '/articles/')
    const counts = fc.constantFrom(1, 100, 129, 501, 1001)
    await fc.assert(
      fc.asyncProperty(names, counts, fc.nat(), async (name, count, index) => {
        const tags = Array.from({ length: count }, (_, id) => `${name}${'x'.repeat(id % 40)}${id}`)
        const field = cdn.headers(tags)[header]
        purged.length = 0
        await cdn.purge([tags[index % count] ?? ''])
        // CloudFront ignores the case of tags.
        const cased = (text?: string) => (cdnName === 'cloudfront' ? text?.toLowerCase() : text)
        const isReached = purged.some((tag) => cased(field)?.split(separator).includes(tag))
        expect(field === undefined || isReached).toBe(true)
        if (name.includes(':')) expect(field).toBeDefined()
      }),
      { numRuns: 30 },
    )
  })
})
