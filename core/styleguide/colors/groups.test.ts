import { expect, it } from 'vitest'
import { fromCssVariables, fromTailwind3 } from '../testing/without-source.js'
import { groupColors } from './groups.js'
import type { StyleColor } from './style-color.js'

const shadesOf = (colors: readonly StyleColor[]) =>
  groupColors(colors).map(({ name, colors }) => [name, colors.map(({ name, shade }) => shade ?? name)])

it('puts DEFAULT first, then numbers in ascending order, then the others in their original order', () => {
  const red = { dark: '#100', 950: '#200', 50: '#fee', muted: '#a88', DEFAULT: '#f00', 500: '#e00' }
  expect(shadesOf(fromTailwind3({ red }).colors)).toEqual([['red', ['DEFAULT', '50', '500', '950', 'dark', 'muted']]])
})

it('keeps the order of the groups, and puts colors without a group into one without a name', () => {
  expect(
    shadesOf(fromTailwind3({ black: '#000', slate: { 50: '#eee' }, white: '#fff', red: { 50: '#fee' } }).colors),
  ).toEqual([
    [undefined, ['black', 'white']],
    ['slate', ['50']],
    ['red', ['50']],
  ])
})

it('makes a color with the name of a group its DEFAULT', () => {
  expect(shadesOf(fromTailwind3({ 'brand-50': '#eef', brand: '#00f', 'brand-dark': '#008' }).colors)).toEqual([
    ['brand', ['DEFAULT', '50']],
    [undefined, ['brand-dark']],
  ])
})

it('keeps the colors of modes apart', () => {
  const colors = fromCssVariables(
    ':root{--color-red-50:#fee;--color-red:red} .dark{--color-red-50:#300;--color-ink:#eee}',
  ).colors
  expect(groupColors(colors).map(({ mode, name, colors }) => [mode, name, colors.map(({ value }) => value)])).toEqual([
    [undefined, 'red', ['red', '#fee']],
    ['dark', 'red', ['#300']],
    ['dark', undefined, ['#eee']],
  ])
})

it('accepts groups of any name', () => {
  const colors = ['__proto__', 'constructor'].map((group) => ({ name: `${group}-1`, value: 'red', group, shade: '1' }))
  expect(groupColors(colors).map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
  expect(groupColors([])).toEqual([])
})

it('does not mutate its input', () => {
  const colors = Object.freeze(
    fromTailwind3({ a: { 2: 'red', 1: 'blue' } }).colors.map((color) => Object.freeze(color)),
  )
  expect(groupColors(colors)[0]?.colors).toHaveLength(2)
})
