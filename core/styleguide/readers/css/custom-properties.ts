import { invalidColor, type StyleColor, splitShade, toColor } from '../../colors/style-color.js'

/** Names and values of CSS custom properties, in their order. Of duplicates, the last one counts. */
export type CustomProperties = Iterable<readonly [name: string, value: unknown]>

/** A custom property, with references resolved. */
export interface ResolvedProperty {
  name: string
  value: unknown
  /** The property that it refers to. */
  alias?: string
  /** Whether the references are circular; `value` is then the declared value. */
  circular?: boolean
}

const reference = /^var\(\s*(--[^\s,()]+)\s*\)$/

/**
 * Resolves custom properties: a value that is nothing but `var(--…)` of a known property becomes that property's value.
 * `initial` removes an earlier declaration, or a whole namespace if the name ends in `*`.
 *
 * @param rootProperties Other properties of the page. They can be referred to and they override, but are not returned.
 */
export function resolveProperties(
  properties: CustomProperties,
  rootProperties: CustomProperties = [],
): ResolvedProperty[] {
  const declared = collect(properties)
  const resolve = createResolver(new Map([...declared, ...collect(rootProperties)]))
  return [...declared.keys()].map(resolve)
}

/** Reads the colors among custom properties: those whose name starts with the prefix, which their names then omit. */
export function readCustomProperties(
  properties: CustomProperties,
  prefix: string,
  rootProperties?: CustomProperties,
): StyleColor[] {
  return resolveProperties(properties, rootProperties).flatMap(({ name: property, value, alias, circular }) => {
    if (!property.startsWith(prefix) || property.length === prefix.length) return []
    const name = property.slice(prefix.length)
    const label = { name, ...splitShade(name), ...(alias && { alias: withoutPrefix(alias, prefix) }) }
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

function withoutPrefix(property: string, prefix: string): string {
  return property.startsWith(prefix) ? property.slice(prefix.length) : property
}

/** Creates a function that follows references to their end. Each property is followed once, however long the chains. */
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
      results.set(link, { value: circular ? declared.get(link) : value, alias: targetOf(link) as string, circular })
    }
    return { name, ...(results.get(name) ?? { value }) }
  }

  function targetOf(property: string): string | undefined {
    const value = declared.get(property)
    const target = typeof value === 'string' ? reference.exec(value.trim())?.[1] : undefined
    return target !== undefined && declared.has(target) ? target : undefined
  }
}
