import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { patchesPng, patchesTiff, patchSize } from '../testing/color-patches.js'
import { adobeRgb, grayProfile, rgbProfile } from '../testing/icc-profile.js'
import { checkType, inspectImage } from './inspect.js'
import { createPipeline, runPipeline } from './transform.js'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

type Colors = readonly (readonly number[])[]

// The colors as converted by Little CMS 2.14, clipped to 0 to 255:
//
//   echo 0 255 0 | transicc -n -t0 -i p3.icc -o srgb.icc
//
// The profiles were written to files by the functions below; `srgb.icc` is sharp's own.
const rgb: Colors = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [200, 30, 30],
  [30, 160, 90],
  [128, 128, 128],
  [10, 20, 30],
  [250, 240, 230],
  [255, 255, 255],
]
const fromP3: Colors = [
  [255, 0, 0],
  [0, 255, 0],
  [2, 0, 255],
  [218, 0, 9],
  [0, 163, 82],
  [128, 128, 128],
  [7, 20, 31],
  [252, 240, 229],
  [255, 255, 255],
]
const fromAdobeRgb: Colors = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [233, 24, 24],
  [0, 161, 85],
  [129, 129, 129],
  [0, 12, 24],
  [254, 240, 230],
  [255, 255, 255],
]
const shades = [0, 20, 64, 128, 200, 255]
const gray: Colors = shades.map((shade) => [shade])
const grayAsRgb: Colors = shades.map((shade) => [shade, shade, shade])
const fromGamma18: Colors = [0, 26, 81, 146, 210, 255].map((shade) => [shade, shade, shade])
const cmyk: Colors = [
  [0, 0, 0, 0],
  [255, 0, 0, 0],
  [0, 255, 0, 0],
  [0, 0, 255, 0],
]
const fromCmyk: Colors = [
  [255, 255, 255],
  [0, 153, 228],
  [234, 0, 130],
  [255, 240, 0],
]
// The profile is a table, which the two versions of Little CMS (2.19 in sharp) interpolate differently; most where it
// is dark, which is left out here: black is 18, 4, 23 by transicc, and 20, 5, 0 in sharp, at 8 bits as at 16.
const cmykTolerance = 3

/** Returns one of sharp's own profiles. */
const builtInProfile = async (name: 'srgb' | 'p3' | 'cmyk') => {
  const image = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
  const space = name === 'cmyk' ? 'cmyk' : 'srgb'
  const file = await image.toColourspace(space).withIccProfile(name).jpeg().toBuffer()
  return (await sharp(file).metadata()).icc
}
const profiles = {
  none: undefined,
  srgb: await builtInProfile('srgb'),
  p3: await builtInProfile('p3'),
  cmyk: await builtInProfile('cmyk'),
  adobe: rgbProfile(adobeRgb),
  gray: grayProfile(1.8),
  truncated: rgbProfile(adobeRgb).subarray(0, 300),
  noise: Buffer.from('This is not a profile. '.repeat(20)),
}
type ProfileName = keyof typeof profiles

const withAlpha = (colors: Colors, alpha: number): Colors => colors.map((color) => [...color, alpha])

const files: Record<string, Uint8Array> = {}
for (const name of Object.keys(profiles) as ProfileName[]) {
  const icc = profiles[name]
  for (const bits of [8, 16] as const) {
    files[`rgb-${name}-${bits}.png`] = patchesPng({ colors: rgb, bits, icc })
    files[`rgb-${name}-${bits}.tiff`] = patchesTiff({ colors: rgb, bits, icc })
    files[`rgba-${name}-${bits}.png`] = patchesPng({ colors: withAlpha(rgb, 128), bits, icc })
    files[`gray-${name}-${bits}.png`] = patchesPng({ colors: gray, bits, icc })
    files[`gray-${name}-${bits}.tiff`] = patchesTiff({ colors: gray, bits, icc })
    files[`gray-alpha-${name}-${bits}.png`] = patchesPng({ colors: withAlpha(gray, 128), bits, icc })
    files[`cmyk-${name}-${bits}.tiff`] = patchesTiff({ colors: cmyk, bits, icc })
  }
  const sixteen = sharp(files[`rgb-${name}-16.png`]).toColourspace('rgb16').keepIccProfile()
  files[`rgb-${name}-10.avif`] = await sixteen
    .avif({ bitdepth: 10, quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const eight = sharp(files[`rgb-${name}-8.png`]).keepIccProfile()
  files[`palette-${name}.png`] = await eight.clone().png({ palette: true, effort: 1 }).toBuffer()
  const frames = await eight.clone().png().toBuffer()
  files[`animated-${name}.webp`] = await sharp([frames, frames], { join: { animated: true } })
    .webp({ lossless: true, delay: [100, 200] })
    .toBuffer()
}

const settings = { accepted: [], quality: undefined, maxPixels: 1e8, maxAvifPixels: 1e8, svg: false }
const box = { width: 3840, height: 0, gravity: undefined }

/** Decodes and resizes an image without loss, and returns the color in the middle of each patch. */
const render = async (name: string, format: 'png' | 'gif' = 'png') => {
  const original = files[name] as Buffer
  const header = await inspectImage(original, checkType(original, false), 1e8)
  const pipeline = createPipeline({ ...settings, original, box }, header, format === 'gif')
  const image = sharp((await runPipeline(pipeline.toFormat(format), 0)).body)
  const { icc, space, depth } = await image.metadata()
  expect({ icc, space, depth }).toEqual({ icc: undefined, space: 'srgb', depth: 'uchar' })
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const middle = (patchSize / 2) * info.width + patchSize / 2
  return Array.from({ length: info.width / patchSize }, (_, index) => {
    const at = (middle + index * patchSize) * info.channels
    return [...data.subarray(at, at + info.channels)]
  })
}

/** Fails for a component that differs by more than `tolerance`. */
const expectColors = (actual: Colors, expected: Colors, tolerance: number) => {
  const differences = actual.flatMap((color, patch) =>
    color.some((value, index) => !(Math.abs(value - (expected[patch]?.[index] ?? Number.NaN)) <= tolerance))
      ? [`expected ${expected[patch]}, got ${color}`]
      : [],
  )
  expect(differences.join('; ')).toBe('')
  expect(actual).toHaveLength(expected.length)
}

describe('colors are converted to sRGB as Little CMS does', () => {
  const table: [ProfileName, Colors][] = [
    ['none', rgb],
    ['srgb', rgb],
    ['p3', fromP3],
    ['adobe', fromAdobeRgb],
  ]
  const names = ['rgb-%-8.png', 'rgb-%-16.png', 'rgb-%-8.tiff', 'rgb-%-16.tiff']
  test.each(names.flatMap((name) => table.map(([profile, colors]) => [name.replace('%', profile), colors] as const)))(
    '%s',
    async (name, expected) => expectColors(await render(name), expected, 1),
  )

  // The quantizer that wrote the palette changes colors a little before they are converted.
  test.each(table)('a palette, profile: %s', async (profile, expected) => {
    expectColors(await render(`palette-${profile}.png`), expected, 3)
  })

  test.each(table)('AVIF of 10 bits, profile: %s', async (profile, expected) => {
    expect((await sharp(files[`rgb-${profile}-10.avif`]).metadata()).bitsPerSample).toBe(10)
    // AV1 codes luma and chroma, and loses a little at any quality.
    expectColors(await render(`rgb-${profile}-10.avif`), expected, 4)
  })

  test.each(table.flatMap(([profile, colors]) => [8, 16].map((bits) => [profile, bits, colors] as const)))(
    'beside an alpha channel, profile: %s, %i bits',
    async (profile, bits, expected) => {
      expectColors(await render(`rgba-${profile}-${bits}.png`), withAlpha(expected, 128), 1)
    },
  )

  test.each(['gray-%-8.png', 'gray-%-16.png', 'gray-%-8.tiff', 'gray-%-16.tiff'])('%s', async (name) => {
    expectColors(await render(name.replace('%', 'none')), grayAsRgb, 1)
    expectColors(await render(name.replace('%', 'gray')), fromGamma18, 1)
  })

  test.each([8, 16])('gray beside an alpha channel, %i bits', async (bits) => {
    expectColors(await render(`gray-alpha-none-${bits}.png`), withAlpha(grayAsRgb, 128), 1)
    expectColors(await render(`gray-alpha-gray-${bits}.png`), withAlpha(fromGamma18, 128), 1)
  })

  test.each([8, 16])('CMYK, %i bits', async (bits) => {
    expectColors(await render(`cmyk-cmyk-${bits}.tiff`), fromCmyk, cmykTolerance)
    // Without a profile, sharp uses its own, which is the same.
    expectColors(await render(`cmyk-none-${bits}.tiff`), fromCmyk, cmykTolerance)
  })

  test.each(table)('an animation, profile: %s', async (profile, expected) => {
    const colors = await render(`animated-${profile}.webp`, 'gif')
    expectColors(
      colors.map((color) => color.slice(0, 3)),
      expected,
      4,
    )
  })
})

describe('a profile that is broken, or of another color space, is ignored', () => {
  test.each(['truncated', 'noise', 'gray', 'cmyk'] as const)('RGB, profile: %s', async (profile) => {
    for (const name of [
      `rgb-${profile}-8.png`,
      `rgb-${profile}-16.png`,
      `rgb-${profile}-8.tiff`,
      `rgb-${profile}-16.tiff`,
    ]) {
      expectColors(await render(name), rgb, 1)
    }
    expectColors(await render(`rgb-${profile}-10.avif`), rgb, 4)
  })

  test.each(['truncated', 'noise', 'adobe', 'cmyk'] as const)('gray, profile: %s', async (profile) => {
    for (const name of [
      `gray-${profile}-8.png`,
      `gray-${profile}-16.png`,
      `gray-${profile}-8.tiff`,
      `gray-${profile}-16.tiff`,
    ]) {
      expectColors(await render(name), grayAsRgb, 1)
    }
  })

  test.each(['truncated', 'noise', 'adobe', 'gray'] as const)('CMYK, profile: %s', async (profile) => {
    for (const bits of [8, 16]) expectColors(await render(`cmyk-${profile}-${bits}.tiff`), fromCmyk, cmykTolerance)
  })
})
