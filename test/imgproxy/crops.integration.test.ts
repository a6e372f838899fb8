import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createUpstreamFetch } from '../../adapters/node/index.js'
import { gradient, knownCrops, shownPart } from '../../adapters/sharp/testing/crops.js'
import { startService } from '../../adapters/sharp/testing/service.js'
import { createImageLoader, createImageProxy, createSigner, encodeSource } from '../../core/image/index.js'
import { serviceKey, startImgproxy } from './imgproxy.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const sign = createSigner(serviceKey)
const nameOf = ({ width, height }: { width: number; height: number }) => `${width}x${height}.png`
const services: Record<string, { url: string; get: (url: string) => Promise<Response> }> = {}
const closing: (() => Promise<unknown>)[] = []
// In wider crops, a step of a color is wider than a pixel.
const legible = knownCrops.filter(({ crop }) => crop.width <= 640)

beforeAll(async () => {
  const originals = legible.map(
    async ({ original }) => [`media/${nameOf(original)}`, await gradient(original)] as const,
  )
  const folder = await folderWith(Object.fromEntries(await Promise.all(originals)))
  const imgproxy = await startImgproxy({ root: folder })
  const upstream = createUpstreamFetch()
  closing.push(imgproxy.close, upstream.close)
  const embedded = startService({ keys: [serviceKey], sources: { '/media/': `${folder}/media` } })
  services.imgproxy = { url: imgproxy.url, get: (url) => upstream(new Request(url)) }
  services.embedded = { url: 'http://images.invalid', get: embedded.get }
})
afterAll(() => Promise.all(closing.map((close) => close())))

const bytesOf = async (response: Response | undefined) => Buffer.from(await (response ?? new Response()).arrayBuffer())

/** Requests a path of the service, signed. */
async function request(name: string, options: string, source: string) {
  const path = `/${options}/${encodeSource(`local:///media/${source}`)}`
  const service = services[name]
  const response = await service?.get(`${service.url}/${sign(path)}${path}`)
  expect(response?.status).toBe(200)
  return await bytesOf(response)
}

describe.each(['imgproxy', 'embedded'])('%s shows the rectangle within one pixel', (name) => {
  test.each(legible)('$original, $resize $box, $focus', async ({ original, resize, box, focus, scaled, crop }) => {
    const options = `rs:${resize}:${box.width}:${box.height}/g:fp:${focus.x}:${focus.y}`
    const shown = await shownPart(await request(name, options, nameOf(original)), scaled)
    expect([shown.width, shown.height]).toEqual([crop.width, crop.height])
    expect(Math.abs(shown.left - crop.left)).toBeLessThan(1)
    expect(Math.abs(shown.top - crop.top)).toBeLessThan(1)
  })

  test('a crop by the signed path of the image proxy shows the rectangle', async () => {
    const { url, get } = services[name] ?? {}
    const proxy = createImageProxy({
      ...serviceKey,
      serviceUrl: url,
      fetch: (request) => get?.(request.url) ?? Promise.reject(new Error('not started')),
      sourceBaseUrl: 'local://',
      sources: ['/media/'],
    })
    const load = createImageLoader({ sources: ['/media/'] })
    const src = '/media/240x160.png'
    const image = load({ src, width: 64, ratio: '1:1', focus: { x: 0.81, y: 0.2 } })
    const response = await proxy(new Request(`http://site.test${image}`))
    const shown = await shownPart(await bytesOf(response), { width: 96, height: 64 })
    expect(shown).toMatchObject({ width: 64, height: 64 })
    expect(Math.abs(shown.left - 32)).toBeLessThan(1)
    // Small images keep the shape, and are not enlarged.
    const small = await proxy(new Request(`http://site.test${load({ src, width: 640, ratio: '9:16' })}`))
    const { width, height } = await shownPart(await bytesOf(small), {
      width: 240,
      height: 160,
    })
    expect([width, height]).toEqual([90, 160])
  })
})
