import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../../adapters/disk/testing/folder.js'
import { imgproxy } from '../../adapters/imgproxy/index.js'
import { sharpService } from '../../adapters/sharp/index.js'
import * as originals from '../../adapters/sharp/testing/originals.js'
import { createImages } from '../../core/image/index.js'
import { serviceKey, startImgproxy } from './imgproxy.js'
import { renderFrom } from './rendering.js'

const names = [
  'photograph.jpg',
  'rotated.jpg',
  'transparent.png',
  'hole.png',
  'animated.gif',
  'animated.webp',
  'text.jpg',
]
let root: string
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  const files = [
    originals.photograph,
    ...(await Promise.all([originals.rotatedJpeg(), originals.transparentPng(), originals.holedPng()])),
    ...(await Promise.all([originals.animated('gif'), originals.animated('webp')])),
    'text',
  ]
  root = await folderWith(Object.fromEntries(names.map((name, index) => [join('media', name), files[index] as Buffer])))
})
afterAll(() => Promise.all(closing.map((close) => close())))

async function start(version: 3 | 4) {
  const answer = renderFrom(root, version)
  const server = await startImgproxy({ root, answers: Object.fromEntries(names.map((name) => [name, answer])) })
  closing.push(server.close)
  const service = imgproxy({ serviceUrl: server.url, ...serviceKey })
  return { server, images: createImages({ sources: ['/media/'], service, log: () => {} }) }
}

describe.each([3, 4] as const)('images.describe, with imgproxy %i', (version) => {
  test.each(names.slice(0, -1))(
    '%s is described as by the embedded service, but for type and animation',
    async (name) => {
      const { images } = await start(version)
      const embedded = createImages({
        sources: { '/media/': join(root, 'media') },
        service: sharpService({ isolation: 'none' }),
      })
      const expected = await embedded.describe(`/media/${name}`)
      const described = await images.describe(`/media/${name}`)
      // Two ways to scale the same image.
      const { placeholder, color } = described
      const unknown = { type: undefined, isAnimated: undefined }
      expect(described).toEqual({ ...expected, ...unknown, placeholder, color: expect.stringMatching(/^#[\da-f]{6}$/) })
      expect(placeholder === undefined).toBe(expected.placeholder === undefined)
      expect(distance(color, expected.color)).toBeLessThan(expected.placeholder ? 3 : 5)
    },
  )
})

test('a description is asked for once, and again after a purge; visitors cannot read it', async () => {
  const { server, images } = await start(4)
  const src = '/media/photograph.jpg'
  await Promise.all([images.describe(src), images.describe(src)])
  expect(server.sources).toEqual(Array(3).fill(`local://${src}`))
  await images.describe(src)
  expect(server.sources).toHaveLength(3)
  const stored = await images.handler(new Request(`http://describe.invalid/.describe/L21lZGlhL3Bob3RvZ3JhcGguanBn`))
  expect(stored).toBeUndefined()
  await images.invalidate([src])
  await images.describe(src)
  expect(server.sources).toHaveLength(6)
})

test.each([
  ['/media/text.jpg', "Image could not be processed: the image service says 'Invalid source image'"],
  ['/media/none.jpg', "Image not found: the image service says 'Source is unreachable'"],
])('rejects %s: %s', async (src, reason) => {
  const { images } = await start(4)
  await expect(images.describe(src)).rejects.toThrow(`describe: ${src}: ${reason}`)
})

test('an imgproxy that is not configured', async () => {
  const service = imgproxy({ serviceUrl: undefined, key: undefined, salt: undefined })
  const images = createImages({ sources: ['/media/'], service, log: () => {} })
  await expect(images.describe('/media/cat.jpg')).rejects.toThrow(
    'describe: /media/cat.jpg: Image Proxy is not configured',
  )
})

const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
const distance = (a: string, b: string) =>
  Math.max(...channels(a).map((value, index) => Math.abs(value - (channels(b)[index] as number))))
