import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderWith } from '../disk/testing/folder.js'
import * as original from './testing/originals.js'
import { avif, bytesOf, signed, startService, urlOf, webp } from './testing/service.js'

let service: ReturnType<typeof startService>

beforeAll(async () => {
  const folder = await folderWith({
    'photo.jpg': original.photograph,
    'truncated.jpg': await original.truncated('jpeg'),
    'truncated-progressive.jpg': await original.truncated('jpeg', true),
    'truncated.png': await original.truncated('png'),
    'truncated.gif': await original.truncated('gif'),
    'truncated.webp': await original.truncated('webp'),
    'truncated.tiff': await original.truncated('tiff'),
    'truncated.avif': await original.truncated('avif'),
    'empty.jpg': '',
    'one-byte.jpg': 'x',
    'text.jpg': 'This is no picture, whatever its name says.',
    'start-only.jpg': Buffer.from('ffd8ffe0', 'hex'),
    'bomb.png': original.bombPng(),
    'vector.svg': original.svg,
    'vector.jpg': original.svg,
    'old-vector.svg': `<?xml version="1.0"?>\n<!-- made by hand -->\n${original.svg}`,
    'paper.pdf': original.pdf,
    'page.jpg': '<!doctype html><title>Not found</title>',
    'cmyk.jpg': await original.cmykJpeg(),
    'sixteen.png': await original.sixteenBitPng(),
    'p3.jpg': await original.displayP3Jpeg(),
    'turned.jpg': await original.turnedJpeg(),
    'alpha.png': await original.transparentPng(),
    'moving.gif': await original.animated('gif'),
    'moving.webp': await original.animated('webp'),
  })
  service = startService({ sources: { '/media/': folder } })
})

describe('what is no picture, or a broken one, is 422 and never cached', () => {
  test.each([
    ['truncated.jpg', 'The original is broken'],
    ['truncated-progressive.jpg', 'The original is broken'],
    ['truncated.png', 'The original is broken'],
    ['truncated.gif', 'The original is broken'],
    ['truncated.webp', 'The original is broken'],
    ['truncated.tiff', 'The original is broken'],
    ['truncated.avif', 'The original is broken'],
    ['start-only.jpg', 'The original is broken'],
    ['empty.jpg', 'The original is empty'],
    ['one-byte.jpg', 'The original is no image of a known type'],
    ['text.jpg', 'The original is no image of a known type'],
    ['bomb.png', 'The original is too large: 50000 x 50000 pixels'],
    ['vector.svg', 'The original is SVG, which is not accepted'],
    ['vector.jpg', 'The original is SVG, which is not accepted'],
    ['old-vector.svg', 'The original is SVG, which is not accepted'],
    ['paper.pdf', 'The original is PDF, which is not accepted'],
    ['page.jpg', 'The original is HTML, which is not accepted'],
  ])('%s: %s', async (name, error) => {
    for (const attempt of ['first', 'second']) {
      const response = await service.get(urlOf(`/media/${name}`), avif)
      expect([attempt, response.status, await response.json()]).toEqual([attempt, 422, { error }])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('the bomb costs no memory to refuse', async () => {
    const before = process.memoryUsage().rss
    await service.get(urlOf('/media/bomb.png'), avif)
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  })
})

describe('what is a picture comes out as one', () => {
  const make = async (name: string, headers: Record<string, string> = {}, options = 'rs:fill:64/g:sm') => {
    const response = await service.get(urlOf(`/media/${name}`, options), headers)
    expect(response.status).toBe(200)
    const bytes = await bytesOf(response)
    return { type: response.headers.get('content-type'), bytes, ...(await original.describe(bytes)) }
  }

  test.each([
    // original, headers, options, what comes out
    ['photo.jpg', avif, 'rs:fill:320/g:sm', { type: 'image/avif', format: 'avif', width: 320, height: 234 }],
    ['photo.jpg', webp, 'rs:fill:320/g:sm', { type: 'image/webp', format: 'webp', width: 320, height: 234 }],
    ['photo.jpg', {}, 'rs:fill:320/g:sm', { type: 'image/jpeg', format: 'jpeg', width: 320, height: 234 }],
    ['photo.jpg', { accept: '*/*' }, 'rs:fill:320', { type: 'image/jpeg' }],
    ['photo.jpg', avif, 'rs:fill:320:100/g:sm', { width: 320, height: 100 }],
    ['photo.jpg', avif, 'rs:fit:320:100', { width: 137, height: 100 }],
    ['photo.jpg', avif, 'h:100', { width: 137, height: 100 }],
    ['photo.jpg', avif, 'rs:fill:3840/g:sm', { width: 1024, height: 750 }],
    ['photo.jpg', avif, 'rs:fill:3840:100/g:sm', { width: 1024, height: 100 }],
    ['photo.jpg', avif, 'rs:fill:320/f:png', { type: 'image/png', format: 'png' }],
    ['alpha.png', {}, 'w:64', { type: 'image/png', format: 'png', hasAlpha: true }],
    ['alpha.png', webp, 'w:64', { type: 'image/webp', hasAlpha: true }],
    ['alpha.png', avif, 'w:64', { type: 'image/avif', hasAlpha: true }],
    ['alpha.png', avif, 'w:64/f:jpg', { type: 'image/jpeg', hasAlpha: false }],
    ['turned.jpg', avif, 'w:150', { width: 150, height: 205, orientation: undefined }],
    ['turned.jpg', {}, 'w:5000', { width: 750, height: 1024, orientation: undefined }],
    ['sixteen.png', { accept: 'image/png' }, 'w:64/f:png', { depth: 'uchar', space: 'srgb' }],
    ['sixteen.png', avif, 'w:64', { depth: 'uchar', space: 'srgb' }],
    ['cmyk.jpg', {}, 'w:64', { space: 'srgb', type: 'image/jpeg' }],
    ['cmyk.jpg', avif, 'w:64', { space: 'srgb', type: 'image/avif' }],
    ['moving.gif', avif, 'w:60', { type: 'image/webp', pages: 5, width: 60, height: 40 }],
    ['moving.gif', {}, 'w:60', { type: 'image/gif', pages: 5, width: 60, height: 40 }],
    ['moving.gif', { accept: 'image/avif' }, 'w:60', { type: 'image/gif', pages: 5 }],
    ['moving.gif', avif, 'rs:fill:40:40/g:sm', { type: 'image/webp', pages: 5, width: 40, height: 40 }],
    ['moving.gif', avif, 'w:60/f:avif', { type: 'image/avif', pages: 1, width: 60, height: 40 }],
    ['moving.webp', avif, 'w:60', { type: 'image/webp', pages: 5 }],
    ['moving.webp', {}, 'w:60', { type: 'image/webp', pages: 5 }],
  ] as const)('%s, %o, %s', async (name, headers, options, expected) => {
    expect(await make(name, { ...headers }, options)).toMatchObject(expected)
  })

  test('every photograph of the example site', async () => {
    const photographs = startService({ sources: { '/media/': original.photographs.pathname } })
    for (const name of await readdir(original.photographs)) {
      if (!name.endsWith('.jpg')) continue
      const response = await photographs.get(urlOf(`/media/${name}`, 'w:640'), avif)
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, 'image/avif'])
      const source = await readFile(new URL(name, original.photographs))
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(source.length)
    }
  })

  test.each(['cmyk.jpg', 'sixteen.png', 'p3.jpg'])('the colors of %s stay', async (name) => {
    const wanted = await original.meanColor(original.photograph)
    const { bytes } = await make(name, avif, 'w:256')
    const found = await original.meanColor(bytes)
    // CMYK holds fewer colors.
    for (const [index, mean] of found.entries()) expect(Math.abs(mean - (wanted[index] ?? 0))).toBeLessThan(16)
  })

  test('metadata and profiles are left out', async () => {
    for (const name of ['photo.jpg', 'turned.jpg', 'p3.jpg']) {
      for (const format of ['jpg', 'png', 'webp', 'avif']) {
        expect(await make(name, {}, `w:64/f:${format}`)).toMatchObject({ exif: undefined, icc: undefined })
      }
    }
  })

  test('smart gravity is another crop than the centre', async () => {
    const smart = await make('photo.jpg', {}, 'rs:fill:100:300/g:sm/f:png')
    const centre = await make('photo.jpg', {}, 'rs:fill:100:300/g:ce/f:png')
    expect(smart.bytes.equals(centre.bytes)).toBe(false)
  })

  test('quality is obeyed', async () => {
    const small = await make('photo.jpg', avif, 'w:640/q:20')
    const large = await make('photo.jpg', avif, 'w:640/q:90')
    expect(small.bytes.length * 2).toBeLessThan(large.bytes.length)
  })

  test('the same as plain source, with its format', async () => {
    const response = await service.get(signed('/w:64/plain/local:///media/photo%2Ejpg@webp'))
    expect(await original.describe(await bytesOf(response))).toMatchObject({ format: 'webp', width: 64 })
  })
})
