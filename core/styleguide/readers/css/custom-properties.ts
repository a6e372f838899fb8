import { type StyleColor, splitShade, toColor, invalidColor } from '../../colors/style-color.js'

/** Name and value of CSS custom properties, in their order; of one that comes twice, the later counts. */
export type CustomProperties = Iterable<readonly [name: string, value: unknown]>

/** A custom property, references followed. */
export interface ResolvedProperty {
  name: string
  value: unknown
  /** The property that it stands for. */
  via?: string
  /** Whether it stands for itself; `value` is then what is written. */
  circular?: boolean
}

const reference = /^var\(\s*(--[^\s,()]+)\s*\)$/

/**
 * Custom properties whose values that are nothing but `var(--…)` of a known property have that one's value. `initial`
 * removes what came before, of a whole namespace when the name ends in `*`.
 *
 * @param around What a page declares besides: it can be referred to, and it overrides, but it is not listed.
 */
export function resolveProperties(properties: CustomProperties, around: CustomProperties = []): ResolvedProperty[] {
  const declared = collect(properties)
  const resolve = createResolver(new Map([...declared, ...collect(around)]))
  return [...declared.keys()].map(resolve)
}

/** The colors among custom properties: those whose name begins with the prefix, which is left out of their names. */
export function readCustomProperties(
  properties: CustomProperties,
  prefix: string,
  around?: CustomProperties,
): StyleColor[] {
  return resolveProperties(properties, around).flatMap(({ name: property, value, via, circular }) => {
    if (!property.startsWith(prefix) || property.length === prefix.length) return []
    const name = property.slice(prefix.length)
    const label = { name, ...splitShade(name), ...(via && { alias: nameOf(via, prefix) }) }
    const color = circular ? invalidColor(label, 'is an alias of itself') : toColor(label, value)
    return color ? [color] : []
  })
}

function collect(properties: CustomProperties): Map<string, unknown> {
  const declared = new Map<string, unknown>()
  for (const [name, value] of properties) {
    const removed = typeof value === 'string' && /^\s*initial\s*$/i.test(value)
    if (!removed) declared.set(name, value)
    else if (name.endsWith('*')) removeNamespace(declared, name.slice(0, -1))
    else declared.delete(name)
  }
  return declared
}

function removeNamespace(declared: Map<string, unknown>, namespace: string): void {
  for (const name of declared.keys()) if (name.startsWith(namespace)) declared.delete(name)
}

function nameOf(property: string, prefix: string): string {
  return property.startsWith(prefix) ? property.slice(prefix.length) : property
}

/** Follows references to their end. Each property is followed once, however long the chains are. */
function createResolver(declared: ReadonlyMap<string, unknown>): (property: string) => ResolvedProperty {
  const results = new Map<string, Omit<ResolvedProperty, 'name'>>()

  return (name) => {
    const chain = new Set<string>()
    let end = name
    for (let next = targetOf(end); next && !results.has(end) && !chain.has(end); next = targetOf(end)) {
      chain.add(end)
      end = next
    }
    const circular = chain.has(end) || results.get(end)?.circular === true
    const value = results.has(end) ? results.get(end)?.value : declared.get(end)
    for (const link of chain) {
      results.set(link, { value: circular ? declared.get(link) : value, via: targetOf(link) as string, circular })
    }
    return { name, ...(results.get(name) ?? { value }) }
  }

  function targetOf(property: string): string | undefined {
    const value = declared.get(property)
    const target = typeof value === 'string' ? reference.exec(value.trim())?.[1] : undefined
    return target !== undefined && declared.has(target) ? target : undefined
  }
}
