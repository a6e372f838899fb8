import { optionError } from '../../../option-error.js'
import {
  type CustomProperties,
  type PageProperties,
  type ResolvedProperty,
  resolveProperties,
} from '../css/custom-properties.js'
import { ownEntries } from '../own-members.js'

/** A theme loaded by the `tailwindcss` package: the `theme` of its design system. */
export interface LoadedTailwindTheme {
  entries(): Iterable<readonly [name: string, value: { value: unknown }]>
  /** The `tw` of `prefix(tw)`, which all names then start with: `--tw-color-red-500`. */
  prefix?: string | null | undefined
  /**
   * Other custom properties that the stylesheet declares for the whole document, such as `--brand` if the theme has
   * `--color-brand: var(--brand)`.
   */
  rootProperties?: CustomProperties | undefined
  /** What the stylesheet declares for modes such as `dark`, by their name. */
  modes?: PageProperties['modes']
}

/** A resolved theme of Tailwind 4: its custom properties as an object, as pairs, or as loaded by Tailwind. */
export type TailwindTheme =
  | Readonly<Record<string, unknown>>
  | Iterable<readonly [name: string, value: unknown]>
  | LoadedTailwindTheme

interface ThemeProperties {
  properties: CustomProperties
  /** What each name starts with. */
  prefix: string
  page: PageProperties
}

/** Returns the custom properties of a theme in any of its forms. */
export function readTheme(theme: TailwindTheme): ThemeProperties {
  if (typeof theme !== 'object' || theme === null) {
    throw optionError('theme', 'a theme of Tailwind 4, such as that of readTailwind4Theme(css)', theme)
  }
  if (Symbol.iterator in theme) {
    return { properties: plainValues(theme as CustomProperties), prefix: '--', page: {} }
  }
  if (!isLoaded(theme)) return { properties: plainValues(ownEntries(theme)), prefix: '--', page: {} }
  const { prefix, rootProperties: root = [], modes } = theme
  return { properties: plainValues(theme.entries()), prefix: prefix ? `--${prefix}-` : '--', page: { root, modes } }
}

function isLoaded(theme: object): theme is LoadedTailwindTheme {
  return 'entries' in theme && typeof theme.entries === 'function'
}

function plainValues(properties: CustomProperties): CustomProperties {
  return Array.from(properties, ([name, value]) => [name, plainValue(value)] as const)
}

/** Tailwind's own theme wraps each value in an object with further details. */
function plainValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'value')
    ? (value as { value: unknown }).value
    : value
}

/** Returns the resolved properties of a theme, without the theme's name prefix. */
export function themeProperties(theme: TailwindTheme): ResolvedProperty[] {
  const { properties, prefix, page } = readTheme(theme)
  return resolveProperties(properties, { root: page.root }).map((property) =>
    property.name.startsWith(prefix) ? { ...property, name: `--${property.name.slice(prefix.length)}` } : property,
  )
}
