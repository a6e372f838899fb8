import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { createImageProxy } from '../../adapters/imgproxy/testing/proxy.js'
import { createUpstreamFetch } from '../../adapters/node/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import { gradient, knownCrops, shownPart } from '../../adapters/sharp/testing/crops.js'
import { createImageLoader, createImages, type RouteHandler } from '../../core/image/index.js'
import { serviceKey, startImgproxy } from './imgproxy.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const nameOf = ({ width, height }: { width: number; height: number }) => `${width}x${height}.png`
const handlers: Record<string, RouteHandler> = {}
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
  const allowed = { widths: legible.map(({ box }) => box.width).concat(64, 640), ratios: [...ratios, '1:1', '9:16'] }
  handlers.imgproxy = createImageProxy({
    ...serviceKey,
    ...allowed,
    serviceUrl: imgproxy.url,
    fetch: upstream,
    sourceBaseUrl: 'local://',
    sources: ['/media/'],
  })
  const service = sharpService({ isolation: 'none' })
  handlers.embedded = createImages({ ...allowed, sources: { '/media/': `${folder}/media` }, service }).handler
})
afterAll(() => Promise.all(closing.map((close) => close())))

const bytesOf = async (response: Response | undefined) => Buffer.from(await (response ?? new Response()).arrayBuffer())

// The boxes as ratios. In the URL of an image, the focus has tenths.
const ratios = legible.map(({ box }) => `${box.width}:${box.height}`)

async function request(name: string, image: { src: string; width: number; ratio: string; focus?: object }) {
  const path = createImageLoader({ sources: ['/media/'], widths: [image.width], ratios: [image.ratio] })(image)
  const response = await handlers[name]?.(new Request(`http://site.test${path}`, { headers: { accept: 'image/png' } }))
  expect(response?.status).toBe(200)
  return await bytesOf(response)
}

describe.each(['imgproxy', 'embedded'])('%s shows the rectangle within one pixel', (name) => {
  test.each(legible)('$original, $box, $focus', async ({ original, box, focus, scaled, crop }) => {
    const image = { src: `/media/${nameOf(original)}`, width: box.width, ratio: `${box.width}:${box.height}`, focus }
    const shown = await shownPart(await request(name, image), scaled)
    expect([shown.width, shown.height]).toEqual([crop.width, crop.height])
    expect(Math.abs(shown.left - crop.left)).toBeLessThan(1)
    expect(Math.abs(shown.top - crop.top)).toBeLessThan(1)
  })

  test('a crop keeps a focus between two tenths in view, and small images keep the shape', async () => {
    const src = '/media/240x160.png'
    const shown = await shownPart(await request(name, { src, width: 64, ratio: '1:1', focus: { x: 0.81, y: 0.2 } }), {
      width: 96,
      height: 64,
    })
    expect(shown).toMatchObject({ width: 64, height: 64 })
    expect(Math.abs(shown.left - 32)).toBeLessThan(1)
    const small = await request(name, { src, width: 640, ratio: '9:16' })
    const { width, height } = await shownPart(small, { width: 240, height: 160 })
    expect([width, height]).toEqual([90, 160])
  })
})
