import { describeError } from '../../../describe-error.js'
import { warnInDevelopment } from '../../../development.js'
import { ownEntries, ownMember } from '../own-members.js'

/** A Tailwind 3 configuration, as far as its theme goes. */
export interface Tailwind3Config {
  /** Its sections, such as `colors` and `fontSize`; those of `extend` come on top. */
  theme?: object | undefined
}

/** What a section of a theme gets when it is a function: Tailwind's own colors are not known here. */
export function themeArguments(theme: unknown = {}) {
  return {
    colors: {},
    theme: (path: unknown, fallback?: unknown) =>
      (typeof path === 'string' ? path.split('.').reduce<unknown>(ownMember, theme) : undefined) ?? fallback ?? {},
  }
}

/**
 * Name and value of all in a section of the theme, such as `fontSize`, its extension last. Takes a configuration or a
 * theme. A section that is a function which throws is told of in development, and empty.
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
