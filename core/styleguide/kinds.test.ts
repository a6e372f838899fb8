import { describe, expect, it } from 'vitest'
import { fromCssVariables, fromDesignTokens, fromTailwind3, type Styles } from './index.js'

const kinds = ['shadows', 'radii', 'gradients', 'spacing'] as const
const read = (styles: Styles) =>
  kinds.flatMap((kind) =>
    styles[kind].map(({ name, value, mode }) => `${kind} ${mode ? `${mode}: ` : ''}${name} ${value}`),
  )

describe('kinds of custom properties', () => {
  it.each([
    ['--shadow-md: 0 1px 2px #0003', 'shadows md 0 1px 2px #0003'],
    ['--x-box-shadow: inset 0 .5px 0 0 red', 'shadows box-shadow inset 0 .5px 0 0 red'],
    ['--x-radius-round: 1e5px', 'radii round 1e5px'],
    ['--radius: calc(var(--a) - 2px)', 'radii radius calc(8px - 2px)'],
    ['--radius-blob: 30% 70% / 53% 30%', 'radii blob 30% 70% / 53% 30%'],
    ['--radius-drawn: 9px 7px/8px calc(1px / 2)', 'radii drawn 9px 7px/8px calc(1px / 2)'],
    ['--x-any: linear-gradient(red, blue)', undefined],
    ['--gradient-1: linear-gradient(red, blue)', 'gradients gradient-1 linear-gradient(red, blue)'],
    ['--x-space-3xs: calc(1 * 0.125rem)', 'spacing space-3xs calc(1 * 0.125rem)'],
    ['--base-size-8: 0.5rem', 'spacing base-size-8 0.5rem'],
    ['--shadow8: 0 4px 8px #0002', 'shadows shadow8 0 4px 8px #0002'],
    ['--x-shadow2Brand: 0 4px 8px #0002', 'shadows shadow2Brand 0 4px 8px #0002'],
    ['--borderRadius2XLarge: 6px', 'radii borderRadius2XLarge 6px'],
    ['--space12: 12px', 'spacing space12 12px'],
    ['--size4: 4px', 'spacing size4 4px'],
    ['--radius-turn: 45deg', undefined],
    ['--spacing-delay: 200ms', undefined],
    ['--shadow-color: 220 3% 15%', undefined],
    ['--text-shadow-sm: 0 1px 0 black', undefined],
    ['--letter-spacing-lg: 1px', undefined],
    ['--font-size-lg: 1px', undefined],
    ['--ease: 1s', undefined],
    [`--${'n'.repeat(300)}-radius: 1px`, `radii ${'n'.repeat(300)}-radius 1px`],
  ])('reads the kind of %s', (declaration, expected) => {
    const css = `:root { --a: 8px; ${declaration} }`
    expect(read(fromCssVariables(css, { prefix: '--x-' }))).toEqual(expected === undefined ? [] : [expected])
  })
})

it('a shadow has a value for each mode, and values and colors have their source', () => {
  const styles = fromCssVariables(':root { --ink: #000; --shadow-md: 0 1px 2px var(--ink) } .dark { --ink: #fff }')
  expect(styles.shadows).toEqual([
    { name: 'md', value: '0 1px 2px #000', source: { property: '--shadow-md' } },
    { name: 'md', value: '0 1px 2px #fff', mode: 'dark', source: { property: '--shadow-md' } },
  ])
  expect(fromCssVariables(':root { --color-a: red }').colors[0]?.source).toEqual({ property: '--color-a' })
})

it('names.shadows sets the custom properties that are shadows', () => {
  expect(read(fromCssVariables(':root { --e-1: 0 0 1px red }', { names: { shadows: '--e-*' } }))).toEqual([
    'shadows 1 0 0 1px red',
  ])
})

describe('Tailwind 3', () => {
  it('values are read from sections of the theme, which overrides presets and plugins', () => {
    const styles = fromTailwind3({
      prefix: 'tw-',
      presets: [
        {
          theme: { boxShadow: { md: '0 0 1px red' }, colors: { brand: 'red' }, extend: { spacing: { 18: '4.5rem' } } },
        },
        () => ({ theme: { borderRadius: { lg: '8px' } } }),
      ],
      plugins: [{ handler() {}, config: { theme: { extend: { colors: { plugin: 'lime' } } } } }, () => {}],
      theme: {
        boxShadow: { DEFAULT: ['0 0 1px red', '0 0 2px red'], none: 'none' },
        backgroundImage: { sky: 'linear-gradient(red, blue)' },
        extend: { borderRadius: { xl: 'var(--radius)' } },
        animation: {},
      },
    })
    expect(read(styles)).toEqual([
      'shadows DEFAULT 0 0 1px red, 0 0 2px red',
      'radii lg 8px',
      'radii xl var(--radius)',
      'gradients sky linear-gradient(red, blue)',
      'spacing 18 4.5rem',
    ])
    expect(styles.shadows[0]?.source).toEqual({ className: 'tw-shadow' })
    expect(styles.colors.map(({ name, source }) => [name, source?.className])).toEqual([
      ['brand', 'tw-bg-brand'],
      ['plugin', 'tw-bg-plugin'],
    ])
    expect(styles.leftOut).toEqual([
      { name: 'theme.animation', reason: 'of a kind that no page shows, or that its name does not tell' },
    ])
  })

  it('functions get Tailwind’s palette, and var() is resolved by the stylesheet', () => {
    const theme = {
      colors: ({ colors }: { colors: { blue: object } }) => ({ brand: colors.blue }),
      borderRadius: { lg: 'var(--radius)' },
    }
    const { colors, radii } = fromTailwind3({ theme }, { css: ':root { --radius: 8px }' })
    expect(colors).toHaveLength(11)
    expect(colors[5]).toMatchObject({ name: 'brand-500', value: '#3b82f6' })
    expect(radii).toMatchObject([{ name: 'lg', value: '8px', source: { className: 'rounded-lg' } }])
  })

  it('a preset that throws is listed as left out', () => {
    const preset = () => {
      throw new Error('no')
    }
    expect(fromTailwind3({ presets: [preset] }).leftOut).toEqual([{ name: 'presets[0]', reason: 'not read: no' }])
  })
})

it('a design token’s type decides its kind, and for a dimension the words in its path', () => {
  const px = (value: number) => ({ value, unit: 'px' })
  const $type = 'dimension'
  const styles = fromDesignTokens({
    red: { $type: 'color', $value: '#f00' },
    space: { sm: { $type, $value: px(4) }, md: { $type, $value: '{space.sm} * 2' } },
    space3: { $type, $value: px(12) },
    borderRadius: { card: { $type, $value: px(8) } },
    elevation: {
      $type: 'shadow',
      low: {
        $value: { color: '{red}', offsetX: px(0), offsetY: '{space.sm}', blur: px(2), spread: px(0), inset: true },
      },
    },
    sky: {
      $type: 'gradient',
      $value: [
        { color: '{red}', position: 0 },
        { color: '#00f', position: 1 },
      ],
    },
    slow: { $type: 'duration', $value: { value: 1, unit: 's' } },
  })
  expect(read(styles)).toEqual([
    'shadows elevation.low inset 0px 4px 2px 0px #f00',
    'radii borderRadius.card 8px',
    'gradients sky linear-gradient(90deg, #f00 0%, #00f 100%)',
    'spacing space.sm 4px',
    'spacing space.md calc(4px * 2)',
    'spacing space3 12px',
  ])
  expect(styles.radii[0]?.source).toEqual({ token: 'borderRadius.card' })
  expect(styles.leftOut).toEqual([
    { name: 'slow', reason: 'of a kind that no page shows, or that its name does not tell' },
  ])
})

it.each<[string, () => unknown]>([
  ['fromCssVariables', () => fromCssVariables('public/site.css')],
  ['fromTailwind3', () => fromTailwind3({}, { css: './globals.css' })],
  ['fromDesignTokens', () => fromDesignTokens('tokens/core.json')],
  ['a promise', () => fromCssVariables(Promise.resolve('') as never)],
])('a path or a promise in place of the text is an error: %s', (_, read) =>
  expect(read).toThrow(/expected (?:the text of )?a /),
)
