import { expect, it } from 'vitest'
import { mergeModes } from './modes.js'
import { type ColorPair, findGrounds, findPairs } from './pairs.js'
import type { StyleColor } from './style-color.js'

const named = (names: string): StyleColor[] => names.split(' ').map((name) => ({ name, value: '#777' }))
const pairsOf = (colors: readonly StyleColor[], declared?: ColorPair[]) =>
  findPairs(mergeModes(colors), declared).map(({ text, ground }) => `${text.name} on ${ground.name}`)

it.each<[palette: string, names: string, pairs: string[]]>([
  [
    'shadcn/ui',
    'background foreground muted muted-foreground border',
    ['foreground on background', 'muted-foreground on muted'],
  ],
  [
    'Material 3',
    'primary on-primary on-primary-container primary-container outline',
    ['on-primary on primary', 'on-primary-container on primary-container'],
  ],
  ['Material 3 in camel case', 'primary onPrimary', ['onPrimary on primary']],
  [
    'daisyUI',
    'base-100 base-200 base-content info info-content',
    ['base-content on base-100', 'base-content on base-200', 'info-content on info'],
  ],
  [
    'Bootstrap',
    'primary primary-text-emphasis primary-bg-subtle body-color body-bg link-color',
    ['primary-text-emphasis on primary-bg-subtle', 'body-color on body-bg'],
  ],
  [
    'Primer',
    'bgColor-default fgColor-default fgColor-onEmphasis bgColor-accent-emphasis fgColor-accent bgColor-accent-muted button-bgColor-rest button-fgColor-rest fgColor-white bgColor-white',
    [
      'fgColor-default on bgColor-default',
      'fgColor-onEmphasis on bgColor-accent-emphasis',
      'fgColor-accent on bgColor-accent-muted',
      'button-fgColor-rest on button-bgColor-rest',
    ],
  ],
  ['design tokens', 'color.brand color.on-brand', ['color.on-brand on color.brand']],
  ['Tailwind', 'red-50 red-900', []],
])('finds the pairs of %s', (_, names, pairs) => {
  expect(pairsOf(named(names))).toEqual(pairs)
})

it('pairs with too little contrast come first, from the lowest contrast up, and each mode is measured', () => {
  const colors = [
    { name: 'card', value: '#fff' },
    { name: 'card-foreground', value: '#000' },
    { name: 'muted', value: '#f5f5f5' },
    { name: 'muted-foreground', value: '#737373' },
    { name: 'faint', value: '#fff' },
    { name: 'faint-foreground', value: '#aaa' },
    { name: 'muted', value: '#262626', mode: 'dark' },
    { name: 'muted-foreground', value: '#a1a1a1', mode: 'dark' },
  ]
  const pairs = findPairs(mergeModes(colors))
  expect(pairs.map(({ text, isFailing }) => [text.name, isFailing])).toEqual([
    ['faint-foreground', true],
    ['muted-foreground', true],
    ['card-foreground', false],
  ])
  expect(pairs[1]?.modes.map(({ mode, contrast }) => [mode, contrast?.ratio])).toEqual([
    ['light', 4.34],
    ['dark', 5.85],
  ])
})

it('a translucent ground is measured over the page, and the text of a disabled control never fails', () => {
  const colors = [
    { name: 'background', value: '#000' },
    { name: 'glass', value: 'rgb(255 255 255 / 10%)' },
    { name: 'glass-foreground', value: '#fff' },
    { name: 'disabled', value: '#eee' },
    { name: 'disabled-foreground', value: '#ddd' },
    { name: 'brand', value: 'var(--brand)' },
    { name: 'brand-foreground', value: '#fff' },
  ]
  expect(findPairs(mergeModes(colors)).map(({ modes, isFailing }) => [modes[0]?.contrast?.ratio, isFailing])).toEqual([
    [17.49, false],
    [1.17, false],
    [undefined, false],
  ])
})

it('declared pairs are added, and the name of an unknown color is an error', () => {
  const colors = named('ink paper background foreground')
  expect(
    pairsOf(colors, [
      ['ink', 'paper'],
      ['foreground', 'background'],
    ]),
  ).toEqual(['ink on paper', 'foreground on background', 'ink on background'])
  expect(() => pairsOf(colors, [['ink', 'sand']])).toThrow(
    new TypeError("pairs: expected the names of two colors of the palette, got 'sand'"),
  )
})

it('the grounds of pages are found by their names', () => {
  expect(findGrounds(mergeModes(named('paper red-500 surface background-subtle'))).map(({ name }) => name)).toEqual([
    'paper',
    'surface',
  ])
})
