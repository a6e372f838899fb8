import { type ColorLabel, invalidColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { resolveProperties } from '../css/properties.js'
import { readStylesheet, type SelectorOptions } from '../css/stylesheet.js'
import { ownMember } from '../values.js'
import { isConfiguration, themeArguments } from './config.js'

// Passed to color functions as the opacity variable. References to it in their results are replaced with 1, since no page defines it.
const opacityVariable = '--sw-opacity'
const opacityReference = /var\(\s*--sw-opacity\s*(?:,[^()]*)?\)/g
// Deeper than any real palette; ends the recursion before the stack overflows.
const maxDepth = 32

/** Reads the colors of a configuration or a color object, named as in Tailwind's classes. See `fromTailwind3`. */
export function readTailwind3Colors(config: object): StyleColor[] {
  // Keyed by name: a color in `theme.extend` replaces the one that it overrides.
  const named = new Map<string, StyleColor | undefined>()
  for (const source of colorSources(config)) {
    for (const { name, color } of readValue([], source, [])) named.set(name, color)
  }
  return [...named.values()].filter((color) => color !== undefined)
}

/** Resolves colors that reference custom properties, for each mode of the stylesheet. */
export function resolveColors(colors: readonly StyleColor[], css: string, options: SelectorOptions): StyleColor[] {
  const { root, modes } = readStylesheet(css, options)
  // Each color is treated as a property. Its name is its index, which cannot clash with a custom property.
  const properties = colors.map(({ value }, index) => [String(index), value] as const)
  return resolveProperties(properties, { root, modes }).flatMap(({ name, value, alias, isCircular, mode }) => {
    const color = colors[Number(name)] as StyleColor
    if (color.problem !== undefined) return mode === undefined ? color : []
    const label = { ...color, ...(alias && { alias }), ...(mode !== undefined && { mode }) }
    return (isCircular ? invalidColor(label, 'is an alias of itself') : toColor(label, value)) ?? []
  })
}

/** A named color. `color` is `undefined` for a value that does not belong in a palette, such as `transparent`. */
interface NamedColor {
  name: string
  color: StyleColor | undefined
}

function colorSources(config: object): unknown[] {
  if (!isConfiguration(config)) return [config]
  const theme = ownMember(config, 'theme')
  const sources = [ownMember(theme, 'colors'), ownMember(ownMember(theme, 'extend'), 'colors')]
  return sources.filter((source) => typeof source === 'function' || isObject(source))
}

function* readValue(path: readonly string[], value: unknown, ancestors: readonly object[]): Generator<NamedColor> {
  const label = labelOf(path)
  if (typeof value === 'function') yield* readFunction(path, value, ancestors)
  else if (!isObject(value) || !isNestable(value)) {
    yield { name: label.name, color: toColor(label, typeof value === 'string' ? makeOpaque(value) : value) }
  } else if (ancestors.includes(value)) yield invalid(path, 'is nested in itself')
  else if (ancestors.length === maxDepth) yield invalid(path, `is nested deeper than ${maxDepth} levels`)
  else for (const key of Object.keys(value)) yield* readMember([...path, key], value, key, [...ancestors, value])
}

function* readMember(
  path: readonly string[],
  object: Record<string, unknown>,
  key: string,
  ancestors: readonly object[],
): Generator<NamedColor> {
  try {
    yield* readValue(path, object[key], ancestors)
  } catch (error) {
    yield invalid(path, `could not be read: ${errorMessage(error)}`)
  }
}

function* readFunction(
  path: readonly string[],
  value: CallableFunction,
  ancestors: readonly object[],
): Generator<NamedColor> {
  let result: unknown
  try {
    // The root function takes Tailwind's theme arguments; any other function takes an opacity.
    result = path.length === 0 ? value(themeArguments()) : value({ opacityVariable, opacityValue: '1' })
  } catch (error) {
    return yield invalid(path, `is a function that threw: ${errorMessage(error)}`)
  }
  if (typeof result === 'function') yield invalid(path, 'is a function that returns a function')
  else yield* readValue(path, result, ancestors)
}

function invalid(path: readonly string[], problem: string): NamedColor {
  const label = labelOf(path)
  return { name: label.name, color: invalidColor(label, problem) }
}

function makeOpaque(value: string): string {
  return value.replaceAll('<alpha-value>', '1').replace(opacityReference, '1')
}

/** Names a color like its Tailwind class: the keys joined by hyphens, without a trailing `DEFAULT`. */
function labelOf(path: readonly string[]): ColorLabel {
  const group = path.slice(0, -1).join('-')
  const shade = path.at(-1) ?? 'theme.colors'
  if (!group) return { name: shade, ...splitShade(shade) }
  return { name: shade === 'DEFAULT' ? group : `${group}-${shade}`, group, shade }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether an object is a plain object or an array, from any realm. Other objects, such as a `Date` or a `Map`, hold no colors. */
function isNestable(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'a non-Error value was thrown'
}
