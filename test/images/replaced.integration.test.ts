import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fastly, purgeEverywhere, tagResponse } from '../../adapters/cdn/index.js'
import { diskTagIndex } from '../../adapters/disk/index.js'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { createUpstreamFetch, fileVersions } from '../../adapters/node/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { startOrigin } from '../../adapters/sharp/testing/origin.js'
import { photographs } from '../../adapters/sharp/testing/originals.js'
import { type CreateImageService, createImages } from '../../core/image/index.js'
import { createRevalidateEndpoint } from '../../core/revalidate/index.js'
import { serviceKey, startImgproxy } from '../imgproxy/imgproxy.js'

const oldFile = await readFile(new URL('black-canyon.jpg', photographs))
const newFile = await readFile(new URL('locomotion-house-cat.jpg', photographs))
const widths = [32, 64]
const formats = ['image/avif', 'image/webp', 'image/jpeg']
const closing: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Creates the site on two instances that share only a tag index. */
async function startSite(kind: 'sharp' | 'sharp, remote' | 'imgproxy', src = '/media/cat.jpg') {
  const folder = await folderWith({ 'media/cat.jpg': oldFile, 'media/dog.jpg': oldFile })
  const directory = await folderWith()
  const original = { bytes: oldFile }
  const origin = await startOrigin((_, res) => res.setHeader('Content-Type', 'image/jpeg').end(original.bytes))
  const service = await startImgproxy({ root: folder })
  const fetch = createUpstreamFetch()
  closing.push(origin.stop, service.close, () => fetch.close())
  const isRemote = kind === 'sharp, remote'
  const services: Record<typeof kind, () => CreateImageService> = {
    sharp: () => sharpService({ isolation: 'none' }),
    'sharp, remote': () => sharpService({ isolation: 'none', allowNetworks: ['127.0.0.0/8'] }),
    imgproxy: () => imgproxy({ serviceUrl: service.url, ...serviceKey, fetch }),
  }
  const url = isRemote ? `${origin.origin}/cat.jpg` : src
  const sources: Record<string, string | true> = isRemote
    ? { [`${origin.origin}/`]: true }
    : { '/media/': join(folder, 'media') }
  const create = (options = {}) =>
    createImages({ sources, service: services[kind](), tagIndex: diskTagIndex({ directory }), ...options })
  const instances = [create(), create()] as const
  const get = async (images: ReturnType<typeof create>, width = 64, headers: Record<string, string> = {}) => {
    const address = new URL(images.loader({ src: url, width }), 'http://site.test')
    return (await images.handler(new Request(address, { headers }))) as Response
  }
  /** Returns the bodies of every width and format on every instance. */
  const readAll = async () => {
    const bodies = new Map<string, string>()
    for (const [index, images] of instances.entries()) {
      for (const width of widths) {
        for (const accept of formats) {
          const response = await get(images, width, { accept })
          const body = Buffer.from(await response.arrayBuffer()).toString('base64')
          bodies.set(`${index} ${width} ${accept} ${response.status}`, body)
        }
      }
    }
    return bodies
  }
  const replace = async () => {
    original.bytes = newFile
    await writeFile(join(folder, 'media/cat.jpg'), newFile)
  }
  return { create, instances, get, readAll, replace, url, sources }
}

const isDifferent = (oldBodies: Map<string, string>, newBodies: Map<string, string>) =>
  [...oldBodies].map(([name, body]) => [name, newBodies.has(name) && newBodies.get(name) !== body])
const expectAll = (bodies: Map<string, string>, value: boolean) => [...bodies.keys()].map((name) => [name, value])

describe.each(['imgproxy', 'sharp, remote'] as const)('a replaced picture, %s', (kind) => {
  test('a replaced picture is old until its source is purged, and then new in every width and format on every instance', async () => {
    const { instances, readAll, replace, url } = await startSite(kind)
    const old = await readAll()
    await replace()
    expect(isDifferent(old, await readAll())).toEqual(expectAll(old, false))
    await instances[0].invalidate([url])
    expect(isDifferent(old, await readAll())).toEqual(expectAll(old, true))
  })

  test('a replaced picture is new after the purge, although its old version was being rendered during the purge', async () => {
    const { instances, get, replace, url } = await startSite(kind)
    const [images] = instances
    const old = await (await get(images)).arrayBuffer()
    await images.invalidate([url])
    const during = get(images)
    await replace()
    await images.invalidate([url])
    await (await during).arrayBuffer()
    expect(Buffer.from(await (await get(images)).arrayBuffer()).equals(Buffer.from(old))).toBe(false)
  })
})

test('a replaced file is noticed by the embedded service itself', async () => {
  const { readAll, replace } = await startSite('sharp')
  const old = await readAll()
  await replace()
  await vi.waitFor(async () => expect(isDifferent(old, await readAll())).toEqual(expectAll(old, true)), {
    timeout: 10_000,
  })
})

describe.each(['imgproxy', 'sharp'] as const)('browsers, %s', (kind) => {
  test('browsers ask again after five minutes, and get a 304, or the new picture after a change', async () => {
    const { instances, get, replace, url } = await startSite(kind)
    const [images] = instances
    const first = await get(images, 64, { accept: 'image/avif' })
    await first.arrayBuffer()
    expect(first.headers.get('cache-control')).toBe('public, max-age=300, stale-if-error=86400')
    const condition = { accept: 'image/avif', 'if-none-match': first.headers.get('etag') as string }
    const again = await get(images, 64, condition)
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, first.headers.get('cache-control')])
    await replace()
    await images.invalidate([url])
    // The embedded service checks a file once a second.
    await vi.waitFor(async () => expect((await get(images, 64, condition)).status).toBe(200), { timeout: 10_000 })
  })

  test('browsers keep a version for a year; its URL changes with the file, and old URLs redirect to the new one', async () => {
    const { create, get, replace, sources, url } = await startSite(kind)
    const images = create({ version: fileVersions(sources) })
    const address = images.loader({ src: url, width: 64 })
    expect(address).toMatch(/&v=[\w-]{16}$/)
    expect(images.srcSet({ src: url, width: 64 }).src).toMatch(/&v=[\w-]{16}$/)
    expect((await get(images)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    await replace()
    await vi.waitFor(() => expect(images.loader({ src: url, width: 64 })).not.toBe(address), { timeout: 10_000 })
    await images.invalidate([url])
    const old = await images.handler(new Request(new URL(address, 'http://site.test')))
    expect([old?.status, old?.headers.get('location')]).toEqual([307, images.loader({ src: url, width: 64 })])
    const body = Buffer.from(await (await get(images)).arrayBuffer())
    const plain = Buffer.from(await (await get(create())).arrayBuffer())
    expect(body.equals(plain)).toBe(true)
  })
})

describe('the revalidation endpoint', () => {
  const headers = { Authorization: 'Bearer between-us-and-no-one-else' }
  const post = (endpoint: ReturnType<typeof createRevalidateEndpoint>, query: string, init: RequestInit = {}) =>
    endpoint(new Request(`http://site.test/api/revalidate${query}`, { method: 'POST', headers, ...init }))

  test.each([
    ['/media/cat.jpg', ['/media/cat.jpg']],
    ['/media//%63at.jpg', ['/media/cat.jpg']],
    ['/about', ['/about']],
  ])('the revalidation endpoint purges ?path=%s', async (path, tags) => {
    const { instances, readAll, replace } = await startSite('imgproxy')
    const purged: string[][] = []
    const invalidate = (names: string[]) => void purged.push(names)
    const endpoint = createRevalidateEndpoint({
      secret: headers.Authorization.slice(7),
      invalidate,
      images: instances[0],
    })
    const old = await readAll()
    await replace()
    const response = await post(endpoint, `?path=${encodeURIComponent(path)}`)
    expect([await response?.json(), purged]).toEqual([{ revalidated: true, tags }, [tags]])
    expect(isDifferent(old, await readAll())).toEqual(expectAll(old, path !== '/about'))
  })

  test('the revalidation endpoint rejects a malformed path', async () => {
    const { instances } = await startSite('sharp')
    const options = { secret: headers.Authorization.slice(7), invalidate: () => {}, images: instances[0] }
    expect((await post(createRevalidateEndpoint(options), '?path=cat.jpg'))?.status).toBe(400)
  })

  test('the revalidation endpoint answers 503 if the images could not be purged', async () => {
    const { instances } = await startSite('sharp')
    const images = { ...instances[0], invalidate: async () => Promise.reject(new Error('disk full')) }
    const log = vi.fn()
    const endpoint = createRevalidateEndpoint({
      secret: headers.Authorization.slice(7),
      invalidate: () => {},
      images,
      log,
    })
    expect((await post(endpoint, '?path=/media/cat.jpg'))?.status).toBe(503)
  })

  test("the revalidation endpoint maps a CMS' asset webhook to the image, and purges it on a CDN, too", async () => {
    const { instances, get, readAll, replace, url } = await startSite('sharp, remote')
    const [images] = instances
    const purgedTags: string[] = []
    const cdn = fastly({
      serviceId: 'SU1Z0isxPaozGVKXdv0eY',
      token: 'a-token',
      fetch: async (request: Request) => {
        purgedTags.push(await request.text())
        return Response.json({})
      },
    })
    const tagged = await tagResponse(
      images.handler,
      cdn,
    )(new Request(new URL(images.loader({ src: url, width: 64 }), 'http://site.test')))
    expect(tagged?.headers.get('surrogate-key')).toBe(url)
    const endpoint = createRevalidateEndpoint({
      secret: headers.Authorization.slice(7),
      invalidate: purgeEverywhere({ invalidate: async () => {}, cdns: [cdn] }),
      images,
      // The shape of Contentful's Asset.publish.
      getTags: (payload) => {
        const { fields } = payload as { fields: { file: Record<string, { url: string }> } }
        return Object.values(fields.file).map((file) => images.tagOf(file.url) ?? 'document')
      },
    })
    const old = await readAll()
    await replace()
    const body = JSON.stringify({ sys: { type: 'Asset' }, fields: { file: { 'en-US': { url } } } })
    const response = await post(endpoint, '', { body })
    expect(await response?.json()).toEqual({ revalidated: true })
    expect(isDifferent(old, await readAll())).toEqual(expectAll(old, true))
    expect(purgedTags[0]).toBe(JSON.stringify({ surrogate_keys: [url, 'http:'] }))
    expect((await get(images)).status).toBe(200)
  })
})
