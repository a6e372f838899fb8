import { parseFunction, splitTopLevel } from '../../values/brackets.js'
import { createCircleFinder } from './circles.js'

/** The value of what is declared as `initial` (CSS Variables, section 2.2): what refers to it takes its fallback. */
export const guaranteedInvalid = Symbol('guaranteed-invalid value')

/** A custom property's value, with references resolved. */
export interface ResolvedValue {
  value: unknown
  /** The property that it refers to, if it is nothing but a reference. */
  alias?: string
  /** Whether it refers to what has no value, without a fallback; `value` is then the declared value. */
  isInvalid?: boolean
  /** Whether that is so since it is part of a circle, or leads into one. */
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
 * property keeps its `var()`, and so does what refers to itself, since the page may define it elsewhere. A fallback
 * stands in for what has no value, as in browsers. Follows each property once, however long the chains.
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
  const circles = createCircleFinder((name) => targetsOf(name, declared(name)), resultOf)

  return (name) => {
    for (const circle of circles(name)) {
      const [only = name] = circle
      if (circle.length === 1) results.set(only, resolve(only, declared(only)))
      else for (const member of circle) results.set(member, circular(member, declared(member)))
    }
    return resultOf(name) as ResolvedValue
  }

  function targetsOf(name: string, value: unknown): string[] {
    return referencesIn(value).filter((target) => target !== name && declared(target) !== undefined)
  }

  function resolve(name: string, value: unknown): ResolvedValue {
    if (targetsOf(name, value).length === 0) return { value }
    const text = value as string
    const alias = wholeReference(text)
    const target = alias === undefined || alias === name ? undefined : resultOf(alias)
    if (alias !== undefined && target && hasValue(target)) return { value: target.value, alias }
    const invalid: ResolvedValue[] = []
    const substituted = substitute(text, (target, hasFallback) => {
      const result = target === name ? undefined : resultOf(target)
      if (!result || hasValue(result)) return result?.value
      if (!hasFallback) invalid.push(result)
      return guaranteedInvalid
    })
    if (invalid.some(({ isCircular }) => isCircular)) return circular(name, text)
    return invalid.length > 0 ? { value, isInvalid: true } : { value: substituted }
  }

  function circular(name: string, value: unknown): ResolvedValue {
    const alias = wholeReference(value as string)
    return { value, isInvalid: true, isCircular: true, ...(alias !== undefined && alias !== name && { alias }) }
  }
}

function hasValue({ value, isInvalid }: ResolvedValue): boolean {
  return !isInvalid && value !== guaranteedInvalid
}

/** Returns the property of a value that is nothing but `var(--name)`, with a fallback or not. */
function wholeReference(value: string): string | undefined {
  const { name, inner = '' } = parseFunction(value.trim()) ?? {}
  return name === 'var' ? /^\s*(--[^\s,()]+)\s*(?:,|$)/.exec(inner)?.[1] : undefined
}

type FindProperty = (name: string, hasFallback: boolean) => unknown

/** Replaces each `var()`; returns the value itself if one is unknown, malformed, or the result would be too long. */
function substitute(value: string, lookUp: FindProperty): string {
  let result = ''
  let end = 0
  let depth = 0
  // The depth at which the current var() began.
  let start: { depth: number; index: number } | undefined
  for (const { 0: token, index } of value.matchAll(tokens)) {
    if (token === ')') {
      depth--
      if (start?.depth !== depth) continue
      const replacement = replacementOf(value.slice(start.index, index), lookUp)
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

/** Returns what the arguments of a `var()` stand for. */
function replacementOf(inner: string, lookUp: FindProperty): unknown {
  const [name = '', ...rest] = splitTopLevel(inner, ',')
  const value = lookUp(name.trim(), rest.length > 0)
  if (value !== guaranteedInvalid || rest.length === 0) return value
  const fallback = rest.join(',').trim()
  return fallback.length > maxResolvedLength ? undefined : substitute(fallback, lookUp)
}
