import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngChunk } from '../testing/color-patches.js'
import { photograph } from '../testing/originals.js'
import { renderImage } from './render-image.js'
import type { RenderTask } from './task.js'

const taskOf = (original: Buffer): RenderTask => ({
  original,
  box: { width: 0, height: 0, gravity: undefined },
  accepted: [],
  quality: undefined,
  maxPixels: 100_000_000,
  maxAvifPixels: 100_000_000,
  svg: false,
})

test('compressed texts of a PNG, which would take 2.4 GB in a decoder, take no memory', async () => {
  const png = await sharp(photograph).resize(64).png().toBuffer()
  const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(7_900_000))]))
  const headerEnd = 33
  const texts = Array.from({ length: 300 }, () => text)
  const hostile = Buffer.concat([png.subarray(0, headerEnd), ...texts, png.subarray(headerEnd)])
  const plain = await renderImage(taskOf(png))
  const memoryBefore = process.resourceUsage().maxRSS
  expect((await renderImage(taskOf(hostile)))?.body).toEqual(plain?.body)
  expect(process.resourceUsage().maxRSS - memoryBefore).toBeLessThan(100_000) // in kilobytes
}, 60_000)
