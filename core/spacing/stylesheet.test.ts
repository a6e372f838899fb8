import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spacingStylesheet } from './index.js'
import { defaultBreakpoints, defaultSizes } from './scale.js'
import { createSplitSpacing } from './split.js'

const declaration = /^\.sw-[a-z0-9-]+\{(margin|padding)-block-(start|end):var\(--sw-[a-z-]+,[\d.]+rem\)\}$/

describe.each([
  ['unlayered', false],
  ['layered', true],
])('the default stylesheet, %s', (_, layered) => {
  const css = spacingStylesheet({ layered })

  it('the default stylesheet has at most 600 bytes when gzipped', () => {
    expect(gzipSync(css, { level: 9 }).length).toBeLessThanOrEqual(600)
  })

  it('the default stylesheet has one rule with one declaration for each side, size and breakpoint', () => {
    const rules = css.split('\n').filter((line) => line.startsWith('.'))
    expect(rules.length).toBe(4 * 5 * 6)
    expect(new Set(rules.map((rule) => rule.slice(0, rule.indexOf('{')))).size).toBe(rules.length)
    for (const rule of rules) expect(rule).toMatch(declaration)
  })

  it('the default stylesheet has Tailwind 4’s breakpoints, from narrow to wide', () => {
    expect(css.match(/min-width:[^)]*/g)).toEqual(
      ['40rem', '48rem', '64rem', '80rem', '96rem'].map((width) => `min-width:${width}`),
    )
  })

  it('the default stylesheet has every class that a prop can return', () => {
    const returned = new Set<string>()
    for (const kind of ['margin', 'padding'])
      for (const breakpoint of ['Xs', 'Sm', 'Md', 'Lg', 'Xl', 'Xxl'])
        for (const side of ['', 'top', 'bottom'])
          for (const size of ['extraSmall', 'small', 'base', 'large', 'extraLarge']) {
            const value = side ? side + size[0]?.toUpperCase() + size.slice(1) : size
            const { className = '' } = createSplitSpacing()({ [kind + breakpoint]: value })
            for (const name of className.split(' ')) returned.add(name)
          }
    expect([...css.matchAll(/\.(sw-[\w-]+)/g)].map(([, name]) => name).sort()).toEqual([...returned].sort())
  })

  it('the default stylesheet has balanced braces', () => {
    expect(css.split('{').length).toBe(css.split('}').length)
  })
})

it('the stylesheet declares the order of the layers first, and only when it is layered', () => {
  expect(spacingStylesheet({ layered: true })).toMatch(
    /^@layer theme,base,components,utilities;\n@layer components\{\n\.sw-/,
  )
  expect(spacingStylesheet()).toMatch(/^\.sw-base-xs-mt\{margin-block-start:var\(--sw-base,2rem\)\}\n/)
  expect(spacingStylesheet()).not.toContain('@layer')
})

it('the stylesheet and the props support custom breakpoints and sizes', () => {
  const scale = { breakpoints: { phone: '0', '2xl': '900px' }, sizes: { extraTight: 'clamp(0rem, 1vw, .5rem)' } }
  expect(spacingStylesheet(scale)).toBe(
    `.sw-extra-tight-phone-mt{margin-block-start:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-phone-mb{margin-block-end:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-phone-pt{padding-block-start:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-phone-pb{padding-block-end:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
@media (min-width:900px){
.sw-extra-tight-2xl-mt{margin-block-start:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-2xl-mb{margin-block-end:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-2xl-pt{padding-block-start:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
.sw-extra-tight-2xl-pb{padding-block-end:var(--sw-extra-tight,clamp(0rem, 1vw, .5rem))}
}
`,
  )
  const { className } = createSplitSpacing(scale)({ marginPhone: 'extraTight', padding2xl: 'bottomExtraTight' })
  expect(className).toBe('sw-extra-tight-phone-mt sw-extra-tight-phone-mb sw-extra-tight-2xl-pb')
})

describe('a malformed scale', () => {
  const invalidName = (option: string, name: string) =>
    `${option}: expected names of letters and digits that begin in lower case, such as 'md', got '${name}'`
  const invalidLength = (length: string) =>
    `sizes.s: expected a length such as '1.5rem' or 'clamp(1rem, 4vw, 3rem)', got '${length}'`
  type Scale = Parameters<typeof spacingStylesheet<string, string>>[0]
  const malformed: [string, Scale][] = [
    [
      'breakpoints: expected at least one entry, got an empty list; leave the option out for the default',
      { breakpoints: {} },
    ],
    [invalidName('breakpoints', 'Md'), { breakpoints: { Md: '48rem' } }],
    [invalidName('breakpoints', '2'), { breakpoints: { 2: '48rem' } }],
    [invalidName('breakpoints', 'a-b'), { breakpoints: { 'a-b': '48rem' } }],
    [invalidName('breakpoints', 'a{}'), { breakpoints: { 'a{}': '48rem' } }],
    [invalidName('breakpoints', '__proto__'), { breakpoints: JSON.parse('{"__proto__":"48rem"}') }],
    [
      "breakpoints.md: expected a width such as '48rem', or '0' for any viewport, got '48'",
      { breakpoints: { md: '48' } },
    ],
    ['breakpoints.md: expected a string, got 48', { breakpoints: { md: 48 as unknown as string } }],
    [
      "breakpoints.md: expected a width such as '48rem', or '0' for any viewport, got 'calc(1px)'",
      { breakpoints: { md: 'calc(1px)' } },
    ],
    [
      "breakpoints.md: expected a width such as '48rem', or '0' for any viewport, got '1rem){}*{color:red}('",
      { breakpoints: { md: '1rem){}*{color:red}(' } },
    ],
    [
      "breakpoints.md: expected a width in rem, got '800px'; use one unit for all",
      { breakpoints: { sm: '40rem', md: '800px' } },
    ],
    [
      "breakpoints.sm: expected a width above that of 'md', got '40rem'; list them from narrow to wide",
      { breakpoints: { md: '48rem', sm: '40rem' } },
    ],
    [
      "breakpoints.md: expected a width above that of 'sm', got '48rem'; list them from narrow to wide",
      { breakpoints: { sm: '48rem', md: '48rem' } },
    ],
    [
      "breakpoints.xs: expected a width above that of 'sm', got '0'; list them from narrow to wide",
      { breakpoints: { sm: '40rem', xs: '0' } },
    ],
    ['sizes: expected at least one entry, got an empty list; leave the option out for the default', { sizes: {} }],
    [invalidName('sizes', 'Small'), { sizes: { Small: '1rem' } }],
    [invalidName('sizes', 's;'), { sizes: { 's;': '1rem' } }],
    [
      "sizes: expected unique names, got 'topSmall'; name already used for the top side of 'small'",
      { sizes: { small: '1rem', topSmall: '2rem' } },
    ],
    [
      "sizes: expected unique names, got 'bottomSmall'; name already used for the bottom side of 'small'",
      { sizes: { bottomSmall: '2rem', small: '1rem' } },
    ],
    ...[
      '1',
      '-1rem',
      '',
      'auto',
      'big',
      'red',
      '1rem;color:red',
      '1rem}*{color:red',
      'var(--a)}*{color:red',
      '1rem!important',
      '1rem /* ',
      'calc(1rem /* )',
      'url(//evil.test)',
      'calc(1rem) url(x)',
      'max(1rem, url(x))',
      'max(1rem, env(x))',
      'var(--x, attr(y))',
      'calc(1rem',
      'calc(1rem))',
      'calc(1rem)calc(2rem)',
      'calc("1rem")',
      'calc(1rem\\)',
      '1rem\n',
      '@import',
    ].map((length): [string, Scale] => [invalidLength(length), { sizes: { s: length } }]),
    ['sizes.s: expected a string, got 1', { sizes: { s: 1 as unknown as string } }],
    ['sizes.s: expected a string, got a list', { sizes: { s: ['1rem'] as unknown as string } }],
  ]
  it.each(malformed)('a malformed scale is rejected: %s', (message, scale) => {
    for (const create of [spacingStylesheet, createSplitSpacing]) {
      expect(() => create(scale)).toThrow(new TypeError(message))
    }
  })

  it('no length leads to a stylesheet with more or fewer rules than the scale has', () => {
    const parts = [
      '1rem',
      'calc(',
      ')',
      '{',
      '}',
      ';',
      '/*',
      '*/',
      '"',
      '\\',
      ',',
      ' ',
      'var(',
      '--x',
      '@',
      ':',
      '<',
      '\n',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 6 }), (pieces) => {
        const length = pieces.join('')
        let css = ''
        try {
          css = spacingStylesheet({ breakpoints: { xs: '0' }, sizes: { s: length } })
        } catch {
          return
        }
        expect(css.match(/[{};:@"\\<]|\/\*/g)).toEqual(Array(4).fill(['{', ':', '}']).flat())
        expect(css.split('(').length).toBe(css.split(')').length)
      }),
      { numRuns: 500 },
    )
  })
})

it.each([
  '0',
  '1px',
  '.5rem',
  '1.25em',
  '2%',
  '3vh',
  '4cqi',
  'var(--gap)',
  'clamp(1rem, 2vw + 1rem, 3rem)',
  'calc((1rem + 2px) * 2)',
  'max(1rem, var(--a, min(2vw, 3rem)))',
])('the length %s is accepted', (length) =>
  expect(spacingStylesheet({ sizes: { s: length } })).toContain(`var(--sw-s,${length})}`),
)

it('the default breakpoints and sizes have the specified names', () => {
  expect(Object.keys(defaultBreakpoints)).toEqual(['xs', 'sm', 'md', 'lg', 'xl', 'xxl'])
  expect(Object.keys(defaultSizes).sort()).toEqual(['base', 'extraLarge', 'extraSmall', 'large', 'small'])
})
