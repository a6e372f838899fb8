import { invalidColor, looksLikeColor, type StyleColor, splitShade, toColor } from '../../colors/style-color.js'
import { createResolver, guaranteedInvalid, type Resolve, type ResolvedValue, referencesIn } from './references.js'

/** Names and values of CSS custom properties, in their order. Of duplicates, the last one counts. */
export type CustomProperties = Iterable<readonly [name: string, value: unknown]>

/** The custom properties of a page, beside those that a reader is asked for. */
export interface PageProperties {
  /** They can be referred to and they override, but are not returned. */
  root?: CustomProperties | undefined
  /** What modes such as `dark` declare, by their name. */
  modes?: Iterable<readonly [mode: string, properties: CustomProperties]> | undefined
}

// A mode changes all that refers to what it declares, so that 100 KB of CSS could be millions.
const maxResolved = 100_000

/** A custom property, with references resolved. */
export interface ResolvedProperty extends ResolvedValue {
  name: string
  /** The mode that the value belongs to; `undefined` for the document's own. */
  mode?: string
}

/**
 * Resolves custom properties: each `var()` of a known property becomes that property's value. `initial` leaves a
 * property without a value, or a whole namespace if the name ends in `*`. The properties of modes follow those of the document:
 * what a mode declares, and what refers to that.
 *
 * @throws RangeError for more than 100,000.
 */
export function resolveProperties(
  properties: CustomProperties,
  { root, modes = [] }: PageProperties = {},
): ResolvedProperty[] {
  const own = collect(properties)
  const declared = new Map([...own, ...(root ? collect(root) : [])])
  const resolve = createResolver((name) => declared.get(name))
  const resolved: ResolvedProperty[] = Array.from(own.keys(), (name) => ({ name, ...resolve(name) })).filter(
    ({ value }) => value !== guaranteedInvalid,
  )
  const dependents = createDependents(declared)
  for (const [mode, declarations] of modes) {
    const changed = collect(declarations)
    if (resolved.length > maxResolved) {
      throw new RangeError(`custom properties: expected at most ${maxResolved} with those that modes change, got more`)
    }
    for (const property of resolveMode(changed, declared, resolve, dependents())) {
      // With properties of the page besides, only those that the reader is asked for are returned.
      if (!root || own.has(property.name)) resolved.push({ ...property, mode })
    }
  }
  return resolved
}

/**
 * Reads the colors among custom properties: those whose name starts with the prefix, which their names then omit.
 *
 * @param isMixed Whether other properties have that prefix, too: those that are no colors are left out.
 */
export function readCustomProperties(
  properties: CustomProperties,
  prefix: string,
  page?: PageProperties,
  isMixed = false,
): StyleColor[] {
  return resolveProperties(properties, page).flatMap(({ name: property, value, alias, isCircular, mode }) => {
    if (!property.startsWith(prefix) || property.length === prefix.length) return []
    const name = property.slice(prefix.length)
    const label = {
      name,
      ...splitShade(name),
      ...(alias && { alias: withoutPrefix(alias, prefix) }),
      ...(mode !== undefined && { mode }),
    }
    if (isMixed && !looksLikeColor(value)) return []
    const color = isCircular ? invalidColor(label, 'is an alias of itself') : toColor(label, value)
    return color ? [color] : []
  })
}

function collect(properties: CustomProperties): Map<string, unknown> {
  const declared = new Map<string, { value: unknown; index: number }>()
  // When a namespace was last removed, by what its names start with.
  const removals = new Map<string, number>()
  const lengths = new Set<number>()
  const isRemoved = (name: string) => {
    const since = declared.get(name)?.index ?? 0
    for (const length of lengths) if ((removals.get(name.slice(0, length)) ?? -1) > since) return true
    return false
  }
  let index = 0
  for (const [name, value] of properties) {
    index++
    const removed = typeof value === 'string' && /^\s*initial\s*$/i.test(value)
    if (removed && name.endsWith('*')) {
      removals.set(name.slice(0, -1), index)
      lengths.add(name.length - 1)
      continue
    }
    // Declared again, a removed property takes its new place in the order.
    if (declared.get(name)?.value === guaranteedInvalid || isRemoved(name)) declared.delete(name)
    declared.set(name, { value: removed ? guaranteedInvalid : value, index })
  }
  return new Map([...declared].flatMap(([name, { value }]) => (isRemoved(name) ? [] : [[name, value]])))
}

function withoutPrefix(property: string, prefix: string): string {
  return property.startsWith(prefix) ? property.slice(prefix.length) : property
}

type Dependents = ReadonlyMap<string, readonly string[]>

/** Creates a function that returns which properties refer to each property, computed once. */
function createDependents(declared: ReadonlyMap<string, unknown>): () => Dependents {
  let dependents: Map<string, string[]> | undefined
  return () => {
    if (dependents) return dependents
    dependents = new Map()
    for (const [name, value] of declared) {
      for (const target of referencesIn(value)) {
        const names = dependents.get(target)
        if (names) names.push(name)
        else dependents.set(target, [name])
      }
    }
    return dependents
  }
}

/** Returns the properties that a mode declares, and those whose values follow from them. */
function resolveMode(
  changed: ReadonlyMap<string, unknown>,
  declared: ReadonlyMap<string, unknown>,
  resolveOwn: Resolve,
  dependents: Dependents,
): ResolvedProperty[] {
  // A set grows while it is iterated.
  const affected = new Set(changed.keys())
  for (const name of affected) for (const dependent of dependents.get(name) ?? []) affected.add(dependent)
  const resolve = createResolver(
    (name) => (changed.has(name) ? changed.get(name) : declared.get(name)),
    (name) => (affected.has(name) ? undefined : resolveOwn(name)),
  )
  return Array.from(affected, (name) => ({ name, ...resolve(name) })).filter(
    ({ name, value }) => value !== guaranteedInvalid && (changed.has(name) || value !== resolveOwn(name).value),
  )
}
