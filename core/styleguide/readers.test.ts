import { describe, expect, it } from 'vitest'
import { fromCssVariables, fromDesignTokens, fromTailwind3, type StyleColor } from './index.js'
import { fromTailwindTheme } from './internal.js'

type Colors = [name: string, value: unknown][]
type Reader = (colors: Colors) => StyleColor[]

const text = (colors: Colors, prefix: string) => colors.map(([name, value]) => `${prefix}${name}: ${value};`).join('\n')
const object = (colors: Colors, prefix = '', toValue = (color: unknown) => color) =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      colors.map(([name, color]) => [prefix + name, color === throwing ? throwing : propertyOf(toValue(color))]),
    ),
  )
const tokens = (colors: Colors) =>
  Object.defineProperty(
    object(colors, '', ($value) => ({ $value })),
    '$type',
    propertyOf('color'),
  )
const propertyOf = (value: unknown) => ({ value, enumerable: true })
/** A getter that throws, in place of a value. */
const throwing: PropertyDescriptor = {
  enumerable: true,
  get() {
    throw new Error('no')
  },
}

/** The readers of colors. Each gets the same palette, in the form that the reader expects. */
const readers: Record<string, Reader> = {
  fromTailwind3: (colors) => fromTailwind3(object(colors)).colors,
  'fromTailwind3, a configuration': (colors) => fromTailwind3({ theme: { extend: { colors: object(colors) } } }).colors,
  fromTailwindTheme: (colors) => {
    const withoutGetter = (value: unknown) => (value === throwing ? null : value)
    const entries = colors.map(([name, value]) => [`--color-${name}`, { value: withoutGetter(value) }] as const)
    return fromTailwindTheme({ entries: () => entries }).colors
  },
  'fromCssVariables, an object': (colors) => fromCssVariables(object(colors, '--color-')).colors,
  fromDesignTokens: (colors) => fromDesignTokens(tokens(colors)).colors,
}
/** The readers of text, for palettes whose values are all strings. */
const textReaders: Record<string, Reader> = {
  'fromCssVariables, a stylesheet': (colors) => fromCssVariables(`:root { ${text(colors, '--color-')} }`).colors,
  'fromDesignTokens, a string': (colors) => fromDesignTokens(JSON.stringify(tokens(colors))).colors,
}

const markup = '<img src=x onerror=alert(1)>&"\''
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic
const deep = () => {
  let value: unknown = 'red'
  for (let level = 0; level < 10_000; level++) value = { a: value }
  return value
}

describe.each(Object.entries({ ...readers, ...textReaders }))('%s', (_, read) => {
  it('returns the colors in their order, with their names', () => {
    const palette: Colors = ['red-500', 'red-50', 'brand', '__proto__', 'constructor', 'toString'].map((name) => [
      name,
      '#f00',
    ])
    expect(read(palette).map(({ name }) => name)).toEqual(palette.map(([name]) => name))
    expect(read(palette).every(({ value, problem }) => value === '#f00' && !problem)).toBe(true)
  })

  it('skips colors whose value is inherit, transparent or currentColor, in any letter case', () => {
    const skipped = [
      'inherit',
      'INHERIT',
      'Transparent',
      ' transparent ',
      'currentColor',
      'currentcolor',
      'CURRENTCOLOR',
    ]
    const kept: Colors = [
      ['transparent', '#f00'],
      ['inherit', '#0f0'],
    ]
    expect(
      read([...skipped.map((value, index): Colors[number] => [`c${index}`, value]), ...kept]).map(({ name }) => name),
    ).toEqual(['transparent', 'inherit'])
  })

  it.each(['reed', '4px', '#12', 'url(https://evil.test/)'])('keeps %j and labels it as a problem', (value) => {
    const [first, second, third] = read([
      ['a', '#f00'],
      ['b', value],
      ['c', '#00f'],
    ])
    expect([first?.problem, third?.problem]).toEqual([undefined, undefined])
    expect(second).toMatchObject({ name: 'b', value, problem: expect.stringContaining('is not a known CSS color') })
  })

  it('returns nothing for an empty palette', () => expect(read([])).toEqual([]))

  it('reads 20,000 colors', () => {
    const many: Colors = Array.from({ length: 20_000 }, (_, i) => [`c${i}`, `#${(i + 0x100000).toString(16)}`])
    const colors = read(many)
    expect(colors).toHaveLength(20_000)
    expect(colors.at(-1)).toMatchObject({ name: 'c19999', value: '#104e1f' })
  })

  it('reads a color of a million characters', () => {
    const huge = `rgb(${'1'.repeat(1_000_000)})`
    expect(
      read([
        ['a', huge],
        ['b', 'x'.repeat(1_000_000)],
      ]).map(({ value }) => value.length),
    ).toEqual([1_000_005, 1_000_000])
  })
})

describe.each(Object.entries(readers))('%s', (_, read) => {
  it.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['a number', 500],
    ['NaN', Number.NaN],
    ['a boolean', true],
    ['a bigint', 1n],
    ['a symbol', Symbol('red')],
    ['an array of arrays', [[[]], ['x']]],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a circular object', cyclic],
    ['10,000 levels', deep()],
    [
      'a function that throws',
      () => {
        throw new Error('no')
      },
    ],
    [
      'a function that throws undefined',
      () => {
        throw undefined
      },
    ],
    ['a getter that throws', throwing],
  ])('labels %s as a problem, and keeps the colors before and after', (_, value) => {
    const colors = read([
      ['a', '#f00'],
      ['b', value],
      ['c', '#00f'],
    ])
    expect(colors.filter(({ name }) => name === 'a' || name === 'c')).toEqual([
      expect.objectContaining({ value: '#f00' }),
      expect.objectContaining({ value: '#00f' }),
    ])
    const labelled = colors.filter(({ name }) => name.startsWith('b'))
    expect(labelled.length).toBeGreaterThan(0)
    for (const { problem } of labelled) expect(problem).toBeTruthy()
  })

  it('keeps markup in names unchanged', () => {
    expect(read([[markup, 'red']])).toMatchObject([{ name: markup, value: 'red' }])
  })
})
