import { convertRgbToLab65, differenceCiede2000 } from 'culori/fn'
import type { Adoption } from './adoption.js'
import { parseFunction, splitTopLevel } from './brackets.js'
import type { Srgb } from './colors/wcag.js'
import { referencesIn } from './css/resolve.js'

// Uses neither the parser of colors nor that of formulas, since the styleguide's X-ray measures in the browser.

export type UseKind = Adoption['shares'][number]['kind']

/** A value within a declaration: the custom property of a token, or a literal that could be one. */
export type Use = { kind: UseKind; token?: string; literal?: string }

/** Reads CSS values. */
export interface ValueReader {
  /** Whether a custom property is a color token; `undefined` if it is not a token. */
  isColor: (name: string) => boolean | undefined
  /** Returns a color; `undefined` for anything else. */
  colorOf: (value: string) => Srgb | undefined
  /** Returns a length in pixels; `undefined` for lengths relative to the text or the container. */
  pixelsOf: (length: string) => number | undefined
}

// Excludes the custom properties of Tailwind's utilities, because their values are Tailwind's defaults.
const colorProperty =
  /^(?!--tw-)(?:.*(?:color|shadow|image)|background|border|outline|fill|stroke|filter|column-rule|text-decoration|text-emphasis|--)/
const spacingProperty = /^(?:margin|padding)(?:-|$)|^(?:grid-)?(?:row-|column-)?gap$/

/**
 * Returns the colors, font sizes and distances of a declaration. A formula is one value. Values that do not count are
 * fallbacks of `var()`, `0`, keywords, and lengths relative to the text or the container, such as `em` and `%`.
 *
 * @example readUses('margin', '0 auto 13px', reader) // [{ kind: 'spacings', literal: '13px' }]
 */
export function readUses(property: string, value: string, { isColor, colorOf, pixelsOf }: ValueReader): Use[] {
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
      const { alpha = 1 } = (token ? undefined : colorOf(part)) ?? { alpha: 0 }
      if (alpha > 0) return [{ kind: 'colors', literal: part }]
      return inner ? colorsIn(inner) : []
    })
  }
}

/** A color in sRGB, or a length in pixels. */
export type Measured = Srgb | number

const ciede2000 = differenceCiede2000()
const toLab = ({ r, g, b }: Srgb) => ({ ...convertRgbToLab65({ r, g, b }), mode: 'lab65' as const })

/**
 * Returns the token that is nearest to a value. Its `difference` is ΔE (CIEDE2000), plus 1 for each percent of opacity,
 * or in pixels. Returns `undefined` if no token is of the value's kind.
 */
export function nearestToken<Token extends { measured: Measured | undefined }>(
  value: Measured,
  tokens: readonly Token[],
): { token: Token; difference: number } | undefined {
  const lab = typeof value === 'object' && toLab(value)
  const differenceTo = (measured: Measured | undefined) => {
    if (typeof measured === 'number' && typeof value === 'number') return Math.abs(Math.abs(value) - measured)
    if (!lab || typeof measured !== 'object' || typeof value !== 'object') return Number.NaN
    return ciede2000(lab, toLab(measured)) + 100 * Math.abs((value.alpha ?? 1) - (measured.alpha ?? 1))
  }
  const [first] = tokens
    .map((token) => ({ token, difference: Math.round(differenceTo(token.measured) * 10) / 10 }))
    .filter(({ difference }) => !Number.isNaN(difference))
    .sort((a, b) => a.difference - b.difference)
  return first
}
