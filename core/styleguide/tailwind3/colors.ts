import { describeError } from '../../log.js'
import { type ColorLabel, invalidColor, type StyleColor, splitShade, toColor } from '../colors/style-color.js'
import { type PageProperties, resolveProperties } from '../css/properties.js'
import { isObject, isPlainObject } from '../values.js'
import { isConfiguration, type Tailwind3Theme } from './config.js'

// Passed to color functions, as Tailwind does. No page defines this variable, so references to it are replaced with 1.
const opacityVariable = '--sw-opacity'
const opacityReference = /var\(\s*--sw-opacity\s*(?:,[^()]*)?\)/g
// Deeper than any real palette; ends the recursion before the stack overflows.
const maxDepth = 32

/** Reads the colors of a configuration or a color object, named as in Tailwind's classes. See `fromTailwind3`. */
export function readTailwind3Colors(config: object, theme: Tailwind3Theme): StyleColor[] {
  // Keyed by name: a color in `theme.extend` replaces the color of the same name.
  const colorsByName = new Map<string, StyleColor | undefined>()
  const sources = isConfiguration(config) ? theme.sections('colors') : [config]
  for (const source of sources) {
    if (!isObject(source)) continue
    for (const { name, color } of readValue([], source, [])) colorsByName.set(name, color)
  }
  return [...colorsByName.values()].flatMap((color) =>
    color ? { ...color, source: { className: `${theme.prefix}bg-${color.name}` } } : [],
  )
}

/** Resolves colors that reference custom properties, for each mode of the stylesheet. */
export function resolveColors(colors: readonly StyleColor[], page: PageProperties): StyleColor[] {
  return resolveValues(colors, page).flatMap(({ item: color, value, alias, isCircular, mode }) => {
    if (color.problem !== undefined) return mode === undefined ? color : []
    const source = alias?.startsWith('--') ? { ...color.source, property: alias } : color.source
    const label = { ...color, source, ...(alias && { alias }), ...(mode !== undefined && { mode }) }
    return (isCircular ? invalidColor(label, 'is an alias of itself') : toColor(label, value)) ?? []
  })
}

/**
 * Resolves values that reference custom properties of a page. Returns each value for the document, and again for each
 * mode that changes it.
 */
export function resolveValues<Item extends { value: string }>(items: readonly Item[], page: PageProperties) {
  // Each item is treated as a property. Its name is its index, which cannot clash with a custom property.
  const properties = items.map(({ value }, index) => [String(index), value] as const)
  return resolveProperties(properties, page).map(({ name, ...resolved }) => ({
    ...resolved,
    item: items[Number(name)] as Item,
  }))
}

/** A named color. `color` is `undefined` for a value that does not belong in a palette, such as `transparent`. */
interface NamedColor {
  name: string
  color: StyleColor | undefined
}

function* readValue(path: readonly string[], value: unknown, ancestors: readonly object[]): Generator<NamedColor> {
  const label = labelOf(path)
  if (typeof value === 'function') yield* readFunction(path, value, ancestors)
  else if (!isObject(value) || !(Array.isArray(value) || isPlainObject(value))) {
    yield {
      name: label.name,
      color: toColor(label, typeof value === 'string' ? value.replace(opacityReference, '1') : value),
    }
  } else if (ancestors.includes(value)) yield invalid(path, 'is nested in itself')
  else if (ancestors.length === maxDepth) yield invalid(path, `is nested deeper than ${maxDepth} levels`)
  else {
    for (const key of Object.keys(value)) {
      const memberPath = [...path, key]
      try {
        yield* readValue(memberPath, value[key], [...ancestors, value])
      } catch (error) {
        yield invalid(memberPath, `could not be read: ${describeError(error)}`)
      }
    }
  }
}

function* readFunction(
  path: readonly string[],
  value: CallableFunction,
  ancestors: readonly object[],
): Generator<NamedColor> {
  let result: unknown
  try {
    result = value({ opacityVariable, opacityValue: '1' })
  } catch (error) {
    return yield invalid(path, `is a function that threw: ${describeError(error)}`)
  }
  if (typeof result === 'function') yield invalid(path, 'is a function that returns a function')
  else yield* readValue(path, result, ancestors)
}

function invalid(path: readonly string[], problem: string): NamedColor {
  const label = labelOf(path)
  return { name: label.name, color: invalidColor(label, problem) }
}

/** Names a color like its Tailwind class: the keys joined by hyphens, without a trailing `DEFAULT`. */
function labelOf(path: readonly string[]): ColorLabel {
  const group = path.slice(0, -1).join('-')
  const shade = path.at(-1) ?? 'theme.colors'
  if (!group) return { name: shade, ...splitShade(shade) }
  return { name: shade === 'DEFAULT' ? group : `${group}-${shade}`, group, shade }
}
