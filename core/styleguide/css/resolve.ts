import { parseFunction, splitTopLevel } from '../brackets.js'
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

export type Resolve = (name: string) => ResolvedValue

const referenceStart = /var\(\s*(--[^\s,()]+)/gi
const tokens = /"(?:\\.?|[^"\\])*(?:"|$)|'(?:\\.?|[^'\\])*(?:'|$)|(?<![\w-])var\(|[()]/gis

/** Returns the properties that a value refers to, including the properties in fallbacks. */
export function referencesIn(value: unknown): string[] {
  return typeof value === 'string' ? Array.from(value.matchAll(referenceStart), ([, name]) => name as string) : []
}

/**
 * Creates a function that returns the value of a custom property with its references resolved. A `var()` stays if it
 * refers to an unknown property, which another stylesheet of the page may define, or to the property itself. A
 * reference to a property without a value is replaced with its fallback, as in browsers. Each property is followed
 * once, however long the chains are.
 *
 * @param declared Returns the declared value of a property, `undefined` for an unknown property.
 * @param resolved Returns the result for properties that are already resolved.
 */
export function createResolver(
  declared: (name: string) => unknown,
  resolved: (name: string) => ResolvedValue | undefined = () => undefined,
): Resolve {
  const results = new Map<string, ResolvedValue>()
  const resultOf = (name: string) => results.get(name) ?? resolved(name)
  const cycles = createCycleFinder((name) => targetsOf(name, declared(name)), resultOf)

  return (name) => {
    for (const cycle of cycles(name)) {
      const [only = name] = cycle
      if (cycle.length === 1) results.set(only, resolve(only, declared(only)))
      else for (const member of cycle) results.set(member, circular(member, declared(member)))
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
      if (result.length > maxColorLength) return value
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
  return start || text.length > maxColorLength ? value : text
}

/** Returns the value of a `var()`, from its arguments. */
function replacementOf(inner: string, lookUp: FindProperty): unknown {
  const [name = '', ...rest] = splitTopLevel(inner, ',')
  const value = lookUp(name.trim(), rest.length > 0)
  if (value !== guaranteedInvalid || rest.length === 0) return value
  const fallback = rest.join(',').trim()
  return fallback.length > maxColorLength ? undefined : substitute(fallback, lookUp)
}

/**
 * Creates a function that returns the names to resolve for a name, each name after the names that it refers to. The
 * members of a cycle are returned together, all other names one by one. Uses Tarjan's algorithm (SIAM Journal on
 * Computing 1, 1972), without recursion, since chains may be long.
 *
 * @param targetsOf Returns the names that a name refers to, except the name itself.
 * @param isKnown Whether a name is already resolved, or need not be resolved.
 */
function createCycleFinder(
  targetsOf: (name: string) => readonly string[],
  isKnown: (name: string) => unknown,
): (name: string) => Generator<readonly string[]> {
  return function* (name) {
    const path = [name]
    // `opened` has the position at which each name was opened. `earliest` has the position of the earliest name that a
    // name leads back to; it is known when all names that the name refers to have been seen.
    const opened = new Map<string, number>()
    const earliest = new Map<string, number>()
    const unfinished: string[] = []
    for (let next = path.at(-1); next !== undefined; next = path.at(-1)) {
      const isDone = isKnown(next) || earliest.has(next)
      const targets = isDone ? [] : targetsOf(next).filter((target) => !isKnown(target))
      if (!isDone && !opened.has(next)) {
        opened.set(next, opened.size)
        unfinished.push(next)
        const unseen = targets.filter((target) => !opened.has(target))
        for (const target of unseen) path.push(target)
        if (unseen.length > 0) continue
      }
      path.pop()
      if (isDone) continue
      const position = opened.get(next) as number
      const first = targets.reduce((least, target) => Math.min(least, earliestOf(target)), position)
      earliest.set(next, first)
      if (first === position) yield popUntil(unfinished, next)
    }

    function earliestOf(name: string): number {
      return earliest.get(name) ?? opened.get(name) ?? Number.POSITIVE_INFINITY
    }
  }
}

/** Removes and returns the end of a list, starting at a name. */
function popUntil(names: string[], name: string): string[] {
  const popped: string[] = []
  do popped.push(names.pop() as string)
  while (popped.at(-1) !== name)
  return popped
}
