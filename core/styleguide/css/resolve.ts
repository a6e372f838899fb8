import { indexOutside, parseFunction, splitTopLevel } from '../brackets.js'
import { maxColorLength } from '../colors/color.js'

/**
 * The value of a property declared as `initial` (CSS Variables, section 2.2): `var()` of the property uses its
 * fallback.
 */
export const guaranteedInvalid = Symbol('guaranteed-invalid value')

/** A custom property's value, with references resolved. */
export interface ResolvedValue {
  value: unknown
  /** The property that the value refers to, if the value is only a reference. */
  alias?: string
  /**
   * Whether the value refers to a property without a value, and has no fallback; `value` is then the declared value.
   */
  isInvalid?: boolean
  /** Whether the value is invalid because the property is part of a cycle, or leads into one. */
  isCircular?: boolean
}

const referenceStart = /var\(\s*(--[^\s,()]+)/gi
// Strings match, too, so that the calls within them do not.
const calls = /"(?:\\.?|[^"\\])*(?:"|$)|'(?:\\.?|[^'\\])*(?:'|$)|(?<![\w-])var\(/gis

/** Returns the properties that a value refers to, including the properties in fallbacks. */
export function referencesIn(value: unknown): string[] {
  return typeof value === 'string' ? Array.from(value.matchAll(referenceStart), ([, name]) => name as string) : []
}

// No real chain of references is as long. Resolving is recursive, and must end before the stack overflows.
const maxDepth = 100

/**
 * Creates a function that returns the value of a custom property with its references resolved. A `var()` stays if it
 * refers to an unknown property, which another stylesheet of the page may define, to the property itself, or to a
 * property at the end of more than 100 references. A reference to a property without a value is replaced with its
 * fallback, as in browsers. Each property is followed once.
 */
export function createResolver(declared: ReadonlyMap<string, unknown>): (name: string) => ResolvedValue {
  const results = new Map<string, ResolvedValue>()
  const visiting = new Set<string>()
  const circular = new Set<string>()

  return (name) => visit(name) as ResolvedValue

  function visit(name: string): ResolvedValue | undefined {
    const known = results.get(name)
    if (known) return known
    if (visiting.has(name)) {
      const path = [...visiting]
      for (const member of path.slice(path.indexOf(name))) circular.add(member)
      return undefined
    }
    if (visiting.size === maxDepth) return undefined
    visiting.add(name)
    const value = declared.get(name)
    const targets: Targets = new Map()
    for (const target of referencesIn(value)) {
      if (target !== name && declared.get(target) !== undefined) targets.set(target, visit(target))
    }
    visiting.delete(name)
    const result = targets.size > 0 ? resolveReferences(value as string, targets, circular.has(name)) : { value }
    results.set(name, result)
    return result
  }
}

/** The properties that a value refers to. The result is `undefined` for a circular reference, and at the limit. */
type Targets = Map<string, ResolvedValue | undefined>

function resolveReferences(value: string, targets: Targets, isCircular: boolean): ResolvedValue {
  const reference = wholeReference(value)
  const alias = reference !== undefined && targets.has(reference) ? reference : undefined
  const circular = { value, isInvalid: true, isCircular: true, ...(alias !== undefined && { alias }) }
  if (isCircular) return circular
  const target = alias === undefined ? undefined : targets.get(alias)
  if (alias !== undefined && target && hasValue(target)) return { value: target.value, alias }
  const invalid: ResolvedValue[] = []
  const substituted = substitute(value, (name, hasFallback) => {
    const result = targets.get(name)
    if (!result || hasValue(result)) return result?.value
    if (!hasFallback) invalid.push(result)
    return guaranteedInvalid
  })
  if (invalid.some(({ isCircular }) => isCircular)) return circular
  return invalid.length > 0 ? { value, isInvalid: true } : { value: substituted }
}

function hasValue({ value, isInvalid }: ResolvedValue): boolean {
  return !isInvalid && value !== guaranteedInvalid
}

/** Returns the property that a value refers to if the value is only `var(--name)`, with or without a fallback. */
function wholeReference(value: string): string | undefined {
  const { name, inner = '' } = parseFunction(value.trim()) ?? {}
  return name === 'var' ? /^\s*(--[^\s,()]+)\s*(?:,|$)/.exec(inner)?.[1] : undefined
}

type FindProperty = (name: string, hasFallback: boolean) => unknown

/**
 * Replaces each `var()`. Returns the value itself if a `var()` is unknown or malformed, or if the result would be too
 * long for a color.
 */
function substitute(value: string, lookUp: FindProperty): string {
  let result = ''
  let end = 0
  for (const { 0: token, index } of value.matchAll(calls)) {
    if (index < end || !token.endsWith('(')) continue
    const start = index + token.length
    const close = indexOutside(value, ')', start)
    const replacement = close < 0 ? undefined : replacementOf(value.slice(start, close), lookUp)
    if (typeof replacement !== 'string') return value
    result += value.slice(end, index) + replacement
    if (result.length > maxColorLength) return value
    end = close + 1
  }
  const text = result + value.slice(end)
  return text.length > maxColorLength ? value : text
}

/** Returns the value of a `var()`, from its arguments. */
function replacementOf(inner: string, lookUp: FindProperty): unknown {
  const [name = '', ...rest] = splitTopLevel(inner, ',')
  const value = lookUp(name.trim(), rest.length > 0)
  if (value !== guaranteedInvalid || rest.length === 0) return value
  const fallback = rest.join(',').trim()
  return fallback.length > maxColorLength ? undefined : substitute(fallback, lookUp)
}
