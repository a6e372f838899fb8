import { describe, expect, it } from 'vitest'
import { convertToSrgb } from './srgb.js'

type Color = [number, number, number]

// What Chromium 14x shows of an AVIF that avifenc wrote of these colors, without loss: gray 32, 128, 160 and 224, and
// three colors of which one component leaves sRGB.
const coded: Color[] = [
  [32, 32, 32],
  [128, 128, 128],
  [160, 160, 160],
  [224, 224, 224],
  [180, 140, 100],
  [120, 60, 180],
  [100, 150, 200],
]
const shown: Record<string, [primaries: number, transfer: number, colors: Color[]]> = {
  'Display P3': [
    12,
    13,
    [
      [32, 32, 32],
      [128, 128, 128],
      [160, 160, 160],
      [224, 224, 224],
      [188, 138, 93],
      [129, 56, 187],
      [81, 153, 204],
    ],
  ],
  'BT.2020': [
    9,
    14,
    [
      [32, 32, 32],
      [128, 128, 128],
      [160, 160, 160],
      [224, 224, 224],
      [201, 134, 91],
      [136, 43, 186],
      [0, 154, 205],
    ],
  ],
  PQ: [
    9,
    16,
    [
      [5, 5, 5],
      [133, 133, 133],
      [213, 213, 213],
      [255, 255, 255],
      [255, 96, 22],
      [82, 0, 253],
      [0, 115, 255],
    ],
  ],
  HLG: [
    9,
    18,
    [
      [14, 14, 14],
      [100, 100, 100],
      [135, 135, 135],
      [228, 228, 228],
      [182, 106, 75],
      [100, 30, 151],
      [0, 125, 194],
    ],
  ],
  'linear light': [
    1,
    8,
    [
      [99, 99, 99],
      [188, 188, 188],
      [208, 208, 208],
      [241, 241, 241],
      [219, 196, 168],
      [183, 133, 219],
      [167, 202, 229],
    ],
  ],
}

describe('convertToSrgb gives the colors that Chromium shows', () => {
  it.each(Object.keys(shown))('%s', (name) => {
    const [primaries, transfer, expected] = shown[name] ?? [0, 0, []]
    const pixels = Uint8Array.from(coded.flatMap((color) => [...color, 77]))
    convertToSrgb(pixels, { primaries, transfer })
    for (const [index, color] of expected.entries()) {
      const actual = [...pixels.subarray(index * 4, index * 4 + 4)]
      const difference = Math.max(...color.map((value, channel) => Math.abs(value - (actual[channel] ?? Number.NaN))))
      expect([coded[index], actual, difference <= 3, actual[3]]).toEqual([coded[index], actual, true, 77])
    }
  })
})

it.each([0, 2, 4, 5, 16, 18, 99])('black stays black and white stays white, with transfer function %i', (transfer) => {
  const pixels = Uint8Array.of(0, 0, 0, 255, 255, 255, 255, 255)
  convertToSrgb(pixels, { primaries: 9, transfer })
  expect([...pixels]).toEqual([0, 0, 0, 255, 255, 255, 255, 255])
})
