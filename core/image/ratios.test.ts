import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRatios, defaultRatios, heightOf } from './ratios.js'

describe('checkRatios', () => {
  it('returns the ratios once each, and none for an empty list', () => {
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
  ])('refuses %s', (ratio, got) => {
    expect(() => checkRatios('ratios', ['1:1', ratio])).toThrow(
      `ratios: expected whole numbers of width and height, such as ['16:9', '1:1'], got ${got}`,
    )
  })

  it('refuses one that is in no list', () => {
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
  ])('%d at %s is %d', (width, ratio, height) => {
    expect(heightOf(width, ratio)).toBe(height)
  })

  it('is a whole number >= 1, half a pixel from the ratio at most', () => {
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
