import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createImageProxy, type ImageProxyOptions } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch } from '../../adapters/node/index.js'
import { encodeSource } from '../../core/image/url.js'
import { type ImgproxyOptions, serviceKey, startImgproxy } from './imgproxy.js'

const closing: (() => Promise<unknown>)[] = []
let root: string

beforeAll(async () => {
  root = await folderWith({ 'media/cat.jpg': 'the original' })
})
afterAll(() => Promise.all(closing.map((close) => close())))

/** Starts an imgproxy, and a proxy in front of it, and asks for an image. */
async function ask(service: ImgproxyOptions, options: Partial<ImageProxyOptions> = {}, path = '') {
  const imgproxy = await startImgproxy({ root, ...service })
  const upstream = createUpstreamFetch()
  closing.unshift(imgproxy.close, upstream.close)
  const log = vi.fn()
  const proxy = createImageProxy({
    ...serviceKey,
    serviceUrl: imgproxy.url + path,
    sources: ['/media/'],
    sourceBaseUrl: 'local://',
    fetch: upstream,
    log,
    ...options,
  })
  const get = async () => {
    const response = await proxy(new Request(`http://site.test/_image/${encodeSource('/media/cat.jpg')}?width=640`))
    return { status: response?.status, text: await response?.text(), headers: response?.headers }
  }
  return { get, log, ...(await get()) }
}

const forbidden =
  "the image service says 'Forbidden'; image service rejected the signature or serviceSecret (403); compare key, salt and serviceSecret with those of the service"

test('without a mistake, the image is served and nothing is logged', async () => {
  const { status, log } = await ask({ secret: 's', pathPrefix: '/images' }, { serviceSecret: 's' }, '/images')
  expect([status, log.mock.calls]).toEqual([200, []])
})

test.each<[string, ImgproxyOptions, Partial<ImageProxyOptions>, string, number, string]>([
  [
    'another path prefix',
    { pathPrefix: '/images' },
    {},
    '/image',
    404,
    'image service says nothing more (404), as imgproxy does outside of its path prefix; check the path of serviceUrl',
  ],
  [
    'a source that imgproxy does not allow',
    { allowedSources: ['https://cdn.example.com/'] },
    {},
    '',
    404,
    "the image service says 'Invalid source URL'",
  ],
  [
    'a source address that imgproxy blocks',
    {},
    { sourceBaseUrl: 'http://127.0.0.1:1' },
    '',
    404,
    "the image service says 'Invalid source URL'",
  ],
  ['another root', { root: '/nowhere' }, {}, '', 404, "the image service says 'Source is unreachable'"],
  [
    'no root at all',
    { root: '' },
    { sourceBaseUrl: 'gs://bucket' },
    '',
    404,
    "the image service says 'Source is unreachable'",
  ],
  ['another key', {}, { key: 'aa' }, '', 502, forbidden],
  ['another secret', { secret: 's' }, { serviceSecret: 't' }, '', 502, forbidden],
  ['no secret', { secret: 's' }, {}, '', 502, forbidden],
  ['a full queue', { maxRequests: 0 }, {}, '', 503, "the image service says 'Too many requests'"],
])(
  'for %s, the log has the error of the service and the source, once',
  async (_, service, options, path, status, reason) => {
    const { get, log, ...response } = await ask(service, options, path)
    expect(response.status).toBe(status)
    // Visitors do not see the reason.
    expect(response.text).not.toMatch(/service says|Forbidden|URL/)
    await get()
    expect(log.mock.calls).toEqual([
      [expect.any(String), { status: expect.any(Number), source: '/media/cat.jpg', reason }],
    ])
  },
)
