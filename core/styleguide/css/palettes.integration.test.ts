import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { fromCssVariables } from './css-variables.js'
import { readStylesheet } from './stylesheet.js'

const modules = new URL('../../../node_modules/', import.meta.url)
const readFiles = async (files: readonly string[]) =>
  (await Promise.all(files.map((file) => readFile(new URL(file, modules), 'utf8')))).join('\n')

/** The number of colors of each mode. The mode of the document's own colors is `''`. */
type Counts = Record<string, number>

function countsOf(css: string, prefix: string): Counts {
  const counts: Counts = {}
  for (const { mode = '', value, problem } of fromCssVariables(css, { prefix }).colors) {
    expect([value, problem]).toEqual([expect.stringMatching(/^(?:#|rgb|hsl|oklch|color\()/), undefined])
    counts[mode] = (counts[mode] ?? 0) + 1
  }
  return counts
}

/** Counts the colors of a rule line by line, independently of the reader. `rule` includes the rules around it. */
function countByHand(css: string, rule: string, prefix: string): number {
  const values = new Map<string, string>()
  const around: string[] = []
  for (const [, part = '', end] of css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};]|$)/g)) {
    if (end === '{') around.push(part.trim().replace(/\s+/g, ' '))
    else {
      const [name = '', value = ''] = part.split(/:(.*)/s)
      if (around.join(' ') === rule) values.set(name.trim(), value.trim())
      if (end === '}') around.pop()
    }
  }
  const follow = (value: string): string => {
    const target = /^var\((--[\w-]+)\)$/.exec(value)?.[1]
    return target === undefined ? value : follow(values.get(target) ?? '')
  }
  const isColor = (value: string) =>
    /^#[\da-f]{3,8}$|^(?:rgb|hsl)a?\([^()]*\)$|^(?:oklch|color)\([^()]*\)$/i.test(follow(value))
  return [...values].filter(([name, value]) => name.startsWith(prefix) && isColor(value)).length
}

const dark = '@media (prefers-color-scheme: dark)'
const wide = '@supports (color: color(display-p3 1 1 1)) @media (color-gamut: p3)'

describe('palettes of installed packages', () => {
  it.each<[name: string, files: string[], prefix: string, modes: Record<string, [selector: string, count: number]>]>([
    ['Open Props', ['open-props/colors.min.css'], '--', { '': [':where(html)', 247] }],
    [
      'daisyUI',
      ['daisyui/theme/light.css', 'daisyui/theme/dark.css', 'daisyui/theme/cupcake.css'],
      '--color-',
      {
        '': [':root,:root:has(input.theme-controller[value=light]:checked),[data-theme="light"]', 20],
        dark: [':root:has(input.theme-controller[value=dark]:checked),[data-theme="dark"]', 20],
        cupcake: [':root:has(input.theme-controller[value=cupcake]:checked),[data-theme="cupcake"]', 20],
      },
    ],
    [
      'Rosé Pine, in classes',
      ['@rose-pine/palette/dist/css/rose-pine-class.css'],
      '--rp-',
      {
        'theme-rp': ['.theme-rp', 15],
        'theme-rp-moon': ['.theme-rp-moon', 15],
        'theme-rp-dawn': ['.theme-rp-dawn', 15],
      },
    ],
    [
      'Rosé Pine, by preference',
      ['@rose-pine/palette/dist/css/rose-pine-media.css'],
      '--rp-',
      { '': [':root', 15], dark: [`${dark} :root`, 15] },
    ],
    [
      'MVP.css',
      ['mvp.css/mvp.css'],
      '--color-',
      { '': [':root', 11], 'user, dark': [`${dark} :root[color-mode="user"]`, 10] },
    ],
    ['Water.css', ['water.css/out/water.css'], '--', { '': [':root', 19], dark: [`${dark} :root`, 19] }],
    [
      'Radix Colors',
      ['@radix-ui/colors/blue.css', '@radix-ui/colors/blue-alpha.css', '@radix-ui/colors/blue-dark.css'],
      '--',
      {
        '': [':root, .light, .light-theme', 24],
        'color-gamut: p3': [`${wide} :root, .light, .light-theme`, 24],
        dark: ['.dark, .dark-theme', 12],
        'dark, color-gamut: p3': [`${wide} .dark, .dark-theme`, 12],
      },
    ],
    ['Catppuccin', ['@catppuccin/palette/css/catppuccin.css'], '--', { '': [':root', 104] }],
  ])('fromCssVariables reads all colors of %s', async (_, files, prefix, modes) => {
    const css = await readFiles(files)
    const expected = Object.fromEntries(Object.entries(modes).map(([mode, [, count]]) => [mode, count]))
    const byHand = Object.entries(modes).map(([mode, [selector]]) => [mode, countByHand(css, selector, prefix)])
    expect(Object.fromEntries(byHand)).toEqual(expected)
    expect(countsOf(css, prefix)).toEqual(expected)
  })

  it('fromCssVariables reads all colors of Tailwind CSS 4', async () => {
    const css = await readFiles(['tailwindcss/theme.css'])
    const declared = css.match(/^\s*--color-/gm)?.length ?? 0
    expect(declared).toBeGreaterThan(240)
    expect(fromCssVariables(css).colors).toHaveLength(declared)
    expect(fromCssVariables(Object.fromEntries(readStylesheet(css).root)).colors).toEqual(fromCssVariables(css).colors)
  })
})

/** How many custom properties a rule has, by the form of their values. */
interface Forms {
  hex?: number
  functions?: number
  /** References to colors. */
  aliases?: number
  /** References to properties that are not colors. */
  otherAliases?: number
  keywords?: number
  others?: number
}

/** The counts of real stylesheets, in these versions, whose packages are too large to install. */
const measured: Record<string, { prefix: string; rules: [rule: string, forms: Forms][]; modes: Counts }> = {
  '@primer/primitives 11.10.0': {
    prefix: '--',
    rules: [
      [
        '[data-color-mode="light"][data-light-theme="light"], [data-color-mode="auto"][data-light-theme="light"]',
        { hex: 669, aliases: 246, others: 40, otherAliases: 4 },
      ],
      [
        `${dark} { [data-color-mode][data-color-mode="auto"][data-dark-theme="light"]`,
        { hex: 669, aliases: 246, others: 40, otherAliases: 4 },
      ],
      [
        '[data-color-mode="dark"][data-dark-theme="dark"], [data-color-mode="auto"][data-light-theme="dark"]',
        { hex: 673, aliases: 242, others: 40, otherAliases: 4 },
      ],
      [
        `${dark} { [data-color-mode][data-color-mode="auto"][data-dark-theme="dark"]`,
        { hex: 673, aliases: 242, others: 40, otherAliases: 4 },
      ],
    ],
    modes: { light: 915, dark: 915 },
  },
  '@picocss/pico 2.1.1': {
    prefix: '--pico-',
    rules: [
      [':root, :host', { others: 33, otherAliases: 5 }],
      [
        '[data-theme=light], :root:not([data-theme=dark]), :host(:not([data-theme=dark]))',
        { hex: 38, functions: 20, aliases: 33, others: 8, otherAliases: 2 },
      ],
      [
        '@media only screen and (prefers-color-scheme: dark) { :root:not([data-theme]), :host(:not([data-theme]))',
        { hex: 42, functions: 18, aliases: 31, others: 8, otherAliases: 2 },
      ],
      ['[data-theme=dark]', { hex: 42, functions: 18, aliases: 31, others: 8, otherAliases: 2 }],
      ['[type=checkbox][role=switch]', { hex: 3 }],
    ],
    modes: { '': 91, dark: 91 },
  },
  'bootstrap 5.3.9': {
    prefix: '--bs-',
    rules: [
      [':root, [data-bs-theme=light]', { hex: 72, functions: 4, keywords: 1, others: 42, otherAliases: 2 }],
      ['[data-bs-theme=dark]', { hex: 41, functions: 3, keywords: 1, others: 11 }],
      ['.dropdown-menu', { hex: 8, others: 18 }],
      ['.navbar-dark, .navbar[data-bs-theme=dark]', { hex: 8 }],
    ],
    modes: { '': 76, dark: 44 },
  },
  '@gitlab/ui 137.2.6': {
    prefix: '--gl-',
    rules: [
      [
        ':root, .gl-light-scope',
        { hex: 251, functions: 39, keywords: 18, aliases: 699, others: 96, otherAliases: 171 },
      ],
      [
        ':root.gl-dark, .gl-dark-scope',
        { hex: 255, functions: 47, keywords: 18, aliases: 687, others: 96, otherAliases: 171 },
      ],
    ],
    modes: { '': 989, 'gl-dark': 989 },
  },
  '@shoelace-style/shoelace 2.20.1': {
    prefix: '--sl-',
    rules: [
      [':root, :host, .sl-theme-light', { functions: 202, aliases: 86, keywords: 2, others: 74, otherAliases: 26 }],
      [':host, .sl-theme-dark', { functions: 202, aliases: 86, keywords: 2, others: 74, otherAliases: 26 }],
    ],
    modes: { '': 288, 'sl-theme-dark': 288 },
  },
  '@mantine/core 9.7.4': {
    prefix: '--mantine-',
    rules: [
      [':root, :host', { hex: 142, aliases: 15, others: 67 }],
      [
        ":root[data-mantine-color-scheme='dark'], :host([data-mantine-color-scheme='dark'])",
        { hex: 86, functions: 42, others: 1 },
      ],
      [
        ":root[data-mantine-color-scheme='light'], :host([data-mantine-color-scheme='light'])",
        { hex: 114, functions: 14, others: 1 },
      ],
    ],
    modes: { '': 157, dark: 128, light: 128 },
  },
}

it.each(Object.entries(measured))(
  'fromCssVariables reads all colors of a palette with the forms of %s',
  (_, { prefix, rules, modes }) => {
    const css = rules.map(
      ([rule, forms]) => `${rule} { ${declare(prefix, forms)} ${'}'.repeat(rule.split('{').length)}`,
    )
    expect(countsOf(css.join('\n'), prefix)).toEqual(modes)
  },
)

function declare(
  prefix: string,
  { hex = 0, functions = 0, aliases = 0, otherAliases = 0, keywords = 0, others = 0 }: Forms,
): string {
  const otherValues = ['1rem', '0 1px 2px #0001', 'Arial, sans-serif', '13, 110, 253', 'blur(12px)', 'solid', '400']
  const values = [
    ...Array.from({ length: hex }, (_, i) => `#${(0x10_0000 + i).toString(16)}`),
    ...Array.from({ length: functions }, (_, i) => (i % 2 ? `rgba(1, 2, ${i}, 0.5)` : `hsl(${i} 10% 20%)`)),
    ...Array.from({ length: keywords }, (_, i) => (i % 2 ? 'inherit' : 'transparent')),
    ...Array.from({ length: others }, (_, i) => otherValues[i % otherValues.length]),
    ...Array.from({ length: aliases }, (_, i) => `var(${prefix}n${i % (hex + functions)})`),
    ...Array.from({ length: otherAliases }, (_, i) => `var(${prefix}n${hex + functions + keywords + (i % others)})`),
  ]
  return values.map((value, i) => `${prefix}n${i}: ${value};`).join(' ')
}
