import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRatios, defaultRatios, type Focus, heightOf, readFocus } from './shape.js'

describe('checkRatios', () => {
  it('checkRatios returns each ratio once, and no ratios for an empty list', () => {
    expect(checkRatios('ratios', ['16:9', '1:1', '16:9'])).toEqual(['16:9', '1:1'])
    expect(checkRatios('ratios', [])).toEqual([])
    expect(checkRatios('ratios', defaultRatios)).toEqual(defaultRatios)
  })

  it.each([
    ['16/9', "'16/9'"],
    ['0:0', "'0:0'"],
    ['1e9:1', "'1e9:1'"],
    ['-1:1', "'-1:1'"],
    ['01:1', "'01:1'"],
    ['16:9:1', "'16:9:1'"],
    ['16:9 ', "'16:9 '"],
    ['2.39:1', "'2.39:1'"],
    ['99999:1', "'99999:1'"],
    [1.5, '1.5'],
    [undefined, 'undefined'],
  ])('checkRatios rejects %s', (ratio, got) => {
    expect(() => checkRatios('ratios', ['1:1', ratio])).toThrow(
      `ratios: expected whole numbers of width and height, such as ['16:9', '1:1'], got ${got}`,
    )
  })

  it('checkRatios rejects a ratio that is not in a list', () => {
    expect(() => checkRatios('ratios', '16:9')).toThrow("got '16:9'")
  })
})

describe('heightOf', () => {
  it.each([
    [640, '16:9', 360],
    [750, '16:9', 422],
    [640, '9:16', 1138],
    [16, '1:1', 16],
    [16, '100:1', 1],
    [1, '3:2', 1],
  ])('the height of a width of %d at %s is %d', (width, ratio, height) => {
    expect(heightOf(width, ratio)).toBe(height)
  })

  it('a height is a whole number >= 1, and at most half a pixel from the ratio', () => {
    const side = fc.integer({ min: 1, max: 9999 })
    fc.assert(
      fc.property(side, side, side, (width, horizontal, vertical) => {
        const height = heightOf(width, `${horizontal}:${vertical}`)
        expect(Number.isInteger(height) && height >= 1).toBe(true)
        if (height > 1) expect(Math.abs(height - (width * vertical) / horizontal)).toBeLessThanOrEqual(0.5)
      }),
    )
  })
})

const storyblok = 'https://a.storyblok.com/f/39898/3310x2192/e4ec08624e/demo-image.jpeg'
const sanityHotspot = { _type: 'sanity.imageHotspot', x: 0.406, y: 0.483, width: 0.333, height: 0.437 }
const sanityCrop = { _type: 'sanity.imageCrop', top: 0, bottom: 0.4, left: 0.5, right: 0.1 }
const sanityImage = { _type: 'image', asset: { _type: 'reference', _ref: 'image-abc-1200x800-jpg' } }
const contentfulSize = { width: 4000, height: 2000 }
const directusFile = { id: 'c984', type: 'image/jpeg', width: 800, height: 600 }

describe('readFocus', () => {
  it.each<[string, Focus, string | undefined]>([
    ['a point', { x: 0.31, y: 0.7 }, '3,7'],
    ['the corners', { x: 0, y: 1 }, '0,10'],
    ['a point that is half a tenth beyond an edge at most', { x: -0.04, y: 1.04 }, '0,10'],
    ['Sanity: hotspot', sanityHotspot, '4,5'],
    ['Sanity: crop, of which the center is kept', sanityCrop, '7,3'],
    ['Sanity: image with both', { ...sanityImage, hotspot: sanityHotspot, crop: sanityCrop }, '4,5'],
    ['Sanity: image with a crop', { ...sanityImage, hotspot: null, crop: sanityCrop }, '7,3'],
    ['Sanity: image with neither', { ...sanityImage, hotspot: null, crop: null }, undefined],
    ['Contentful: focus area', 'top_right', '10,0'],
    ['Contentful: faces, which the service looks for', 'faces', undefined],
    ['Contentful: Focal Point app, in pixels', { focalPoint: { x: 3000, y: 200 }, ...contentfulSize }, '8,1'],
    ['Contentful: Focal Point app without a point', { focalPoint: null }, undefined],
    ['Storyblok: focus, in pixels', '866x404:867x405', '3,2'],
    ['Storyblok: focus, a rectangle', '1000x0:3310x2192', '7,5'],
    ['Storyblok: no focus', '', undefined],
    ['WordPress: focal point of a block', { focalPoint: { x: 0.25, y: 0.8 } }, '3,8'],
    ['Directus: file', { ...directusFile, focal_point_x: 80, focal_point_y: 540 }, '1,9'],
    ['Directus: file without a point', { ...directusFile, focal_point_x: null, focal_point_y: null }, undefined],
    ['a name', 'bottom-left', '0,10'],
    ['center', 'center', '5,5'],
    ['top', 'top', '5,0'],
    ['right', 'right', '10,5'],
  ])('%s', (_, focus, tenths) => {
    expect(readFocus(focus, storyblok)).toEqual(tenths === undefined ? {} : { tenths })
  })

  it.each<[string, Focus, string]>([
    ['NaN', { x: Number.NaN, y: 0.5 }, 'x NaN and y 0.5'],
    ['a point outside of the image', { x: 0.5, y: 1.2 }, 'x 0.5 and y 1.2'],
    ['a point in percent', { x: 30, y: 70 }, 'x 30 and y 70'],
    ['half a point', { x: 0.5 }, 'x 0.5 and y undefined'],
    ['an infinite point', { x: Number.POSITIVE_INFINITY, y: 0 }, 'x Infinity and y 0'],
    ['text in place of numbers', { x: 'left', y: 'top' } as never, 'x left and y top'],
    ['a crop that leaves nothing', { top: 5, bottom: 0, left: 0, right: 0 }, 'x 0.5 and y 3'],
    ['pixels without a size', { focalPoint: { x: 3000, y: 200 } }, 'x NaN and y NaN'],
    ['a focus of Storyblok for another URL', '866x404:867x405', 'x NaN and y NaN'],
  ])('readFocus reports a problem with %s', (_, focus, got) => {
    expect(readFocus(focus, '/media/cat.jpg')).toEqual({
      problem: `focus: expected fractions from 0 to 1, got ${got}`,
    })
  })

  it.each<[string, unknown, string]>([
    ['an unknown name', 'upper', "'upper'"],
    ['a name with another separator', 'top left', "'top left'"],
    ['a name in another order', 'left-top', "'left-top'"],
    ['a number', 0.5, '0.5'],
    ['a list', [0.3, 0.7], 'a list'],
    ['an object without a point', { top: 1 }, 'an object'],
    ['a function', () => {}, 'a function'],
  ])('readFocus throws for %s', (_, focus, got) => {
    expect(() => readFocus(focus as Focus, '/media/cat.jpg')).toThrow(
      `focus: expected a point such as { x: 0.3, y: 0.7 }, a name such as 'top-left', or the value of a CMS, got ${got}`,
    )
  })

  it('readFocus returns one of 121 values for any point', () => {
    const fraction = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fraction, fraction, (x, y) => {
        const { tenths = '' } = readFocus({ x, y }, '')
        expect(tenths).toMatch(/^(?:\d|10),(?:\d|10)$/)
        const [left = 0, top = 0] = tenths.split(',').map((tenth) => Number(tenth) / 10)
        expect(Math.max(Math.abs(left - x), Math.abs(top - y))).toBeLessThanOrEqual(0.05 + 1e-9)
      }),
    )
  })
})
