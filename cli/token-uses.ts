import type { Adoption } from '../core/styleguide/index.js'
import { parseColor, parseFunction, pixelsAt, referencesIn, splitTopLevel } from '../core/styleguide/internal.js'

export type UseKind = Adoption['shares'][number]['kind']

/** A value within a declaration: the custom property of a token, or a literal that could be one. */
export type Use = { kind: UseKind; token?: string; literal?: string }

/** Returns a length in pixels, in a window that is 1,280 pixels wide. */
export const pixelsOf = (length: string) => pixelsAt(length, 1280)

// Excludes the custom properties of Tailwind's utilities, because their values are Tailwind's defaults.
const colorProperty =
  /^(?!--tw-)(?:.*(?:color|shadow|image)|background|border|outline|fill|stroke|filter|column-rule|text-decoration|text-emphasis|--)/
const spacingProperty = /^(?:margin|padding)(?:-|$)|^(?:grid-)?(?:row-|column-)?gap$/

/**
 * Returns the colors, font sizes and distances of a declaration. A formula is one value. Values that do not count are
 * fallbacks of `var()`, `0`, keywords, and lengths relative to the text or the container, such as `em` and `%`.
 *
 * @param isColor Whether a custom property is a color token; `undefined` if it is not a token.
 * @example readUses('margin', '0 auto 13px', () => undefined) // [{ kind: 'spacings', literal: '13px' }]
 */
export function readUses(property: string, value: string, isColor: (name: string) => boolean | undefined): Use[] {
  const name = property.toLowerCase()
  const text = value.replace(/\s+/g, ' ')
  if (spacingProperty.test(name)) return lengthsIn('spacings', text)
  // In `font`, the line height and the families come after the slash.
  if (/^font(?:-size)?$/.test(name)) return lengthsIn('sizes', splitTopLevel(text, '/')[0] ?? '')
  return colorProperty.test(name) ? colorsIn(text) : []

  function lengthsIn(kind: UseKind, list: string): Use[] {
    return splitTopLevel(list, ' ').flatMap((part): Use[] => {
      const token = referencesIn(part).find((name) => isColor(name) === false)
      if (token) return [{ kind, token }]
      const words = parseFunction(part)?.name === 'var' ? [] : (part.match(/[^\s(),*/]+/g) ?? [])
      return words.some((word) => /\d[a-z]/i.test(word) && pixelsOf(word)) ? [{ kind, literal: part }] : []
    })
  }

  function colorsIn(list: string): Use[] {
    const parts = splitTopLevel(list, ',').flatMap((part) => splitTopLevel(part, ' '))
    return parts.flatMap((part): Use[] => {
      const { name, inner } = parseFunction(part) ?? {}
      const [token] = referencesIn(part)
      if (name === 'var') return token && isColor(token) ? [{ kind: 'colors', token }] : []
      if (name === 'url') return []
      // Minifiers write `transparent` as `#0000`.
      const { alpha = 1 } = (token ? undefined : parseColor(part)) ?? { alpha: 0 }
      if (alpha > 0) return [{ kind: 'colors', literal: part }]
      return inner ? colorsIn(inner) : []
    })
  }
}
