import type { StyleColor } from './colors/style-color.js'

/** A value of a style configuration other than a color: a font family, a size, a breakpoint. */
export interface DesignValue {
  /** Name in the configuration: `'sm'`. */
  name: string
  /** CSS value: `'0.875rem'`. */
  value: string
}

/** A font size. */
export interface FontSize extends DesignValue {
  /** The line height that the configuration pairs with it: `'1.25rem'`, `'1.5'`. */
  lineHeight?: string | undefined
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

/** The styles of a configuration. */
export interface Styles {
  readonly colors: StyleColor[]
  readonly typography: Typography
  /** Name and minimum window width, from narrow to wide. */
  readonly breakpoints: DesignValue[]
}

/** Returns styles whose parts are read when they are first used, so that a mistake in one part leaves the others usable. */
export function readOnDemand(read: { [Part in keyof Styles]: () => Styles[Part] }): Styles {
  const styles = {} as Styles
  for (const part of ['colors', 'typography', 'breakpoints'] as const) {
    const get = () => {
      const value = read[part]()
      Object.defineProperty(styles, part, { value, enumerable: true })
      return value
    }
    Object.defineProperty(styles, part, { get, enumerable: true, configurable: true })
  }
  return styles
}

/** Returns a configuration's value as CSS; `undefined` for anything but a non-empty string or a finite number. */
export function cssText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() || undefined : undefined
}

/** Returns an object's own property, never an inherited one such as `constructor`; `undefined` if a getter throws. */
export function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  try {
    return (value as Record<string, unknown>)[key]
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
