import { describe, expect, it } from 'vitest'
import { fromCssVariables } from '../testing/without-source.js'

describe('fromCssVariables', () => {
  it('an object and a stylesheet give the same colors', () => {
    const expected = [
      { name: 'red-500', value: '#e00', group: 'red', shade: '500' },
      { name: 'brand', value: '#e00', alias: 'red-500' },
    ]
    expect(fromCssVariables({ '--color-red-500': '#e00', '--color-brand': 'var(--color-red-500)' }).colors).toEqual(
      expected,
    )
    expect(fromCssVariables(':root{--color-red-500:#e00;--color-brand:var( --color-red-500 )}').colors).toEqual(
      expected,
    )
  })

  it('the prefix may be another prefix, or only two hyphens', () => {
    const css = ':root { --clr-a: red; --color-b: blue }'
    expect(fromCssVariables(css, { prefix: '--clr-' }).colors).toEqual([{ name: 'a', value: 'red' }])
    expect(fromCssVariables(css, { prefix: '--' }).colors.map(({ name }) => name)).toEqual(['clr-a', 'color-b'])
  })

  it('the last declaration of a property counts', () => {
    expect(
      fromCssVariables(':root{--color-a:red;--color-b:lime;--color-a:blue}').colors.map(({ value }) => value),
    ).toEqual(['blue', 'lime'])
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
      'with a fallback to a known property',
      { '--x': '#123', '--color-a': 'var(--x, rgb(1 2 3))' },
      [{ name: 'a', value: '#123', alias: '--x' }],
    ],
    [
      'within a function, to a known property',
      { '--h': '210', '--hs': 'var(--h) 40%', '--color-a': 'hsl(var(--hs, 0 0%) 98% / var( --o , 1))', '--o': '0.5' },
      [{ name: 'a', value: 'hsl(210 40% 98% / 0.5)' }],
    ],
    [
      'within a function, to a known and an unknown property',
      { '--h': '210', '--color-a': 'hsl(var(--h) var(--s) 50%)' },
      [{ name: 'a', value: 'hsl(var(--h) var(--s) 50%)' }],
    ],
    [
      'within a function',
      { '--color-a': 'rgb(from var(--x) r g b)' },
      [{ name: 'a', value: 'rgb(from var(--x) r g b)' }],
    ],
    [
      'to itself, which the page defines',
      { '--color-a': 'var(--color-a)', '--color-b': 'var(--color-a)', '--color-c': 'hsl(var(--color-c, 1 2% 3%))' },
      [
        { name: 'a', value: 'var(--color-a)' },
        { name: 'b', alias: 'a', value: 'var(--color-a)' },
        { name: 'c', value: 'hsl(var(--color-c, 1 2% 3%))' },
      ],
    ],
    ['to transparent', { '--x': 'transparent', '--color-a': 'var(--x)' }, []],
  ])('follows a reference %s', (_, variables, expected) => expect(fromCssVariables(variables).colors).toEqual(expected))

  it('reports every color that leads into a circular reference', () => {
    const variables = { '--color-a': 'var(--color-b)', '--color-b': 'var(--color-c)', '--color-c': 'var(--color-b)' }
    expect(fromCssVariables(variables).colors.map(({ problem }) => problem)).toEqual(
      Array(3).fill('is an alias of itself'),
    )
  })

  it.each([
    [100, 'red'],
    [101, 'var(--color-c100)'],
    [5_000, 'var(--color-c100)'],
  ])('of a chain of %i references, the one behind 100 properties stays, for the browser', (length, value) => {
    const chain = Array.from({ length }, (_, i) => [
      `--color-c${i}`,
      i === length - 1 ? 'red' : `var(--color-c${i + 1})`,
    ])
    const { colors } = fromCssVariables(Object.fromEntries(chain))
    expect(colors[0]).toEqual({ name: 'c0', alias: 'c1', value })
    expect(colors.at(-1)).toEqual({ name: `c${length - 1}`, value: 'red' })
    expect(colors.every(({ problem }) => problem === undefined)).toBe(true)
    // Each property is read once, so the length of a chain does not matter if it begins with the color.
    const reversed = fromCssVariables(Object.fromEntries(chain.reverse())).colors
    expect(reversed.every((color) => color.value === 'red')).toBe(true)
  })

  it('accepts the name __proto__', () => {
    expect(
      fromCssVariables(':root{--color-__proto__:red;--color-constructor:blue}').colors.map(({ name }) => name),
    ).toEqual(['__proto__', 'constructor'])
  })

  it('reports a circular reference through functions', () => {
    const css = ':root{--color-a:hsl(var(--b));--b:var(--c) 1%;--c:var(--color-a);--color-d:red}'
    expect(fromCssVariables(css).colors).toEqual([
      { name: 'a', value: '', problem: 'is an alias of itself' },
      { name: 'd', value: 'red' },
    ])
  })

  it('uses the fallback if a property has no value, since it is circular or `initial`', () => {
    const circle = '--a: var(--b); --b: var(--a);'
    expect(
      fromCssVariables(`:root{${circle} --color-a: var(--a, red); --color-b: hsl(var(--b, var(--h)) 1% 2%); --h: 5}`)
        .colors,
    ).toEqual([
      { name: 'a', value: 'red' },
      { name: 'b', value: 'hsl(5 1% 2%)' },
    ])
    // A property that refers to such a property without a fallback has no value, either.
    expect(
      fromCssVariables(':root{--none:initial; --b: 1 var(--none); --color-a: var(--b, red) ; --color-b: hsl(var(--b))}')
        .colors,
    ).toEqual([
      { name: 'a', value: 'red' },
      { name: 'b', value: 'hsl(var(--b))' },
    ])
    // An unknown property may be defined by another stylesheet.
    expect(
      fromCssVariables(':root{--none:initial; --color-a: var(--none, var(--x, red)); --color-b: var(--none)}').colors,
    ).toEqual([
      { name: 'a', value: 'var(--x, red)' },
      { name: 'b', value: 'var(--none)' },
    ])
    expect(
      fromCssVariables({ '--none': 'initial', '--color-a': `${'var(--none,'.repeat(100_000)}` }).colors,
    ).toHaveLength(1)
  })

  it('follows more references of one property than a function has arguments', () => {
    const names = Array.from({ length: 150_000 }, (_, i) => `--${i}`)
    const variables = Object.fromEntries(names.map((name) => [name, '1']))
    const colors = fromCssVariables({ ...variables, '--color-a': names.map((name) => `var(${name})`).join('') }).colors
    expect(colors.map(({ name }) => name)).toEqual(['a'])
  })

  it('only members of a circle and colors that lead into it are circular, with other circles below', () => {
    const css = `:root{--color-a: var(--color-b) var(--color-d, red); --color-b: var(--color-c); --color-c: var(--color-b) var(--d);
      --d: var(--e) var(--f); --e: var(--d); --f: var(--d); --color-d: var(--e, blue); --color-e: var(--d, lime)}`
    expect(fromCssVariables(css).colors).toEqual([
      { name: 'a', value: '', problem: 'is an alias of itself' },
      { name: 'b', value: '', alias: 'c', problem: 'is an alias of itself' },
      { name: 'c', value: '', problem: 'is an alias of itself' },
      { name: 'd', value: 'blue' },
      { name: 'e', value: 'lime' },
    ])
  })

  it('reads light-dark() as Lightning CSS writes it for older browsers, in both schemes', () => {
    const css = `:root{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark}
      @media (prefers-color-scheme:dark){:root{--lightningcss-light: ;--lightningcss-dark:initial}}
      :root{--color-ink:var(--lightningcss-light,#111)var(--lightningcss-dark,#eee);--color-link:var(--color-ink)}`
    expect(fromCssVariables(css).colors).toEqual([
      { name: 'ink', value: '#111' },
      { name: 'link', value: '#111', alias: 'ink' },
      { name: 'ink', value: '#eee', mode: 'dark' },
      { name: 'link', value: '#eee', alias: 'ink', mode: 'dark' },
    ])
  })

  it('leaves out a color without a value in a mode, and resolves the colors that refer to it', () => {
    const css = ':root{--h:5;--color-a:red;--color-b:hsl(var(--h, 9) 1% 2%)} .dark{--color-a:initial;--h:initial}'
    expect(fromCssVariables(css).colors).toEqual([
      { name: 'a', value: 'red' },
      { name: 'b', value: 'hsl(5 1% 2%)' },
      { name: 'b', value: 'hsl(9 1% 2%)', mode: 'dark' },
    ])
  })

  it('leaves out a property whose fallback is not a color, if other properties have the prefix, too', () => {
    const css = `:root { --x-a: var(--u, env(safe-area-inset-top)); --x-b: var(--u, 1rem); --x-c: var(--u, var(--v, 5px 1px));
      --x-d: var(--u, red); --x-e: var(--u, var(--v, #123)); --x-f: var(--u, currentColor); --x-g: var(--u,); --x-h: var(--u, var(--v)); }`
    expect(fromCssVariables(css, { prefix: '--x-' }).colors.map(({ name }) => name)).toEqual(['d', 'e', 'f', 'h'])
  })

  // The sizes of Designsystemet toggle each other in this way.
  it('leaves out circular properties that are not colors, if other properties have the prefix, too', () => {
    const css =
      ':root{--x-a:calc(var(--x-b)*1px);--x-b:calc(var(--x-a)/1px);--x-c:rgb(var(--x-d));--x-d:rgb(var(--x-c));--x-e:calc(var(--x-a))}'
    expect(fromCssVariables(css, { prefix: '--x-' }).colors.map(({ name }) => name)).toEqual(['c', 'd'])
  })

  it('does not substitute references in strings, and limits the length of a result', () => {
    const laughs = Array.from({ length: 100 }, (_, i) => `--l${i}: var(--l${i + 1}) var(--l${i + 1});`).join('')
    const css = `:root{${laughs}--l100:x;--color-a:rgb(var(--l0));--color-b:"var(--l100)"}`
    const [a, b] = fromCssVariables(css).colors.map(({ value }) => value)
    expect(a).toMatch(/^rgb\((?:var\(--l\d+\) ?){1,100}\)$/)
    expect(b).toBe('"var(--l100)"')
  })

  it('gives each mode its colors, and the colors that refer to them', () => {
    const css = `
      :root { --hue: 210; --color-paper: #fff; --color-ink: hsl(var(--hue) 10% 20%); --color-text: var(--color-ink); --color-same: var(--one); --one: red }
      .dark { --color-paper: #000; --hue: 30; --color-only: blue; --one: red }
      @media print { :root { --color-paper: #ffe } }`
    expect(fromCssVariables(css).colors).toEqual([
      { name: 'paper', value: '#fff' },
      { name: 'ink', value: 'hsl(210 10% 20%)' },
      { name: 'text', value: 'hsl(210 10% 20%)', alias: 'ink' },
      { name: 'same', value: 'red', alias: '--one' },
      { name: 'paper', value: '#000', mode: 'dark' },
      { name: 'ink', value: 'hsl(30 10% 20%)', mode: 'dark' },
      { name: 'text', value: 'hsl(30 10% 20%)', alias: 'ink', mode: 'dark' },
      { name: 'paper', value: '#ffe', mode: 'print' },
    ])
  })

  it('leaves out a color that only one mode declares, if the document declares other colors', () => {
    const { colors, leftOut } = fromCssVariables(':root { --color-a: red } .theme-switch { --color-knob: blue }')
    expect(colors).toEqual([{ name: 'a', value: 'red' }])
    expect(leftOut).toEqual([
      { name: '--color-knob', value: 'blue', reason: 'declared by one mode alone, not by the document' },
    ])
    const both = ':root { --x: 1 } .light { --color-a: red } .dark { --color-a: blue }'
    expect(fromCssVariables(both).colors.map(({ mode }) => mode)).toEqual(['light', 'dark'])
  })

  it.each<[string, string, string | undefined]>([
    ['--hsl', '222.2 47.4% 11.2%', 'hsl(222.2 47.4% 11.2%)'],
    ['--hsl-alpha', '222.2 47.4% 11.2% / 50%', 'hsl(222.2 47.4% 11.2% / 50%)'],
    ['--oklch', '49.12% 0.3096 275.75', 'oklch(49.12% 0.3096 275.75)'],
    ['--primary-rgb', '13, 110, 253', 'rgb(13, 110, 253)'],
    ['--bezier', '13 110 253', undefined],
  ])('reads bare channels if the name or the value marks them as a color: %s: %s', (name, channels, value) => {
    const css = `:root { ${name}: ${channels}; --alias: var(${name}) }`
    expect(fromCssVariables(css, { prefix: '--' }).colors[0]?.value).toBe(value)
  })

  it('leaves out the channels of a color if the stylesheet has the color, too', () => {
    const css = ':root { --a: red; --a-rgb: 255, 0, 0; --a-hsl: 0 100% 50%; --b-rgb: 1, 2, 3 }'
    expect(fromCssVariables(css, { prefix: '--' }).colors.map(({ name }) => name)).toEqual(['a', 'b-rgb'])
  })

  it('reads whole numbers as channels if the prefix contains the word color', () => {
    expect(fromCssVariables(':root { --color-a: 255 115 179 }').colors).toEqual([
      { name: 'a', value: 'rgb(255 115 179)' },
    ])
  })

  it('leaves out properties that are not colors, if other properties have the prefix, too', () => {
    const css = `:root { --x-a: #fff; --x-font: Arial; --x-rgb: 1, 2, 3; --x-b: rgb(var(--x-rgb)); --x-size: 1rem; --x-n: 5;
      --x-shadow: 0 1px 2px rgb(0 0 0 / 1); --x-blur: blur(12px); --x-c: var(--x-a); --x-alias: var(--x-font);
      --x-wrong: rgb(banana); --x-hex: #12; --x-unknown: var(--y); --x-t: transparent; --x-area: env(safe-area-inset-top) }`
    const colors = fromCssVariables(css, { prefix: '--x-' }).colors
    expect(colors.map(({ name, problem }) => `${name}${problem ? '!' : ''}`)).toEqual([
      'a',
      'b',
      'c',
      'wrong!',
      'hex!',
      'unknown',
    ])
    expect(
      fromCssVariables({ '--x-a': 1, '--x-b': null, '--x-c': 'red' }, { prefix: '--x-' }).colors.map(
        ({ name }) => name,
      ),
    ).toEqual(['c'])
  })

  it.each([
    [
      'other names',
      ':root { --pico-color: red; --b: x }',
      /^css: expected custom properties named --color-… at :root or in a theme, got 2 others, such as --pico-color; name theirs by the option 'prefix'$/,
    ],
    [
      'other selectors',
      '.app { --color-a: red } .b { --x: y }',
      /got 2 elsewhere, such as --color-a in '\.app'; name their selectors by the option 'selectors' or 'modes'$/,
    ],
    [
      'imports only',
      '@import "./light.css"; @import url(x.css);',
      /got @import "\.\/light\.css"; pass the imported stylesheets themselves$/,
    ],
    [
      'UTF-16 that was read as UTF-8',
      Buffer.from(':root { --color-a: red }', 'utf16le').toString('utf8'),
      /got text with NUL characters; decode a file in UTF-16 as such$/,
    ],
  ])('the error names the properties or text of the stylesheet: %s', (_, css, message) => {
    expect(() => fromCssVariables(css).colors).toThrow(TypeError)
    expect(() => fromCssVariables(css).colors).toThrow(message)
  })

  it('reads a stylesheet with a byte order mark', () => {
    expect(fromCssVariables('\uFEFF:root{--color-a:red}').colors).toEqual([{ name: 'a', value: 'red' }])
  })

  it.each<[string, (i: number) => string]>([
    ['with the same name', () => '--color-a:red;'],
    ['in one chain', (i) => `--color-c${i}:var(--color-c${i + 1});`],
    ['in one chain of functions', (i) => `--color-c${i}:rgb(var(--color-c${i + 1}));`],
    ['that all refer to one property', (i) => `--color-c${i}:hsl(var(--h) 1% 2%);--h:1;`],
    [
      'that a single property refers to',
      (i) =>
        i === 0
          ? `--color-a:rgb(${Array.from({ length: 20_000 }, (_, j) => `var(--c${j})`).join(' ')});`
          : `--c${i}:1;`,
    ],
    ['that are circular', (i) => `--color-c${i}:var(--color-c${(i + 1) % 20_000});`],
    ['in 200 themes', (i) => (i % 100 === 0 ? `}[data-theme=t${i}]{--color-a:red;` : `--color-c${i}:var(--color-a);`)],
  ])('reads 20,000 custom properties %s', (_, property) => {
    const css = `:root{${Array.from({ length: 20_000 }, (_, i) => property(i)).join('')}}`
    expect(fromCssVariables(css).colors.length).toBeGreaterThan(0)
  })
})

it.each(['public/site.css', ''])('fromCssVariables throws for a path or an empty text: %s', (css) => {
  const message = `css: expected the text of a stylesheet, got '${css}'; write readFileSync(`
  expect(() => fromCssVariables(css).colors).toThrow(message)
  expect(() => fromCssVariables(css).typography).toThrow(message)
})
