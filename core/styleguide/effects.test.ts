import { expect, it } from 'vitest'
import { parseShadow, type ShadowLayer } from './effects.js'

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
