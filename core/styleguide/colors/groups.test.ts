import { expect, it } from 'vitest'
import { fromTailwind3 } from '../testing/without-source.js'
import { groupColors } from './groups.js'
import { mergeModes } from './modes.js'
import type { StyleColor } from './style-color.js'

const named = (names: string): StyleColor[] => names.split(' ').map((name) => ({ name, value: '#123456' }))
const stripsOf = (colors: readonly StyleColor[]) =>
  groupColors(mergeModes(colors).colors).map(
    ({ name, isRamp, swatches }) =>
      `${isRamp ? 'ramp' : 'set'} ${name ?? '-'}: ${swatches.map(({ label }) => label).join(' ')}`,
  )

// Names of real palettes, with the strips that the documentation of each palette shows.
it.each<[palette: string, names: string, strips: string[]]>([
  ['Tailwind', 'black red-50 red-100 red-950 white', ['ramp red: 50 100 950', 'set -: black white']],
  ['Open Props', 'gray-0 gray-1 gray-2 gray-10 gray-9', ['ramp gray: 0 1 2 9 10']],
  [
    'Radix Colors',
    'amber-a1 amber-a2 amber-a10 amber-1 amber-2 amber-10',
    ['ramp amber: 1 2 10', 'ramp amber alpha: a1 a2 a10'],
  ],
  [
    'Radix Colors in JavaScript',
    'amber1 amber2 amber10 amberA1 amberA2 amberA10',
    ['ramp amber: 1 2 10', 'ramp amber alpha: A1 A2 A10'],
  ],
  [
    'Material 3',
    'primary on-primary primary-container on-primary-container surface on-surface inverse-surface inverse-on-surface inverse-primary scrim',
    [
      'set primary: primary on container on-container',
      'set surface: surface on',
      'set inverse: surface on-surface primary',
      'set -: scrim',
    ],
  ],
  ['Material 3 in camel case', 'primary onPrimary', ['set primary: primary onPrimary']],
  ['Material 3 tones', 'primary40 primary80 primary90', ['ramp primary: 40 80 90']],
  [
    'shadcn/ui',
    'background foreground muted muted-foreground chart-1 chart-2 chart-3 sidebar sidebar-primary sidebar-primary-foreground ring',
    [
      'set background: background foreground',
      'set muted: muted foreground',
      'ramp chart: 1 2 3',
      'set sidebar: sidebar primary primary-foreground',
      'set -: ring',
    ],
  ],
  [
    'Bootstrap',
    'primary primary-rgb primary-text-emphasis primary-bg-subtle gray gray-dark gray-100 gray-200 gray-900 blue',
    ['set primary: primary text-emphasis bg-subtle', 'ramp gray: gray 100 200 900 dark', 'set -: blue'],
  ],
  [
    'Primer',
    'bgColor-default bgColor-accent-muted display-red-scale-0 display-red-scale-1 display-red-scale-2 display-red-fgColor display-red-bgColor-muted display-red-bgColor-emphasis display-red-borderColor',
    [
      'set bgColor: default accent-muted',
      'ramp display-red-scale: 0 1 2',
      'set display: red-fgColor red-bgColor-muted red-bgColor-emphasis red-borderColor',
    ],
  ],
  ['design tokens', 'color.red.100 color.red.200 color.red.300 color.ink', ['ramp red: 100 200 300', 'set -: ink']],
  ['daisyUI', 'base-100 base-200 base-300 base-content', ['ramp base: 100 200 300 content']],
])('groups the names of %s', (_, names, strips) => {
  expect(stripsOf(named(names))).toEqual(strips)
})

it('a long family is divided by the second part of its names', () => {
  const names = ['primary', 'danger'].flatMap((kind) =>
    ['bg-rest', 'bg-hover', 'bg-active', 'fg-rest', 'fg-hover', 'border', 'icon'].map(
      (part) => `button-${kind}-${part}`,
    ),
  )
  expect(stripsOf(named(names.join(' ')))).toEqual([
    'set button-primary: bg-rest bg-hover bg-active fg-rest fg-hover border icon',
    'set button-danger: bg-rest bg-hover bg-active fg-rest fg-hover border icon',
  ])
})

it('the groups and shades of the configuration take precedence over the names', () => {
  const red = { dark: '#100', 950: '#200', 50: '#fee', muted: '#a88', DEFAULT: '#f00', 500: '#e00' }
  expect(stripsOf(fromTailwind3({ red }).colors)).toEqual(['ramp red: red 50 500 950 dark muted'])
  expect(stripsOf(fromTailwind3({ 'brand-50': '#eef', brand: '#00f', 'brand-dark': '#008' }).colors)).toEqual([
    'set brand: 50 brand dark',
  ])
})

it('a swatch lists the names of the same color in other notations', () => {
  const [strip] = groupColors(mergeModes(named('primary primary-rgb primary-subtle')).colors)
  expect(strip?.swatches.map(({ alsoNamed }) => alsoNamed)).toEqual([['primary-rgb'], []])
})

it.each([
  [0, 0],
  [1, 1],
  [2_000, 1],
])('%d colors without a common part are %d strip', (count, strips) => {
  const colors = Array.from({ length: count }, (_, index) => ({ name: `n${index.toString(36)}x`, value: 'red' }))
  expect(groupColors(mergeModes(colors).colors)).toHaveLength(strips)
})

it('groupColors accepts any names', () => {
  const names = ['__proto__-1', 'constructor', '', '-', '...', 'x'.repeat(300), '色-1', 'أحمر']
  const strips = groupColors(mergeModes(names.map((name) => ({ name, value: 'red' }))).colors)
  expect(strips.flatMap(({ swatches }) => swatches)).toHaveLength(names.length)
})
