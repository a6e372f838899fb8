import { describe, expect, it } from 'vitest'
import { splitShade, svgFill, toColor } from './style-color.js'

const read = (value: unknown) => toColor({ name: 'x' }, value)

describe('a color’s value', () => {
  it.each(['inherit', 'INHERIT', ' transparent ', 'Transparent', 'currentColor', 'currentcolor', 'CURRENTCOLOR'])(
    'the value %j is skipped',
    (value) => expect(read(value)).toBeUndefined(),
  )

  it.each([
    '#fff',
    '#FFFFFF80',
    'rebeccapurple',
    'RGB(1, 2, 3)',
    'oklch(97.1% 0.013 17.38)',
    'color(display-p3 1 0 0)',
    'color-mix(in oklab, red, blue)',
    'color-mix(red, light-dark(red, blue))',
    'light-dark(red, blue)',
    'var(--brand)',
    'hsl(var(--hue) 50% 50%)',
    'oklch(from red l c h)',
    'rgb(calc(1 + 1) 2 3)',
    'light-dark(var(--a), light-dark(red, blue))',
    'color-mix(in oklch longer hue, 20% red, color-mix(in srgb, blue, transparent) 30%)',
    'color-mix(in srgb, currentColor, Canvas 20%)',
    'oklch(from currentcolor calc(l + 0.1) c h)',
    'contrast-color(red)',
    'env(--brand)',
    'color(--profile 1 2 3)',
    'color(display-p3-linear 1 0 0)',
    'hsl(120 100 50)',
    'Canvas',
    'AccentColorText',
  ])('the value %j is a color', (value) => expect(read(` ${value} `)).toEqual({ name: 'x', value }))

  it.each<[unknown, string, RegExp]>([
    ['initial', 'initial', /not a known CSS color/],
    ['notacolor', 'notacolor', /not a known CSS color/],
    ['ffffff', 'ffffff', /not a known CSS color/],
    ...[
      'blur(12px)',
      'calc(1px)',
      'rgb(10px 20px 30px)',
      'rgb(banana)',
      'hsl(1, 2, 3, 4, 5)',
      'rgb(1 2 3))',
      'rgb()',
      'var(x)',
      'var()',
      'light-dark(red)',
      'light-dark(red, banana)',
      'color-mix(red)',
      'color-mix(in oklab, red)',
      'color-mix(in oklab, red, banana)',
      'color-mix(in oklab longer hue, red, blue)',
      'rgb(from banana r g b)',
      'rgb(calc(1px) 2 3)',
      'contrast-color(banana)',
    ].map((value): [string, string, RegExp] => [value, value, /not a known CSS color/]),
    ['url(https://evil.test/)', 'url(https://evil.test/)', /not a known CSS color/],
    ['constructor', 'constructor', /not a known CSS color/],
    ['', '', /is empty/],
    [' ', '', /is empty/],
    [null, '', /is null/],
    [undefined, '', /is undefined/],
    [500, '500', /is a number/],
    [Number.NaN, 'NaN', /is a number/],
    [true, '', /is a boolean/],
    [1n, '', /is a bigint/],
    [Symbol('x'), '', /is a symbol/],
    [{}, '', /is an object/],
  ])('the value %o has a problem', (input, value, problem) => {
    expect(read(input)).toEqual({ name: 'x', value, problem: expect.stringMatching(problem) })
  })
})

it.each([
  'light-dark('.repeat(100_000),
  `${'light-dark(red,'.repeat(1_000)}red${')'.repeat(1_000)}`,
  '('.repeat(100_000),
  ' ;'.repeat(100_000),
  `red${' ;'.repeat(100_000)}x`,
])('a very long value has a problem, and takes linear time (%#)', (value) => {
  expect(read(value)?.problem).toBeDefined()
})

it.each([
  ['hsl(1 2% 3%);', 'hsl(1 2% 3%)'],
  ['red ; ; ', 'red'],
  ['rgb(var(--x) / <alpha-value>)', 'rgb(var(--x) / 1)'],
  ['--alpha(var(--x) / 50%)', 'color-mix(in oklab, var(--x) 50%, transparent)'],
  ['--alpha(rgb(1 2 3 / 1)/ var(--o))', 'color-mix(in oklab, rgb(1 2 3 / 1) var(--o), transparent)'],
])('%j is written as %j, which a browser paints', (input, value) => expect(read(input)).toEqual({ name: 'x', value }))

it.each([
  ['red', 'red'],
  ['what-may-come(1 2 3)', 'what-may-come(1 2 3)'],
  ['', undefined],
  ['url(#a)', undefined],
  ['red URL(https://evil.test/)', undefined],
  ['\\75rl(https://evil.test/)', undefined],
  ['none', undefined],
  ['context-fill', undefined],
])('the color %j has the SVG fill %j', (value, fill) => expect(svgFill({ name: 'x', value })).toBe(fill))

it.each([
  ['red-500', { group: 'red', shade: '500' }],
  ['deep-red-50', { group: 'deep-red', shade: '50' }],
  ['red-DEFAULT', { group: 'red', shade: 'DEFAULT' }],
  ['red', {}],
  ['red-dark', {}],
  ['500', {}],
  ['-500', {}],
])('the name %j is split into %j', (name, expected) => expect(splitShade(name)).toEqual(expected))
