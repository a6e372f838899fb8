import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { diskStore, diskTagIndex } from '../../adapters/disk/index.js'
import { nodeListener } from '../../adapters/node/index.js'
import type { ImageServiceEvent } from '../../adapters/sharp/render.js'
import { createSharpService } from '../../adapters/sharp/service.js'
import { createResponseCache, memoryStore, memoryTagIndex, tieredStore } from '../../core/cache/index.js'
import { normalizeImageAccept } from '../../core/image/image-response.js'
import { createImageLoader, type ImageService } from '../../core/image/index.js'
import { createImageProxy } from '../../core/image/proxy.js'

const photograph = new URL('../../examples/site/media/black-canyon.jpg', import.meta.url)
const sources = ['/media/']
const load = createImageLoader({ sources })
const imagePath = load({ src: '/media/photo.jpg', width: 384 })
const accepts = {
  avif: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  webp: 'image/webp,*/*;q=0.8',
  jpeg: '*/*',
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp()
})

/** Starts an image server: the cache in front of the proxy in front of the service, with one directory. */
async function startSite(earlier?: { root: string }) {
  const root = earlier?.root ?? (await mkdtemp(join(tmpdir(), 'sitewright-')))
  if (!earlier) {
    await copyFile(photograph, join(root, 'photo.jpg'))
    await writeFile(join(root, 'broken.jpg'), 'not an image')
  }
  const events: ImageServiceEvent[] = []
  const cached = (name: string) =>
    tieredStore([memoryStore({ maxBytes: 1e7 }), diskStore({ directory: join(root, name), maxBytes: 1e8 })])
  const folders = { '/media/': root }
  const log = () => {}
  const site = { sources: folders, cache: cached('images'), tagIndex: memoryTagIndex(), maxAge: 300, log }
  const onEvent = (event: ImageServiceEvent) => void events.push(event)
  const service = createSharpService({ isolation: 'none' }, site, { onEvent })
  let proxied = 0
  const counted: ImageService = {
    ...service,
    getImage(...asked) {
      proxied++
      return service.getImage(...asked)
    },
  }
  const proxy = createImageProxy({ sources, maxAge: 300, log }, counted)
  const cache = createResponseCache({
    store: cached('responses'),
    tagIndex: diskTagIndex({ directory: join(root, 'responses') }),
    bypass: () => false,
    fields: { Accept: normalizeImageAccept },
    tags: ['images'],
  })
  const images = cache.wrap(proxy)
  const server = createServer(nodeListener(images)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return {
    ...cache,
    root,
    images,
    proxied: () => proxied,
    transforms: () => events.filter(({ type }) => type === 'transform').length,
    /** Waits until a number of entries are on the disk, since a response is sent before that. */
    async stored(count: number) {
      const names = () => readdir(join(root, 'responses'))
      await expect.poll(async () => (await names()).filter((name) => name.endsWith('.entry')).length).toBe(count)
    },
    async get(path = imagePath, headers: Record<string, string> = { accept: accepts.avif }, method = 'GET') {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method })
      return { response, status: response.status, body: Buffer.from(await response.arrayBuffer()) }
    },
  }
}

describe('the image proxy behind the response cache', () => {
  test('the proxy behind the cache is called once for concurrent requests, and not again', async () => {
    const site = await startSite()
    const first = await Promise.all(Array.from({ length: 20 }, () => site.get()))
    await site.stored(1)
    const later = await Promise.all(Array.from({ length: 20 }, () => site.get()))
    for (const { status, body } of [...first, ...later]) {
      expect(status).toBe(200)
      expect(body.equals(first[0]?.body as Buffer)).toBe(true)
    }
    expect([site.proxied(), site.transforms()]).toEqual([1, 1])
    expect(later[0]?.response.headers.get('cache-status')).toContain('hit')
    expect(later[0]?.response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the proxy behind the cache is called once per format, whatever else is in Accept', async () => {
    const site = await startSite()
    for (const [format, accept] of Object.entries(accepts)) {
      for (let visitor = 0; visitor < 10; visitor++) {
        const { response } = await site.get(imagePath, { accept: `${accept},text/x-${visitor}` })
        expect(response.headers.get('content-type')).toBe(`image/${format}`)
        await site.stored(1 + Object.keys(accepts).indexOf(format))
      }
    }
    expect([site.proxied(), site.transforms()]).toEqual([3, 3])
  })

  test('the proxy behind the cache is not called for a conditional request or for HEAD', async () => {
    const site = await startSite()
    const { response, body } = await site.get()
    await site.stored(1)
    const etag = response.headers.get('etag') as string
    const revalidated = await site.get(imagePath, { accept: accepts.avif, 'if-none-match': etag })
    expect([revalidated.status, revalidated.body.length, revalidated.response.headers.get('etag')]).toEqual([
      304,
      0,
      etag,
    ])
    const head = await site.get(imagePath, { accept: accepts.avif }, 'HEAD')
    expect([head.status, head.response.headers.get('content-length')]).toEqual([200, `${body.length}`])
    expect(site.proxied()).toBe(1)
    const otherResponse = await site.get(imagePath, { accept: accepts.webp, 'if-none-match': etag })
    expect([otherResponse.status, otherResponse.response.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  test('a range request is answered with the part or the whole image', async () => {
    const site = await startSite()
    const { body } = await site.get()
    const part = await site.get(imagePath, { accept: accepts.avif, range: 'bytes=10-19' })
    expect([200, 206]).toContain(part.status)
    expect(part.body.equals(part.status === 206 ? body.subarray(10, 20) : body)).toBe(true)
    expect((await site.get()).body.equals(body)).toBe(true)
  })

  test.each([
    ['a missing image', load({ src: '/media/missing.jpg', width: 384 }), 404],
    ['a broken original', load({ src: '/media/broken.jpg', width: 384 }), 422],
    ['a disallowed width', `${imagePath}1`, 400],
  ])('no error is stored: %s', async (_, path, status) => {
    const site = await startSite()
    for (let time = 0; time < 2; time++) {
      const { response } = await site.get(path)
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store'])
    }
    await copyFile(photograph, join(site.root, 'missing.jpg'))
    await copyFile(photograph, join(site.root, 'broken.jpg'))
    expect((await site.get(path)).status).toBe(status === 400 ? 400 : 200)
  })

  test('the proxy behind the cache is called again after a purge, without a new transform', async () => {
    const site = await startSite()
    const { body } = await site.get()
    await site.stored(1)
    await site.invalidate(['images'])
    const again = await site.get()
    expect([again.body.equals(body), again.response.headers.get('cache-status')]).toEqual([
      true,
      'sitewright; fwd=stale; fwd-status=200; stored; detail=purged',
    ])
    expect([site.proxied(), site.transforms()]).toEqual([2, 1])
  })

  test('the proxy behind the cache is not called again after a restart, unless its response was purged', async () => {
    const first = await startSite()
    // Not over the socket, because each site has another port, so the URLs of its images differ.
    const readImage = async ({ images }: typeof first) => {
      const request = new Request(`https://site.test${imagePath}`, { headers: { accept: accepts.avif } })
      return Buffer.from((await (await images(request))?.arrayBuffer()) ?? new ArrayBuffer())
    }
    const body = await readImage(first)
    await first.stored(1)
    const second = await startSite(first)
    expect((await readImage(second)).equals(body)).toBe(true)
    expect([second.proxied(), second.transforms()]).toEqual([0, 0])
    await second.invalidate(['images'])
    const third = await startSite(first)
    expect((await readImage(third)).equals(body)).toBe(true)
    expect([third.proxied(), third.transforms()]).toEqual([1, 0])
  })

  test('the proxy behind the cache still returns undefined for other routes', async () => {
    const { images } = await startSite()
    expect(await images(new Request('https://site.test/about'))).toBeUndefined()
  })
})
