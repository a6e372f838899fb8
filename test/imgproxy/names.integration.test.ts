import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createImageProxy, type ImageProxyOptions } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch } from '../../adapters/node/index.js'
import { photograph } from '../../adapters/sharp/testing/originals.js'
import { createImageLoader } from '../../core/image/index.js'
import { encodeSource } from '../../core/image/url.js'
import { listen } from '../adapter/listen.js'
import { serviceKey, startImgproxy } from './imgproxy.js'

const names = [
  ...['cat.jpg', 'with space.jpg', 'two  spaces.jpg', ' begins.jpg', 'ends ', 'größe.jpg', 'gro\u0308ße.jpg'],
  ...['Ærø.jpg', 'naïve café.jpg', '日本語.jpg', 'кот.jpg', 'قط.jpg', '🐈.jpg', '👩‍👩‍👧.jpg', 'a&b.jpg', 'a+b.jpg'],
  ...['a@b.jpg', 'a=b.jpg', 'a,b;c.jpg', 'a:b.jpg', "it's.jpg", '"quoted".jpg', '(1).jpg', '[2].jpg', '{3}.jpg'],
  ...['<4>.jpg', 'a|b.jpg', 'a^b.jpg', 'a`b.jpg', 'a~b.jpg', 'a!b.jpg', '$5.jpg', '*.jpg', '100%.jpg', '100%25.jpg'],
  ...['%41.jpg', '#1.jpg', '..jpg', '.hidden.jpg', 'deep er/größe 2.jpg'],
]
const closing: (() => Promise<unknown>)[] = []
let folder: string
let imgproxy: Awaited<ReturnType<typeof startImgproxy>>
let origin: Awaited<ReturnType<typeof listen>>

beforeAll(async () => {
  folder = await folderWith(
    Object.fromEntries([...names, 'what?.jpg'].map((name) => [join('media', name), photograph])),
  )
  imgproxy = await startImgproxy({ root: folder, allowLoopback: true })
  origin = await listen((req, res) => {
    const path = decodeURIComponent(new URL(req.url ?? '', 'http://origin.test').pathname)
    readFile(join(folder, path)).then(
      (bytes) => res.end(bytes),
      () => res.writeHead(404).end(),
    )
  })
  closing.push(imgproxy.close, origin.close)
})
afterAll(() => Promise.all(closing.map((close) => close())))

/** A loader, and a proxy in front of imgproxy. */
function startSite(options: Partial<ImageProxyOptions> = {}) {
  const sources = ['/media/', `${origin.url}/media/`]
  const upstream = createUpstreamFetch()
  closing.push(upstream.close)
  const log = vi.fn()
  const proxy = createImageProxy({
    ...serviceKey,
    serviceUrl: imgproxy.url,
    fetch: upstream,
    sourceBaseUrl: 'local://',
    sources,
    log,
    ...options,
  })
  const load = createImageLoader({ sources })
  const get = async (path: string) => (await proxy(new Request(`http://site.test${path}`))) as Response
  return {
    log,
    get,
    async statusOf(src: string) {
      const response = await get(load({ src, width: 64 }))
      await response.arrayBuffer()
      return response.status
    },
  }
}

describe('imgproxy finds', () => {
  describe.each(['local://', 'an http origin', 'http URLs'])('by %s', (base) => {
    test.each(names)('a file named %j', async (name) => {
      const { statusOf } = startSite({ sourceBaseUrl: base === 'local://' ? base : origin.url })
      const path = `/media/${name.split('/').map(encodeURIComponent).join('/')}`
      expect(await statusOf(base === 'http URLs' ? origin.url + path : path)).toBe(200)
    })
  })

  test('no file is found by a name that no file system allows', async () => {
    const { statusOf, get } = startSite()
    for (const name of ['a'.repeat(256), 'ä'.repeat(200), 'deep/'.repeat(300), 'cat.jpg/cat.jpg']) {
      expect(await statusOf(`/media/${encodeURI(name)}x`)).toBe(404)
    }
    for (const name of ['%00.jpg', 'a%0Ab.jpg', '%7F.jpg', '%2e%2e%2fcat.jpg', 'a%5Cb.jpg', '%FF.jpg', '%.jpg']) {
      const { status } = await get(`/_image/${encodeSource(`/media/${name}`)}?width=64`)
      expect([name, status]).toEqual([name, 403])
    }
  })

  test('a local file whose name no URL can express is 400, with the reason in the log', async () => {
    const { statusOf, get, log } = startSite()
    expect(await statusOf('/media/what%3F.jpg')).toBe(400)
    expect(log.mock.calls).toEqual([
      [
        'Invalid source',
        {
          source: '/media/what%3F.jpg',
          reason: expect.stringMatching(/^local:\/\/ cannot name a file with '\?'/),
        },
      ],
    ])
    for (let count = 0; count < 5; count++)
      expect((await get(`/_image/${encodeSource('/media/what%3F.jpg')}?width=64`)).status).toBe(400)
    expect(log).toHaveBeenCalledTimes(1)
    // On the web, this is an ordinary name.
    expect(await statusOf(`${origin.url}/media/what%3F.jpg`)).toBe(200)
  })
})

test('the scheme and host of sourceBaseUrl may be in capitals', async () => {
  expect(await startSite({ sourceBaseUrl: 'LOCAL://' }).statusOf('/media/a%26b.jpg')).toBe(200)
  const upperCase = origin.url.replace('http', 'HTTP')
  expect(await startSite({ sourceBaseUrl: upperCase }).statusOf('/media/with%20space.jpg')).toBe(200)
})

test('without sourceBaseUrl, imgproxy reads paths as URLs below its own', async () => {
  const imgproxy = await startImgproxy({ baseUrl: origin.url, allowLoopback: true })
  closing.push(imgproxy.close)
  const { statusOf } = startSite({ serviceUrl: imgproxy.url, sourceBaseUrl: '' })
  for (const name of ['größe.jpg', '#1.jpg', '100%25.jpg', 'what?.jpg'])
    expect(await statusOf(`/media/${encodeURIComponent(name)}`)).toBe(200)
})
