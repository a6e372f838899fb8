import { expect, it } from 'vitest'
import { parseGradient, parseShadow, type ShadowLayer } from './effects.js'

const layer = { x: 0, y: 0, blur: 0, spread: 0, color: 'currentColor', isInset: false }

it.each<[string, Partial<ShadowLayer>[] | undefined]>([
  ['0 1px 3px rgb(0 0 0 / 10%)', [{ y: 1, blur: 3, color: 'rgb(0 0 0 / 10%)' }]],
  ['inset 0 2px 4px 1px red', [{ y: 2, blur: 4, spread: 1, color: 'red', isInset: true }]],
  ['#000 1rem -2px', [{ x: 16, y: -2, color: '#000' }]],
  [
    '0 1px 2px, 0 0 0 3px #0006',
    [
      { y: 1, blur: 2 },
      { spread: 3, color: '#0006' },
    ],
  ],
  ['var(--shadow)', undefined],
  ['0 1em', undefined],
  ['none', undefined],
  ['1px 1px red blue', undefined],
])('parses the shadow %s', (value, layers) => {
  expect(parseShadow(value)).toEqual(layers?.map((properties) => ({ ...layer, ...properties })))
})

const round = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'number' ? Math.round(part * 100) / 100 : part)))

it.each<[string, object | undefined]>([
  ['linear-gradient(red, blue)', { from: [1, 0], to: [1, 1] }],
  ['linear-gradient(90deg, red, blue)', { from: [0, 0.5], to: [2, 0.5] }],
  ['linear-gradient(to left, red, blue)', { from: [2, 0.5], to: [0, 0.5] }],
  // The gradient line is at a right angle to the line between the other two corners.
  ['linear-gradient(to bottom right, red, blue)', { from: [0.6, -0.3], to: [1.4, 1.3] }],
  ['radial-gradient(circle at top right, red, blue)', { center: [2, 0], radius: [2.24, 2.24] }],
  ['radial-gradient(red, blue)', { center: [1, 0.5], radius: [1.41, 0.71] }],
  ['radial-gradient(at 25% 50%, red, blue)', { center: [0.5, 0.5], radius: [2.12, 0.71] }],
  ['conic-gradient(red, blue)', undefined],
  ['repeating-linear-gradient(red, blue)', undefined],
  ['linear-gradient(red 10px, blue)', undefined],
  ['linear-gradient(red)', undefined],
  ['var(--gradient)', undefined],
  ['url(evil)', undefined],
])('parses the gradient %s in a box of 2 by 1', (value, shape) => {
  const [layer] = parseGradient(value, 2, 1) ?? []
  expect(layer && round(layer)).toEqual(shape && expect.objectContaining(shape))
})

it.each<[string, [string, number][]]>([
  [
    'red, lime, blue',
    [
      ['red', 0],
      ['lime', 0.5],
      ['blue', 1],
    ],
  ],
  [
    'red 20%, lime, rgb(0 0 255 / 50%) 60%',
    [
      ['red', 0.2],
      ['lime', 0.4],
      ['rgb(0 0 255 / 50%)', 0.6],
    ],
  ],
  [
    'red 0% 50%, blue',
    [
      ['red', 0],
      ['red', 0.5],
      ['blue', 1],
    ],
  ],
])('places the stops %s', (stops, expected) => {
  const [layer] = parseGradient(`linear-gradient(${stops})`, 1, 1) ?? []
  expect(layer?.stops.map(({ color, offset }) => [color, Math.round(offset * 100) / 100])).toEqual(expected)
})

it('a gradient in another color space gets steps between its stops, and each layer is parsed separately', () => {
  const layers = parseGradient('linear-gradient(90deg in oklch, red, blue), linear-gradient(red, blue)', 1, 1)
  expect(layers?.map(({ stops }) => stops.length)).toEqual([9, 2])
  expect(layers?.[0]?.stops[4]).toEqual({ color: 'color-mix(in oklch, red, blue 50%)', offset: 0.5 })
})
