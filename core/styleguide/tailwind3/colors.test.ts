import colors from 'tailwindcss/colors'
import { describe, expect, it } from 'vitest'
import { groupColors } from '../colors/groups.js'
import { mergeModes } from '../colors/modes.js'
import { fromTailwind3 } from '../testing/without-source.js'
import { tailwind3Colors } from './config.js'

const names = (config: Record<string, unknown>) => fromTailwind3(config).colors.map(({ name }) => name)
const values = (config: Record<string, unknown>) => fromTailwind3(config).colors.map(({ value }) => value)
const first = (value: unknown) => fromTailwind3({ x: value }).colors[0]

describe('nested objects', () => {
  it('nested colors are named like Tailwind’s classes', () => {
    expect(
      fromTailwind3({ black: '#000', red: { 500: '#e00', DEFAULT: '#f00' }, brand: { deep: { 50: '#eef' } } }).colors,
    ).toEqual([
      { name: 'black', value: '#000' },
      { name: 'red-500', value: '#e00', group: 'red', shade: '500' },
      { name: 'red', value: '#f00', group: 'red', shade: 'DEFAULT' },
      { name: 'brand-deep-50', value: '#eef', group: 'brand-deep', shade: '50' },
    ])
  })

  it('nested colors may be arrays or have no prototype', () => {
    expect(names({ a: ['#f00', '#0f0'], b: Object.assign(Object.create(null), { c: '#00f' }) })).toEqual([
      'a-0',
      'a-1',
      'b-c',
    ])
  })

  it('a flat color has a group and a shade, too', () => {
    expect(fromTailwind3({ 'red-500': '#e00' }).colors).toEqual([
      { name: 'red-500', value: '#e00', group: 'red', shade: '500' },
    ])
  })
})

describe('a configuration', () => {
  it('a configuration is read with its extension', () => {
    const theme = { colors: { red: '#f00', blue: '#00f' }, extend: { colors: { blue: '#00e', green: '#0f0' } } }
    expect(fromTailwind3({ theme }).colors).toEqual([
      { name: 'red', value: '#f00' },
      { name: 'blue', value: '#00e' },
      { name: 'green', value: '#0f0' },
    ])
  })

  it('an extension may remove a color', () => {
    const theme = { colors: { red: '#f00', blue: '#00f' }, extend: { colors: { red: 'transparent' } } }
    expect(names({ theme })).toEqual(['blue'])
  })

  it('colors may be a function, or only in the extension', () => {
    expect(names({ theme: { colors: () => ({ red: '#f00' }) } })).toEqual(['red'])
    expect(names({ theme: { extend: { colors: { red: '#f00' } } } })).toEqual(['red'])
  })

  it('a color may be named theme', () => {
    expect(names({ theme: '#f00' })).toEqual(['theme'])
    expect(names({ theme: { 500: '#f00' } })).toEqual(['theme-500'])
  })

  it.each<[string, Record<string, unknown>]>([
    ['of its files only', { content: ['./src/**/*.tsx'], darkMode: 'class' }],
    ['of its files as an object', { content: { files: ['a.html'], extract: {} }, darkMode: ['selector', '.night'] }],
    ['with plugins', { plugins: [() => {}], prefix: 'tw-' }],
    ['with presets', { presets: [{}], important: true }],
    ['with settings only', { important: true, prefix: 'tw-', separator: '_' }],
    ['with one pattern of files', { content: './src/**/*.html' }],
    ['with switches', { corePlugins: { preflight: false }, future: { hoverOnlyWhenSupported: true } }],
    ['with lists', { safelist: ['p-1'], blocklist: ['container'] }],
    ['of Tailwind 2', { purge: ['a.html'], darkMode: false, variants: { extend: {} } }],
    ['without dark mode', { darkMode: false, theme: {} }],
    ['with an empty theme', { content: [], theme: {} }],
    ['with other sections', { theme: { screens: { sm: '1px' }, fontFamily: { sans: ['x'] } } }],
    ['with an empty extension', { theme: { extend: {} } }],
    ['with empty colors', { theme: { colors: {} } }],
    ['with null', { theme: { extend: { colors: null }, borderRadius: {} } }],
  ])('a configuration has no colors: %s', (_, config) => expect(fromTailwind3(config).colors).toEqual([]))

  it('colors may be named like settings of a configuration', () => {
    expect(names({ content: '#fff', plugins: { 50: '#eee' }, darkMode: '#000' })).toEqual([
      'content',
      'plugins-50',
      'darkMode',
    ])
    expect(
      names({ content: 'rgb(banana)', prefix: ({ opacityValue }: Args) => `rgb(1 2 3 / ${opacityValue})` }),
    ).toEqual(['content', 'prefix'])
  })
})

describe('with the stylesheet that defines its variables', () => {
  const css = `
    @layer base {
      :root { --brand: 210 40% 98%; --rgb: 1 2 3; --hex: #123456; --loop: var(--loop2); --loop2: var(--loop) }
      .dark { --brand: 30 10% 20%; --hex: #654321 }
    }`

  it('references to the stylesheet’s variables are resolved in each mode', () => {
    const config = {
      brand: { DEFAULT: 'hsl(var(--brand))', 500: 'hsl(var(--brand) / <alpha-value>)' },
      rgb: ({ opacityValue }: Args) => `rgb(var(--rgb) / ${opacityValue})`,
      hex: 'var(--hex);',
      plain: 'red',
      page: 'var(--page, red)',
      null: null,
      loop: 'var(--loop)',
    }
    expect(fromTailwind3(config, { css }).colors).toEqual([
      { name: 'brand-500', group: 'brand', shade: '500', value: 'hsl(210 40% 98% / 1)' },
      { name: 'brand', group: 'brand', shade: 'DEFAULT', value: 'hsl(210 40% 98%)' },
      { name: 'rgb', value: 'rgb(1 2 3 / 1)' },
      { name: 'hex', value: '#123456', alias: '--hex' },
      { name: 'plain', value: 'red' },
      { name: 'page', value: 'var(--page, red)' },
      { name: 'null', value: '', problem: 'is null, not a color' },
      { name: 'loop', value: '', alias: '--loop', problem: 'is an alias of itself' },
      { name: 'brand-500', group: 'brand', shade: '500', value: 'hsl(30 10% 20% / 1)', mode: 'dark' },
      { name: 'brand', group: 'brand', shade: 'DEFAULT', value: 'hsl(30 10% 20%)', mode: 'dark' },
      { name: 'hex', value: '#654321', alias: '--hex', mode: 'dark' },
    ])
  })

  it('the options selectors and modes work as for fromCssVariables', () => {
    const read = fromTailwind3(
      { a: 'var(--a)' },
      { css: '.app { --a: red } .app.sea { --a: blue }', selectors: ['.app'], modes: { sea: '.app.sea' } },
    ).colors
    expect(read).toEqual([
      { name: 'a', value: 'red', alias: '--a' },
      { name: 'a', value: 'blue', alias: '--a', mode: 'sea' },
    ])
  })
})

describe('opacity', () => {
  it.each<[string, unknown, string]>([
    ['the placeholder', 'rgb(1 2 3 / <alpha-value>)', 'rgb(1 2 3 / 1)'],
    ['a variable with the placeholder', 'rgb(var(--c) / <alpha-value>)', 'rgb(var(--c) / 1)'],
    ['a function of the value', ({ opacityValue }: Args) => `rgb(1 2 3 / ${opacityValue})`, 'rgb(1 2 3 / 1)'],
    [
      'a function of the variable',
      ({ opacityVariable }: Args) => `rgba(1, 2, 3, var(${opacityVariable}))`,
      'rgba(1, 2, 3, 1)',
    ],
    ['with a fallback', ({ opacityVariable }: Args) => `rgb(1 2 3 / var(${opacityVariable}, 1))`, 'rgb(1 2 3 / 1)'],
    ['a function without arguments', () => '#f00', '#f00'],
  ])('a color is fully opaque: %s', (_, value, painted) => expect(first(value)).toEqual({ name: 'x', value: painted }))
})
type Args = { opacityValue: string; opacityVariable: string }

describe('invalid input', () => {
  const circular: Record<string, unknown> = { 50: '#fff' }
  circular.again = { circular }
  let deep: unknown = '#f00'
  for (let level = 0; level < 10_000; level++) deep = { a: deep }

  it.each<[string, unknown, string, string]>([
    ['a function that throws', throwError, 'x', 'is a function that threw: no theme'],
    ['a function that throws a string', throwText, 'x', 'is a function that threw: text'],
    ['a function that returns a function', () => () => '#f00', 'x', 'is a function that returns a function'],
    ['a function that returns null', () => null, 'x', 'is null, not a color'],
    ['null', null, 'x', 'is null, not a color'],
    ['undefined', undefined, 'x', 'is undefined, not a color'],
    ['a number', 500, 'x', 'is a number, not a color'],
    ['initial', 'initial', 'x', 'is not a known CSS color'],
    ['a date', new Date(0), 'x', 'is an object, not a color'],
    ['a map', new Map([['a', '#f00']]), 'x', 'is an object, not a color'],
    [
      'a getter that throws',
      {
        get a() {
          throw new Error('gone')
        },
      },
      'x-a',
      'could not be read: gone',
    ],
    ['a cycle', circular, 'x-again-circular', 'is nested in itself'],
    ['10,000 levels', deep, `x${'-a'.repeat(31)}`, 'is nested deeper than 32 levels'],
  ])('%s is kept and labeled as a problem', (_, value, name, problem) => {
    const read = fromTailwind3({ x: value, after: '#00f' }).colors
    expect(read.filter((color) => color.problem)).toMatchObject([{ name, problem }])
    expect(read.at(-1)).toEqual({ name: 'after', value: '#00f' })
  })

  it('an object may be used for two colors', () => {
    const shared = { 500: '#f00' }
    expect(values({ a: shared, b: shared })).toEqual(['#f00', '#f00'])
  })

  it('colors may have names such as __proto__', () => {
    const config = JSON.parse(
      '{"__proto__": {"500": "#f00"}, "constructor": "#0f0", "toString": {"__proto__": "#00f"}}',
    )
    expect(names(config)).toEqual(['__proto__-500', 'constructor', 'toString-__proto__'])
    expect(Object.keys({})).toEqual([])
  })

  it('inherited properties are not read', () => {
    expect(first(Object.create({ red: '#f00' }))).toEqual({
      name: 'x',
      value: '',
      problem: 'is an object, not a color',
    })
  })

  it('the values inherit, transparent and currentColor are skipped', () => {
    expect(names({ a: 'inherit', b: 'TRANSPARENT', c: { d: 'CurrentColor' }, e: () => 'transparent' })).toEqual([])
  })

  it('fromTailwind3 reads 5,000 colors', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`c${i}`, Array(10).fill(`#${1000 + i}`)]))
    expect(fromTailwind3(many).colors).toHaveLength(5_000)
  })
})

const shades = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950].map(String)

it('reads the palette of Tailwind 3 completely and in order', () => {
  const families = Object.keys(tailwind3Colors).filter((name) => typeof tailwind3Colors[name] === 'object')
  const read = fromTailwind3({ theme: { colors: tailwind3Colors } }).colors
  expect(read).toHaveLength(2 + 22 * 11)
  expect(read.filter(({ problem }) => problem)).toEqual([])
  expect(read.map(({ name, value }) => `${name} ${value}`)).toEqual([
    'black #000',
    'white #fff',
    ...families.flatMap((name) => shades.map((shade) => `${name}-${shade} ${shadesOf(name)[shade]}`)),
  ])

  function shadesOf(name: string) {
    return tailwind3Colors[name] as Record<string, string>
  }
})

it('reads the palette exported by tailwindcss/colors of Tailwind 4 completely and in order', () => {
  const named = groupColors(mergeModes(fromTailwind3(colors).colors).colors).filter(({ name }) => name !== undefined)
  expect(named.map(({ name }) => name)).toEqual(
    Object.keys(colors).filter((name) => typeof paletteOf(name) === 'object'),
  )
  expect(named.length).toBeGreaterThanOrEqual(22)
  for (const group of named) {
    expect(group.swatches.map(({ label }) => label)).toEqual(shades)
    expect(group.swatches.map(({ color }) => color.tones[0]?.value)).toEqual(
      shades.map((shade) => paletteOf(group.name as string)[shade]),
    )
    expect(group.swatches.filter(({ color }) => color.declared.problem)).toEqual([])
  }

  function paletteOf(name: string): Record<string, string> {
    return (colors as unknown as Record<string, Record<string, string>>)[name] ?? {}
  }
})

function throwError(): never {
  throw new Error('no theme')
}

function throwText(): never {
  throw 'text'
}
