import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createImageProxy } from '../../core/image/index.js'
import { encodeSource } from '../../core/image/url.js'
import { photographs } from './testing/originals.js'
import { avif, bytesOf, signingKey, startService } from './testing/service.js'

/** Starts two image proxies: one calls its service by send, the other by fetch. */
const startProxies = () => {
  const options = {
    serviceUrl: 'http://images.invalid',
    ...signingKey,
    sources: ['/media/', '/elsewhere/'],
    log: () => {},
  }
  const { handler } = startService({ sources: { '/media/': fileURLToPath(photographs) } })
  return {
    send: createImageProxy({ ...options, fetch: handler }),
    fetch: createImageProxy({ ...options, fetch: (request) => handler(request) }),
  }
}
const urlOf = (source: string, width: number) => `http://site.test/_image/${encodeSource(source)}?width=${width}`

test.each([
  ['an image', '/media/black-canyon.jpg', 64, {}],
  ['an image that is read piece by piece', '/media/black-canyon.jpg', 1920, { headers: { accept: '*/*' } }],
  ['HEAD', '/media/black-canyon.jpg', 64, { method: 'HEAD' }],
  ['a missing original', '/media/missing.jpg', 64, {}],
  ['an unknown source', '/elsewhere/cat.jpg', 64, {}],
  ['a file that is not an image', '/media/CREDITS.md', 64, {}],
] as [string, string, number, RequestInit][])(
  '%s is the same through send and through fetch, also from the cache',
  async (_, source, width, init) => {
    const proxies = startProxies()
    const get = async (way: 'send' | 'fetch', headers: Record<string, string> = {}) => {
      const request = new Request(urlOf(source, width), { ...init, headers: { ...avif, ...init.headers, ...headers } })
      const response = await proxies[way](request)
      if (!response) throw new Error('expected a response')
      const { status } = response
      return { status, headers: Object.fromEntries(response.headers), body: await bytesOf(response) }
    }
    const expected = await get('fetch')
    for (const way of ['send', 'fetch', 'send'] as const) expect(await get(way)).toEqual(expected)
    if (width > 1024) expect(expected.body.length).toBeGreaterThan(64 * 1024)
    const { etag } = expected.headers
    if (etag === undefined) return expect(expected.status).toBeGreaterThanOrEqual(400)
    const unchanged = await get('fetch', { 'If-None-Match': etag })
    expect(unchanged.status).toBe(304)
    expect(await get('send', { 'If-None-Match': etag })).toEqual(unchanged)
  },
)

test('an unsigned URL is refused through send, too', async () => {
  const { handler } = startService({ sources: { '/media/': fileURLToPath(photographs) } })
  const client = { signal: undefined }
  const options = { headers: {}, client, timeout: 10_000, onBodyError: () => {} }
  const url = `http://images.invalid/unsigned/rs:fill:64/g:sm/${encodeSource('/media/black-canyon.jpg')}`
  expect((await handler.send(url, options)).status).toBe(403)
})
