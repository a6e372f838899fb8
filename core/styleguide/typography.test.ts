import { describe, expect, it, vi } from 'vitest'
import type { Typography, TypographyNames } from './index.js'
import { fromCssVariables, fromDesignTokens, fromTailwind3, fromTailwindTheme } from './testing/without-source.js'

const themeOf = (properties: Record<string, unknown>) => ({
  entries: () => Object.entries(properties).map(([name, value]) => [name, { value }] as const),
})

describe('typography of custom properties', () => {
  it('typography is read from custom properties in Tailwind’s namespaces', () => {
    const theme = {
      '--default-font-family': 'var(--font-sans)',
      '--font-sans': 'ui-sans-serif, sans-serif',
      '--font-sans--font-feature-settings': '"cv11"',
      '--font-body': 'var(--font-sans)',
      '--text-sm': '0.875rem',
      '--text-sm--line-height': 'calc(1.25 / 0.875)',
      '--text-sm--letter-spacing': '1px',
      '--text-fluid': 'clamp(1rem, 1rem + 1vw, 2rem)',
      '--text-shadow-sm': '0px 1px 0px black',
      '--font-weight-bold': 700,
      '--leading-tight': '1.25',
      '--tracking-wide': '0.025em',
      '--color-red': 'red',
    }
    const typography: Typography = {
      families: [
        { name: 'sans', value: 'ui-sans-serif, sans-serif' },
        { name: 'body', value: 'ui-sans-serif, sans-serif' },
      ],
      sizes: [
        { name: 'sm', value: '0.875rem', lineHeight: 'calc(1.25 / 0.875)' },
        { name: 'fluid', value: 'clamp(1rem, 1rem + 1vw, 2rem)' },
      ],
      weights: [{ name: 'bold', value: '700' }],
      lineHeights: [{ name: 'tight', value: '1.25' }],
      letterSpacings: [{ name: 'wide', value: '0.025em' }],
    }
    expect(fromTailwindTheme(themeOf(theme)).typography).toEqual(typography)
    expect(fromCssVariables(theme).typography).toEqual(typography)
    const prefixed = Object.entries(theme).map(([name, value]) => [name.replace('--', '--tw-'), { value }] as const)
    const { families, ...withoutFamilies } = typography
    expect(fromTailwindTheme({ prefix: 'tw', entries: () => prefixed }).typography).toMatchObject(withoutFamilies)
  })

  it.each<[string, TypographyNames, Typography]>([
    ['names', { families: ['--serif', '--sans'] }, { families: [{ name: 'serif', value: 'Georgia' }] }],
    ['a namespace', { sizes: '--size-*' }, { sizes: [{ name: 'text', value: 'clamp(1rem, 2vw, 2rem)' }] }],
    [
      'the longest match',
      { sizes: ['--size-*', '--s*'], families: '--serif' },
      {
        families: [{ name: 'serif', value: 'Georgia' }],
        sizes: [
          { name: 'pace', value: '2rem' },
          { name: 'text', value: 'clamp(1rem, 2vw, 2rem)' },
        ],
      },
    ],
    ['no names', {}, {}],
  ])('typography is read from custom names: %s', (_, names, typography) => {
    const css = ':root { --serif: Georgia; --space: 2rem; --size-text: clamp(1rem, 2vw, 2rem); --size-: 1px }'
    expect(fromCssVariables(css, { typography: names }).typography).toEqual(typography)
  })

  it.each<[declaration: string, kind: keyof Typography | undefined, name?: string]>([
    ['--font-heading: "Fraunces", serif', 'families', 'heading'],
    ['--font-body: var(--font-inter)', 'families', 'body'],
    ['--font-space-grotesk: Space Grotesk, -apple-system', 'families', 'space-grotesk'],
    ['--acme-font-family-base: Inter', 'families', 'acme-font-family-base'],
    ['--font-size-xs: .75rem', 'sizes', 'xs'],
    ['--font-size-md: var(--scale-3)', 'sizes', 'md'],
    ['--acme-font-scale-1: 1.2em', 'sizes', 'acme-font-scale-1'],
    ['--fontSizeBase100: 10px', 'sizes', 'fontSizeBase100'],
    ['--text-base: clamp(1rem, 2vw, 2rem)', 'sizes', 'base'],
    ['--text-fine: x-small', 'sizes', 'fine'],
    ['--text2xl: 1.5rem', 'sizes', 'text2xl'],
    ['--leading6: 1.5', 'lineHeights', 'leading6'],
    ['--font-cjk: "Noto Sans JP", 游ゴシック, __Inter_a1', 'families', 'cjk'],
    ['--font-weight-1: 100', 'weights', '1'],
    ['--text-title-font-weight: 650', 'weights', 'text-title-font-weight'],
    ['--font-line-height-xs: 1.2', 'lineHeights', 'font-line-height-xs'],
    ['--font-lineheight-2: 150%', 'lineHeights', 'font-lineheight-2'],
    ['--text-title-font-line-height: 48px', 'lineHeights', 'text-title-font-line-height'],
    ['--leading-none: normal', 'lineHeights', 'none'],
    ['--text-title-letter-spacing: 0', 'letterSpacings', 'text-title-letter-spacing'],
    ['--tracking-tight: -.02em', 'letterSpacings', 'tight'],
    ['--font-size-ratio: 1.25', undefined],
    ['--font-feature-settings: "ss01"', undefined],
    ['--font-stretch: condensed', undefined],
    ['--font-style-quote: italic', undefined],
    ['--font-display: swap', undefined],
    ['--font-accent: teal', undefined],
    ['--font-body: 400 1rem/1.5 Inter', undefined],
    ['--text-faint: #999', undefined],
    ['--text-indent-list: 1rem', undefined],
    ['--acme-text-underline-offset: 2px', undefined],
    ['--text-delay: 200ms', undefined],
    ['--button-text-gap: 4px', undefined],
    ['--font-weight-heavy: 1001', undefined],
    ['--leading-accent: red', undefined],
    ['--tracking-id: UA-1', undefined],
  ])('a value belongs to the kind in which a browser takes it: %s', (declaration, kind, name) => {
    const value = declaration.replace(/^.*?: /, '')
    expect(fromCssVariables(`:root { ${declaration} }`).typography).toEqual(kind ? { [kind]: [{ name, value }] } : {})
  })

  it('names of typography replace both the namespaces and the words of a kind', () => {
    const css = ':root { --serif: Georgia; --quote-font-family: serif; --font-b: B; --quote-font-size: 2rem }'
    expect(fromCssVariables(css, { typography: { families: '--serif' } }).typography).toEqual({
      families: [{ name: 'serif', value: 'Georgia' }],
      sizes: [{ name: 'quote-font-size', value: '2rem' }],
    })
  })

  it('leaves out values other than strings and numbers, and keeps the declared value of a circular reference', () => {
    const odd = { '--text-a': null, '--text-b': {}, '--text-c': '', '--text-d': 'var(--text-d)', '--text-__proto__': 0 }
    expect(fromTailwindTheme(themeOf(odd)).typography.sizes).toEqual([
      { name: 'd', value: 'var(--text-d)' },
      { name: '__proto__', value: '0' },
    ])
  })
})

describe('typography of Tailwind 3', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})

  it.each<[string, unknown, Typography]>([
    ['a string', { fontFamily: { a: 'A, serif' } }, { families: [{ name: 'a', value: 'A, serif' }] }],
    ['a list', { fontFamily: { a: ['"A B"', 'serif'] } }, { families: [{ name: 'a', value: '"A B", serif' }] }],
    [
      'a list with settings',
      { fontFamily: { a: [['A', 'serif'], { fontFeatureSettings: '"cv"' }], b: ['B, serif', {}] } },
      {
        families: [
          { name: 'a', value: 'A, serif' },
          { name: 'b', value: 'B, serif' },
        ],
      },
    ],
    [
      'sizes',
      { fontSize: { a: '1rem', b: ['2rem', '2.5rem'], c: ['3rem', { lineHeight: 1, letterSpacing: '1px' }], d: [] } },
      {
        sizes: [
          { name: 'a', value: '1rem' },
          { name: 'b', value: '2rem', lineHeight: '2.5rem' },
          { name: 'c', value: '3rem', lineHeight: '1' },
        ],
      },
    ],
    [
      'numbers',
      { fontWeight: { a: 400 }, lineHeight: { b: 1.5 }, letterSpacing: { c: '0' } },
      {
        weights: [{ name: 'a', value: '400' }],
        lineHeights: [{ name: 'b', value: '1.5' }],
        letterSpacings: [{ name: 'c', value: '0' }],
      },
    ],
    [
      'functions',
      { spacing: { 4: '1rem' }, fontSize: ({ theme }: Args) => ({ a: theme('spacing.4'), b: theme('nothing') }) },
      { sizes: [{ name: 'a', value: '1rem' }] },
    ],
    [
      'an extension',
      { fontWeight: { a: 400, b: 700 }, extend: { fontWeight: () => ({ b: 800, c: 900 }) } },
      {
        weights: [
          { name: 'a', value: '400' },
          { name: 'b', value: '800' },
          { name: 'c', value: '900' },
        ],
      },
    ],
    ['invalid values', { fontSize: 4, fontFamily: null, fontWeight: { a: null, b: {}, c: () => 1 } }, {}],
    ['nothing', {}, {}],
  ])('fromTailwind3 reads typography from %s', (_, theme, typography) => {
    expect(fromTailwind3({ theme: theme as object }).typography).toEqual(typography)
    expect(fromTailwind3(theme as Record<string, unknown>).typography).toEqual(typography)
  })
  type Args = { theme: (path: string) => unknown }

  it('fromTailwind3 warns about a function that throws', async () => {
    vi.resetModules() // other tests of this process may have used up the number of warnings
    const { fromTailwind3 } = await import('./testing/without-source.js')
    const theme = { fontSize: () => (null as unknown as { a: object }).a, fontWeight: { a: 1 } } as Record<
      string,
      unknown
    >
    expect(fromTailwind3({ theme }).typography).toEqual({ weights: [{ name: 'a', value: '1' }] })
    expect(warn.mock.lastCall?.[0]).toMatch(/theme\.fontSize: a function that threw: Cannot read/)
  })
})

describe('breakpoints', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['strings', { md: '768px', sm: '640px' }, ['sm 640px', 'md 768px']],
    ['other units', { lg: '900px', md: '50em', sm: '40rem' }, ['sm 40rem', 'md 50em', 'lg 900px']],
    ['objects', { sm: { min: '640px', max: '767px' } }, ['sm 640px']],
    [
      'screens without a minimum width',
      { a: { max: '1px' }, b: { raw: 'print' }, c: [{ min: '1px' }], d: '2px' },
      ['d 2px'],
    ],
    ['widths that only a browser can resolve', { b: 'calc(1px + 1rem)', a: '1px' }, ['b calc(1px + 1rem)', 'a 1px']],
    ['nothing', {}, []],
  ])('fromTailwind3 reads breakpoints from %s', (_, screens, breakpoints) => {
    const read = fromTailwind3({ theme: { screens } }).breakpoints
    expect(read.map(({ name, value }) => `${name} ${value}`)).toEqual(breakpoints)
  })

  it('the breakpoints of a Tailwind 4 theme are the namespace --breakpoint-*, sorted by width', () => {
    const theme = {
      '--breakpoint-sm': '40rem',
      '--breakpoint-*': 'initial',
      '--breakpoint-b': '90rem',
      '--breakpoint-a': '9px',
    }
    expect(fromTailwindTheme(themeOf(theme)).breakpoints).toEqual([
      { name: 'a', value: '9px' },
      { name: 'b', value: '90rem' },
    ])
  })
})

describe('typography of design tokens', () => {
  it.each<[string, Record<string, unknown>, Typography]>([
    [
      'families',
      { $type: 'fontFamily', a: { $value: ['Comic Sans MS', '3D Font', 'serif'] }, b: { $value: 'A, serif' } },
      {
        families: [
          { name: 'a', value: 'Comic Sans MS, "3D Font", serif' },
          { name: 'b', value: 'A, serif' },
        ],
      },
    ],
    [
      'weights',
      { $type: 'fontWeight', a: { $value: 350 }, b: { $value: 'extra-bold' }, c: { $value: '{b}' } },
      {
        weights: [
          { name: 'a', value: '350' },
          { name: 'b', value: '800' },
          { name: 'c', value: '800' },
        ],
      },
    ],
    [
      'a dimension or number whose path names its role',
      {
        'Font Size': { $type: 'dimension', sm: { $value: { value: 14, unit: 'px' } }, md: { $value: '1rem' } },
        lineHeight: { $type: 'number', tight: { $value: 1.2 } },
        text: { tracking: { $type: 'dimension', $value: { value: -0.5, unit: 'px' } } },
        'text-to-icon-100': { $type: 'dimension', $value: '4px' },
        'edge-to-bottom-text': { $type: 'dimension', $value: '4px' },
        bodyText: { $type: 'dimension', sm: { $value: '17px' }, padding: { sm: { $value: '4px' } } },
        space: { $type: 'dimension', sm: { $value: '4px' } },
        opacity: { $type: 'number', half: { $value: 0.5 } },
      },
      {
        sizes: [
          { name: 'Font Size.sm', value: '14px' },
          { name: 'Font Size.md', value: '1rem' },
          { name: 'bodyText.sm', value: '17px' },
        ],
        lineHeights: [{ name: 'lineHeight.tight', value: '1.2' }],
        letterSpacings: [{ name: 'text.tracking', value: '-0.5px' }],
      },
    ],
    [
      'the values within a composite token',
      {
        sans: { $type: 'fontFamily', $value: 'Inter' },
        h1: {
          $type: 'typography',
          $value: {
            fontFamily: '{sans}',
            fontSize: { value: 3, unit: 'rem' },
            fontWeight: 700,
            letterSpacing: { value: 0, unit: 'px' },
            lineHeight: 1.1,
          },
        },
      },
      {
        families: [{ name: 'sans', value: 'Inter' }],
        sizes: [{ name: 'h1', value: '3rem', lineHeight: '1.1', family: 'Inter' }],
        weights: [{ name: 'h1', value: '700' }],
        letterSpacings: [{ name: 'h1', value: '0px' }],
      },
    ],
    [
      'the references within a composite token',
      {
        ramp: { $type: 'dimension', 5: { $value: { value: 2, unit: 'rem' } } },
        face: { $type: 'fontFamily', text: { $value: ['Inter', 'sans-serif'] } },
        bold: { $type: 'fontWeight', $value: 'bold' },
        loose: { $type: 'number', $value: 1.6 },
        wide: { $type: 'dimension', $value: '1px' },
        lead: {
          $type: 'typography',
          $value: {
            fontFamily: '{face.text}',
            fontSize: '{ramp.5}',
            fontWeight: { $ref: '#/bold/$value' },
            lineHeight: '{loose}',
            letterSpacing: '{wide}',
          },
        },
        intro: { $type: 'typography', $value: '{lead}' },
      },
      {
        families: [{ name: 'face.text', value: 'Inter, sans-serif' }],
        weights: [{ name: 'bold', value: '700' }],
        sizes: ['lead', 'intro'].map((name) => ({
          ...{ name, value: '2rem', lineHeight: '1.6' },
          ...{ family: 'Inter, sans-serif', weight: '700', letterSpacing: '1px' },
        })),
      },
    ],
    [
      'invalid values, which are left out',
      {
        f: { $type: 'fontFamily', $value: [4] },
        w: { $type: 'fontWeight', $value: null },
        t: { $type: 'typography', $value: 1 },
      },
      {},
    ],
  ])('typography is read from design tokens: %s', (_, tokens, typography) =>
    expect(fromDesignTokens(tokens).typography).toEqual(typography),
  )

  it('the option legacy reads typography from the types of Tokens Studio', () => {
    const document = {
      fontFamilies: { body: { value: 'Inter', type: 'fontFamilies' } },
      fontSizes: { sm: { value: '14px', type: 'fontSizes' }, base: { value: '{fontSizes.sm.value}' } },
      fontWeights: { bold: { value: 'Bold', type: 'fontWeights' } },
    }
    expect(fromDesignTokens(document, { legacy: true }).typography).toEqual({
      families: [{ name: 'fontFamilies.body', value: 'Inter' }],
      sizes: [
        { name: 'fontSizes.sm', value: '14px' },
        { name: 'fontSizes.base', value: '14px' },
      ],
      weights: [{ name: 'fontWeights.bold', value: '700' }],
    })
  })

  it.each([{ legacy: true }, {}])('the types of Tokens Studio decide the kind, whatever the path: %j', (options) => {
    const [type, value] = options.legacy ? ['type', 'value'] : ['$type', '$value']
    const token = (kind: string, text: unknown) => ({ [type as string]: kind, [value as string]: text })
    const layer = { x: '0', y: 1, blur: '3', spread: '0', color: '#0002', type: 'dropShadow' }
    const document = {
      depth: {
        card: token('boxShadow', layer),
        pressed: token('boxShadow', [layer, { ...layer, y: '{step.two}', type: 'innerShadow' }]),
      },
      scale: { big: token('fontSizes', '28'), alias: token('fontSizes', '{scale.big}'), fontSize: token('sizing', 28) },
      rhythm: { loose: token('lineHeights', '160%'), tight: token('lineHeight', 1.2) },
      gaps: { wide: token('letterSpacing', '0.5'), close: token('letterSpacings', '-1%') },
      step: { two: token('spacing', '8'), lineHeight: token('spacing', '4px') },
      corner: { round: token('borderRadius', '4 8') },
      text: { stroke: token('borderWidth', '1px'), indent: token('paragraphIndent', '1px') },
      size: { lineHeight: { text: token('sizing', '9px') } },
      face: { body: token('fontFamilies', 'Inter'), heavy: token('fontWeights', 'bold') },
    }
    const { typography, shadows, spacing, radii } = fromDesignTokens(document, options)
    expect(typography).toEqual({
      families: [{ name: 'face.body', value: 'Inter' }],
      sizes: ['big', 'alias', 'fontSize'].map((name) => ({ name: `scale.${name}`, value: '28px' })),
      weights: [{ name: 'face.heavy', value: '700' }],
      lineHeights: [
        { name: 'rhythm.loose', value: '160%' },
        { name: 'rhythm.tight', value: '1.2' },
      ],
      letterSpacings: [
        { name: 'gaps.wide', value: '0.5px' },
        { name: 'gaps.close', value: '-1%' },
      ],
    })
    expect(shadows).toEqual([
      { name: 'depth.card', value: '0 1px 3px 0 #0002' },
      { name: 'depth.pressed', value: '0 1px 3px 0 #0002, inset 0 8px 3px 0 #0002' },
    ])
    expect([spacing, radii]).toEqual([
      [
        { name: 'step.two', value: '8px' },
        { name: 'step.lineHeight', value: '4px' },
        { name: 'size.lineHeight.text', value: '9px' },
      ],
      [{ name: 'corner.round', value: '4px 8px' }],
    ])
  })

  it('an error names the file of the design tokens', () => {
    expect(() => fromDesignTokens('[', { file: 'a.json' }).typography).toThrow(/^a\.json:1:2: invalid JSON/)
  })
})
