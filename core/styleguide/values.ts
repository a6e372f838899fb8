import { isDevelopment, warnOnce } from '../development.js'
import { describeError } from '../log.js'
import { truncate } from '../option-error.js'
import type { StyleColor, ValueSource } from './colors/style-color.js'
import { type KindName, listNames, typographyNames, type ValueLists } from './kinds.js'

/** A value of a style configuration other than a color: a font family, a size, a breakpoint, a shadow. */
export interface DesignValue {
  /** Name in the configuration: `'sm'`. */
  name: string
  /** CSS value, with references resolved: `'0.875rem'`. */
  value: string
  /** The mode of the site that the value belongs to, such as `dark`; `undefined` for the document's own value. */
  mode?: string | undefined
  source?: ValueSource | undefined
}

/** A font size. */
export interface FontSize extends DesignValue {
  /** The line height that the configuration pairs with the size: `'1.25rem'`, `'1.5'`. */
  lineHeight?: string | undefined
  /** In a text style of design tokens, the family that it refers to. */
  family?: string | undefined
  /** In a text style, the weight that it refers to. */
  weight?: string | undefined
  /** In a text style, the letter spacing that it refers to. */
  letterSpacing?: string | undefined
}

/** The typography of a style configuration, each list in the order of the configuration. */
export interface Typography {
  families?: readonly DesignValue[] | undefined
  /** Font sizes. */
  sizes?: readonly FontSize[] | undefined
  weights?: readonly DesignValue[] | undefined
  lineHeights?: readonly DesignValue[] | undefined
  letterSpacings?: readonly DesignValue[] | undefined
}

/** An item of the source that is left out of the styles. */
export interface LeftOut {
  /** Name in the source: `'--btn-color'`. */
  name: string
  /** The value as written, where there is one. */
  value?: string | undefined
  /** The reason, in the same words for all items that share it: `'declared for something within the page'`. */
  reason: string
}

/** The styles of a configuration. Lists are in the order of the configuration unless said otherwise. */
export interface Styles extends ValueLists<DesignValue[]> {
  readonly colors: StyleColor[]
  readonly typography: Typography
  /**
   * The items of the source that are left out. They are logged once in development, except for values that no page
   * would show.
   */
  readonly leftOut: readonly LeftOut[]
}

/** The values of each kind; a kind without values may be missing. */
export type ValuesByKind = ReadonlyMap<KindName, readonly DesignValue[]>

/** Reads the parts of a source of styles. */
export interface StylesReader {
  colors: () => StyleColor[]
  /** The values of all kinds. */
  values: () => ValuesByKind
  /**
   * Returns the items that are left out. `isUsed` tells whether the colors and values include the property or token of
   * that name.
   */
  leftOut?: (isUsed: (name: string) => boolean) => readonly LeftOut[]
}

/**
 * The reason for leaving out a value that is neither a color nor of one of the kinds, such as a duration. It is not
 * logged.
 */
export const otherKind = 'of a kind that no page shows, or that its name does not tell'

/**
 * Returns styles that read each part on first use. A mistake in one part leaves the other parts usable.
 *
 * @param reader Name of the reader, for the log.
 */
export function readOnDemand(reader: string, read: StylesReader): Styles {
  const values = once(read.values)
  const valuesOf = (kind: KindName) => [...(values().get(kind) ?? [])]
  const lists = Object.fromEntries(listNames.map((kind) => [kind, () => valuesOf(kind)])) as ValueLists<
    () => DesignValue[]
  >
  const parts: { [Part in keyof Styles]: () => Styles[Part] } = {
    colors: read.colors,
    typography: () =>
      Object.fromEntries(
        typographyNames.flatMap((kind) => (values().get(kind)?.length ? [[kind, valuesOf(kind)]] : [])),
      ),
    ...lists,
    leftOut: () => listLeftOut(styles, read.leftOut),
  }
  const styles = {} as Styles
  let isLogged = !isDevelopment()
  for (const [part, getPart] of Object.entries(parts)) {
    const read = once<unknown>(getPart)
    const get = () => {
      const value = read()
      if (!isLogged) {
        // All parts are read, to find the items that are left out.
        isLogged = true
        logLeftOut(reader, styles.leftOut)
      }
      return value
    }
    Object.defineProperty(styles, part, { get, enumerable: true })
  }
  return styles
}

const warn = warnOnce()

function logLeftOut(reader: string, leftOut: readonly LeftOut[]): void {
  const names = new Map<string, string[]>()
  for (const { name, reason } of leftOut) if (reason !== otherKind) pushTo(names, reason, name)
  const groups = Array.from(names, ([reason, [first = '', ...others]]) => {
    return `${truncate(first, 100)}${others.length > 0 ? ` and ${others.length} more` : ''}: ${reason}`
  })
  const message = `styleguide: ${reader} left out ${groups.join('; ')}`
  if (groups.length > 0) warn(() => message, message)
}

/** Lists the parts that cannot be read, and the values that the reader did not use. */
function listLeftOut(styles: Styles, list: StylesReader['leftOut']): LeftOut[] {
  const failed: LeftOut[] = []
  const used = new Set<string | undefined>()
  for (const part of Object.keys(styles) as (keyof Styles)[]) {
    if (part === 'leftOut') continue
    try {
      const values = part === 'typography' ? Object.values(styles.typography).flat() : styles[part]
      for (const { source } of values) used.add(source?.property).add(source?.token)
    } catch (error) {
      failed.push({ name: part, reason: describeError(error) })
    }
  }
  return [...failed, ...(list?.((name) => used.has(name)) ?? [])]
}

/** Returns a function that reads a value on its first call, and keeps it. */
export function once<Value>(read: () => Value): () => Value {
  let result: { value: Value } | undefined
  return () => {
    result ??= { value: read() }
    return result.value
  }
}

/** Returns a configuration's value as CSS; `undefined` for anything but a non-empty string or a finite number. */
export function cssText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}

/** Returns an object's own property, never an inherited one such as `constructor`; `undefined` if a getter throws. */
export function ownMember(value: unknown, key: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
  try {
    return value[key]
  } catch {
    return undefined
  }
}

/** Returns an object's own entries, with `undefined` for a getter that throws. */
export function ownEntries(value: object): [key: string, value: unknown][] {
  return Object.keys(value).map((key) => [key, ownMember(value, key)])
}

/** Adds a value to the list of a key. */
export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether a value is a plain object from any realm, unlike a `Map`, a promise or a buffer. */
export function isPlainObject(value: unknown): value is object {
  if (!isObject(value) || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
