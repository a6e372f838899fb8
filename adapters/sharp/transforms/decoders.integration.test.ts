import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { svg } from '../testing/originals.js'
import { blockOtherDecoders } from './transform.js'

const pixel = () => sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
const drawn = Buffer.from(svg)

beforeAll(async () => {
  expect((await sharp(drawn).metadata()).format).toBe('svg')
  blockOtherDecoders()
})

test.each(['jpeg', 'png', 'gif', 'webp', 'avif', 'tiff'] as const)('%s is decoded', async (format) => {
  const { data } = await sharp(await pixel().toFormat(format).toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(data.length).toBeGreaterThan(0)
})

test('SVG is not decoded', async () => {
  await expect(sharp(drawn).metadata()).rejects.toThrow('unsupported image format')
})
