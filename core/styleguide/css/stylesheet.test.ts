import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStylesheet } from './stylesheet.js'

describe('the custom properties of the document', () => {
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
    ['not other properties', ':root { color: red; --a: red; accent-color: --b }', [['--a', 'red']]],
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
      'with an empty value',
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
    ['in an unclosed rule', ':root{--a:red', [['--a', 'red']]],
    ['not after extra closing braces', '}}:root{--a:red}', []],
    ['not after a malformed rule', '};:root{--a:red}', []],
    ['in a layer inside the root', ':root{@layer x{--a:red}}', [['--a', 'red']]],
    ['not outside a rule', '--a:red;@layer x{--b:red}', []],
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
    ['not in an empty stylesheet', '', []],
  ])('the document’s custom properties are read: %s', (_, css, declarations) => {
    expect(readStylesheet(css).root).toEqual(declarations)
  })

  it('readStylesheet never throws', () => {
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
        readStylesheet(pieces.join(''))
        readStylesheet(`:root{--a:${text}`)
      }),
    )
  })
})

const modesOf = (css: string, options?: Parameters<typeof readStylesheet>[1]) => {
  const { root, modes } = readStylesheet(css, options)
  return {
    root: Object.fromEntries(root),
    ...Object.fromEntries([...modes].map(([m, d]) => [m, Object.fromEntries(d)])),
  }
}

describe('the owner of a rule', () => {
  const rule = (selector: string) => Object.keys(modesOf(`${selector} { --a: x }`)).filter((mode) => mode !== 'root')

  it.each([
    ':root',
    'HTML',
    ':host',
    ':where(html)',
    ':where( :root )',
    ':is(:root, :host)',
    ':root:not(.dark)',
    ":root:not([data-theme='dark']):not(.x)",
    ':host(:not([data-theme=dark]))',
    ":root, [data-bs-theme='light']",
    "[data-theme='light'], :root:not([data-theme='dark'])",
    ':root, :host, .sl-theme-light',
    ':root, .light, .light-theme',
    ':root,:root:has(input.theme-controller[value=light]:checked),[data-theme="light"]',
    '.btn, :root',
  ])('the document owns the rule %s', (selector) => {
    expect(modesOf(`${selector} { --a: x }`)).toEqual({ root: { '--a': 'x' } })
  })

  it.each([
    ['.dark', 'dark'],
    ['.dark, .dark-theme', 'dark'],
    ['html.dark', 'dark'],
    [':root.gl-dark, .gl-dark-scope', 'gl-dark'],
    ['.ui-red-scope,:root.ui-red', 'ui-red'],
    ['.theme-ocean', 'theme-ocean'],
    ['.ion-palette-dark', 'ion-palette-dark'],
    [':host, .sl-theme-dark', 'sl-theme-dark'],
    ['[data-theme="dark"]', 'dark'],
    ["[data-theme='solarized light']", 'solarized light'],
    ['[ data-bs-theme = dark i ]', 'dark'],
    [":root[data-mantine-color-scheme='dark'], :host([data-mantine-color-scheme='dark'])", 'dark'],
    [':root:has(input.theme-controller[value=dark]:checked),[data-theme=dark]', 'dark'],
    ['[data-color-mode="dark"][data-dark-theme="dark"], [data-color-mode="auto"][data-light-theme="dark"]', 'dark'],
    [
      '[data-color-mode="dark"][data-dark-theme="dimmed"], [data-color-mode="auto"][data-light-theme="dimmed"]',
      'dimmed',
    ],
    ['[data-theme="sea"][data-mode="dark"]', 'sea dark'],
    [':where([data-theme="dark"])', 'dark'],
    [':root:where(.dark, .dark *)', 'dark'],
    [':root[data-compact]', 'data-compact'],
    ['[data-color-mode]', 'data-color-mode'],
    [':root:dir(rtl)', ':dir(rtl)'],
    [':root:lang(de)', ':lang(de)'],
    ['[data-theme=auto]', 'auto'],
  ])('the rule %s is the mode %s', (selector, mode) =>
    expect(modesOf(`${selector} { --a: x }`)).toEqual({ root: {}, [mode]: { '--a': 'x' } }),
  )

  it.each([
    '.btn',
    '.btn.dark',
    '.navbar-dark, .navbar[data-bs-theme=dark]',
    '.dark .btn',
    ':root .x',
    ':root > body',
    ':root::before',
    '*',
    '#app',
    'body',
    ':not(.dark)',
    `${':where('.repeat(50)}:root${')'.repeat(50)}`,
    '[type=checkbox]',
    '',
  ])('the rule %s is about elements within the page', (selector) => {
    expect(rule(selector)).toEqual([])
    const { root, elsewhere } = readStylesheet(`${selector} { --a: x }`)
    expect([root, elsewhere]).toEqual([[], [{ property: '--a', value: 'x', selector }]])
  })
})

describe('modes', () => {
  it.each<[string, string, object]>([
    ['of media queries', '@media (prefers-color-scheme: dark) { :root { --a: 1 } }', { dark: { '--a': '1' } }],
    [
      'of several media queries',
      '@media (color-gamut:p3) { :root { --a: 1 } .dark { --a: 2 } }',
      { 'color-gamut:p3': { '--a': '1' }, 'dark, color-gamut:p3': { '--a': '2' } },
    ],
    [
      'of a media query nested in a rule',
      ':root { --a: 0; @media print { --a: 1 } }',
      { root: { '--a': '0' }, print: { '--a': '1' } },
    ],
    [
      'of a rule nested in a rule',
      ":root { &.dark { --a: 1 } &[data-theme='sea'] { --a: 2 } }",
      { dark: { '--a': '1' }, sea: { '--a': '2' } },
    ],
    ['of Tailwind’s @variant', ':root { @variant dark { --a: 1 } }', { dark: { '--a': '1' } }],
    [
      'not of a media query for every screen',
      '@media only screen { :root { --a: 1 } } @media all { :root { --b: 1 } }',
      { root: { '--a': '1', '--b': '1' } },
    ],
    [
      'not of @supports',
      '@supports (color: lab(0 0 0)) { :root { --a: 1 } } @supports not (x: y) { :root { --a: 2 } }',
      { root: { '--a': '1' } },
    ],
    [
      'written twice, for a preference and for a choice',
      "@media only screen and (prefers-color-scheme: dark) { :root:not([data-theme]) { --a: 1 } } [data-theme='dark'] { --a: 1; --b: 2 }",
      { dark: { '--a': '1', '--b': '2' } },
    ],
    [
      'with the same name but different values',
      '@media (prefers-color-scheme: dark) { :root { --a: 1 } } .dark { --a: 2 }',
      { dark: { '--a': '2' }, 'dark (media query)': { '--a': '1' } },
    ],
    [
      'named within a media query',
      '@media (prefers-color-scheme: dark) { [data-color-mode][data-color-mode="auto"][data-dark-theme="light"] { --a: 1 } }',
      { light: { '--a': '1' } },
    ],
    [
      'for visitors without a choice',
      '@media (prefers-color-scheme: dark) { [data-theme=auto] { --a: 1 } }',
      { dark: { '--a': '1' } },
    ],
  ])('modes are read: %s', (_, css, expected) => expect(modesOf(css)).toEqual({ root: {}, ...expected }))

  it('the options selectors and modes name further selectors', () => {
    const css = ".app { --a: 1 } .app[ data-skin = 'ocean' ] { --a: 2 } .other { --a: 3 }"
    const options = { selectors: ['.app'], modes: { ocean: '.app[data-skin="ocean"]' } }
    expect(modesOf(css, options)).toEqual({ root: { '--a': '1' }, ocean: { '--a': '2' } })
  })
})

it.each<[selectors: string, mode: string]>([
  ["html[data-mode='light'][data-theme~='light:light'], html[data-mode='dark'][data-theme~='dark:light']", 'light'],
  ["html[data-mode='light'][data-theme~='light:dark'], html[data-mode='dark'][data-theme~='dark:dark']", 'dark'],
  [
    "html[data-mode='light'][data-theme~='light:plain'], html[data-mode='dark'][data-theme~='dark:plain']",
    'light:plain',
  ],
  [':root:has(#dark:checked), [data-theme=dark]', 'dark'],
  ['.theme-dark, .dark', 'dark'],
  ['[data-mode=dark][data-dark-theme=dark_dimmed], [data-mode=auto][data-dark-theme=dark_dimmed]', 'dark_dimmed'],
  ['[data-theme=auto], [data-theme=dark]', 'dark'],
  ['html[data-theme=dark][data-density=compact]', 'dark compact'],
])('the plainest selector of a list names the mode, without repeated words: %s', (selectors, mode) => {
  expect([...readStylesheet(`${selectors} { --a: red }`).modes.keys()]).toEqual([mode])
})
