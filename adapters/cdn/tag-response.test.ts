import { describe, expect, it } from 'vitest'
import type { RouteHandler } from '../../core/handler.js'
import { cloudflare, cloudfront, fastly, netlify, tagResponse, vercel } from './index.js'

const token = 't'
const cdns = {
  fastly: fastly({ serviceId: 'a', token }),
  cloudflare: cloudflare({ zoneId: 'a', token }),
  vercel: vercel({ projectId: 'a', token }),
  netlify: netlify({ siteId: 'a', token }),
  cloudfront: cloudfront({
    distributionId: 'a',
    credentials: () => ({ accessKeyId: 'a', secretAccessKey: 'secret' }),
  }),
}
const request = new Request('https://site.test/')
const respond =
  (headers: Record<string, string>, body: BodyInit | null = 'page', status = 200) =>
  async () =>
    new Response(body, { status, headers })
const headersOf = async (response: Promise<Response>) => {
  const { 'content-type': _, ...headers } = Object.fromEntries((await response).headers)
  return headers
}

describe('tagResponse', () => {
  const tagged = { 'Cache-Tag': 'document, post:42,,', Vary: 'Accept' }
  it.each([
    ['fastly', { 'surrogate-key': 'document post:42' }],
    ['cloudflare', { 'cache-tag': 'document,post:42' }],
    ['vercel', { 'vercel-cache-tag': 'document,post:42' }],
    ['netlify', { 'netlify-cache-tag': 'document,post:42' }],
    ['cloudfront', { 'cache-tag': 'document,post:42' }],
  ] as const)('tagResponse writes the header of %s', async (name, headers) => {
    expect(await headersOf(tagResponse(respond(tagged), cdns[name])(request))).toEqual({ vary: 'Accept', ...headers })
  })

  it('tagResponse writes the headers of several CDNs', async () => {
    expect(await headersOf(tagResponse(respond(tagged), cdns.cloudflare, cdns.fastly)(request))).toEqual({
      vary: 'Accept',
      'cache-tag': 'document,post:42',
      'surrogate-key': 'document post:42',
    })
  })

  it('a page with too many tags is kept out of the CDN, whatever its own headers say', async () => {
    const manyTags = Array.from({ length: 2000 }, (_, index) => `some-tag-${index}`).join(',')
    const headers = { 'Cache-Tag': manyTags, 'Cache-Control': 's-maxage=60', 'Surrogate-Control': 'max-age=60' }
    expect(await headersOf(tagResponse(respond(headers), cdns.fastly)(request))).toEqual({
      'cache-control': 'private, no-cache',
      'surrogate-control': 'max-age=0',
    })
  })

  it.each([{}, { 'Cache-Tag': '' }, { 'Cache-Tag': ' , ,' }])('a response with %j stays unchanged', async (headers) => {
    const response = await respond(headers)()
    expect(await tagResponse(async () => response, cdns.fastly)(request)).toBe(response)
    expect(response.headers.has('surrogate-key')).toBe(false)
  })

  it('tagResponse passes on undefined and errors of the handler', async () => {
    const otherRoute: RouteHandler = async () => undefined
    expect(await tagResponse(otherRoute, cdns.fastly)(request)).toBeUndefined()
    const failing = () => Promise.reject(new Error('render'))
    await expect(tagResponse(failing, cdns.fastly)(request)).rejects.toThrow('render')
  })

  it('a 304 is tagged', async () => {
    const response = await tagResponse(respond(tagged, null, 304), cdns.fastly)(request)
    expect([response.status, response.headers.get('surrogate-key')]).toEqual([304, 'document post:42'])
  })

  it('tagResponse copies a response with immutable headers, including its cookies', async () => {
    const immutable = await respond(tagged)()
    immutable.headers.append('Set-Cookie', 'a=1')
    immutable.headers.append('Set-Cookie', 'b=2')
    const throwImmutable = () => {
      throw new TypeError('immutable')
    }
    Object.assign(immutable.headers, { set: throwImmutable, delete: throwImmutable })
    const response = await tagResponse(async () => immutable, cdns.fastly)(request)
    expect(response).not.toBe(immutable)
    expect(response.headers.get('surrogate-key')).toBe('document post:42')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.text()).toBe('page')
  })
})
