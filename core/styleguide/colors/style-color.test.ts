import { describe, expect, it } from 'vitest'
import { splitShade, svgFill, toColor } from './style-color.js'

const read = (value: unknown) => toColor({ name: 'x' }, value)

describe('a color’s value', () => {
  it.each(['inherit', 'INHERIT', ' transparent ', 'Transparent', 'currentColor', 'currentcolor', 'CURRENTCOLOR'])(
    '%j is skipped',
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
    'light-dark(red, blue)',
    'var(--brand)',
    'hsl(var(--hue) 50% 50%)',
    'oklch(from red l c h)',
    'Canvas',
    'AccentColorText',
  ])('%j is a color', (value) => expect(read(` ${value} `)).toEqual({ name: 'x', value }))

  it.each<[unknown, string, RegExp]>([
    ['initial', 'initial', /not a known CSS color/],
    ['notacolor', 'notacolor', /not a known CSS color/],
    ['ffffff', 'ffffff', /not a known CSS color/],
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
  ])('%o has a problem', (given, value, problem) => {
    expect(read(given)).toEqual({ name: 'x', value, problem: expect.stringMatching(problem) })
  })
})

it.each([
  ['red', 'red'],
  ['what-may-come(1 2 3)', 'what-may-come(1 2 3)'],
  ['', undefined],
  ['url(#a)', undefined],
  ['red URL(https://evil.test/)', undefined],
  ['\\75rl(https://evil.test/)', undefined],
  ['none', undefined],
  ['context-fill', undefined],
])('%j is painted with the fill %j', (value, fill) => expect(svgFill({ name: 'x', value })).toBe(fill))

it.each([
  ['red-500', { group: 'red', shade: '500' }],
  ['deep-red-50', { group: 'deep-red', shade: '50' }],
  ['red-DEFAULT', { group: 'red', shade: 'DEFAULT' }],
  ['red', {}],
  ['red-dark', {}],
  ['500', {}],
  ['-500', {}],
])('%j is split into %j', (name, expected) => expect(splitShade(name)).toEqual(expected))
