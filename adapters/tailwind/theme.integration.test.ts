import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupColors, mergeModes } from '../../core/styleguide/internal.js'
import { fromTailwind4 } from './index.js'
import { designSystemLoader } from './theme.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tailwind-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}
const readColors = async (css: string) =>
  Object.fromEntries(
    (await fromTailwind4(css, { base: folder })).colors.map(({ name, value, problem, mode }) => [
      mode ? `${mode}: ${name}` : name,
      problem ?? value,
    ]),
  )

it('fromTailwind4 reads shadows, radii, gradients and the steps of the spacing, with their classes', async () => {
  const css = '@import "tailwindcss"; @theme { --background-image-sky: linear-gradient(red, blue) }'
  const { shadows, radii, gradients, spacing, leftOut } = await fromTailwind4(css, { base: root })
  const md = { value: '0.375rem', source: { property: '--radius-md', className: 'rounded-md' } }
  expect(radii.find(({ name }) => name === 'md')).toMatchObject(md)
  expect(shadows.map(({ source }) => source?.className)).toEqual(
    expect.arrayContaining(['shadow-lg', 'inset-shadow-sm']),
  )
  expect(gradients).toMatchObject([
    { name: 'sky', value: 'linear-gradient(red, blue)', source: { className: 'bg-sky' } },
  ])
  expect(spacing.find(({ name }) => name === '4')).toEqual({
    name: '4',
    value: '1rem',
    source: { property: '--spacing', className: 'p-4' },
  })
  expect(
    leftOut.filter(({ reason }) => reason !== 'of a kind that no page shows, or that its name does not tell'),
  ).toEqual([])
})

it('fromTailwind4 lists the colors of other namespaces than --color-* as left out, and reads no sizes from them', async () => {
  const css = `@import "tailwindcss/theme.css"; @theme { --*: initial; --color-ink: #123; --text-sm: .9rem;
    --text-sm--line-height: 1.5; --text-color-dim: #789; --text-indent-list: 1rem; --text-underline-offset-far: 8px;
    --text-decoration-thickness-bold: 4px; --border-color-line: #ddd; --background-color-page: var(--color-ink);
    --font-weight-bold: 700; --ease-fast: linear }`
  const { colors, typography, spacing, leftOut } = await fromTailwind4(css, { base: root })
  expect(colors.map(({ name }) => name)).toEqual(['ink'])
  expect(typography).toMatchObject({ sizes: [{ name: 'sm', lineHeight: '1.5' }], weights: [{ name: 'bold' }] })
  expect([Object.keys(typography), spacing]).toEqual([['sizes', 'weights'], []])
  const lost = leftOut.filter(({ reason }) => reason === 'a color whose name does not begin with --color-')
  expect(lost.map(({ name, value }) => [name, value])).toEqual([
    ['--text-color-dim', '#789'],
    ['--border-color-line', '#ddd'],
    ['--background-color-page', 'var(--color-ink)'],
  ])
  expect(leftOut.map(({ name }) => name)).toContain('--ease-fast')
  expect(leftOut.map(({ name }) => name)).not.toContain('--text-sm--line-height')
})

it('fromTailwind4 follows theme(), --theme() and --alpha() within @theme', async () => {
  const css = `@theme { --color-red: #f00; --color-a: theme(--color-red); --color-b: --theme(--color-red / 50%);
    --color-c: --theme(--color-none, blue); --color-d: color-mix(in srgb, --alpha(var(--color-red) / 50%), white);
    --color-e: theme(colors.red) }`
  expect(await readColors(css)).toEqual({
    red: '#f00',
    a: '#f00',
    b: 'color-mix(in oklab, #f00 50%, transparent)',
    c: 'blue',
    d: 'color-mix(in srgb, color-mix(in oklab, #f00 50%, transparent), white)',
    e: '#f00',
  })
})

it.each(['src/main.css', './main.css', 'C:\\site\\main.css'])(
  'fromTailwind4 says that %j is not a stylesheet',
  async (path) => {
    await expect(fromTailwind4(path)).rejects.toThrow(
      `css: expected the text of a stylesheet, got '${path}'; write readFileSync('public/site.css', 'utf8')`,
    )
  },
)

it('fromTailwind4 reads the default theme of Tailwind 4, complete and in order', async () => {
  const { colors, typography, breakpoints } = await fromTailwind4('@import "tailwindcss"', { base: root })
  const css = await readFile(fileURLToPath(import.meta.resolve('tailwindcss/theme.css')), 'utf8')
  const declared = [...css.matchAll(/^\s*--(color|breakpoint|font(?:-weight)?|text|leading|tracking)-([\w-]+):/gm)]
  const namesOf = (namespace: string) => {
    const names = declared.flatMap(([, prefix, name]) => (prefix === namespace ? name : []))
    return names.filter((name) => name && !/--|^shadow-/.test(name))
  }
  const namesIn = (values: readonly { name: string }[] = []) => values.map(({ name }) => name)

  expect(namesIn(colors)).toEqual(namesOf('color'))
  expect(colors.filter(({ problem, value }) => problem || !value)).toEqual([])
  const groups = groupColors(mergeModes(colors).colors).filter(({ name }) => name)
  expect(groups.length).toBeGreaterThanOrEqual(22)
  for (const group of groups) {
    expect(group.swatches.map(({ color }) => color.name).join()).toBe(
      shades.map((shade) => `${group.name}-${shade}`).join(),
    )
  }

  expect(namesIn(typography.families)).toEqual(['sans', 'serif', 'mono'])
  expect(namesIn(typography.sizes)).toEqual(namesOf('text'))
  expect(namesIn(typography.weights)).toEqual(namesOf('font-weight'))
  expect(namesIn(typography.lineHeights)).toEqual(namesOf('leading'))
  expect(namesIn(typography.letterSpacings)).toEqual(namesOf('tracking'))
  expect(typography.sizes?.[0]).toMatchObject({ name: 'xs', value: '0.75rem', lineHeight: 'calc(1 / 0.75)' })
  expect(breakpoints).toMatchObject([
    { name: 'sm', value: '40rem' },
    { name: 'md', value: '48rem' },
    { name: 'lg', value: '64rem' },
    { name: 'xl', value: '80rem' },
    { name: '2xl', value: '96rem' },
  ])
})
const shades = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950]

describe('a site’s stylesheet', () => {
  it.each<[string, string, Record<string, string>]>([
    ['@theme', '@theme { --color-a: red; --spacing: 1px }', { a: 'red' }],
    ['@theme inline', '@theme inline { --color-a: red }', { a: 'red' }],
    ['@theme static', '@theme static { --color-a: red }', { a: 'red' }],
    ['@theme reference', '@theme reference { --color-a: red }', { a: 'red' }],
    ['initial', '@theme default { --color-a: red } @theme { --color-*: initial; --color-b: lime }', { b: 'lime' }],
    ['a prefix', '@theme prefix(tw) { --color-a: red; --color-b: var(--tw-color-a) }', { a: 'red', b: 'red' }],
    ['an escaped name', '@theme { --color-a\\.5: red }', { 'a.5': 'red' }],
    ['keywords', '@theme { --color-a: Transparent; --color-b: CURRENTCOLOR; --color-c: inherit }', {}],
    ['an invalid color', '@theme { --color-a: 4px }', { a: 'is not a known CSS color' }],
    ['nothing', '', {}],
    ['no theme', ':root { --color-a: red }', {}],
    [
      'variables of the document',
      ':root { --brand: #06c } .dark { --brand: #9cf } @theme inline { --color-brand: var(--brand) }',
      { brand: '#06c', 'dark: brand': '#9cf' },
    ],
    [
      'a variable of the same name',
      '@theme inline { --color-brand: var(--color-brand) } :root { --color-brand: #06c }',
      { brand: '#06c' },
    ],
    ['an undefined variable', '@theme inline { --color-brand: var(--brand) }', { brand: 'var(--brand)' }],
    ['a name that the page defines', '@theme inline { --color-a: var(--color-a) }', { a: 'var(--color-a)' }],
    [
      'a circular reference',
      '@theme { --color-a: var(--color-b); --color-b: var(--color-a) }',
      { a: 'is an alias of itself', b: 'is an alias of itself' },
    ],
    ['what no library parses', '@theme { --color-a: calc(1px) }', { a: 'is not a known CSS color' }],
    [
      'variables within functions',
      '@theme inline { --color-a: hsl(var(--b)); --color-c: --alpha(var(--color-a) / 50%) } :root { --b: 1 2% 3% }',
      { a: 'hsl(1 2% 3%)', c: 'color-mix(in oklab, hsl(1 2% 3%) 50%, transparent)' },
    ],
  ])('a site’s stylesheet can contain %s', async (_, css, colors) => expect(await readColors(css)).toEqual(colors))

  it('a site’s stylesheet can have modes', async () => {
    const css = `
      :root { --brand: #06c } .dark { --brand: #9cf; --other: red }
      @media (prefers-contrast: more) { :root { --color-own: red } }
      @theme inline { --color-brand: var(--brand); --color-own: blue }`
    expect((await fromTailwind4(css)).colors).toMatchObject([
      { name: 'brand', value: '#06c', alias: '--brand' },
      { name: 'own', value: 'blue' },
      { name: 'brand', value: '#9cf', alias: '--brand', mode: 'dark' },
      { name: 'own', value: 'red', mode: 'prefers-contrast: more' },
    ])
  })

  it('a site’s stylesheet can import files in UTF-8 and UTF-16, by their byte order mark', async () => {
    const css = '@theme { --color-ü: red }'
    const bigEndian = Buffer.from(`\uFEFF${css.replace('ü', 'be')}`, 'utf16le').swap16()
    await writeFile(join(folder, 'le.css'), Buffer.from(`\uFEFF${css.replace('ü', 'le')}`, 'utf16le'))
    await writeFile(join(folder, 'be.css'), bigEndian)
    await writeFile(join(folder, 'utf8.css'), `\uFEFF${css}`)
    expect(await readColors('@import "./le"; @import "./be"; @import "./utf8";')).toEqual({
      le: 'red',
      be: 'red',
      ü: 'red',
    })
  })

  it('a site’s stylesheet can import files and packages', async () => {
    await write({
      'tokens.css': '@theme { --color-tokens: red }',
      'deep/a.css': '@import "./b"; @theme { --color-a: red }',
      'deep/b.css': ':root { --b: blue } @theme { --color-b: var(--b) }',
      'node_modules/theme/package.json':
        '{"exports": {".": {"style": "./x.css", "import": "./x.js"}, "./y": "./y.css"}}',
      'node_modules/theme/x.css': '@theme { --color-x: red }',
      'node_modules/theme/y.css': '@theme { --color-y: red }',
      'node_modules/@my/old/package.json': '{"style": "old.css"}',
      'node_modules/@my/old/old.css': '@theme { --color-old: red }',
      'node_modules/@my/old/more/z.css': '@theme { --color-z: red }',
      'node_modules/bare/package.json': '{}',
      'node_modules/bare/index.css': '@theme { --color-bare: red }',
    })
    const imports = ['tokens.css', './deep/a.css', 'theme', 'theme/y', '@my/old', '@my/old/more/z', 'bare']
    const file = pathToFileURL(join(folder, 'tokens.css')).href
    const css = [...imports, file].map((id) => `@import "${id}";`).join('\n')
    const names = ['tokens', 'b', 'a', 'x', 'y', 'old', 'z', 'bare']
    expect(Object.keys(await readColors(css)).sort()).toEqual(names.sort())
    expect((await readColors(css)).b).toBe('blue')
  })

  it('a site’s stylesheet resolves imports from its own folder', async () => {
    await write({ 'src/tokens.css': '@theme { --color-src: red }' })
    const css = '@import "./tokens.css";'
    for (const from of [join(folder, 'src/main.css'), pathToFileURL(join(folder, 'src/main.css'))]) {
      expect((await fromTailwind4(css, { from })).colors.map(({ name }) => name)).toEqual(['src'])
    }
  })

  it('a site’s stylesheet can load a JavaScript configuration and plugins', async () => {
    await write({
      'tailwind.config.mjs':
        'export default { theme: { extend: { colors: { brand: { DEFAULT: "#06c", 500: "#05b" } }, screens: { tall: "90px" } } } }',
      'plugin.mjs': 'export default { handler() {}, config: { theme: { extend: { colors: { plug: "#c06" } } } } }',
    })
    const css = '@config "./tailwind.config.mjs"; @plugin "./plugin.mjs"; @theme { --color-own: red }'
    expect(await readColors(css)).toEqual({ own: 'red', 'brand-500': '#05b', brand: '#06c', plug: '#c06' })
    const { breakpoints } = await fromTailwind4(css, { base: folder })
    expect(breakpoints).toMatchObject([{ name: 'tall', value: '90px' }])
  })

  it('a site’s stylesheet can contain 20,000 colors', async () => {
    const colors = Array.from({ length: 20_000 }, (_, i) => `--color-c${i}: #${(i + 0x100000).toString(16)};`)
    expect((await fromTailwind4(`@theme { ${colors.join('')} }`)).colors).toHaveLength(20_000)
  })
})

describe('errors name file, line and column', () => {
  beforeAll(() =>
    write({
      'broken.css': '\n\n@theme { --color-a: red',
      'away.css': '@import "./nowhere.css";',
      'circle.css': '@import "./circle.css";',
      'circle2.css': '@import "./circle3.css"; @import "./circle3.css" print;',
      'circle3.css': '@import "./circle2.css"; @import "./circle2.css" print;',
      'throws.mjs': 'throw new Error("no config today")',
      'blocks.css': '@theme { .x { color: red } }',
    }),
  )

  it.each<[string, string, RegExp]>([
    ['an unclosed block', 'a {}\n@theme { --color-a: red', /main\.css:2:1: Missing closing } at @theme/],
    ['an unexpected closing brace', '@theme {}\n  }', /main\.css:2:\d+: Missing opening {/],
    ['an unclosed string', '@theme {\n--color-a: "red\n}', /main\.css:2:\d+: Unterminated string/],
    ['an error in an import', '@import "./broken.css";', /broken\.css:3:1: Missing closing }/],
    ['an import of a missing file', '@import "./nowhere.css";', /main\.css: @import "\.\/nowhere\.css" is neither/],
    ['an import of a missing package', '@import "no-such-package";', /@import "no-such-package" is neither a file nor/],
    ['a missing file in an import', '@import "./away.css";', /@import "\.\/nowhere\.css" is neither a file/],
    ['a circular import', '@import "./circle.css";', /main\.css: .*recursion.*circle\.css/],
    [
      'a circular import that doubles',
      '@import "./circle2.css";',
      /main\.css: more than 1000 stylesheets are imported, .*circle\d\.css \d+ times: is it an @import circle\?/,
    ],
    ['an import of Sass', '@import "sass:math";', /main\.css: @import "sass:math" is neither/],
    ['a configuration that throws', '@config "./throws.mjs";', /@config "\.\/throws\.mjs" could not.*no config today/],
    ['a missing plugin', '@plugin "no-such-plugin";', /main\.css: @plugin "no-such-plugin" could not be loaded/],
    ['a rule within @theme', '@theme { .x { color: red } }', /main\.css: `@theme` blocks must only contain/],
  ])('the error for %s names file, line and column', async (_, css, message) => {
    await expect(fromTailwind4(css, { from: join(folder, 'main.css') })).rejects.toThrow(message)
  })

  it('a release of Tailwind without the required function throws an error that names its version', () => {
    expect(() => designSystemLoader({})).toThrow(/tailwindcss 4\.\d+\.\d+ has no __unstable__loadDesignSystem; install/)
  })
})

describe('the site’s own values beside Tailwind’s theme', () => {
  const css = `@import "tailwindcss"; @theme { --color-brand: #7d2c1b; --color-link: var(--color-sky-700); --color-red-500: #c00;
    --text-hero: 4rem; --breakpoint-tall: 90rem }  .dark { --color-brand: #e9a }`

  it('with own, only they are read, with references to the default theme resolved', async () => {
    const styles = await fromTailwind4(css, { base: root, own: true })
    const { colors, typography, breakpoints, shadows, spacing, leftOut } = styles
    expect(colors.map(({ name, value, mode }) => [mode, name, value])).toEqual([
      // Redeclared, a color keeps its place.
      [undefined, 'red-500', '#c00'],
      [undefined, 'brand', '#7d2c1b'],
      [undefined, 'link', 'oklch(50% 0.134 242.749)'],
      ['dark', 'brand', '#e9a'],
    ])
    expect([typography, breakpoints, shadows, spacing, leftOut]).toMatchObject([
      { sizes: [{ name: 'hero' }] },
      [{ name: 'tall' }],
      [],
      [],
      [],
    ])
    expect([typography.sizes?.length, typography.families, breakpoints.length]).toEqual([1, undefined, 1])
  })

  it('without own, they come first', async () => {
    const { colors } = await fromTailwind4(css, { base: root })
    expect(colors.length).toBeGreaterThan(280)
    expect(colors.slice(0, 3).map(({ name }) => name)).toEqual(['red-500', 'brand', 'link'])
  })
})

it('a comment beside a color describes it', async () => {
  const { colors } = await fromTailwind4('@theme {\n  --color-accent: red; /* Once on a page */\n}')
  expect(colors.map(({ name, description }) => [name, description])).toEqual([['accent', 'Once on a page']])
})
