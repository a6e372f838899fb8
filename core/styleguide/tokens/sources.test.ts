import { describe, expect, it } from 'vitest'
import { fromDesignTokens } from '../testing/without-source.js'
import type { DesignTokensOptions } from './document.js'

const color = ($value: unknown, modify?: object) => ({
  $type: 'color',
  $value,
  ...(modify && { $extensions: { 'studio.tokens': { modify } } }),
})
type Input = Parameters<typeof fromDesignTokens>[0]
/** Returns each color as `mode: name value`. */
const read = (input: Input, options?: DesignTokensOptions) =>
  fromDesignTokens(input, options).colors.map(
    ({ name, value, mode, problem }) => `${mode ? `${mode}: ` : ''}${name} ${problem ?? value}`,
  )

const resolver = {
  version: '2025.10',
  sets: { core: { sources: [{ $ref: 'core.json' }, { ink: color('#111') }] } },
  modifiers: {
    theme: { default: 'light', contexts: { light: [{ $ref: 'light.json' }], dark: [{ $ref: 'all.json#/dark' }] } },
  },
  resolutionOrder: [{ $ref: '#/sets/core' }, { $ref: '#/modifiers/theme' }],
}
const files = {
  'core.json': { white: color('#fff'), ink: color('#000') },
  'light.json': JSON.stringify({ ground: color('{white}') }),
  'all.json': { dark: { ground: color('{ink}') } },
}

describe('several files', () => {
  it('several files are merged in their order, before references are followed', () => {
    expect(read([{ a: { b: color('{c}'), d: color('red') } }, { a: { d: color('lime') }, c: color('blue') }])).toEqual([
      'a.b blue',
      'a.d lime',
      'c blue',
    ])
  })

  it('a resolver document names files, and its contexts other than the default are modes', () => {
    expect(read(resolver, { files })).toEqual(['white #fff', 'ink #111', 'ground #fff', 'dark: ground #111'])
  })

  it('a default color with a warning stays beside the color of a mode, which may have a warning, too', () => {
    const dark = { sand: color('#110'), ink: { ...color('#eee'), $deprecated: true }, paper: color('#222') }
    const light = { sand: { ...color('#eed'), $deprecated: 'use paper' }, ink: color('{none}'), paper: color('#12') }
    expect(read(resolver, { files: { ...files, 'light.json': light, 'all.json': { dark } } })).toEqual([
      'white #fff',
      'sand is deprecated: use paper',
      'dark: ink is deprecated',
      'dark: sand #110',
      'dark: paper #222',
    ])
  })

  it('files that name different modes for the same tokens are modes, as in Figma’s own export', () => {
    const file = (mode: string, tokens: object) => ({ ...tokens, $extensions: { 'com.figma.modeName': mode } })
    const primitives = file('Mode 1', { blue: color('#00f'), sky: color('#9cf') })
    const components = file('Mode 1', { button: color('{ground.page}') })
    const light = file('Light', { ground: { page: color('{blue}'), card: color('#fff') } })
    const dark = JSON.stringify(file('Dark', { ground: { page: color('{sky}'), card: color('#000') } }))
    expect(read([light, dark, primitives, components])).toEqual([
      ...['blue #00f', 'sky #9cf'],
      ...['Light: ground.page #00f', 'Light: ground.card #fff', 'Light: button #00f'],
      ...['Dark: ground.page #9cf', 'Dark: ground.card #000', 'Dark: button #9cf'],
    ])
    const dense = [file('Cozy', { gap: color('red') }), file('Dense', { gap: color('lime') })]
    expect(read([light, primitives, ...dense, components])).toEqual([
      ...['ground.page #00f', 'ground.card #fff', 'blue #00f', 'sky #9cf', 'button #00f'],
      ...['Cozy: gap red', 'Dense: gap lime'],
    ])
    // The same mode, or none, is an override.
    expect(read([light, file('Light', { ground: { card: color('#eee') } }), { blue: color('navy') }])).toEqual([
      ...['ground.page navy', 'ground.card #eee', 'blue navy'],
    ])
    const speed = { $type: 'duration', $value: { value: 1, unit: 's' } }
    const { leftOut } = fromDesignTokens([file('Slow', { speed }), file('Fast', { speed })])
    expect(leftOut.map(({ name }) => name)).toEqual(['speed'])
  })

  it('the name of a mode includes the modifier if there are several modifiers', () => {
    const contrast = { type: 'modifier', name: 'contrast', contexts: { normal: [], high: [{ ink: color('#000') }] } }
    const order = [...resolver.resolutionOrder, contrast]
    expect(read({ ...resolver, resolutionOrder: order }, { files }).slice(3)).toEqual([
      'theme: dark: ground #111',
      'contrast: high: ink #000',
    ])
  })

  it.each<[string, object, DesignTokensOptions, string]>([
    [
      'a missing file',
      resolver,
      { files: { 'core.json': {}, 'light.json': {} } },
      'all.json in the option files, got core.json, light.json',
    ],
    [
      'no files at all',
      resolver,
      {},
      "expected core.json in the option files, got no file; write files: { 'core.json': … }",
    ],
    ['a missing set', { ...resolver, resolutionOrder: [{ $ref: '#/sets/x' }] }, { files }, '#/sets/x does not exist'],
    ['a missing part of a file', resolver, { files: { ...files, 'all.json': {} } }, 'all.json#/dark does not exist'],
    [
      'circular sets',
      { resolutionOrder: [{ $ref: '#/sets/a' }], sets: circle() },
      {},
      '#/sets/b → #/sets/c → #/sets/a → #/sets/b is circular',
    ],
  ])('a resolver document throws an error with the name: %s', (_, document, options, message) => {
    expect(() => read(document as Input, options)).toThrow(message)
  })

  it('references may be circular through three files', () => {
    const circular = [{ a: color('{b}') }, { b: color('{c}') }, { c: color('{a}') }, { d: color('red') }]
    expect(read(circular)).toEqual([...'abc'].map((name) => `${name} refers to {a}, which is circular`).concat('d red'))
    const within = [{ a: color('rgba({b}, 1)') }, { b: color('hsl({c})') }, { c: color('lab({a})') }]
    expect(read(within)).toHaveLength(3)
  })

  function circle() {
    const to = (name: string) => ({ sources: [{ $ref: `#/sets/${name}` }] })
    return { a: to('b'), b: to('c'), c: to('a') }
  }
})

describe('the sets of Tokens Studio', () => {
  const sets = { global: { blue: color('#00f') }, light: { ground: color('#fff') }, dark: { ground: color('{blue}') } }
  const $metadata = { tokenSetOrder: ['global', 'light', 'dark'] }

  it('the sets of Tokens Studio are merged in their order, from one file or several', () => {
    expect(read({ ...sets, $metadata })).toEqual(['blue #00f', 'ground #00f'])
    const files = Object.fromEntries(Object.entries(sets).map(([name, set]) => [`${name}.json`, JSON.stringify(set)]))
    expect(read($metadata, { files })).toEqual(['blue #00f', 'ground #00f'])
  })

  it('each theme of Tokens Studio is a mode', () => {
    const theme = (name: string) => ({
      name,
      selectedTokenSets: { global: 'source', [name]: 'enabled', x: 'disabled' },
    })
    expect(read({ ...sets, $metadata, $themes: [theme('light'), theme('dark')] })).toEqual([
      'blue #00f',
      'light: ground #fff',
      'dark: ground #00f',
    ])
  })
})

describe('a color of Tokens Studio', () => {
  it.each<[string, unknown, object | undefined, string]>([
    ['alpha', '{red}', { type: 'alpha', value: '0.5', space: 'lch' }, 'rgba(255, 0, 0, 0.5)'],
    ['alpha of a translucent color', '#ff000080', { type: 'alpha', value: '25%' }, 'rgba(255, 0, 0, 0.25)'],
    ['alpha by reference', '{red}', { type: 'alpha', value: '{half}' }, 'rgba(255, 0, 0, 0.5)'],
    [
      'mix',
      '{red}',
      { type: 'mix', value: '0.2', color: '#00f', space: 'srgb' },
      'color-mix(in srgb, #00f 20%, #ff0000)',
    ],
    ['lighten', '{red}', { type: 'lighten', value: '0.5', space: 'srgb' }, 'color-mix(in srgb, white 50%, #ff0000)'],
    ['darken in HSL', '#ff0000', { type: 'darken', value: '0.5', space: 'hsl' }, 'hsl(0 100% 25%)'],
    ['darken in LCH', 'lch(50 40 30)', { type: 'darken', value: '0.5', space: 'lch' }, 'lch(25 20 30)'],
    ['a reference to a modified color', '{soft}', undefined, 'rgba(255, 0, 0, 0.1)'],
    ['a reference within a function', 'rgba({red}, 0.4)', undefined, 'color-mix(in srgb, #ff0000 40%, transparent)'],
    [
      'two references within a function',
      'color-mix(in srgb, {red}, {white})',
      undefined,
      'color-mix(in srgb, #ff0000, #fff)',
    ],
    [
      'an unknown modifier',
      '{red}',
      { type: 'spin', value: '0.5' },
      'has a modifier that cannot be computed; shown without it',
    ],
  ])('a color of Tokens Studio is computed: %s', (_, value, modify, expected) => {
    const document = {
      red: color('#ff0000'),
      white: color('#fff'),
      soft: color('{red}', { type: 'alpha', value: '0.1' }),
      half: { $type: 'number', $value: 0.5 },
      x: color(value, modify),
    }
    expect(read(document).at(-1)).toBe(`x ${expected}`)
  })
})
