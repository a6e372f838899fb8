import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Answer } from './imgproxy.js'

/**
 * Answers what `images.describe` asks of imgproxy with images, as imgproxy's documentation and source have it
 * (https://docs.imgproxy.net/usage/processing, vips/bmp.go of version 3, vips/bmpsave.c of version 4).
 */
export function renderFrom(root: string, version: 3 | 4): Answer {
  const render = async (url: string): Promise<{ type: string; body: Buffer }> => {
    const [, , ...segments] = url.split('/')
    const options = new Map(segments.map((segment) => [segment.split(':')[0], segment.split(':').slice(1)]))
    const source = Buffer.from(segments.at(-1) ?? '', 'base64url').toString()
    const file = await readFile(join(root, source.replace('local://', '')))
    const image = sharp(file).autoOrient().toColourspace('srgb')
    const [red = 0, green = 0, blue = 0] = options.get('bg')?.map(Number) ?? []
    const flat = image.flatten({ background: { r: red, g: green, b: blue } })
    if (options.get('f')?.[0] === 'jpg') {
      const quality = Number(options.get('q')?.[0])
      return { type: 'image/jpeg', body: await flat.jpeg({ quality }).toBuffer() }
    }
    const [, width = 0, height = 0] = options.get('rs')?.map(Number) ?? []
    const blur = Number(options.get('bl')?.[0])
    const pixels = await flat.resize(width, height, { fit: 'fill' }).blur(blur).raw().toBuffer()
    return {
      type: 'image/bmp',
      body: version === 3 ? writeBmp(pixels, width, 40, true) : writeBmp(pixels, width, 124, false),
    }
  }
  return (req, res) => {
    render(req.url ?? '').then(
      (image) => {
        res.writeHead(200, { 'Content-Type': image.type, 'Cache-Control': 'max-age=31536000, public' }).end(image.body)
      },
      () => res.writeHead(422, { 'Content-Type': 'text/plain' }).end('Invalid source image'),
    )
  }
}

function writeBmp(pixels: Buffer, width: number, headerBytes: number, isBottomUp: boolean): Buffer {
  const start = 14 + headerBytes
  const rowBytes = 3 * width
  const height = pixels.length / rowBytes
  const bmp = Buffer.alloc(start + pixels.length)
  bmp.write('BM')
  bmp.writeUInt32LE(start, 10)
  bmp.writeUInt32LE(headerBytes, 14)
  bmp.writeInt32LE(width, 18)
  bmp.writeInt32LE(isBottomUp ? height : -height, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(24, 28)
  for (let index = 0; index < pixels.length; index++) {
    const row = Math.floor(index / rowBytes)
    const target = isBottomUp ? height - 1 - row : row
    const column = index % rowBytes
    bmp[start + target * rowBytes + column - (column % 3) + 2 - (column % 3)] = pixels[index] as number
  }
  return bmp
}
