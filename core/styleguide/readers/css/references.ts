import { parseFunction, splitTopLevel } from '../../values/brackets.js'

/** A custom property's value, with references resolved. */
export interface ResolvedValue {
  value: unknown
  /** The property that it refers to, if it is nothing but a reference. */
  alias?: string
  /** Whether the references are circular; `value` is then the declared value. */
  isCircular?: boolean
}

export type Resolve = (name: string) => ResolvedValue

const referenceStart = /var\(\s*(--[^\s,()]+)/gi
const tokens = /"(?:\\.?|[^"\\])*(?:"|$)|'(?:\\.?|[^'\\])*(?:'|$)|(?<![\w-])var\(|[()]/gis
// In characters. Ends values that double with each reference; no color is this long.
const maxResolvedLength = 1_000

/** Returns the properties that a value refers to, including those of fallbacks. */
export function referencesIn(value: unknown): string[] {
  return typeof value === 'string' ? Array.from(value.matchAll(referenceStart), ([, name]) => name as string) : []
}

/**
 * Creates a function that returns the value of a custom property with its references resolved. What refers to an unknown
 * property keeps its `var()`, and so does what refers to itself, since the page may define it elsewhere. Follows each
 * property once, however long the chains.
 *
 * @param declared Returns the declared value of a property, `undefined` for an unknown one.
 * @param known Returns the result for properties that need not be resolved again.
 */
export function createResolver(
  declared: (name: string) => unknown,
  known: (name: string) => ResolvedValue | undefined = () => undefined,
): Resolve {
  const results = new Map<string, ResolvedValue>()
  const resultOf = (name: string) => results.get(name) ?? known(name)

  return (name) => {
    const path = [name]
    const open = new Set<string>()
    // Depth first, without recursion: a property is resolved after all that it refers to.
    for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
      const value = declared(next)
      const targets = resultOf(next) ? [] : targetsOf(next, value)
      if (!open.has(next) && targets.length > 0) {
        open.add(next)
        path.push(...targets.filter((target) => !resultOf(target) && !open.has(target)))
        if (path.at(-1) !== next) continue
      }
      if (!resultOf(next)) results.set(next, resolve(next, value, targets))
      path.pop()
    }
    return resultOf(name) as ResolvedValue
  }

  function targetsOf(name: string, value: unknown): string[] {
    return referencesIn(value).filter((target) => target !== name && declared(target) !== undefined)
  }

  function resolve(name: string, value: unknown, targets: readonly string[]): ResolvedValue {
    if (targets.length === 0) return { value }
    const resolved = targets.map(resultOf)
    // A target without a result is still open: it refers back to this property.
    const isCircular = resolved.some((target) => target === undefined || target.isCircular)
    const alias = wholeReference(value as string)
    const isAlias = alias !== undefined && alias !== name && targets.includes(alias)
    if (isCircular) return { value, isCircular, ...(isAlias && { alias }) }
    if (isAlias) return { value: resultOf(alias)?.value, alias }
    return { value: substitute(value as string, (target) => (target === name ? undefined : resultOf(target)?.value)) }
  }
}

/** Returns the property of a value that is nothing but `var(--name)`, with a fallback or not. */
function wholeReference(value: string): string | undefined {
  const { name, inner = '' } = parseFunction(value.trim()) ?? {}
  return name === 'var' ? /^\s*(--[^\s,()]+)\s*(?:,|$)/.exec(inner)?.[1] : undefined
}

/** Replaces each `var()`; returns the value itself if one is unknown, malformed, or the result would be too long. */
function substitute(value: string, lookUp: (name: string) => unknown): string {
  let result = ''
  let end = 0
  let depth = 0
  // The depth at which the current var() began.
  let start: { depth: number; index: number } | undefined
  for (const { 0: token, index } of value.matchAll(tokens)) {
    if (token === ')') {
      depth--
      if (start?.depth !== depth) continue
      const [name = ''] = splitTopLevel(value.slice(start.index, index), ',')
      const replacement = lookUp(name.trim())
      if (typeof replacement !== 'string') return value
      result += replacement
      if (result.length > maxResolvedLength) return value
      end = index + 1
      start = undefined
    } else if (token.endsWith('(')) {
      if (token.length > 1 && !start) {
        result += value.slice(end, index)
        start = { depth, index: index + token.length }
      }
      depth++
    }
  }
  const text = result + value.slice(end)
  return start || text.length > maxResolvedLength ? value : text
}
