import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromDesignTokens } from '../testing/without-source.js'

const $type = 'color'
type Document = Record<string, unknown>

const read = (document: Document) =>
  Object.fromEntries(fromDesignTokens(document).colors.map(({ name, value, problem }) => [name, problem ?? value]))
const colorOf = ($value: unknown) => fromDesignTokens({ x: { $type, $value } }).colors[0]

describe('a color’s value', () => {
  it.each<[unknown, string]>([
    [{ colorSpace: 'srgb', components: [1, 0, 0.5] }, 'color(srgb 1 0 0.5)'],
    [{ colorSpace: 'srgb-linear', components: [1, 0, 0] }, 'color(srgb-linear 1 0 0)'],
    [{ colorSpace: 'hsl', components: [330, 100, 50] }, 'hsl(330 100% 50%)'],
    [{ colorSpace: 'hwb', components: ['none', 100, 0] }, 'hwb(none 100% 0%)'],
    [{ colorSpace: 'lab', components: [60.17, 93.54, -60.5] }, 'lab(60.17 93.54 -60.5)'],
    [{ colorSpace: 'lch', components: [60, 110, 327] }, 'lch(60 110 327)'],
    [{ colorSpace: 'oklab', components: [0.7, 0.2, -0.1] }, 'oklab(0.7 0.2 -0.1)'],
    [{ colorSpace: 'oklch', components: [0.7, 0.2, 328], alpha: 0.5 }, 'oklch(0.7 0.2 328 / 0.5)'],
    [{ colorSpace: 'display-p3', components: [1, 0, 0], alpha: 1 }, 'color(display-p3 1 0 0)'],
    [{ colorSpace: 'a98-rgb', components: [1, 0, 0], alpha: 0 }, 'color(a98-rgb 1 0 0 / 0)'],
    [{ colorSpace: 'prophoto-rgb', components: [1, 0, 0] }, 'color(prophoto-rgb 1 0 0)'],
    [{ colorSpace: 'rec2020', components: [1, 0, 0] }, 'color(rec2020 1 0 0)'],
    [{ colorSpace: 'xyz-d65', components: [0.1, 0.2, 0.3] }, 'color(xyz-d65 0.1 0.2 0.3)'],
    [{ colorSpace: 'xyz-d50', components: [0.1, 0.2, 0.3] }, 'color(xyz-d50 0.1 0.2 0.3)'],
    // These components are rounded to two digits, and outside sRGB.
    [{ colorSpace: 'oklch', components: [0.63, 0.26, 29.2], hex: '#FF0000' }, 'oklch(0.63 0.26 29.2)'],
    [{ colorSpace: 'display-p3', components: [0, 1, 0], hex: '#00ff00', alpha: 0.5 }, 'color(display-p3 0 1 0 / 0.5)'],
    [{ colorSpace: 'lab', components: [50, -200, 0] }, 'lab(50 -200 0)'],
    ['#FF00FF', '#FF00FF'],
    [' #ff00ff80 ', '#ff00ff80'],
    ['rebeccapurple', 'rebeccapurple'],
  ])('the color %j becomes %s', ($value, value) => expect(colorOf($value)).toEqual({ name: 'x', value }))

  it.each<[unknown, string, RegExp]>([
    [{ colorSpace: 'cmyk', components: [1, 0, 0], hex: '#ff0000' }, '#ff0000', /color space "cmyk".*shown as its hex/],
    [{ colorSpace: 'srgb', components: [1, 0], hex: '#FF0000' }, '#FF0000', /three components.*hex/],
    [{ colorSpace: 'srgb', components: [1, 0, '0'] }, '', /three components/],
    [{ colorSpace: 'srgb', components: [1, 0, 0, 0] }, '', /three components/],
    [{ colorSpace: 'srgb', components: [1, 0, Number.POSITIVE_INFINITY] }, '', /three components/],
    [{ colorSpace: 'srgb', components: [1, 0, null], hex: 'red' }, '', /three components/],
    [{ colorSpace: 'srgb', components: { length: 3 } }, '', /three components/],
    [{ colorSpace: 'srgb', components: [1, 0, 0], alpha: '50%' }, '', /alpha/],
    [{ colorSpace: 'constructor', components: [1, 0, 0] }, '', /color space "constructor"/],
    [{}, '', /^has no colorSpace$/],
    [null, '', /neither an object nor a string/],
    [16_711_680, '', /neither an object nor a string/],
    [[1, 0, 0], '', /neither an object nor a string/],
    [{ colorSpace: 'srgb', components: [1, 0, 0], alpha: 'none' }, '', /alpha that is not a number/],
    [{ colorSpace: 'srgb', components: [2, 0, 0] }, 'color(srgb 2 0 0)', /^has the red 2, which must be from 0 to 1$/],
    [{ colorSpace: 'rec2020', components: [1, 0, -0.1] }, 'color(rec2020 1 0 -0.1)', /^has the blue -0.1, which/],
    [{ colorSpace: 'srgb', components: [255, 0, 0] }, 'color(srgb 255 0 0)', /^has the red 255, which must/],
    [
      { colorSpace: 'hsl', components: [360, 50, 50] },
      'hsl(360 50% 50%)',
      /^has the hue 360, which must be from 0 to below 360$/,
    ],
    [{ colorSpace: 'hsl', components: [0, 101, 50] }, 'hsl(0 101% 50%)', /^has the saturation 101, which/],
    [{ colorSpace: 'oklch', components: [70, 0.1, 20] }, 'oklch(70 0.1 20)', /^has the lightness 70, which/],
    [{ colorSpace: 'lch', components: [70, -1, 20] }, 'lch(70 -1 20)', /^has the chroma -1, which must be 0 or more$/],
    [{ colorSpace: 'xyz-d65', components: [0, 2, 0] }, 'color(xyz-d65 0 2 0)', /^has the Y 2, which/],
    [
      { colorSpace: 'srgb', components: [1, 0, 0], alpha: 1.5 },
      'color(srgb 1 0 0 / 1.5)',
      /^has the alpha 1.5, which must be from 0 to 1$/,
    ],
    [{ colorSpace: 'srgb', components: [1, 0, 0], alpha: 50 }, 'color(srgb 1 0 0 / 50)', /^has the alpha 50, which/],
    ['initial', 'initial', /not a known CSS color/],
    ['', '', /is empty/],
  ])('the color %j has a problem', ($value, value, problem) => {
    expect(colorOf($value)).toEqual({ name: 'x', value, problem: expect.stringMatching(problem) })
  })

  it.each(['transparent', 'INHERIT', 'currentcolor'])('the color %s is skipped', ($value) => {
    expect(colorOf($value)).toBeUndefined()
  })
})

describe('groups', () => {
  it('tokens have the type of their group, and their path gives name, group and shade', () => {
    const red = { 500: { $value: '#e00' }, $root: { $value: '#f00' }, 50: { $value: '#fee' } }
    expect(
      fromDesignTokens({ color: { $type, red }, size: { $type: 'dimension', s: { $value: '1px' } } }).colors,
    ).toEqual([
      { name: 'color.red.50', value: '#fee', group: 'color.red', shade: '50' },
      { name: 'color.red.500', value: '#e00', group: 'color.red', shade: '500' },
      { name: 'color.red.$root', value: '#f00', group: 'color.red', shade: 'DEFAULT' },
    ])
  })

  it('tokens of another type are left out, even if they are invalid', () => {
    expect(
      read({ a: { $type: 'number', $value: '#fff' }, b: { $type: 'shadow', $value: null }, c: { $value: 4 } }),
    ).toEqual({})
  })

  it('a color without a type is kept, with a problem', () => {
    expect(read({ a: { $value: '#fff' }, b: { $value: { colorSpace: 'srgb', components: [1, 1, 1] } } })).toEqual({
      a: 'has no $type; write "color"',
      b: 'has no $type; write "color"',
    })
  })

  it.each<[string, unknown, RegExp]>([
    ['a value instead of a token', '#f00', /is not a token/],
    ['an array', ['#f00'], /is not a token/],
    ['null', null, /is not a token/],
    [
      'a token that contains tokens',
      { $value: '#f00', dark: { $value: '#a00' } },
      /is a token that contains other tokens/,
    ],
    [
      'a token whose groups contain tokens',
      { $value: '#f00', modes: { night: { dark: { $value: '#a00' } } } },
      /is a token that contains other tokens/,
    ],
    ['a value that is not a color', { $value: { r: 1, g: 2 } }, /^has no colorSpace$/],
  ])('%s is reported as a problem', (_, member, problem) => {
    expect(read({ color: { $type, x: member } })['color.x']).toMatch(problem)
  })

  it('the output of Style Dictionary has the source of each token beside it, which is not a token', () => {
    const output = (original: object) => ({
      ...{ key: '{color.sea}', $value: '#0a6ebd', $type, filePath: 'a.json', isSource: true, name: 'sea' },
      ...{ attributes: {}, path: ['color', 'sea'], original },
    })
    const document = { color: { sea: output({ $value: '{color.blue}', $type }), sky: output({ value: '#0a6ebd' }) } }
    expect(read(document)).toEqual({ 'color.sea': '#0a6ebd', 'color.sky': '#0a6ebd' })
    const mistake = { color: { $type, sea: { $value: '#f00', original: { $value: '#a00' } } } }
    expect(read(mistake)['color.sea']).toMatch(/contains other tokens/)
  })
})

it('tokens may have further members, like those of GitLab and Style Dictionary', () => {
  const details = { prefix: false, tags: ['a'], attributes: { category: 'color' }, filePath: 'a.json' }
  expect(read({ color: { $type, x: { $value: '#f00', ...details } } })).toEqual({ 'color.x': '#f00' })
})

// In Cloudscape's tokens, each value is an object of modes, without a type.
it('a token may have a color for each mode, also without a type, and in the extension of Terrazzo', () => {
  const $value = { light: '#fff', dark: '{c}' }
  const document = {
    c: { $type, $value: { default: '#00f', dark: '#0ff' } },
    d: { $type, $value: '#f00', $extensions: { mode: { dark: '#0f0' } } },
    alias: { $type, $value: '{d}' },
    a: { $value },
    b: { $value: { light: '1px', dark: '#fff' } },
  }
  expect(fromDesignTokens(document).colors).toEqual([
    { name: 'c', value: '#00f' },
    { name: 'c', value: '#0ff', mode: 'dark' },
    { name: 'd', value: '#f00' },
    { name: 'd', value: '#0f0', mode: 'dark' },
    { name: 'alias', value: '#f00', alias: 'd' },
    { name: 'alias', value: '#0f0', alias: 'd', mode: 'dark' },
    { name: 'a', value: '#fff', mode: 'light', problem: 'has no $type; write "color"' },
    expect.objectContaining({ name: 'a', mode: 'dark' }),
  ])
})

it('a color is reported if it or its group is deprecated, with the reason', () => {
  const red = { $value: '#f00' }
  const document = {
    $type,
    a: { ...red, $deprecated: true },
    b: { ...red, $deprecated: false },
    former: { $deprecated: 'use new', c: red, d: { e: red, f: { ...red, $deprecated: false } } },
    derived: { $extends: '{former}' },
  }
  expect(fromDesignTokens(document).colors.map(({ name, value, problem }) => [name, value, problem])).toEqual([
    ['a', '#f00', 'is deprecated'],
    ['b', '#f00', undefined],
    ['former.c', '#f00', 'is deprecated: use new'],
    ['former.d.e', '#f00', 'is deprecated: use new'],
    ['former.d.f', '#f00', undefined],
    ['derived.c', '#f00', 'is deprecated: use new'],
    ['derived.d.e', '#f00', 'is deprecated: use new'],
    ['derived.d.f', '#f00', undefined],
  ])
})

describe('aliases', () => {
  const base = { $type, red: { $value: '#f00' }, link: { $value: '{color.red}' } }

  it.each<[string, Document, unknown]>([
    ['of an alias', { $value: '{color.link}' }, { alias: 'color.link', value: '#f00' }],
    ['by a JSON Pointer', { $ref: '#/color/red' }, { alias: 'color.red', value: '#f00' }],
    ['by a JSON Pointer to the value', { $ref: '#/color/red/$value' }, { alias: 'color.red', value: '#f00' }],
    ['by a JSON Pointer in the value', { $value: { $ref: '#/color/red' } }, { alias: 'color.red', value: '#f00' }],
    [
      'of an unknown token',
      { $value: '{color.none}', $type },
      { value: '', problem: 'refers to {color.none}, which is not a token' },
    ],
    ...[{ $value: '{color}' }, { $value: { $ref: '#/color' } }, { $value: { $ref: '#/color/$value' } }].map(
      (alias) =>
        [
          `of a group: ${JSON.stringify(alias)}`,
          { ...alias, $type },
          { value: '', problem: 'refers to {color}, which is a group, not a token' },
        ] as [string, Document, unknown],
    ),
    [
      'beside a value',
      { $ref: '#/color/red', $value: '#00f' },
      { value: '#00f', problem: 'has both $value and $ref; remove one of them' },
    ],
    ['of itself', { $value: '{x}', $type }, { value: '', problem: 'refers to {x}, which is circular' }],
    [
      'of a name that every object inherits',
      { $value: '{constructor}', $type },
      { problem: 'refers to {constructor}, which is not a token' },
    ],
    [
      'by a pointer to an unknown member',
      { $ref: '#/color/none', $type },
      { problem: 'refers to "#/color/none", which does not exist' },
    ],
    [
      'by a pointer into another document',
      { $ref: 'other.json#/red', $type },
      { problem: 'refers to "other.json#/red", which does not exist' },
    ],
  ])('an alias is read or reported: %s', (_, x, expected) => {
    expect(fromDesignTokens({ color: base, x }).colors.find(({ name }) => name === 'x')).toMatchObject(
      expected as object,
    )
  })

  it('an alias has the type of the token that it refers to', () => {
    const document = { $type, a: { $type: 'number', $value: 4 }, b: { $value: '{a}' }, c: { $value: '#fff' } }
    expect(read(document)).toEqual({ c: '#fff' })
    expect(read({ a: { $type, $value: '#fff' }, b: { $value: '{a}' } })).toEqual({ a: '#fff', b: '#fff' })
  })

  it('every alias that leads to a circle is reported', () => {
    const document = { $type, a: { $value: '{b}' }, b: { $value: '{c}' }, c: { $value: '{b}' } }
    expect(fromDesignTokens(document).colors.map(({ problem }) => problem)).toEqual(
      Array(3).fill('refers to {b}, which is circular'),
    )
  })

  it('a color may have references in its components', () => {
    const mixed = {
      colorSpace: { $ref: '#/p3/$value/colorSpace' },
      components: [0, { $ref: '#/p3/$value/components/1' }, 1],
    }
    const document = {
      $type,
      p3: { $value: { colorSpace: 'display-p3', components: [1, 0.5, 1] } },
      x: { $value: mixed },
    }
    expect(read(document).x).toBe('color(display-p3 0 0.5 1)')
  })
})

describe('$extends', () => {
  const button = {
    $type,
    background: { $value: '#06c' },
    text: { $value: '#fff' },
    state: { hover: { $value: '#05b' } },
  }

  it.each<[string, Document]>([
    ['in curly brackets', { $extends: '{button}' }],
    ['as a JSON Pointer', { $extends: '#/button' }],
    ['as $ref', { $ref: '#/button' }],
  ])('a group that extends a group %s inherits, overrides and adds tokens', (_, extend) => {
    const state = { active: { $value: '#04a' } }
    const primary = { ...extend, background: { $value: '#c06' }, focus: { $value: '#f39' }, state }
    const colors = Object.entries(read({ button, primary })).filter(([name]) => name.startsWith('primary'))
    expect(Object.fromEntries(colors)).toEqual({
      'primary.background': '#c06',
      'primary.text': '#fff',
      'primary.state.hover': '#05b',
      'primary.state.active': '#04a',
      'primary.focus': '#f39',
    })
  })

  it('$extends works across several groups, and with an inherited group', () => {
    const document = { button, a: { $extends: '{button}' }, b: { $extends: '{a}' }, c: { $extends: '{b.state}' } }
    expect(read(document)['b.text']).toBe('#fff')
    expect(read(document)['c.hover']).toBe('#05b')
  })

  it('an inherited token keeps its type, unless the extending group sets another type', () => {
    const color = { $type, button: { text: { $value: '#fff' } } }
    expect(read({ color, a: { $extends: '{color.button}' } })['a.text']).toBe('#fff')
    expect(read({ color, a: { $extends: '{color.button}', $type: 'number' } })['a.text']).toBeUndefined()
  })

  it('a token replaces an inherited group, and a group an inherited token', () => {
    const document = {
      button,
      a: { $extends: '{button}', state: { $value: '#000' }, text: { deep: { $value: '#111' } } },
    }
    expect(read(document)).toMatchObject({ 'a.state': '#000', 'a.text.deep': '#111' })
    expect(read(document)).not.toHaveProperty(['a.text'])
  })

  it.each<[string, Document, string, string]>([
    ['itself', { a: { $extends: '{a}' } }, 'a', 'extends {a}, which is circular'],
    [
      'the group around it',
      { a: { $type, t: { $value: '#fff' }, b: { $extends: '{a}' } } },
      'a.b',
      'extends {a}, which is circular',
    ],
    [
      'a group that extends it',
      { a: { $extends: '{b}' }, b: { $extends: '{a}' } },
      'b',
      'extends {a}, which is circular',
    ],
    ['an unknown group', { a: { $extends: '{none}' } }, 'a', 'extends {none}, which is not a group'],
    ['a token', { t: { $type, $value: '#fff' }, a: { $extends: '{t}' } }, 'a', 'extends {t}, which is not a group'],
    ['a plain name', { a: { $extends: 'b' } }, 'a', 'extends "b"; write it as "{group}"'],
    ['a number', { a: { $extends: 4 } }, 'a', 'extends 4; write it as "{group}"'],
  ])('$extends of %s is reported', (_, document, name, problem) => expect(read(document)[name]).toBe(problem))
})

describe('a document', () => {
  it('a document may be a string', () => {
    expect(fromDesignTokens('{"a": {"$type": "color", "$value": "#fff"}}').colors).toEqual([
      { name: 'a', value: '#fff' },
    ])
  })

  it.each<[unknown, RegExp]>([
    ['{', /^design tokens: invalid JSON at line 1, column 2: /],
    ['{"version": "1.0.0", "scripts": {"build": "x"}}', /^design tokens: expected at least one design token/],
    [
      '{"a": {"value": "#fff", "type": "color"}, "b": {"c": {"value": "{a.value}"}}}',
      /^design tokens: expected at least one design token, an object with a \$value, got legacy tokens, with "value" instead of "\$value"; the option legacy reads them$/,
    ],
    ['tokens.json', /^design tokens: expected the text of a JSON file, got 'tokens.json'; write readFileSync/],
    ['[]', /^design tokens: expected a JSON object of groups and tokens, got an empty list$/],
    ['null', /^design tokens: expected a JSON object of groups and tokens, got null$/],
    [null, /^design tokens: expected a JSON object of groups and tokens, got null$/],
  ])('fromDesignTokens throws for %j', (document, message) => {
    expect(() => fromDesignTokens(document as string).colors).toThrow(message)
    expect(() => fromDesignTokens(document as string).colors).toThrow(TypeError)
  })

  it.each<[unknown, string]>([
    ['{\n  "a": {\n}', 'tokens.json:3:2: invalid JSON: '],
    ['[]', 'tokens.json: expected a JSON object of groups and tokens, got an empty list'],
    [
      { name: 'site', version: '1.0.0' },
      'tokens.json: expected at least one design token, an object with a $value, got none',
    ],
  ])('names the file in the error for %j', (document, message) => {
    expect(() => fromDesignTokens(document as string, { file: 'tokens.json' }).colors).toThrow(message)
  })

  it('names file, path and reason in each problem', () => {
    const brand = { a: { $value: '{brand.none}' }, b: { $value: 4 }, c: { $value: 'reed' }, d: { $value: '#fff' } }
    const colors = fromDesignTokens({ brand: { $type, ...brand } }, { file: 'tokens.json' }).colors
    expect(colors.map(({ problem }) => problem)).toEqual([
      'tokens.json: brand.a refers to {brand.none}, which is not a token',
      'tokens.json: brand.b has a value that is neither an object nor a string',
      'tokens.json: brand.c is not a known CSS color',
      undefined,
    ])
  })

  it('a document may start with a byte order mark', () => {
    expect(fromDesignTokens('\uFEFF{"a": {"$type": "color", "$value": "#fff"}}').colors).toHaveLength(1)
  })

  it('a document may use names such as __proto__', () => {
    const text =
      '{"$type": "color", "__proto__": {"constructor": {"$value": "#f00"}}, "toString": {"$value": "{__proto__.constructor}"}}'
    expect(read(JSON.parse(text))).toEqual(
      Object.fromEntries([
        ['__proto__.constructor', '#f00'],
        ['toString', '#f00'],
      ]),
    )
  })

  it('may be nested too deeply', () => {
    let deep: unknown = { $value: '#fff' }
    for (let level = 0; level < 10_000; level++) deep = { a: deep }
    expect(fromDesignTokens({ $type, deep, x: { $value: '#000' } }).colors.map(({ problem }) => problem)).toEqual([
      'is nested deeper than 32 levels',
      undefined,
    ])
  })

  it('fromDesignTokens never throws for a document with a token', () => {
    const key = fc.constantFrom('a', 'b', '$value', '$type', '$extends', '$ref', '$root', '__proto__', 'value', 'type')
    const leaf = fc.constantFrom<unknown>('color', '{a}', '{a.b}', '#/a', '#/a/b', '#fff', 1, null, [])
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof({ maxDepth: 5 }, leaf, fc.dictionary(key, tie('json'), { maxKeys: 5 })),
    }))
    fc.assert(
      fc.property(json, fc.boolean(), (members, legacy) => {
        fromDesignTokens({ a: members, b: members, t: { $value: 1 } }, { legacy }).colors
      }),
    )
  })
})

describe('legacy tokens', () => {
  const legacy = {
    color: {
      base: { red: { value: '#f00', type: 'color', comment: 'Warm' }, blue: { value: 'rgb(0 0 255)' } },
      link: { value: '{color.base.red.value}', type: 'color', deprecated: 'use accent' },
      accent: { value: '{color.base.blue}', attributes: { category: 'color' } },
    },
    theme: {
      type: 'color',
      description: 'Of the site',
      page: { value: '#ffffff' },
      pill: { value: '4px', type: 'sizing' },
    },
    size: { small: { value: '4px' }, scale: { value: 1.5 } },
    font: { body: { value: { fontFamily: 'Inter', fontSize: '16px' }, type: 'typography' } },
    new: { $type: 'color', green: { $value: '#0f0' } },
  }

  it('the option legacy reads tokens with or without a type, and aliases with or without .value', () => {
    expect(fromDesignTokens(legacy, { legacy: true }).colors).toEqual([
      { name: 'color.base.red', value: '#f00', group: 'color.base', shade: 'red' },
      { name: 'color.base.blue', value: 'rgb(0 0 255)', group: 'color.base', shade: 'blue' },
      {
        name: 'color.link',
        value: '#f00',
        group: 'color',
        shade: 'link',
        alias: 'color.base.red',
        problem: 'is deprecated: use accent',
      },
      { name: 'color.accent', value: 'rgb(0 0 255)', group: 'color', shade: 'accent', alias: 'color.base.blue' },
      { name: 'theme.page', value: '#ffffff', group: 'theme', shade: 'page' },
      { name: 'new.green', value: '#0f0', group: 'new', shade: 'green' },
    ])
  })

  it('legacy tokens beside current tokens are reported, also if their group has a type', () => {
    const problem = 'is a legacy token, with "value" instead of "$value"; the option legacy reads it'
    expect(read({ a: { $type, $value: '#fff' }, b: { value: '#000', type: 'color' } })).toEqual({
      a: '#fff',
      b: problem,
    })
    expect(read({ $type, a: { $value: '#fff' }, b: { c: { value: '#000' } } })).toEqual({ a: '#fff', 'b.c': problem })
  })

  it('groups of legacy tokens may have further members, like those of Spectrum', () => {
    const document = {
      comment: 'Red',
      button: {
        component: 'button',
        uuid: 'f00',
        tags: [],
        private: true,
        sets: { light: { value: '#fff' } },
        red: '#f00',
      },
    }
    expect(fromDesignTokens(document, { legacy: true }).colors.map(({ name, problem }) => [name, problem])).toEqual([
      ['button.sets.light', undefined],
      ['button.red', 'is not a token; write { "$value": … }'],
    ])
  })

  it('the option legacy throws for a document without any token', () => {
    expect(() => fromDesignTokens({ version: 1, theme: { name: 'x' } }, { legacy: true }).colors).toThrow(/got none$/)
  })

  it('a token or group may be named value', () => {
    const document = { $type, a: { value: { $value: '#fff' } }, b: { value: { c: { $value: '#000' } } } }
    for (const options of [{}, { legacy: true }]) {
      expect(fromDesignTokens(document, options).colors.map(({ name, problem }) => [name, problem])).toEqual([
        ['a.value', undefined],
        ['b.value.c', undefined],
      ])
    }
  })

  it('may be nested too deeply', () => {
    let deep: unknown = { value: '#fff' }
    for (let level = 0; level < 10_000; level++) deep = { a: deep }
    expect(
      fromDesignTokens({ $type, deep, x: { value: '#000' } }, { legacy: true }).colors.map(({ problem }) => problem),
    ).toEqual(['is nested deeper than 32 levels', undefined])
  })
})
