import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharpService } from '../../adapters/sharp/index.js'
import { createImageLoader, createImages } from '../image/index.js'
import { measureImages } from './measure-images.js'

const loader = createImageLoader({ sources: ['/media/'] })
const plainLoader = ({ src, width }: { src: string; width: number }) => `${src}?width=${width}`

describe('measureImages, with the image proxy and the embedded image service', () => {
  let folder: string
  let proxy: (request: Request) => Promise<Response | undefined>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'measure-'))
    const noise = sharp({
      create: {
        width: 300,
        height: 200,
        channels: 3,
        noise: { type: 'gaussian', mean: 120, sigma: 40 },
        background: '#888',
      },
    })
    await noise.jpeg().toFile(join(folder, 'noise.jpg'))
    proxy = createImages({ sources: { '/media/': folder }, service: sharpService() }).handler
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('measureImages returns the type, bytes and size of each format at each width, and no image is enlarged', async () => {
    const measured = await measureImages({ fetch: proxy, loader, src: '/media/noise.jpg', widths: [64, 256, 640] })
    expect(measured.map(({ url }) => url)).toEqual(
      [64, 256, 640].map((width) => loader({ src: '/media/noise.jpg', width })),
    )
    for (const [index, { deliveries }] of measured.entries()) {
      expect(deliveries.map(({ format, type }) => [format, type])).toEqual([
        ['AVIF', 'image/avif'],
        ['WebP', 'image/webp'],
        ['JPEG', 'image/jpeg'],
      ])
      for (const { bytes, size, problem } of deliveries) {
        expect(bytes).toBeGreaterThan(100)
        expect(size?.width).toBe([64, 256, 300][index])
        expect(problem).toBeUndefined()
      }
    }
  })

  it('measureImages reports why a width failed', async () => {
    const missing = await measureImages({ fetch: proxy, loader, src: '/media/none.jpg', widths: [64] })
    expect(missing[0]?.deliveries.map(({ problem }) => problem)).toEqual(Array(3).fill('404 Image not found'))
    const widths = await measureImages({ fetch: proxy, loader, src: '/media/noise.jpg', widths: [64, 65] })
    expect(widths[0]?.deliveries[0]?.bytes).toBeGreaterThan(100)
    expect(widths[1]?.deliveries[0]).toEqual({ format: 'AVIF', problem: '400 Invalid width' })
  })
})

describe('measureImages', () => {
  const options = { loader: plainLoader, src: '/cat.jpg', widths: [10] }

  it.each<[string, () => Promise<Response | undefined>, string]>([
    ['no route', async () => undefined, 'No response: the handler does not serve this URL'],
    [
      'an HTML page',
      async () => new Response('<p>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
      'Expected an image, got text/html',
    ],
    ['no content type', async () => new Response(new Uint8Array(3)), 'Expected an image, got no Content-Type'],
    ['an error page', async () => new Response('<h1>no</h1>', { status: 500, statusText: 'Oh' }), '500 Oh'],
    [
      'an error in JSON',
      async () => Response.json({ error: 'Image service is busy' }, { status: 503 }),
      '503 Image service is busy',
    ],
    ['other JSON', async () => Response.json([null], { status: 404 }), '404'],
    [
      'a rejection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      'fetch failed: ECONNREFUSED',
    ],
    [
      'a throw',
      () => {
        throw new Error('broken')
      },
      'broken',
    ],
    ['a response that never comes', () => new Promise(() => {}), 'Timed out'],
    [
      'a body that never ends',
      async () => new Response(new ReadableStream({}), { headers: { 'Content-Type': 'image/png' } }),
      'Timed out',
    ],
    [
      'an image without an end',
      async () => {
        const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) })
        return new Response(endless, { headers: { 'Content-Type': 'image/png' } })
      },
      'body is larger than 33554432 bytes',
    ],
  ])('%s is reported as the problem of each delivery', async (_, fetch, problem) => {
    const measured = await measureImages({ ...options, fetch, timeout: problem === 'Timed out' ? 50 : 20_000 })
    expect(measured).toEqual([
      {
        width: 10,
        url: '/cat.jpg?width=10',
        deliveries: ['AVIF', 'WebP', 'JPEG'].map((format) => ({ format, problem })),
      },
    ])
  })

  it('measureImages requests four images at a time, in order, with the Accept header of each format', async () => {
    const requested: string[] = []
    let active = 0
    let maxActive = 0
    const measured = await measureImages({
      ...options,
      widths: [1, 2, 3, 4, 5],
      origin: 'https://site.test',
      fetch: async (request) => {
        requested.push(`${request.url} ${request.headers.get('Accept')}`)
        maxActive = Math.max(maxActive, ++active)
        await new Promise((resolve) => setTimeout(resolve, 2))
        active--
        return new Response('x', { headers: { 'Content-Type': 'image/png' } })
      },
    })
    expect(maxActive).toBe(4)
    expect(requested).toHaveLength(15)
    expect(requested.slice(0, 3)).toEqual([
      'https://site.test/cat.jpg?width=1 image/avif,image/webp,*/*',
      'https://site.test/cat.jpg?width=1 image/webp,*/*',
      'https://site.test/cat.jpg?width=1 image/jpeg,*/*;q=0.5',
    ])
    expect(measured.map(({ deliveries }) => deliveries.map(({ format }) => format))).toEqual(
      Array(5).fill(['AVIF', 'WebP', 'JPEG']),
    )
  })

  it.each([{ widths: [0] }, { timeout: 0 }])('measureImages rejects the options %j', async (invalidOptions) => {
    const [option = ''] = Object.keys(invalidOptions)
    await expect(measureImages({ ...options, ...invalidOptions, fetch })).rejects.toThrow(option)
  })
})
