import { type ColorLabel, type StyleColor, splitShade, toColor, invalidColor } from '../../colors/style-color.js'
import { ownMember } from '../own-members.js'
import { type Tailwind3Config, themeArguments } from './config.js'

// What a color function is given, and what it makes of it is undone again: no such variable is on the page.
const opacityVariable = '--sw-opacity'
const opacityReference = /var\(\s*--sw-opacity\s*(?:,[^()]*)?\)/g
// Nobody nests colors this deep; it ends the walk before the stack does.
const deepest = 32

/**
 * Reads the colors of Tailwind 3: nested objects with `DEFAULT`, functions and `<alpha-value>`, each color fully opaque.
 * Takes a color object, such as `resolveConfig(config).theme.colors`, or a configuration, whose `theme.extend.colors`
 * come on top of its `theme.colors`. Never throws for what a configuration holds: a function that throws, a cycle, a
 * number or `null` is a color with a `problem`.
 *
 * @example
 * fromTailwind3({ red: { 500: '#ef4444', DEFAULT: '#f00' }, black: '#000' })
 * // [{ name: 'red-500', value: '#ef4444', group: 'red', shade: '500' },
 * //  { name: 'red', value: '#f00', group: 'red', shade: 'DEFAULT' }, { name: 'black', value: '#000' }]
 */
export function fromTailwind3(config: Tailwind3Config | Readonly<Record<string, unknown>>): StyleColor[] {
  // By name, so that an extension takes the place of what it overrides.
  const colors = new Map<string, StyleColor | undefined>()
  for (const source of colorSources(config)) {
    for (const { name, color } of readValue([], source, [])) colors.set(name, color)
  }
  return [...colors.values()].filter((color) => color !== undefined)
}

/** A name and its color; none for one that is no color of a palette, such as `transparent`. */
interface NamedColor {
  name: string
  color: StyleColor | undefined
}

function colorSources(config: object): unknown[] {
  const theme = ownMember(config, 'theme')
  if (!isObject(theme)) return [config]
  const sources = [ownMember(theme, 'colors'), ownMember(ownMember(theme, 'extend'), 'colors')]
  const given = sources.filter((source) => typeof source === 'function' || isObject(source))
  return given.length > 0 ? given : [config]
}

function* readValue(path: readonly string[], value: unknown, above: readonly object[]): Generator<NamedColor> {
  const label = labelOf(path)
  if (typeof value === 'function') yield* readFunction(path, value, above)
  else if (!isObject(value) || !isNestable(value)) {
    yield { name: label.name, color: toColor(label, typeof value === 'string' ? opaque(value) : value) }
  } else if (above.includes(value)) yield wrong(path, 'is nested in itself')
  else if (above.length === deepest) yield wrong(path, `is nested deeper than ${deepest} levels`)
  else for (const key of Object.keys(value)) yield* readMember([...path, key], value, key, [...above, value])
}

function* readMember(
  path: readonly string[],
  object: Record<string, unknown>,
  key: string,
  above: readonly object[],
): Generator<NamedColor> {
  try {
    yield* readValue(path, object[key], above)
  } catch (error) {
    yield wrong(path, `could not be read: ${reasonOf(error)}`)
  }
}

function* readFunction(
  path: readonly string[],
  value: CallableFunction,
  above: readonly object[],
): Generator<NamedColor> {
  let result: unknown
  try {
    // The root may be a function of Tailwind's own colors, a color one of an opacity.
    result = path.length === 0 ? value(themeArguments()) : value({ opacityVariable, opacityValue: '1' })
  } catch (error) {
    return yield wrong(path, `is a function that threw: ${reasonOf(error)}`)
  }
  if (typeof result === 'function') yield wrong(path, 'is a function that gives a function')
  else yield* readValue(path, result, above)
}

function wrong(path: readonly string[], problem: string): NamedColor {
  const label = labelOf(path)
  return { name: label.name, color: invalidColor(label, problem) }
}

function opaque(value: string): string {
  return value.replaceAll('<alpha-value>', '1').replace(opacityReference, '1')
}

/** As Tailwind names its classes: joined by hyphens, `DEFAULT` left out at the end. */
function labelOf(path: readonly string[]): ColorLabel {
  const group = path.slice(0, -1).join('-')
  const shade = path.at(-1) ?? 'theme.colors'
  if (!group) return { name: shade, ...splitShade(shade) }
  return { name: shade === 'DEFAULT' ? group : `${group}-${shade}`, group, shade }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether it is a plain object or an array, of whatever realm; a date or a map holds no colors. */
function isNestable(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'a value that is no Error was thrown'
}
