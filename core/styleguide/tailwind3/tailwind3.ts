import { checkOptions } from '../../options.js'
import { sortByWidth } from '../breakpoints.js'
import type { SelectorOptions } from '../css/stylesheet.js'
import {
  cssText,
  type DesignValue,
  type FontSize,
  ownMember,
  readOnDemand,
  type Styles,
  type Typography,
} from '../values.js'
import { readTailwind3Colors, resolveColors } from './colors.js'
import { readSection, type Tailwind3Config } from './config.js'

export interface Tailwind3Options extends SelectorOptions {
  /**
   * The stylesheet that defines the custom properties that colors refer to, such as `hsl(var(--brand))`. Without it, such
   * colors are left to the browser. Its modes (`.dark`) become colors with a `mode`.
   */
  css?: string | undefined
}

/**
 * Reads the styles of Tailwind 3 from a configuration with its extensions, resolved by `resolveConfig` or not; from a theme; or, for
 * colors only, from a color object such as `resolveConfig(config).theme.colors`.
 *
 * Colors may be nested objects with `DEFAULT`, functions, and texts with `<alpha-value>`; each color is read as fully opaque. A function
 * that throws, a cycle, a number or `null` becomes a color with a `problem`. Typography is read from `fontFamily`, `fontSize`,
 * `fontWeight`, `lineHeight` and `letterSpacing`. Breakpoints are the `screens` with a minimum width; screens without one (`max` alone,
 * `raw`) and lists of ranges are left out.
 *
 * @throws TypeError for anything but an object.
 * @example
 * fromTailwind3({ red: { 500: '#ef4444', DEFAULT: '#f00' }, black: '#000' }).colors
 * // [{ name: 'red-500', value: '#ef4444', group: 'red', shade: '500' },
 * //  { name: 'red', value: '#f00', group: 'red', shade: 'DEFAULT' }, { name: 'black', value: '#000' }]
 * fromTailwind3({ theme: { screens: { sm: '640px', md: { min: '768px' } } } }).breakpoints
 * // [{ name: 'sm', value: '640px' }, { name: 'md', value: '768px' }]
 */
export function fromTailwind3(
  config: Tailwind3Config | Readonly<Record<string, unknown>>,
  { css, ...options }: Tailwind3Options = {},
): Styles {
  checkOptions(config, 'config')
  return readOnDemand({
    colors: () => {
      const colors = readTailwind3Colors(config)
      return css === undefined ? colors : resolveColors(colors, css, options)
    },
    typography: () => readTypography(config),
    breakpoints: () => readBreakpoints(config),
  })
}

function readBreakpoints(config: object): DesignValue[] {
  const screens = new Map(readSection(config, 'screens'))
  return sortByWidth(
    Array.from(screens, ([name, screen]) => ({ name, value: cssText(screen) ?? ownMember(screen, 'min') })),
  )
}

function readTypography(config: object): Typography {
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

// 'a, b', ['a', 'b'], or an array of either of these and an object of font settings.
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
