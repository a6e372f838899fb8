import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as tailwind from 'tailwindcss'
import { expect, it } from 'vitest'
import { groupColors } from './colors/groups.js'
import { mergeModes } from './colors/modes.js'
import type { TailwindTheme } from './tailwind-theme.js'
import { fromTailwindTheme } from './testing/without-source.js'

const read = (...properties: [name: string, value: unknown][]) =>
  fromTailwindTheme({ entries: () => properties.map(([name, value]) => [name, { value }] as const) }).colors

it('reads the namespace --color-*', () => {
  expect(
    read(['--color-red-500', '#e00'], ['--font-sans', 'x'], ['--text-color-a', 'red'], ['--color-b', 'BLUE']),
  ).toEqual([
    { name: 'red-500', value: '#e00', group: 'red', shade: '500' },
    { name: 'b', value: 'BLUE' },
  ])
})

it('initial removes a color, or all colors of a namespace', () => {
  const theme: [string, string][] = [
    ['--color-a', 'red'],
    ['--color-red-50', 'red'],
    ['--color-red-500', 'red'],
    ['--color-red-*', ' INITIAL '],
    ['--color-red-900', 'red'],
    ['--color-a', 'initial'],
  ]
  expect(read(...theme).map(({ name }) => name)).toEqual(['red-900'])
  expect(read(...theme, ['--color-*', 'initial'])).toEqual([])
  expect(read(...theme, ['--color-red-50', 'blue'])).toMatchObject([
    { name: 'red-900', value: 'red' },
    { name: 'red-50', value: 'blue' },
  ])
})

it('values that are not colors are labeled as problems, and inherit is skipped', () => {
  const odd = {
    '--color-a': null,
    '--color-b': 12,
    '--color-c': { deep: 1 },
    '--color-d': 'inherit',
    '--color-': 'red',
  }
  expect(read(...Object.entries(odd)).map(({ name, problem }) => [name, problem])).toEqual([
    ['a', 'is null, not a color'],
    ['b', 'is a number, not a color'],
    ['c', 'is an object, not a color'],
  ])
})

it('reads all colors of Tailwind 4’s default palette in order', async () => {
  const css = await readFile(fileURLToPath(import.meta.resolve('tailwindcss/theme.css')), 'utf8')
  const load = (tailwind as unknown as { __unstable__loadDesignSystem: Load }).__unstable__loadDesignSystem
  const { theme } = await load(`${css} @theme { --color-black: initial; --color-brand: var(--color-red-500) }`)
  const { colors } = fromTailwindTheme(theme)
  expect(colors.filter(({ problem }) => problem)).toEqual([])
  expect(colors).toHaveLength(css.match(/^\s*--color-/gm)?.length ?? 0)
  expect(colors[0]).toEqual({ name: 'brand', alias: 'red-500', value: expect.stringMatching(/^oklch/) })
  for (const { name, swatches } of groupColors(mergeModes(colors).colors)) {
    if (name) expect(swatches.map(({ label }) => label).join()).toBe('50,100,200,300,400,500,600,700,800,900,950')
  }
})

type Load = (css: string) => Promise<{ theme: TailwindTheme }>
