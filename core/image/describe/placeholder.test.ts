import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodePlaceholder, sampleSize } from './encode.js'
import { placeholderStylesheet } from './stylesheet.js'

type Rgb = readonly [red: number, green: number, blue: number]
const draw = (colorOf: (x: number, y: number) => Rgb) =>
  Array.from({ length: sampleSize ** 2 }, (_, index) =>
    colorOf(index % sampleSize, Math.floor(index / sampleSize)),
  ).flat()

describe('encodePlaceholder', () => {
  it.each<[string, (x: number, y: number) => Rgb, string]>([
    ['black', () => [0, 0, 0], 'Aa'],
    ['white', () => [255, 255, 255], 'ZAz'],
    ['gray: its lightness of .57, times 51', () => [119, 119, 119], 'ZAd'],
    ['red: its lightness of .63, times 51, and .22 and .13 times 100', () => [255, 0, 0], 'ZAg0m6j'],
    ['from black to white, to the right', (x) => [x * 23, x * 23, x * 23], 'ZAeBnCyDxEz'],
    ['from black to white, down', (_, y) => [y * 23, y * 23, y * 23], 'ZAfFnKyPxUz'],
  ])('%s', (_, colorOf, text) => {
    expect(encodePlaceholder(draw(colorOf))).toBe(text)
  })
})

describe('placeholderStylesheet', () => {
  const css = placeholderStylesheet()
  const texts = new Set([...css.matchAll(/\[data-lq\*="(..)"\]/g)].map(([, text]) => text))

  it('has a rule for each pair of characters of any placeholder, and no pair is in another', () => {
    const image = fc.array(fc.integer({ min: 0, max: 255 }), {
      minLength: 3 * sampleSize ** 2,
      maxLength: 3 * sampleSize ** 2,
    })
    fc.assert(
      fc.property(image, (pixels) => {
        const text = encodePlaceholder(pixels)
        const pairs = text.replace(/^Z/, '').match(/../g) ?? []
        expect(pairs.filter((pair) => !texts.has(pair))).toEqual([])
        expect([...texts].filter((pair) => text.includes(pair as string)).sort()).toEqual([...pairs].sort())
      }),
      { numRuns: 20 },
    )
  })

  it('takes at most 3.5 KB, compressed', () => {
    expect(gzipSync(css).length).toBeLessThanOrEqual(3_500)
  })
})
