import { cssText, type DesignValue, type FontSize, type Typography } from '../../values/design-value.js'
import { ownMember } from '../own-members.js'
import { readSection, type Tailwind3Config } from './config.js'

/**
 * Reads the typography of Tailwind 3: `fontFamily`, `fontSize`, `fontWeight`, `lineHeight` and `letterSpacing`, with their
 * extensions. Accepts a configuration, resolved by `resolveConfig` or not, or Tailwind's default theme. Anything but
 * strings, numbers and Tailwind's tuples is left out.
 *
 * @example
 * typographyFromTailwind3({ theme: { fontSize: { sm: ['0.875rem', { lineHeight: '1.25rem' }] } } })
 * // { sizes: [{ name: 'sm', value: '0.875rem', lineHeight: '1.25rem' }] }
 */
export function typographyFromTailwind3(config: Tailwind3Config | Readonly<Record<string, unknown>>): Typography {
  const read = <Value extends DesignValue>(section: string, textOf: TextOf<Value>) =>
    // A map by name, so that an extension replaces the value that it overrides.
    [...new Map(readSection(config, section))].flatMap(([name, value]) => {
      const text = textOf(value)
      return text ? [{ name, ...text } as Value] : []
    })
  const lists = {
    families: read('fontFamily', familyOf),
    sizes: read('fontSize', sizeOf),
    weights: read('fontWeight', plainOf),
    lineHeights: read('lineHeight', plainOf),
    letterSpacings: read('letterSpacing', plainOf),
  }
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

type TextOf<Value extends DesignValue> = (value: unknown) => Omit<Value, 'name'> | undefined

const plainOf: TextOf<DesignValue> = (value) => {
  const text = cssText(value)
  return text === undefined ? undefined : { value: text }
}

// 'a, b', ['a', 'b'], or either of them and an object of font settings.
const familyOf: TextOf<DesignValue> = (value) => {
  if (!Array.isArray(value)) return plainOf(value)
  const [first] = value
  return plainOf((Array.isArray(first) ? first : value).filter((part) => typeof part === 'string').join(', '))
}

// '1rem', ['1rem', '1.5rem'], or ['1rem', { lineHeight: '1.5rem' }].
const sizeOf: TextOf<FontSize> = (value) => {
  const [size, settings] = Array.isArray(value) ? value : [value]
  const text = plainOf(size)
  const lineHeight = cssText(settings) ?? cssText(ownMember(settings, 'lineHeight'))
  return text && { ...text, ...(lineHeight && { lineHeight }) }
}
