import { describeError } from '../../../describe-error.js'
import { warnInDevelopment } from '../../../development.js'
import { ownEntries, ownMember } from '../own-members.js'

/** The part of a Tailwind 3 configuration that is read here: its theme. */
export interface Tailwind3Config {
  /** Sections such as `colors` and `fontSize`; those of `extend` are added to them. */
  theme?: object | undefined
}

// Sections that are not named in camel case, as most others are.
const plainSections = new Set(['colors', 'extend', 'screens', 'spacing', 'container', 'supports', 'data', 'aria'])

/**
 * Whether an object is a configuration, and not colors, which may be called `theme` or `content`, too: colors are neither
 * lists nor modes, and their shades have other names than the sections of a theme.
 */
export function isConfiguration(config: object): boolean {
  const theme = ownMember(config, 'theme')
  const sections = typeof theme === 'object' && theme !== null ? Object.keys(theme) : []
  if (sections.some((name) => plainSections.has(name) || /^[a-z]+[A-Z]/.test(name))) return true
  const content = ownMember(config, 'content') ?? ownMember(config, 'purge')
  const lists = [content, ownMember(content, 'files'), ownMember(config, 'plugins'), ownMember(config, 'presets')]
  const darkMode = [ownMember(config, 'darkMode')].flat()[0]
  return lists.some(Array.isArray) || /^(?:media|class|selector|variant)$/.test(String(darkMode))
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
 * Returns the entries of a theme section such as `fontSize`, those of its extension last. Accepts a configuration or a
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
