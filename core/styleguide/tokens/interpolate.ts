import { maxColorLength } from '../colors/color.js'
import { ownMember } from '../values.js'
import { tokenColor } from './color-value.js'

const reference = /\{[^{}]+\}/g
const hexWithOpacity = /^rgba?\(\s*(#[\da-f]{3,8}|[a-z]+\([^()]*\))\s*,\s*([\d.]+%?)\s*\)$/i

/**
 * Creates a function that replaces the references within a text, such as `rgba({color.red}, 0.5)`, Tokens Studio's form
 * of a color with an opacity. Each reference is computed once. An unknown or circular reference stays, and so does a
 * text that would become too long.
 *
 * @param follow Returns the value of the token that a reference refers to; the reference itself if it is unknown.
 */
export function createInterpolator(document: unknown, follow: (part: unknown) => unknown): (value: unknown) => unknown {
  const texts = new Map<string, string>()

  const textOf = (name: string): string => {
    const stored = texts.get(name)
    if (stored !== undefined) return stored
    // Ends a circular reference.
    texts.set(name, name)
    const value = follow(name)
    const text = value === name ? name : cssOf(interpolate(value), document) || name
    texts.set(name, text)
    return text
  }

  const interpolate = (value: unknown): unknown => {
    if (typeof value !== 'string' || value.length > maxColorLength || !value.includes('{')) return value
    const text = value.replace(reference, textOf)
    if (text.length > maxColorLength) return value
    const [, color, opacity = ''] = hexWithOpacity.exec(text) ?? []
    if (!color) return text
    return `color-mix(in srgb, ${color} ${opacity.endsWith('%') ? opacity : `${Number(opacity) * 100}%`}, transparent)`
  }
  return interpolate
}

function cssOf(value: unknown, document: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const [number, unit] = [ownMember(value, 'value'), ownMember(value, 'unit')]
  return typeof number === 'number' ? `${number}${unit}` : tokenColor(value, document).value
}
