import type { StyleColor } from './color.js'
import { readCustomProperties } from './custom-properties.js'

/**
 * A resolved theme of Tailwind 4: its custom properties as an object, as pairs, or as the `theme` of a design system
 * that the `tailwindcss` package loaded.
 */
export type TailwindTheme =
  | Readonly<Record<string, unknown>>
  | Iterable<readonly [name: string, value: unknown]>
  | { entries(): Iterable<readonly [name: string, value: { value: unknown }]> }

/**
 * Reads the colors of a Tailwind 4 theme, the custom properties of the namespace `--color-*`. `initial` removes a color.
 *
 * @example
 * fromTailwindTheme({ '--color-red-500': 'oklch(63.7% 0.237 25.331)', '--spacing': '0.25rem' })
 * // [{ name: 'red-500', value: 'oklch(63.7% 0.237 25.331)', group: 'red', shade: '500' }]
 */
export function fromTailwindTheme(theme: TailwindTheme): StyleColor[] {
  const properties = Array.from(entriesOf(theme), ([name, value]) => [name, plainValue(value)] as const)
  return readCustomProperties(properties, '--color-')
}

function entriesOf(theme: TailwindTheme): Iterable<readonly [string, unknown]> {
  if (Symbol.iterator in theme) return theme as Iterable<readonly [string, unknown]>
  return typeof theme.entries === 'function' ? theme.entries() : Object.entries(theme)
}

/** Tailwind's own theme keeps more about a value than the value. */
function plainValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'value')
    ? (value as { value: unknown }).value
    : value
}
