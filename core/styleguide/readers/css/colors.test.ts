import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromCssVariables } from './colors.js'
import { readDeclarations } from './declarations.js'

describe('readDeclarations', () => {
  it.each<[string, string, [string, string][]]>([
    [
      'at the root',
      ':root{--a:red;--b: blue}',
      [
        ['--a', 'red'],
        ['--b', 'blue'],
      ],
    ],
    ['in a list of selectors', ':root, :host { --a: red }', [['--a', 'red']]],
    ['at html', 'HTML { --a: red }', [['--a', 'red']]],
    ['in a theme', '@theme inline { --a: red }', [['--a', 'red']]],
    ['in a layer', '@layer base { :root { --a: red } }', [['--a', 'red']]],
    ['not of another selector', '.dark { --a: red } :root .x { --a: red } :root[data-x] { --a: red }', []],
    ['not of a media query', '@media print { :root { --a: red } }', []],
    [
      'not nested in a rule',
      ':root { --a: red; .dark { --a: blue } --b: x }',
      [
        ['--a', 'red'],
        ['--b', 'x'],
      ],
    ],
    ['not of a rule with a similar name', '@theme-x { --a: red } @layers { :root { --a: red } }', []],
    ['no other properties', ':root { color: red; --a: red; accent-color: --b }', [['--a', 'red']]],
    ['without comments', '/* :root{--x:1} */:root{--a:/* } */red;/*--b:red;*/}', [['--a', 'red']]],
    [
      'with strings',
      ':root{--a:"};--b:red";--c:\'{\'}',
      [
        ['--a', '"};--b:red"'],
        ['--c', "'{'"],
      ],
    ],
    [
      'with urls',
      ':root{--a:url(data:;}--b:red);--c:red}',
      [
        ['--a', 'url(data:;}--b:red)'],
        ['--c', 'red'],
      ],
    ],
    [
      'with parentheses',
      ':root{--a:f(a;b);--c:red}',
      [
        ['--a', 'f(a;b)'],
        ['--c', 'red'],
      ],
    ],
    [
      'with escapes',
      ':root{--\\[a\\/b\\]:red;--\\62 c:x}',
      [
        ['--[a/b]', 'red'],
        ['--bc', 'x'],
      ],
    ],
    ['without !important', ':root{--a:red ! important}', [['--a', 'red']]],
    [
      'empty',
      ':root{--a:;--b: }',
      [
        ['--a', ''],
        ['--b', ''],
      ],
    ],
    [
      'with white space before the colon',
      ':root{--a : red;--b c:red;--\\62 :x}',
      [
        ['--a', 'red'],
        ['--b', 'x'],
      ],
    ],
    ['unclosed', ':root{--a:red', [['--a', 'red']]],
    ['not after extra closing braces', '}}:root{--a:red}', []],
    ['not after a malformed rule', '};:root{--a:red}', []],
    ['in a layer inside the root', ':root{@layer x{--a:red}}', [['--a', 'red']]],
    ['not outside of a rule', '--a:red;@layer x{--b:red}', []],
    ['not of the root nested in the root', ':root{:root{--a:red}}', []],
    [
      'with a block as value',
      ':root{--a:{b:c;d};--e:red}',
      [
        ['--a', '{b:c;d}'],
        ['--e', 'red'],
      ],
    ],
    ['with unclosed brackets', ':root{--a:(} :root{--b:red}', []],
    ['not with extra closing brackets', ':root{--a:red);--b:red}', [['--b', 'red']]],
    ['not with a string that is cut off by a line break', ':root{--a:"x\n;--b:red}', [['--b', 'red']]],
    ['not with a space within a url', ':root{--a:url(x y);--b:red}', [['--b', 'red']]],
    [
      'with a function named like url',
      ':root{--a:my-url(";");--b:red}',
      [
        ['--a', 'my-url(";")'],
        ['--b', 'red'],
      ],
    ],
    ['not with another flag', ':root{--a:red !x;--b:red}', [['--b', 'red']]],
    ['not without a name', ':root{--:red;-- :red}', []],
    ['with comments inside', ':root{--a/**/:1/**/2}', [['--a', '1 2']]],
    ['none', '', []],
  ])('%s', (_, css, found) => expect(readDeclarations(css)).toEqual(found))

  it('never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      ';',
      ':',
      '--a',
      'red',
      '"',
      "'",
      '/*',
      '*/',
      '\\',
      '(',
      ')',
      ':root',
      '@theme',
      'url(',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece), fc.string({ unit: 'binary' }), (pieces, text) => {
        readDeclarations(pieces.join(''))
        readDeclarations(`:root{--a:${text}`)
      }),
    )
  })

  it.each(['/*', '"', '(', 'url(', '{', '\\', ':root{--a:', 'u', ' ', ':root{--\\aa', ':root{--a: ! ', ' ;', 'a;'])(
    'reads %j repeated 200,000 times',
    (piece) => {
      expect(readDeclarations(piece.repeat(200_000))).toBeDefined()
    },
  )

  it('reads a value of 200,000 blocks', () => {
    const value = '{}'.repeat(200_000)
    expect(readDeclarations(`:root{--a:${value}}`)).toEqual([['--a', value]])
  })
})

describe('fromCssVariables', () => {
  it('reads the same from an object and from a stylesheet', () => {
    const expected = [
      { name: 'red-500', value: '#e00', group: 'red', shade: '500' },
      { name: 'brand', value: '#e00', alias: 'red-500' },
    ]
    expect(fromCssVariables({ '--color-red-500': '#e00', '--color-brand': 'var(--color-red-500)' })).toEqual(expected)
    expect(fromCssVariables(':root{--color-red-500:#e00;--color-brand:var( --color-red-500 )}')).toEqual(expected)
  })

  it('accepts another prefix, or none', () => {
    const css = ':root { --clr-a: red; --color-b: blue }'
    expect(fromCssVariables(css, { prefix: '--clr-' })).toEqual([{ name: 'a', value: 'red' }])
    expect(fromCssVariables(css, { prefix: '--' }).map(({ name }) => name)).toEqual(['clr-a', 'color-b'])
  })

  it('keeps the last of several declarations', () => {
    expect(fromCssVariables(':root{--color-a:red;--color-b:lime;--color-a:blue}').map(({ value }) => value)).toEqual([
      'blue',
      'lime',
    ])
  })

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'through another namespace',
      { '--brand': '#06c', '--color-a': 'var(--brand)' },
      [{ name: 'a', value: '#06c', alias: '--brand' }],
    ],
    ['to an unknown property', { '--color-a': 'var(--x)' }, [{ name: 'a', value: 'var(--x)' }]],
    ['with a fallback', { '--color-a': 'var(--x, red)' }, [{ name: 'a', value: 'var(--x, red)' }]],
    [
      'within a function',
      { '--color-a': 'rgb(from var(--x) r g b)' },
      [{ name: 'a', value: 'rgb(from var(--x) r g b)' }],
    ],
    [
      'to itself',
      { '--color-a': 'var(--color-a)' },
      [{ name: 'a', alias: 'a', value: '', problem: 'is an alias of itself' }],
    ],
    ['to transparent', { '--x': 'transparent', '--color-a': 'var(--x)' }, []],
  ])('follows a reference %s', (_, variables, expected) => expect(fromCssVariables(variables)).toEqual(expected))

  it('reports every color that leads into a circular reference', () => {
    const variables = { '--color-a': 'var(--color-b)', '--color-b': 'var(--color-c)', '--color-c': 'var(--color-b)' }
    expect(fromCssVariables(variables).map(({ problem }) => problem)).toEqual(Array(3).fill('is an alias of itself'))
  })

  it('follows a chain of 5,000', () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => [
      `--color-c${i}`,
      i === 4_999 ? 'red' : `var(--color-c${i + 1})`,
    ])
    const colors = fromCssVariables(Object.fromEntries(chain))
    expect(colors.every(({ value }) => value === 'red')).toBe(true)
    expect(colors[0]).toEqual({ name: 'c0', alias: 'c1', value: 'red' })
  })

  it('accepts the name __proto__', () => {
    expect(fromCssVariables(':root{--color-__proto__:red;--color-constructor:blue}').map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
    ])
  })
})
