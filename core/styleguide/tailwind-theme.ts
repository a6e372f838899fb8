import { collectBreakpoints } from './breakpoints.js'
import { collectTypography } from './css/css-variables.js'
import { type CustomProperties, type PageProperties, readColors, resolveProperties } from './css/properties.js'
import { readOnDemand, type Styles } from './values.js'

/** A theme loaded by the `tailwindcss` package: the `theme` of its design system. */
export interface TailwindTheme {
  entries(): Iterable<readonly [name: string, value: { value: unknown }]>
  /** The `tw` of `prefix(tw)`, which all names then start with: `--tw-color-red-500`. */
  prefix?: string | null | undefined
}

/**
 * Reads the styles of a Tailwind 4 theme: the namespaces `--color-*`, `--font-*`, `--text-*`, `--font-weight-*`,
 * `--leading-*`, `--tracking-*` and `--breakpoint-*`. `initial` removes a value.
 *
 * @param page The other custom properties that the stylesheet declares: `root` for the whole document, such as `--brand` if the theme
 *   has `--color-brand: var(--brand)`, and `modes`.
 */
export function fromTailwindTheme(theme: TailwindTheme, page: PageProperties = {}): Styles {
  const prefix = theme.prefix ? `--${theme.prefix}-` : '--'
  const properties: CustomProperties = Array.from(theme.entries(), ([name, { value }]) => [name, value] as const)
  const resolve = () =>
    resolveProperties(properties, { root: page.root }).map((property) =>
      property.name.startsWith(prefix) ? { ...property, name: `--${property.name.slice(prefix.length)}` } : property,
    )
  return readOnDemand({
    colors: () => readColors(properties, `${prefix}color-`, page),
    typography: () => collectTypography(resolve()),
    breakpoints: () => collectBreakpoints(resolve()),
  })
}
