import { fromCssVariables as cssVariables } from '../css/css-variables.js'
import { fromTailwindTheme as tailwindTheme } from '../tailwind-theme.js'
import { fromTailwind3 as tailwind3 } from '../tailwind3/tailwind3.js'
import { fromDesignTokens as designTokens } from '../tokens/design-tokens.js'
import type { Styles } from '../values.js'

// The readers without the `source` of each value, for tests about values. sources.test.ts tests the sources.
export const fromCssVariables = withoutSource(cssVariables)
export const fromTailwindTheme = withoutSource(tailwindTheme)
export const fromTailwind3 = withoutSource(tailwind3)
export const fromDesignTokens = withoutSource(designTokens)

function withoutSource<Arguments extends unknown[]>(reader: (...args: Arguments) => Styles) {
  return (...args: Arguments): Styles => {
    const styles = reader(...args)
    const parts = Object.keys(styles).map((part) => {
      return [part, { get: () => strip(styles[part as keyof Styles]), enumerable: true }] as const
    })
    return Object.defineProperties({}, Object.fromEntries(parts)) as Styles
  }
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  const { source: _, ...rest } = value as { source?: unknown }
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, strip(inner)]))
}
