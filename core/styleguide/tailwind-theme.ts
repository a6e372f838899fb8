import type { StyleColor } from './color.js'
import { type CustomProperties, readCustomProperties } from './custom-properties.js'
import { ownEntries } from './own-members.js'

/** A theme that the `tailwindcss` package loaded: the `theme` of a design system. */
export interface LoadedTailwindTheme {
  entries(): Iterable<readonly [name: string, value: { value: unknown }]>
  /** The `tw` of `prefix(tw)`, with which all names begin then: `--tw-color-red-500`. */
  prefix?: string | null | undefined
  /** What the stylesheet declares for the whole document besides: `--brand` of `--color-brand: var(--brand)`. */
  around?: CustomProperties | undefined
}

/** A resolved theme of Tailwind 4: its custom properties as an object, as pairs, or as Tailwind itself keeps them. */
export type TailwindTheme =
  | Readonly<Record<string, unknown>>
  | Iterable<readonly [name: string, value: unknown]>
  | LoadedTailwindTheme

/**
 * Reads the colors of a Tailwind 4 theme, the custom properties of the namespace `--color-*`. `initial` removes a color.
 * For a stylesheet see `fromTailwind4` of `sitewright/tailwind`.
 *
 * @example
 * fromTailwindTheme({ '--color-red-500': 'oklch(63.7% 0.237 25.331)', '--spacing': '0.25rem' })
 * // [{ name: 'red-500', value: 'oklch(63.7% 0.237 25.331)', group: 'red', shade: '500' }]
 */
export function fromTailwindTheme(theme: TailwindTheme): StyleColor[] {
  const { properties, prefix, around } = readTheme(theme)
  return readCustomProperties(properties, `${prefix}color-`, around)
}

interface ThemeProperties {
  properties: CustomProperties
  /** What each name begins with. */
  prefix: string
  around: CustomProperties
}

/** The custom properties of a theme, in whichever form it is given. */
export function readTheme(theme: TailwindTheme): ThemeProperties {
  if (Symbol.iterator in theme) {
    return { properties: plainValues(theme as CustomProperties), prefix: '--', around: [] }
  }
  if (!isLoaded(theme)) return { properties: plainValues(ownEntries(theme)), prefix: '--', around: [] }
  const { prefix, around = [] } = theme
  return { properties: plainValues(theme.entries()), prefix: prefix ? `--${prefix}-` : '--', around }
}

function isLoaded(theme: object): theme is LoadedTailwindTheme {
  return 'entries' in theme && typeof theme.entries === 'function'
}

function plainValues(properties: CustomProperties): CustomProperties {
  return Array.from(properties, ([name, value]) => [name, plainValue(value)] as const)
}

/** Tailwind's own theme keeps more about a value than the value. */
function plainValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'value')
    ? (value as { value: unknown }).value
    : value
}
