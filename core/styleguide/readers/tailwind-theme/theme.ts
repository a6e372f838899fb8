import { type CustomProperties, type ResolvedProperty, resolveProperties } from '../css/custom-properties.js'
import { ownEntries } from '../own-members.js'

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

/** The resolved properties of a theme, without the prefix that all of their names may have. */
export function themeProperties(theme: TailwindTheme): ResolvedProperty[] {
  const { properties, prefix, around } = readTheme(theme)
  return resolveProperties(properties as CustomProperties, around).map((property) =>
    property.name.startsWith(prefix) ? { ...property, name: `--${property.name.slice(prefix.length)}` } : property,
  )
}
