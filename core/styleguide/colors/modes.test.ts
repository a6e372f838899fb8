import { expect, it } from 'vitest'
import { mergeModes, valuesByMode } from './modes.js'
import type { StyleColor } from './style-color.js'

const color = (name: string, value: string, mode?: string): StyleColor => ({ name, value, ...(mode && { mode }) })

it.each<[string, StyleColor[], modes: string[], values: string[]]>([
  ['no modes', [color('ink', '#111')], [], ['#111']],
  ['a dark mode', [color('ink', '#111'), color('ink', '#eee', 'dark')], ['light', 'dark'], ['#111', '#eee']],
  ['a mode in capitals', [color('ink', '#111'), color('ink', '#eee', 'Dark')], ['light', 'Dark'], ['#111', '#eee']],
  ['the same value', [color('ink', '#111'), color('ink', '#111', 'dark')], ['light', 'dark'], ['#111']],
  ['light-dark()', [color('ink', 'light-dark(#111, #eee)')], ['light', 'dark'], ['#111', '#eee']],
  [
    'a color that one of the modes does not declare',
    [color('ink', '#111'), color('paper', '#fff'), color('ink', '#eee', 'dark'), color('ink', '#700', 'print')],
    ['light', 'dark', 'print'],
    ['#111', '#eee', '#700'],
  ],
  ['modes only', [color('ink', '#111', 'light'), color('ink', '#eee', 'dark')], ['light', 'dark'], ['#111', '#eee']],
  [
    'a light mode beside the document’s own values',
    [color('ink', '#111'), color('ink', '#222', 'light'), color('ink', '#eee', 'dark')],
    ['default', 'light', 'dark'],
    ['#111', '#222', '#eee'],
  ],
])('mergeModes finds modes and values: %s', (_, colors, modes, values) => {
  const palette = mergeModes(colors)
  expect(palette.modes).toEqual(modes)
  expect(valuesByMode(palette.colors[0] as (typeof palette.colors)[0], modes)).toEqual(values)
})

it('a value for wide gamuts is added to the sRGB value, in any order of the files', () => {
  const wide = [
    color('red', 'color(display-p3 1 0 0)', 'color-gamut: p3'),
    color('red', 'color(display-p3 0.9 0 0)', 'dark, color-gamut: p3'),
  ]
  const plain = [color('red', '#f00'), color('red', '#e00', 'dark')]
  for (const colors of [
    [...plain, ...wide],
    [...wide, ...plain],
  ]) {
    const { colors: merged, modes } = mergeModes(colors)
    expect(modes).toEqual(['light', 'dark'])
    expect(merged.map(({ tones }) => tones)).toEqual([
      [
        { mode: 'light', value: '#f00', wide: 'color(display-p3 1 0 0)' },
        { mode: 'dark', value: '#e00', wide: 'color(display-p3 0.9 0 0)' },
      ],
    ])
  }
})

it('two colors with the same name and mode are kept separate', () => {
  expect(mergeModes([color('a', 'red'), color('a', 'blue')]).colors.map(({ tones }) => tones[0]?.value)).toEqual([
    'red',
    'blue',
  ])
})
