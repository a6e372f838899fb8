import { warnInDevelopment } from '../../development.js'
import { describeError } from '../../log.js'
import { looksLikeColor } from '../colors/style-color.js'
import { ownEntries, ownMember } from '../values.js'

/** The part of a Tailwind 3 configuration that is read here: its theme. */
export interface Tailwind3Config {
  /** Sections such as `colors` and `fontSize`; the sections of `extend` are added to them. */
  theme?: object | undefined
}

// Sections whose names are not in camel case, unlike most others.
const plainSections = new Set(['colors', 'extend', 'screens', 'spacing', 'container', 'supports', 'data', 'aria'])

const settings = [
  ...['content', 'purge', 'darkMode', 'prefix', 'important', 'separator', 'safelist', 'blocklist'],
  ...['presets', 'plugins', 'corePlugins', 'variants', 'future', 'experimental'],
]

/**
 * Whether an object is a configuration rather than colors. Colors may be named `theme` or `content`, too, but they are never lists,
 * switches or words other than colors, and their shades are not named like the sections of a theme.
 */
export function isConfiguration(config: object): boolean {
  const theme = ownMember(config, 'theme')
  const sections = typeof theme === 'object' && theme !== null ? Object.keys(theme) : []
  if (sections.some((name) => plainSections.has(name) || /^[a-z]+[A-Z]/.test(name))) return true
  return settings.some((name) => isSetting(ownMember(config, name)))
}

function isSetting(value: unknown): boolean {
  if (typeof value === 'string') return !looksLikeColor(value)
  const parts = typeof value === 'object' && value !== null ? ownEntries(value).map(([, part]) => part) : []
  return [value, ...parts].some((part) => Array.isArray(part) || typeof part === 'boolean')
}

/** Returns the arguments for theme sections that are functions. Tailwind's own `colors` are not known here. */
export function themeArguments(theme: unknown = {}) {
  return {
    colors: {},
    theme: (path: unknown, fallback?: unknown) =>
      (typeof path === 'string' ? path.split('.').reduce<unknown>(ownMember, theme) : undefined) ?? fallback ?? {},
  }
}

/**
 * Returns the entries of a theme section such as `fontSize`, followed by the entries of its extension. Accepts a configuration or a
 * theme. A section function that throws counts as empty, with a warning in development.
 */
export function readSection(config: object, name: string): [name: string, value: unknown][] {
  const theme = ownMember(config, 'theme') ?? config
  const sections = [ownMember(theme, name), ownMember(ownMember(theme, 'extend'), name)]
  return sections.flatMap((section) => {
    const value = typeof section === 'function' ? callSection(section, theme, name) : section
    return typeof value === 'object' && value !== null ? ownEntries(value) : []
  })
}

function callSection(section: CallableFunction, theme: unknown, name: string): unknown {
  try {
    return section(themeArguments(theme))
  } catch (error) {
    warnInDevelopment(`styleguide: theme.${name} is a function that threw: ${describeError(error)}`)
    return undefined
  }
}
