import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { readRights, writeXmp } from '../../../core/rights.js'
import { folderWith } from '../../disk/testing/folder.js'
import * as originals from '../testing/originals.js'
import * as rare from '../testing/rare-files.js'
import { avif, bytesOf, startService, urlOf, webp } from '../testing/service.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const rights = { copyright: '© 2026 Zoë Doe', creator: 'Zoë Doe', credit: 'Agency & Co' }
const exif = {
  IFD0: { Copyright: rights.copyright, Artist: rights.creator, Make: 'Camera' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '46/1 57/1 0/1' },
}
const withRights = (image: Sharp) => image.withExif(exif).withXmp(writeXmp(rights) ?? '')
const photo = sharp(originals.photograph).resize(600)
const files: Record<string, Uint8Array> = {
  'photo.jpg': await withRights(photo.clone()).jpeg().toBuffer(),
  'poor.jpg': await withRights(photo.clone()).jpeg({ quality: 5 }).toBuffer(),
  'palette.png': await withRights(sharp(await rare.palettePng()))
    .png({ palette: true, effort: 10 })
    .toBuffer(),
  'translucent.png': await withRights(sharp(await originals.transparentPng()))
    .png()
    .toBuffer(),
  'linear.png': rare.withChunks(await withRights(sharp(rare.patches)).png().toBuffer(), rare.gamma(100_000)),
  'nothing.jpg': await photo
    .clone()
    .withExif({ IFD0: { Make: 'Camera' } })
    .jpeg()
    .toBuffer(),
}
/** A segment of Photoshop with IPTC, as agencies write it. */
const iptc = () => {
  const set = (number: number, text: string) =>
    Buffer.concat([Buffer.of(28, 2, number, 0, Buffer.byteLength(text)), Buffer.from(text)])
  const sets = Buffer.concat([set(80, 'Ann'), set(110, 'Agency'), set(116, '© Ann')])
  const resource = Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0', 'latin1'),
    Buffer.of(sets.length),
    sets,
    Buffer.alloc(sets.length % 2),
  ])
  return Buffer.concat([Buffer.of(0xff, 0xed, 0, resource.length + 2), resource])
}
const plain = await photo.clone().jpeg().toBuffer()
files['agency.jpg'] = Buffer.concat([plain.subarray(0, 2), iptc(), plain.subarray(2)])
let folder: string
beforeAll(async () => {
  folder = await folderWith(files)
})
const render = async (name: string, headers: Record<string, string>, width: number, options = {}) => {
  const response = await startService({ sources: { '/media/': folder }, ...options }).get(
    urlOf(`/media/${name}`, width),
    headers,
  )
  const bytes = await bytesOf(response)
  return { bytes, type: response.headers.get('content-type'), metadata: await sharp(bytes).metadata() }
}

const rows: [name: string, headers: Record<string, string>, width: number, type: string][] = [
  ['photo.jpg', avif, 256, 'image/avif'],
  ['photo.jpg', webp, 256, 'image/webp'],
  ['photo.jpg', {}, 256, 'image/jpeg'],
  ['translucent.png', {}, 256, 'image/png'],
  // These are sent as they are, but for the rest of the metadata.
  ['poor.jpg', {}, 1920, 'image/jpeg'],
  ['palette.png', {}, 1920, 'image/png'],
  ['linear.png', avif, 1920, 'image/png'],
]

describe('an image keeps the rights of its original, and nothing else of its metadata', () => {
  test.each(rows)('%s, %o, width %i: %s', async (name, headers, width, type) => {
    const image = await render(name, headers, width)
    expect([image.type, readRights(image.metadata)]).toEqual([type, rights])
    expect(image.bytes.toString('latin1')).not.toMatch(/Camera|GPS/)
    const bare = await render(name, headers, width, { keepCopyright: false })
    expect([bare.metadata.exif, bare.metadata.xmp]).toEqual([undefined, undefined])
    expect(image.bytes.length - bare.bytes.length).toBeLessThan(1_000)
    const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
    expect(await pixels(image.bytes)).toEqual(await pixels(bare.bytes))
  })

  test('the rights of an original that has only IPTC', async () => {
    const { metadata } = await render('agency.jpg', webp, 256)
    expect(readRights(metadata)).toEqual({ creator: 'Ann', credit: 'Agency', copyright: '© Ann' })
  })

  test('an original without rights gets no metadata', async () => {
    const { metadata } = await render('nothing.jpg', webp, 256)
    expect([metadata.exif, metadata.xmp]).toEqual([undefined, undefined])
  })
})
