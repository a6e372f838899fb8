import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSplitSpacing, defaultBreakpoints, defaultSizes, spacingStylesheet } from './index.js'

const declaration = /^\.sw-[a-z0-9-]+\{(margin|padding)-block-(start|end):var\(--sw-[a-z-]+,[\d.]+rem\)\}$/

describe.each([
  ['unlayered', false],
  ['layered', true],
])('the default stylesheet, %s', (_, layered) => {
  const css = spacingStylesheet({ layered })

  it('is at most 600 bytes gzipped', () => {
    expect(gzipSync(css, { level: 9 }).length).toBeLessThanOrEqual(600)
  })

  it('has one declaration for each class, once, and a rule for each side, size and breakpoint', () => {
    const rules = css.split('\n').filter((line) => line.startsWith('.'))
    expect(rules.length).toBe(4 * 5 * 6)
    expect(new Set(rules.map((rule) => rule.slice(0, rule.indexOf('{')))).size).toBe(rules.length)
    for (const rule of rules) expect(rule).toMatch(declaration)
  })

  it('has Tailwind 4’s breakpoints, from narrow to wide', () => {
    expect(css.match(/min-width:[^)]*/g)).toEqual(
      ['40rem', '48rem', '64rem', '80rem', '96rem'].map((w) => `min-width:${w}`),
    )
  })

  it('has every class that a prop can give', () => {
    const given = new Set<string>()
    for (const kind of ['margin', 'padding'])
      for (const breakpoint of ['Xs', 'Sm', 'Md', 'Lg', 'Xl', 'Xxl'])
        for (const side of ['', 'top', 'bottom'])
          for (const size of ['extraSmall', 'small', 'base', 'large', 'extraLarge']) {
            const value = side ? side + size[0]?.toUpperCase() + size.slice(1) : size
            const { className = '' } = createSplitSpacing()({ [kind + breakpoint]: value })
            for (const one of className.split(' ')) given.add(one)
          }
    expect([...css.matchAll(/\.(sw-[\w-]+)/g)].map(([, one]) => one).sort()).toEqual([...given].sort())
  })

  it('is balanced', () => {
    expect(css.split('{').length).toBe(css.split('}').length)
  })
})

it('states the order of the layers first, and only when layered', () => {
  expect(spacingStylesheet({ layered: true })).toMatch(
    /^@layer theme,base,components,utilities;\n@layer components\{\n\.sw-/,
  )
  expect(spacingStylesheet()).toMatch(/^\.sw-base-xs-mt\{margin-block-start:var\(--sw-base,2rem\)\}\n/)
  expect(spacingStylesheet()).not.toContain('@layer')
})

it('is made of the user’s own breakpoints and sizes', () => {
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

describe('a scale that is malformed', () => {
  const wrong: [string, Parameters<typeof spacingStylesheet<string, string>>[0]][] = [
    ['breakpoints: there is none', { breakpoints: {} }],
    ["breakpoints: 'Md' is no name", { breakpoints: { Md: '48rem' } }],
    ["breakpoints: '2' is no name", { breakpoints: { 2: '48rem' } }],
    ["breakpoints: 'a-b' is no name", { breakpoints: { 'a-b': '48rem' } }],
    ["breakpoints: 'a{}' is no name", { breakpoints: { 'a{}': '48rem' } }],
    ["breakpoints: '__proto__' is no name", { breakpoints: JSON.parse('{"__proto__":"48rem"}') }],
    ["breakpoints.md: '48' is no width", { breakpoints: { md: '48' } }],
    ['breakpoints.md: no text; write it as a string', { breakpoints: { md: 48 as unknown as string } }],
    ["breakpoints.md: 'calc(1px)' is no width", { breakpoints: { md: 'calc(1px)' } }],
    ["breakpoints.md: '1rem){}*{color:red}(' is no width", { breakpoints: { md: '1rem){}*{color:red}(' } }],
    ["breakpoints.md: '800px' is no rem", { breakpoints: { sm: '40rem', md: '800px' } }],
    ["breakpoints.sm: '40rem' is no wider than 'md'", { breakpoints: { md: '48rem', sm: '40rem' } }],
    ["breakpoints.md: '48rem' is no wider than 'sm'", { breakpoints: { sm: '48rem', md: '48rem' } }],
    ["breakpoints.xs: '0' is no wider than 'sm'", { breakpoints: { sm: '40rem', xs: '0' } }],
    ['sizes: there is none', { sizes: {} }],
    ["sizes: 'Small' is no name", { sizes: { Small: '1rem' } }],
    ["sizes: 's;' is no name", { sizes: { 's;': '1rem' } }],
    ['sizes.topSmall: so the top of', { sizes: { small: '1rem', topSmall: '2rem' } }],
    ['sizes.bottomSmall: so the bottom of', { sizes: { bottomSmall: '2rem', small: '1rem' } }],
    ...[
      '1',
      '-1rem',
      '',
      'auto',
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
    ].map((length): (typeof wrong)[number] => [`sizes.s: '${length}' is no length`, { sizes: { s: length } }]),
    ['sizes.s: no text; write it as a string', { sizes: { s: 1 as unknown as string } }],
    ['sizes.s: no text; write it as a string', { sizes: { s: ['1rem'] as unknown as string } }],
  ]
  it.each(wrong)('is refused: %s', (message, scale) => {
    for (const make of [spacingStylesheet, createSplitSpacing]) {
      expect(() => make(scale)).toThrow(TypeError)
      expect(() => make(scale)).toThrow(message)
    }
  })

  it('names what to write instead', () => {
    expect(() => spacingStylesheet({ sizes: { small: 'big' } })).toThrow(
      "sizes.small: 'big' is no length; write one such as '1.5rem' or 'clamp(1rem, 4vw, 3rem)'",
    )
  })

  it('gives no stylesheet with more or fewer rules than the scale has', () => {
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
      { numRuns: 2000 },
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
])('%s is a length', (length) =>
  expect(spacingStylesheet({ sizes: { s: length } })).toContain(`var(--sw-s,${length})}`),
)

it('the defaults are those of the design', () => {
  expect(Object.keys(defaultBreakpoints)).toEqual(['xs', 'sm', 'md', 'lg', 'xl', 'xxl'])
  expect(Object.keys(defaultSizes).sort()).toEqual(['base', 'extraLarge', 'extraSmall', 'large', 'small'])
})
