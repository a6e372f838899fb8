import { cssText, type Typography } from '../../values/design-value.js'
import { entriesOfCss } from './check-css.js'
import { type ResolvedProperty, resolveProperties } from './custom-properties.js'
import { readStylesheet } from './stylesheet.js'

/**
 * The names of the custom properties that hold the typography: `['--serif', '--sans']`, or a namespace that ends in
 * `*`, `'--text-*'`, which the shown names omit. If several match a property, the longest wins.
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

/**
 * Reads the typography from plain CSS custom properties: from an object of them or from a stylesheet, as
 * `fromCssVariables` does for colors. References to known properties are resolved.
 *
 * @example
 * typographyFromCssVariables(':root { --serif: Georgia, serif; --size-text: 1.2rem }', { families: '--serif', sizes: '--size-*' })
 * // { families: [{ name: 'serif', value: 'Georgia, serif' }], sizes: [{ name: 'text', value: '1.2rem' }] }
 */
export function typographyFromCssVariables(
  css: string | Readonly<Record<string, unknown>>,
  names: TypographyNames = {},
): Typography {
  return collectTypography(resolveProperties(entriesOfCss(css) ?? readStylesheet(css as string).root), names)
}

/** Collects the typography from resolved custom properties. */
export function collectTypography(properties: readonly ResolvedProperty[], names: TypographyNames = {}): Typography {
  const roleOf = createMatcher(names)
  const lineHeights = new Map(properties.map(({ name, value }) => [name, cssText(value)]))
  const typography: { -readonly [Part in keyof Typography]: { name: string; value: string }[] } = {}
  for (const property of properties) {
    const { role, name } = roleOf(property.name)
    const value = cssText(property.value)
    // Two hyphens within a name set apart a detail of another property, such as `--text-sm--line-height`.
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
