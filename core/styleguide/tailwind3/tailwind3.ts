import { checkOptions } from '../../options.js'
import { sortByWidth } from '../breakpoints.js'
import { checkStylesheet } from '../check-text.js'
import { readStylesheet, type SelectorOptions, type Stylesheet } from '../css/stylesheet.js'
import { type KindName, kinds } from '../kinds.js'
import {
  cssText,
  type FontSize,
  otherKind,
  ownMember,
  readOnDemand,
  type Styles,
  type ValuesByKind,
} from '../values.js'
import { readTailwind3Colors, resolveColors, resolveValues } from './colors.js'
import { mergeThemes, readSection, type Tailwind3Config, type Tailwind3Theme } from './config.js'

export interface Tailwind3Options extends SelectorOptions {
  /**
   * The stylesheet with the custom properties of colors such as `hsl(var(--brand))`. Without a stylesheet, the browser
   * resolves such colors. A mode of the stylesheet (`.dark`) gives colors with a `mode`.
   */
  css?: string | undefined
}

/**
 * Reads the styles of Tailwind 3 from a configuration, whether or not `resolveConfig` has resolved it, or from a theme.
 * Colors can also be read from a color object such as `resolveConfig(config).theme.colors`.
 *
 * Colors may be nested objects with `DEFAULT`, functions, and texts with `<alpha-value>`; each color is read as fully
 * opaque. A function that throws, a cycle, a number or `null` becomes a color with a `problem`. Typography is read from
 * `fontFamily`, `fontSize`, `fontWeight`, `lineHeight` and `letterSpacing`. Breakpoints are the `screens` with a
 * minimum width; screens without a minimum width (`max` alone, `raw`) and lists of ranges are left out.
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
  checkOptions(config, 'config', "write fromTailwind3((await import('./tailwind.config.js')).default)")
  const theme = mergeThemes(config)
  const page = css === undefined ? undefined : readStylesheet(checkStylesheet(css), options)
  return readOnDemand('fromTailwind3', {
    colors: () => {
      const colors = readTailwind3Colors(config, theme)
      return page ? resolveColors(colors, page) : colors
    },
    values: () => readValues(theme, page),
    leftOut: () => [
      ...theme.leftOut,
      ...theme.names.flatMap((name) => (knownSections.has(name) ? [] : [{ name: `theme.${name}`, reason: otherKind }])),
    ],
  })
}

const knownSections = new Set(['colors', 'extend', ...kinds.map(({ section }) => section)])

function readValues(theme: Tailwind3Theme, page: Stylesheet | undefined): ValuesByKind {
  const values = new Map<KindName, FontSize[]>()
  for (const { name: kind, section, namespaces, hasModes } of kinds) {
    const textOf = textReaders[kind] ?? plainOf
    const [utility] = Object.values(namespaces)
    const texts = readSection(theme, section).flatMap(([name, value]): FontSize[] => {
      const text = textOf(value)
      const className = theme.prefix + [utility, ...(name === 'DEFAULT' ? [] : [name])].join('-')
      return text && text.value !== 'none' ? [{ name, ...text, ...(utility && { source: { className } }) }] : []
    })
    const resolved = page ? resolveTexts(texts, page, hasModes) : texts
    if (resolved.length > 0) values.set(kind, kind === 'breakpoints' ? sortByWidth(resolved) : resolved)
  }
  return values
}

function resolveTexts(values: readonly FontSize[], page: Stylesheet, hasModes = false): FontSize[] {
  return resolveValues(values, page).flatMap(({ item, value, mode }) =>
    mode === undefined || hasModes ? { ...item, value: String(value), ...(mode !== undefined && { mode }) } : [],
  )
}

type TextOf = (value: unknown) => Omit<FontSize, 'name'> | undefined

const plainOf: TextOf = (value) => {
  const text = cssText(value)
  return text === undefined ? undefined : { value: text }
}

// 'a, b', ['a', 'b'], or an array of such a value and an object of font settings.
const familyOf: TextOf = (value) => {
  if (!Array.isArray(value)) return plainOf(value)
  const [first] = value
  return plainOf((Array.isArray(first) ? first : value).filter((part) => typeof part === 'string').join(', '))
}

// '1rem', ['1rem', '1.5rem'], or ['1rem', { lineHeight: '1.5rem' }].
const sizeOf: TextOf = (value) => {
  const [size, settings] = Array.isArray(value) ? value : [value]
  const text = plainOf(size)
  const lineHeight = cssText(settings) ?? cssText(ownMember(settings, 'lineHeight'))
  return text && { ...text, ...(lineHeight && { lineHeight }) }
}

// A list has several shadows or gradients.
const layersOf: TextOf = (value) => plainOf(Array.isArray(value) ? value.join(', ') : value)

// '640px' or { min: '640px' }.
const screenOf: TextOf = (value) => plainOf(value) ?? plainOf(ownMember(value, 'min'))

const textReaders: { readonly [Name in KindName]?: TextOf } = {
  families: familyOf,
  sizes: sizeOf,
  shadows: layersOf,
  gradients: layersOf,
  breakpoints: screenOf,
}
