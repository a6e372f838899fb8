import { describeError } from '../../log.js'
import { looksLikeColor } from '../colors/style-color.js'
import { isObject, type LeftOut, ownEntries, ownMember } from '../values.js'
import { tailwind3Colors } from './palette.js'

/** The part of a Tailwind 3 configuration that is read: its theme. */
export interface Tailwind3Config {
  /** Sections such as `colors` and `fontSize`; the sections of `extend` are added to them. */
  theme?: object | undefined
}

// Sections whose names are not in camel case. The names of most sections are.
const plainSections = new Set(['colors', 'extend', 'screens', 'spacing', 'container', 'supports', 'data', 'aria'])

const settings = [
  ...['content', 'purge', 'darkMode', 'prefix', 'important', 'separator', 'safelist', 'blocklist'],
  ...['presets', 'plugins', 'corePlugins', 'variants', 'future', 'experimental'],
]

/**
 * Whether an object is a configuration rather than colors. A color may be named `theme` or `content`, too, but its
 * value is never a list, a boolean or a word other than a color, and its shades are not named like the sections of a
 * theme.
 */
export function isConfiguration(config: object): boolean {
  const theme = ownMember(config, 'theme')
  const sections = isObject(theme) ? Object.keys(theme) : []
  if (sections.some((name) => plainSections.has(name) || /^[a-z]+[A-Z]/.test(name))) return true
  return settings.some((name) => isSetting(ownMember(config, name)))
}

function isSetting(value: unknown): boolean {
  if (typeof value === 'string') return !looksLikeColor(value)
  const parts = isObject(value) ? ownEntries(value).map(([, part]) => part) : []
  return [value, ...parts].some((part) => Array.isArray(part) || typeof part === 'boolean')
}

/** The theme of a configuration with its presets and plugins. */
export interface Tailwind3Theme {
  /** Returns a section such as `fontSize`, followed by its extensions. Sections that are functions are called. */
  sections(name: string): unknown[]
  /** The names of all sections. */
  names: readonly string[]
  /** The prefix of classes: `'tw-'`. */
  prefix: string
  leftOut: readonly LeftOut[]
}

/**
 * Merges the themes of a configuration, its plugins and its presets, in this order of precedence, like Tailwind's
 * `resolveConfig`: a section is taken from the first theme that has the section, and all extensions apply, the
 * configuration's extensions last. Accepts a theme, too.
 */
export function mergeThemes(config: object): Tailwind3Theme {
  const leftOut: LeftOut[] = []
  const configs = Object.hasOwn(config, 'theme') || isConfiguration(config) ? collectConfigs(config, leftOut, 0) : []
  const themes = configs.length > 0 ? configs.map((source) => ownMember(source, 'theme')) : [config]
  const extensions = themes.map((theme) => ownMember(theme, 'extend')).reverse()
  const names = new Set([...themes, ...extensions].flatMap((theme) => (isObject(theme) ? Object.keys(theme) : [])))
  const results = new Map<string, unknown[]>()

  const sections = (name: string): unknown[] => {
    const result = results.get(name)
    if (result) return result
    // A function that asks for its own section gets an empty section.
    results.set(name, [])
    const base = themes.map((theme) => ownMember(theme, name)).find((section) => section !== undefined)
    const called = [base, ...extensions.map((theme) => ownMember(theme, name))]
      .filter((section) => section !== undefined)
      .flatMap((section) => (typeof section === 'function' ? call(section, name) : [section]))
    results.set(name, called)
    return called
  }
  const call = (section: CallableFunction, name: string): unknown[] => {
    try {
      return [section(themeArguments(sections))]
    } catch (error) {
      leftOut.push({ name: `theme.${name}`, reason: `a function that threw: ${describeError(error)}` })
      return []
    }
  }
  const prefix = configs.map((source) => ownMember(source, 'prefix')).find((value) => typeof value === 'string')
  return { sections, names: [...names], prefix: String(prefix ?? ''), leftOut }
}

// Deeper than any real chain of presets; ends the recursion if a preset contains itself.
const maxPresets = 16

/** Returns a configuration, followed by the configurations of its plugins and presets. */
function collectConfigs(config: unknown, leftOut: LeftOut[], depth: number): unknown[] {
  const members = (name: string, configOf: (member: unknown) => unknown) => {
    const list = ownMember(config, name)
    // Of several presets, the last has precedence.
    const entries = [...(Array.isArray(list) ? list : []).entries()]
    return (name === 'presets' ? entries.reverse() : entries).flatMap(([index, member]) => {
      try {
        if (depth === maxPresets) throw new Error(`nested deeper than ${maxPresets} levels`)
        return collectConfigs(configOf(member), leftOut, depth + 1)
      } catch (error) {
        leftOut.push({ name: `${name}[${index}]`, reason: `not read: ${describeError(error)}` })
        return []
      }
    })
  }
  const plugins = members('plugins', (plugin) => {
    const called = (plugin as { __isOptionsFunction?: boolean }).__isOptionsFunction
    return (called ? (plugin as () => { config?: unknown })() : (plugin as { config?: unknown })).config
  })
  const presets = members('presets', (preset) => (typeof preset === 'function' ? preset() : preset))
  return [config, ...plugins, ...presets]
}

/** Returns the arguments of theme sections that are functions. */
function themeArguments(sections: Tailwind3Theme['sections']) {
  const theme = (path: unknown, fallback?: unknown) => {
    const [name = '', ...keys] = typeof path === 'string' ? path.split('.') : []
    const section = Object.assign({}, ...sections(name).filter(isObject))
    return keys.reduce<unknown>(ownMember, section) ?? fallback ?? {}
  }
  return { colors: tailwind3Colors, theme }
}

/** Returns the entries of a section and its extensions. If several have the same name, the last counts. */
export function readSection(theme: Tailwind3Theme, name: string): [name: string, value: unknown][] {
  return [...new Map(theme.sections(name).flatMap((section) => (isObject(section) ? ownEntries(section) : [])))]
}
