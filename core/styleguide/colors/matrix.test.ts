import { expect, it } from 'vitest'
import { arrangeMatrix, textOn } from './matrix.js'
import { mergeModes } from './modes.js'

const paletteOf = (names: string) => mergeModes(names.split(' ').map((name) => ({ name, value: '#777' })))

it.each<[palette: string, names: string, texts: string, grounds: string]>([
  [
    'with telling names',
    'accent on-accent ink ink-soft line paper',
    'ink accent on-accent ink-soft',
    'paper accent line',
  ],
  [
    'of Material 3',
    'primary on-primary primary-container on-primary-container surface on-surface on-surface-variant outline',
    'on-surface on-surface-variant primary on-primary on-primary-container',
    'surface primary primary-container',
  ],
  [
    'in camel case',
    'color.primary color.onPrimary color.surfaceContainer',
    'color.primary color.onPrimary',
    'color.primary color.surfaceContainer',
  ],
  [
    'of shadcn/ui',
    'background foreground card card-foreground muted muted-foreground border ring',
    'foreground card-foreground muted-foreground',
    'background card muted',
  ],
  ['without telling names', 'plum mint', 'plum mint', 'plum mint'],
])('grounds are no texts, and texts on a color are no grounds: a palette %s', (_, names, texts, grounds) => {
  const matrix = arrangeMatrix(paletteOf(names))
  const namesOf = (colors: readonly { name: string }[]) => colors.map(({ name }) => name).join(' ')
  expect([namesOf(matrix.texts), namesOf(matrix.grounds)]).toEqual([texts, grounds])
})

it('a color that only a browser can resolve is neither text nor ground', () => {
  const palette = mergeModes([
    { name: 'a', value: 'var(--a)' },
    { name: 'b', value: 'red' },
  ])
  expect(arrangeMatrix(palette).texts.map(({ name }) => name)).toEqual(['b'])
})

it.each([
  ['#94350f', ['#2b211a', '#fbf6ec'], '#fbf6ec'],
  ['#f2513b', ['#fffaf0', '#3a1d3f'], '#000'],
  ['#777', ['#888'], '#000'],
])('the text on %s is that of %j with the most contrast, or else black or white', (value, candidates, label) => {
  expect(textOn(value, candidates, 4.5)).toBe(label)
})

it('a title, which is large, needs less contrast, so that it has a color of the brand', () => {
  expect(textOn('#f2513b', ['#fffaf0', '#3a1d3f'], 3)).toBe('#3a1d3f')
})

it('texts and grounds of the page come first, and a variant and the inverse primary have their grounds', () => {
  const names = 'primary on-primary surface inverse-primary inverse-surface on-surface on-surface-variant surface-high'
  const { texts, grounds, own } = arrangeMatrix(paletteOf(names))
  expect(texts.map(({ name }) => name).slice(0, 2)).toEqual(['on-surface', 'on-surface-variant'])
  expect(grounds.map(({ name }) => name).slice(0, 2)).toEqual(['surface', 'surface-high'])
  const pairs = own.map(({ text, ground }) => `${text.name} on ${ground.name}`)
  expect(pairs).toContain('inverse-primary on inverse-surface')
  expect(pairs).toContain('on-surface-variant on surface')
})
