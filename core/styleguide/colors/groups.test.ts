import { expect, it } from 'vitest'
import { fromTailwind3 } from '../readers/tailwind3/colors.js'
import { groupColors } from './groups.js'
import type { StyleColor } from './style-color.js'

const shadesOf = (colors: readonly StyleColor[]) =>
  groupColors(colors).map(({ name, colors }) => [name, colors.map(({ name, shade }) => shade ?? name)])

it('puts DEFAULT first, then the numbers rising, then the others as they came', () => {
  const red = { dark: '#100', 950: '#200', 50: '#fee', muted: '#a88', DEFAULT: '#f00', 500: '#e00' }
  expect(shadesOf(fromTailwind3({ red }))).toEqual([['red', ['DEFAULT', '50', '500', '950', 'dark', 'muted']]])
})

it('keeps the groups in their order, and those that stand alone in one without a name', () => {
  expect(shadesOf(fromTailwind3({ black: '#000', slate: { 50: '#eee' }, white: '#fff', red: { 50: '#fee' } }))).toEqual(
    [
      [undefined, ['black', 'white']],
      ['slate', ['50']],
      ['red', ['50']],
    ],
  )
})

it('makes the color of a group’s own name its DEFAULT', () => {
  expect(shadesOf(fromTailwind3({ 'brand-50': '#eef', brand: '#00f', 'brand-dark': '#008' }))).toEqual([
    ['brand', ['DEFAULT', '50']],
    [undefined, ['brand-dark']],
  ])
})

it('takes groups of any name', () => {
  const colors = ['__proto__', 'constructor'].map((group) => ({ name: `${group}-1`, value: 'red', group, shade: '1' }))
  expect(groupColors(colors).map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
  expect(groupColors([])).toEqual([])
})

it('changes nothing of what it was given', () => {
  const colors = Object.freeze(fromTailwind3({ a: { 2: 'red', 1: 'blue' } }).map((color) => Object.freeze(color)))
  expect(groupColors(colors)[0]?.colors).toHaveLength(2)
})
