import { expect, it } from 'vitest'
import { schemeColors } from './style-color.js'

it.each([
  ['light-dark(#fff, #000)', '#fff', '#000'],
  [' LIGHT-DARK(rgb(1, 2, 3),color-mix(in srgb, red, blue) ) ', 'rgb(1, 2, 3)', 'color-mix(in srgb, red, blue)'],
  ['light-dark(var(--a, red), var(--b))', 'var(--a, red)', 'var(--b)'],
])('%s is split into a color for each scheme', (value, light, dark) => {
  expect(schemeColors(value)).toEqual([
    { scheme: 'light', value: light },
    { scheme: 'dark', value: dark },
  ])
})

it.each([
  'red',
  'rgb(1, 2, 3)',
  'light-dark(red)',
  'light-dark(rgb(1, 2, 3))',
  'light-dark(red, blue',
  'light-dark(red, blue, lime)',
  '',
])('%s is kept as one value', (value) => {
  expect(schemeColors(value)).toEqual([{ value }])
})
