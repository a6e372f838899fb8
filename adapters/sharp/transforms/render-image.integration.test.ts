import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { TransformTimeout } from '../failure.js'
import { pngChunk } from '../testing/color-patches.js'
import { photograph } from '../testing/originals.js'
import { type RenderTask, renderImage } from './render-image.js'

/** Returns a GIF of so many frames, each of one pixel. */
function gifOf(frames: number): Buffer {
  const screen = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([screen, Buffer.alloc(frames * frame.length, frame), Buffer.from('3b', 'hex')])
}

const taskOf = (original: Buffer): RenderTask => ({
  original,
  options: { format: 'jpeg' } as RenderTask['options'],
  accepted: [],
  allowHeavy: true,
  quality: undefined,
  maxPixels: 100_000_000,
  maxAvifPixels: 100_000_000,
  transformTimeout: 30_000,
})

test('a header that takes long to read, such as that of a GIF with very many frames, is within the time limit', async () => {
  expect((await renderImage(taskOf(gifOf(10)), 30_000))?.format).toBe('jpeg')
  await expect(renderImage(taskOf(gifOf(500_000)), 1)).rejects.toThrow(TransformTimeout)
}, 60_000)

test('compressed texts of a PNG, of which a decoder would hold 2.4 GB, take no memory', async () => {
  const png = await sharp(photograph).resize(64).png().toBuffer()
  const text = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(7_900_000))]))
  const headerEnd = 33
  const texts = Array.from({ length: 300 }, () => text)
  const hostile = Buffer.concat([png.subarray(0, headerEnd), ...texts, png.subarray(headerEnd)])
  const plain = await renderImage(taskOf(png))
  const before = process.resourceUsage().maxRSS
  expect((await renderImage(taskOf(hostile)))?.body).toEqual(plain?.body)
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(100_000) // in kilobytes
}, 60_000)
