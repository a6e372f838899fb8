import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../test/setup/rounds.js'
import { fromCssVariables, fromDesignTokens, fromTailwind3 } from './index.js'
import {
  describeColor,
  fromTailwindTheme,
  groupColors,
  measureOn,
  mergeModes,
  nearestColorName,
  parseShadow,
  schemeColors,
  svgFill,
} from './internal.js'

const themeOf = (properties: Record<string, unknown>) => ({
  entries: () => Object.entries(properties).map(([name, value]) => [name, { value }] as const),
})

const pieces = [
  ...[
    'rgb(',
    'hsl(',
    'oklch(',
    'color(',
    'color-mix(',
    'light-dark(',
    'calc(',
    'blur(',
    'url(',
    'var(',
    '--alpha(',
    'env(',
  ],
  ...['in oklab', 'srgb', 'from', 'none', 'red', '#fff', '#12', 'transparent', 'initial', 'Canvas', '<alpha-value>'],
  ...['--a', '--color-a', '--b', '{a}', '{color.a}', '1', '50%', '10px', '120deg', '1e999', '-0', '0.5', '.', '-', '+'],
  ...[
    ',',
    '/',
    '(',
    ')',
    ' ',
    ';',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '!',
    '/*',
    '*/',
    '@',
    '&',
    '*',
    '\n',
    '\0',
  ],
  ...[
    ':root',
    '.dark',
    '[data-theme=',
    ':where(',
    ':not(',
    '@media',
    '@layer',
    '@theme',
    '@supports',
    '@import',
    'html',
  ],
]
const value = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => parts.join('')) },
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const valuesPerRun = 50
const names = ['a', 'b', 'red-500', '__proto__', 'constructor']
const nameOf = (index: number) => names[index] ?? `c${index}`
const object = (values: readonly string[], prefix = '') =>
  Object.fromEntries(values.map((value, index) => [prefix + nameOf(index), value]))
const stylesheet = (values: readonly string[]) =>
  `:root{${values.map((value, index) => `--color-${nameOf(index)}:${value};`).join('')}}`

const readers: Record<string, (values: string[]) => unknown> = {
  'fromCssVariables, an object': (values) =>
    groupColors(mergeModes(fromCssVariables(object(values, '--color-')).colors).colors),
  'fromCssVariables, a mixed object': (values) => fromCssVariables(object(values, '--x-'), { prefix: '--x-' }).colors,
  'fromCssVariables, declarations': (values) => fromCssVariables(stylesheet(values)).colors,
  'fromCssVariables, stylesheets': (values) =>
    values.map((css) => attempt(() => fromCssVariables(css, { prefix: '--' }).colors)),
  'fromCssVariables, selectors': (values) =>
    fromCssVariables(`${values.map((selector) => `${selector}{--color-a:red}`).join('')}`, {
      selectors: values.slice(0, 5),
    }).colors,
  fromTailwindTheme: (values) =>
    fromTailwindTheme(themeOf(object(values, '--color-')), {
      root: Object.entries(object(values.slice(9), '--')),
      modes: new Map([['dark', Object.entries(object(values.slice(20), '--'))]]),
    }).colors,
  fromTailwind3: (values) => fromTailwind3(object(values), { css: stylesheet(values.slice(10)) }).colors,
  fromDesignTokens: (values) => [
    fromDesignTokens({ $type: 'color', ...Object.fromEntries(values.map(($value, i) => [nameOf(i), { $value }])) })
      .colors,
    values.map((text) => attempt(() => fromDesignTokens(text).colors)),
  ],
  'fromDesignTokens, references': (values) =>
    values.map((text) =>
      attempt(
        () =>
          fromDesignTokens({ a: { $type: 'color', $extends: text, b: { $ref: text }, c: { $value: { $ref: text } } } })
            .colors,
      ),
    ),
  typography: (values) => [
    fromCssVariables(stylesheet(values).replaceAll('--color-', '--text-')).typography,
    fromTailwindTheme(themeOf(object(values, '--font-'))).typography,
    fromTailwind3({ theme: { fontSize: object(values), fontFamily: object(values) } }).typography,
    values.map((text) => attempt(() => fromDesignTokens({ a: { $type: 'dimension', $value: text } }).typography)),
  ],
  breakpoints: (values) => [
    fromTailwindTheme(themeOf(object(values, '--breakpoint-'))).breakpoints,
    fromTailwind3({ theme: { screens: object(values) } }).breakpoints,
  ],
  'contrast and paint': (values) =>
    values.map((value) => [
      describeColor(value),
      measureOn(value, value),
      measureOn(value, '#fff'),
      nearestColorName(value),
      parseShadow(value),
      schemeColors(value),
      svgFill({ name: 'x', value }),
    ]),
}

/** Expects a TypeError of the readers if `read` throws. */
function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toMatch(/^TypeError: (?:css|design tokens): (?:expected|invalid JSON)/)
    return undefined
  }
}

describe('random input', () => {
  it.each(Object.entries(readers))(
    'no input makes a reader throw: %s',
    (_, read) => {
      const values = fc.array(value, { minLength: valuesPerRun, maxLength: valuesPerRun, size: 'max' })
      fc.assert(
        fc.property(values, (values) => void attempt(() => read(values))),
        { numRuns: rounds(2_000 / valuesPerRun) },
      )
    },
    600_000,
  )
})
