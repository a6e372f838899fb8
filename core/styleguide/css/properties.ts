import {
  fromChannels,
  invalidColor,
  looksLikeColor,
  type StyleColor,
  splitShade,
  toColor,
} from '../colors/style-color.js'
import { cssText, type LeftOut, otherKind } from '../values.js'
import { createResolver, guaranteedInvalid, type ResolvedValue } from './resolve.js'

/** Names and values of CSS custom properties, in their order. If a name is there twice, the last value counts. */
export type CustomProperties = Iterable<readonly [name: string, value: unknown]>

/** The custom properties of a page, in addition to the requested properties. */
export interface PageProperties {
  /** Properties that can be referred to and that override the requested properties, but are not returned. */
  root?: CustomProperties | undefined
  /** The declarations of modes such as `dark`, by name. */
  modes?: Iterable<readonly [mode: string, properties: CustomProperties]> | undefined
}

/** A custom property, with references resolved. */
export interface ResolvedProperty extends ResolvedValue {
  name: string
  /** The mode that the value belongs to; `undefined` for the document's own value. */
  mode?: string
}

/**
 * Resolves custom properties: each `var()` of a known property becomes that property's value. `initial` removes the
 * value of a property, or of a whole namespace if the name ends in `*`. The document's properties come first, then each
 * mode's: the properties that the mode declares, and the properties that refer to them.
 */
export function resolveProperties(
  properties: CustomProperties,
  { root, modes = [] }: PageProperties = {},
): ResolvedProperty[] {
  const requested = collect(properties)
  const declared = new Map([...requested, ...(root ? collect(root) : [])])
  const resolve = createResolver(declared)
  const resolved: ResolvedProperty[] = Array.from(requested.keys(), (name) => ({ name, ...resolve(name) }))
  for (const [mode, declarations] of modes) {
    const changed = collect(declarations)
    const resolveInMode = createResolver(new Map([...declared, ...changed]))
    for (const name of new Set([...changed.keys(), ...declared.keys()])) {
      // If the page has other properties, only the requested properties are returned.
      if (root && !requested.has(name)) continue
      const property = { name, ...resolveInMode(name), mode }
      if (changed.has(name) || property.value !== resolve(name).value) resolved.push(property)
    }
  }
  return resolved.filter(({ value }) => value !== guaranteedInvalid)
}

export interface ReadColorsOptions {
  /** Whether other properties have the prefix, too. Properties that are not colors are then left out. */
  isMixed?: boolean
  /** Returns the class of a color, by its name. */
  classOf?: (name: string) => string
  /** The comments that describe properties, by the name of the property. */
  comments?: ReadonlyMap<string, string>
}

/**
 * Reads the colors among resolved custom properties: those whose names have the prefix, which the colors' names omit.
 */
export function readColors(
  properties: readonly ResolvedProperty[],
  prefix: string,
  { isMixed = false, classOf, comments }: ReadColorsOptions = {},
): StyleColor[] {
  const names = new Set(properties.map(({ name }) => name))
  // `--brand-rgb` beside `--brand` is the same color again.
  const isRepeated = (name: string) => /-(?:rgb|hsl)$/.test(name) && names.has(name.slice(0, -4))
  return properties.flatMap(({ name: property, value, alias, isCircular, mode }) => {
    if (!property.startsWith(prefix) || property.length === prefix.length) return []
    const name = property.slice(prefix.length)
    const description = comments?.get(property)
    const label = {
      name,
      ...(description && { description }),
      ...splitShade(name),
      ...(alias && { alias: alias.startsWith(prefix) ? alias.slice(prefix.length) : alias }),
      ...(mode !== undefined && { mode }),
      source: { property, ...(classOf && { className: classOf(name) }) },
    }
    const channels = fromChannels(value, !isMixed || /-rgb$/.test(name))
    if (channels !== undefined && isRepeated(property)) return []
    const written = channels ?? value
    if (isMixed && !looksLikeColor(written)) return []
    const color = isCircular ? invalidColor(label, 'is an alias of itself') : toColor(label, written)
    return color ? [color] : []
  })
}

/**
 * Lists the properties that are neither a color with the prefix nor of another kind. If one is declared several times,
 * the last declaration counts.
 */
export function listOthers(
  declared: CustomProperties,
  resolved: readonly ResolvedProperty[],
  prefix: string,
  isUsed: (name: string) => boolean,
): LeftOut[] {
  const values = new Map(resolved.map(({ name, value }) => [name, value]))
  return [...new Map(declared)].flatMap(([name, value]) => {
    // Two hyphens within a name mark a detail of another property. `--sw-` begins the styleguide's own properties.
    if (isUsed(name) || /.--|^--sw-/.test(name)) return []
    const isColor = !name.startsWith(prefix) && looksLikeColor(values.get(name))
    const reason = isColor ? `a color whose name does not begin with ${prefix}` : otherKind
    return [{ name, value: cssText(value), reason }]
  })
}

function collect(properties: CustomProperties): Map<string, unknown> {
  const declared = new Map<string, unknown>()
  for (const [name, value] of properties) {
    const isRemoved = typeof value === 'string' && /^\s*initial\s*$/i.test(value)
    if (isRemoved && name.endsWith('*')) {
      for (const key of declared.keys()) if (key.startsWith(name.slice(0, -1))) declared.delete(key)
    } else {
      // A removed property that is declared again takes its new place in the order.
      if (declared.get(name) === guaranteedInvalid) declared.delete(name)
      declared.set(name, isRemoved ? guaranteedInvalid : value)
    }
  }
  return declared
}
