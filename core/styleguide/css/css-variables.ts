import { optionError } from '../../option-error.js'
import { collectBreakpoints } from '../breakpoints.js'
import { cssText, ownEntries, readOnDemand, type Styles, type Typography } from '../values.js'
import { type ResolvedProperty, readColors, resolveProperties } from './properties.js'
import { readStylesheet, type SelectorOptions, type Stylesheet } from './stylesheet.js'

/**
 * The names of the custom properties with the typography: `['--serif', '--sans']`, or a namespace that ends in `*`, such as
 * `'--text-*'`, which the shown names omit. If several names match a property, the longest wins.
 */
export interface TypographyNames {
  /** Default `'--font-*'`. */
  families?: string | readonly string[] | undefined
  /** Default `'--text-*'`; `--text-sm--line-height` is the line height of `--text-sm`. */
  sizes?: string | readonly string[] | undefined
  /** Default `'--font-weight-*'`. */
  weights?: string | readonly string[] | undefined
  /** Default `'--leading-*'`. */
  lineHeights?: string | readonly string[] | undefined
  /** Default `'--tracking-*'`. */
  letterSpacings?: string | readonly string[] | undefined
}

export interface CssVariablesOptions extends SelectorOptions {
  /**
   * Prefix of the colors' property names, which the shown names omit. Default `'--color-'`. If it does not contain the word `color`,
   * such as `'--bs-'`, properties that are not colors are left out.
   */
  prefix?: string | undefined
  /** The names of the properties that hold the typography. Default: Tailwind 4's names. */
  typography?: TypographyNames | undefined
}

/**
 * Reads the styles from plain CSS custom properties: from an object of them, or from a stylesheet's declarations in `:root`, `:host`,
 * `html` and `@theme`. A theme (`.dark`, `[data-theme='dark']`) or a media query has its own colors, with a `mode`. If a property is
 * declared several times in a mode, the last declaration counts, regardless of specificity, `!important` and the order of layers.
 * Breakpoints are read from the namespace `--breakpoint-*`.
 *
 * @throws TypeError for anything but a stylesheet or an object. Reading the colors throws if the stylesheet has custom properties, but
 *   none with the prefix; the message says which properties there are.
 * @example
 * fromCssVariables(':root { --color-brand: #06c; --color-link: var(--color-brand) } .dark { --color-brand: #9cf }').colors
 * // [{ name: 'brand', value: '#06c' }, { name: 'link', value: '#06c', alias: 'brand' },
 * //  { name: 'brand', value: '#9cf', mode: 'dark' }, { name: 'link', value: '#9cf', alias: 'brand', mode: 'dark' }]
 * fromCssVariables(css, { typography: { families: '--serif', sizes: '--size-*' } }).typography
 * // { families: [{ name: 'serif', value: 'Georgia, serif' }], sizes: [{ name: 'text', value: '1.2rem' }] }
 */
export function fromCssVariables(
  css: string | Readonly<Record<string, unknown>>,
  { prefix = '--color-', typography, ...options }: CssVariablesOptions = {},
): Styles {
  const stylesheet = typeof css === 'string' ? readStylesheet(checkStylesheet(css), options) : undefined
  const { root, modes } = stylesheet ?? { root: entriesOf(css), modes: [] }
  return readOnDemand({
    colors: () => {
      const colors = readColors(root, prefix, { modes }, !/colou?r/i.test(prefix))
      if (colors.length === 0 && stylesheet) checkPrefix(css as string, stylesheet, prefix)
      return colors
    },
    typography: () => collectTypography(resolveProperties(root), typography),
    breakpoints: () => collectBreakpoints(resolveProperties(root)),
  })
}

function checkStylesheet(css: string): string {
  // An empty text or a file name means that the file was not read.
  if (css.trim() !== '' && !/^[^\s{}:;@]+\.css$/i.test(css.trim())) return css
  throw optionError('css', 'the text of a stylesheet', css, "write readFileSync('public/site.css', 'utf8')")
}

function entriesOf(css: unknown): [name: string, value: unknown][] {
  if (typeof css === 'object' && css !== null && !Array.isArray(css)) return ownEntries(css)
  throw optionError('css', 'a stylesheet as text, or an object of custom properties', css)
}

type Role = keyof TypographyNames | 'other'

// The namespaces of Tailwind 4. `other` keeps text shadows from being taken for sizes.
const defaultNames = {
  families: '--font-*',
  sizes: '--text-*',
  weights: '--font-weight-*',
  lineHeights: '--leading-*',
  letterSpacings: '--tracking-*',
  other: '--text-shadow-*',
} as const

/** Collects the typography from resolved custom properties. */
export function collectTypography(properties: readonly ResolvedProperty[], names: TypographyNames = {}): Typography {
  const roleOf = createMatcher(names)
  const lineHeights = new Map(properties.map(({ name, value }) => [name, cssText(value)]))
  const typography: { -readonly [Part in keyof Typography]: { name: string; value: string }[] } = {}
  for (const property of properties) {
    const { role, name } = roleOf(property.name)
    const value = cssText(property.value)
    // Two hyphens within a name mark a detail of another property, such as `--text-sm--line-height`.
    if (!role || role === 'other' || !name || name.includes('--') || value === undefined) continue
    const lineHeight = role === 'sizes' ? lineHeights.get(`${property.name}--line-height`) : undefined
    typography[role] ??= []
    typography[role].push({ name, value, ...(lineHeight && { lineHeight }) })
  }
  return typography
}

function createMatcher(names: TypographyNames): (property: string) => { role?: Role; name?: string } {
  const patterns = Object.entries({ ...defaultNames, ...names })
    .flatMap(([role, patterns]) => [patterns ?? []].flat().map((pattern: string) => ({ role: role as Role, pattern })))
    .sort((a, b) => b.pattern.length - a.pattern.length)

  return (property) => {
    for (const { role, pattern } of patterns) {
      const start = pattern.slice(0, -1)
      if (property === pattern) return { role, name: property.replace(/^--/, '') }
      if (pattern.endsWith('*') && property.startsWith(start)) return { role, name: property.slice(start.length) }
    }
    return {}
  }
}

/** Throws if a stylesheet has no custom property with the prefix. The message says which properties it has. */
function checkPrefix(css: string, { root, modes, elsewhere }: Stylesheet, prefix: string): void {
  const fail = (got: string, hint: string) => {
    return new TypeError(`css: expected custom properties named ${prefix}… at :root or in a theme, got ${got}; ${hint}`)
  }
  if (css.includes('\0')) throw fail('text with NUL characters', 'decode a file in UTF-16 as such')
  const found = [root, ...modes.values()].flat()
  if (found.some(([name]) => name.startsWith(prefix))) return
  if (found[0]) throw fail(`${found.length} others, such as ${found[0][0]}`, "name theirs by the option 'prefix'")
  if (elsewhere.first) {
    const { property, selector } = elsewhere.first
    const got = `${elsewhere.count} elsewhere, such as ${property} in '${selector.slice(0, 100)}'`
    throw fail(got, "name their selectors by the option 'selectors' or 'modes'")
  }
  const imported = /@import\s[^;]{1,200}/i.exec(css)?.[0]
  if (imported) throw fail(imported, 'pass the imported stylesheets themselves')
}
