import { beforeAll, describe, expect, test, vi } from 'vitest'
import { folderWith } from '../../disk/testing/folder.js'
import { animatedGif } from '../testing/gif.js'
import { animated, describe as describeImage } from '../testing/originals.js'
import { bytesOf, startService, urlOf, webp } from '../testing/service.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const dot = { width: 1, height: 1 }
const frames = (count: number, frame = dot): (typeof dot)[] => Array.from({ length: count }, () => frame)

let folder: string
beforeAll(async () => {
  const canvas = { width: 480, height: 320 }
  folder = await folderWith({
    'long.gif': animatedGif(canvas, [canvas, ...frames(279)]),
    'too-long.gif': animatedGif(canvas, [canvas, ...frames(449)]),
    'larger-frames.gif': animatedGif({ width: 10, height: 10 }, [
      { width: 10, height: 10 },
      ...frames(20, { width: 200, height: 200 }),
    ]),
    'wrong-canvas.webp': withCanvas(await animated('webp'), 1, 1),
  })
})
const start = (options: Partial<Parameters<typeof startService>[0]> = {}) =>
  startService({ sources: { '/media/': folder }, ...options })

/** Changes what the header of an extended WebP says about its size (RFC 9649, section 2.7). */
const withCanvas = (file: Uint8Array, width: number, height: number) => {
  const changed = Buffer.from(file)
  expect(changed.toString('latin1', 12, 16)).toBe('VP8X')
  changed.writeUIntLE(width - 1, 24, 3)
  changed.writeUIntLE(height - 1, 27, 3)
  return changed
}

describe('an animation is rendered', () => {
  test.each([
    ['in a smaller width', 240, {}, { format: 'gif', width: 240, height: 160, pages: 280 }],
    ['as WebP', 480, webp, { format: 'webp', width: 480, height: 320, pages: 280 }],
  ])('%s', async (_, size, headers, expected) => {
    // Ten times the default, for busy machines.
    const response = await start({ transformTimeout: 100_000 }).get(urlOf('/media/long.gif', size), headers)
    expect(response.status).toBe(200)
    const bytes = await bytesOf(response)
    // Frames that are equal become one.
    const { pages, ...properties } = await describeImage(bytes)
    expect(properties).toMatchObject({ format: expected.format, width: expected.width, height: expected.height })
    expect(pages).toBeLessThanOrEqual(expected.pages)
  })
})

describe('the header of an animation', () => {
  test('every frame of an animation counts against maxPixels', async () => {
    const service = start()
    const { status } = await service.get(urlOf('/media/too-long.gif', 16), webp)
    const failure = 'The original is too large: 480 x 320 pixels with 450 frames'
    expect([status, service.lastFailure()]).toEqual([422, failure])
  })

  test('frames that are larger than the canvas are cut off', async () => {
    const response = await start().get(urlOf('/media/larger-frames.gif', 480), webp)
    expect(response.status).toBe(200)
    expect(await describeImage(await bytesOf(response))).toMatchObject({ width: 10, height: 10 })
  })

  test('an animation whose frames do not fit its canvas is corrupt', async () => {
    const service = start()
    const { status } = await service.get(urlOf('/media/wrong-canvas.webp', 480), webp)
    expect([status, service.lastFailure()]).toEqual([422, expect.stringContaining('The original is corrupt')])
  })
})
