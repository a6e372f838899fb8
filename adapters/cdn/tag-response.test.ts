import { describe, expect, it } from 'vitest'
import type { RouteHandler } from '../../core/handler.js'
import { cloudflare, fastly, netlify, tagResponse, vercel } from './index.js'

const token = 't'
const cdns = {
  fastly: fastly({ serviceId: 'a', token }),
  cloudflare: cloudflare({ zoneId: 'a', token }),
  vercel: vercel({ projectId: 'a', token }),
  netlify: netlify({ siteId: 'a', token }),
}
const request = new Request('https://site.test/')
const answer =
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
  ] as const)('for %s', async (name, headers) => {
    expect(await headersOf(tagResponse(answer(tagged), cdns[name])(request))).toEqual({ vary: 'Accept', ...headers })
  })

  it('for several', async () => {
    expect(await headersOf(tagResponse(answer(tagged), cdns.cloudflare, cdns.fastly)(request))).toEqual({
      vary: 'Accept',
      'cache-tag': 'document,post:42',
      'surrogate-key': 'document post:42',
    })
  })

  it('too many tags keep a page out, over what it said itself', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `some-tag-${index}`).join(',')
    const headers = { 'Cache-Tag': many, 'Cache-Control': 's-maxage=60', 'Surrogate-Control': 'max-age=60' }
    expect(await headersOf(tagResponse(answer(headers), cdns.fastly)(request))).toEqual({
      'cache-control': 'private, no-cache',
      'surrogate-control': 'max-age=0',
    })
  })

  it.each([{}, { 'Cache-Tag': '' }, { 'Cache-Tag': ' , ,' }])('%j stays as it is', async (headers) => {
    const response = await answer(headers)()
    expect(await tagResponse(async () => response, cdns.fastly)(request)).toBe(response)
    expect(response.headers.has('surrogate-key')).toBe(false)
  })

  it('leaves another route to others, and an error to the server', async () => {
    const notMine: RouteHandler = async () => undefined
    expect(await tagResponse(notMine, cdns.fastly)(request)).toBeUndefined()
    const failing = () => Promise.reject(new Error('render'))
    await expect(tagResponse(failing, cdns.fastly)(request)).rejects.toThrow('render')
  })

  it('a 304 is tagged', async () => {
    const response = await tagResponse(answer(tagged, null, 304), cdns.fastly)(request)
    expect([response.status, response.headers.get('surrogate-key')]).toEqual([304, 'document post:42'])
  })

  it('headers that cannot be changed are copied, cookies and all', async () => {
    const frozen = await answer(tagged)()
    frozen.headers.append('Set-Cookie', 'a=1')
    frozen.headers.append('Set-Cookie', 'b=2')
    const refuse = () => {
      throw new TypeError('immutable')
    }
    Object.assign(frozen.headers, { set: refuse, delete: refuse })
    const response = await tagResponse(async () => frozen, cdns.fastly)(request)
    expect(response).not.toBe(frozen)
    expect(response.headers.get('surrogate-key')).toBe('document post:42')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.text()).toBe('page')
  })
})
