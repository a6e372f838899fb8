import { optionError } from '../../option-error.js'
import { measureOn } from './color.js'
import { type Palette, type PaletteColor, valueIn } from './modes.js'
import { sharedPrefix } from './names.js'
import type { Contrast } from './wcag.js'

/** The names of a text color and of its background. */
export type ColorPair = readonly [text: string, ground: string]

/** A pair in one mode. */
export interface MeasuredPair {
  mode: string | undefined
  text: string
  ground: string
  /** `undefined` if only a browser can resolve one of the colors. */
  contrast: Contrast | undefined
}

/** A text color with its background, measured in every mode. */
export interface MeasuredPairs {
  text: PaletteColor
  ground: PaletteColor
  modes: readonly MeasuredPair[]
  /**
   * Whether the contrast in a mode is below 4.5, the AA level for text of any size. Always `false` for a disabled
   * control, since the criterion does not apply to it.
   */
  isFailing: boolean
}

/**
 * The names that palettes give to the background of a page. The first color of a palette with such a name is the page's
 * background.
 */
const pageGrounds =
  /^(?:background|bg|body-bg|bgColor-default|base-100|surface|paper|canvas|page|bg-(?:default|base|page|canvas)|background-(?:default|base|page)|surface-(?:default|base|page))$/i

/**
 * How palettes name a text color after its ground: a pattern of the text color's name, and the names of its possible
 * grounds. A name with `*` stands for all grounds that match.
 */
const conventions: readonly [text: RegExp, grounds: readonly string[]][] = [
  [/^foreground$/i, ['background']], // shadcn/ui
  [/^(.+)[-.]foreground$/i, ['$1', '$1-background', '$1.background']],
  [/^base-content$/i, ['base-100', 'base-200', 'base-300']], // daisyUI
  [/^(.+)[-.]content$/i, ['$1']],
  [/^((?:.+[-.])?)on[-.](.+)([-.]variant)$/is, ['$1$2$3', '$1$2']], // Material 3
  [/^((?:.+[-.])?)on[-.](.+)$/is, ['$1$2']],
  [/^on([A-Z].*)Variant$/, ['$1Variant', '$1']],
  [/^on([A-Z].*)$/, ['$1']],
  [/^(inverse-?)primary$/i, ['$1surface']],
  [/^(.*)fgColor-onEmphasis$/, ['$1bgColor-*emphasis']], // Primer
  [/^fgColor-(default|muted)$/, ['bgColor-default', 'bgColor-muted', 'bgColor-inset']],
  [/^fgColor-(?!black|white)(.+)$/, ['bgColor-$1-muted', 'bgColor-$1']],
  [/^(.+-)fgColor(-.+)?$/s, ['$1bgColor$2']],
  [/^(.+)-text-emphasis$/i, ['$1-bg-subtle']], // Bootstrap
  [/^(.+)-color$/i, ['$1-bg']],
  [/^(.+)[-.](?:text|fg)$/i, ['$1', '$1-bg', '$1.bg', '$1-background']],
  [/^(?:text|fg|ink)$/i, ['background', 'bg', 'surface', 'paper', 'canvas']],
]

/** Returns the colors that are backgrounds of whole pages, in the order of the palette. */
export function findGrounds({ colors }: Palette): PaletteColor[] {
  const prefix = sharedPrefix(colors.map(({ name }) => name))
  return colors.filter(({ name }) => pageGrounds.test(name.slice(prefix.length)))
}

/**
 * Finds the text colors of a palette with their grounds, by name, and measures the contrast in each mode. Failing pairs
 * come first, from the lowest contrast up.
 *
 * @param declared Further pairs, whose names follow no convention.
 * @throws TypeError for a declared name that is not in the palette.
 * @example findPairs(mergeModes(colors), [['ink', 'paper']])[0]?.modes[0]?.contrast // { ratio: 12.31, level: 'AAA' }
 */
export function findPairs(palette: Palette, declared: readonly ColorPair[] = []): MeasuredPairs[] {
  const byName = new Map(palette.colors.map((color) => [color.name, color]))
  const pairs = [...declared.map((pair) => declaredPair(pair, byName)), ...conventionalPairs(palette)]
  const unique = new Map(pairs.map((pair) => [pair.map(({ name }) => name).join('\n'), pair]))
  const [page] = findGrounds(palette)
  const modes = palette.modes.length > 0 ? palette.modes : [undefined]
  const measured = Array.from(unique.values(), ([text, ground]) => {
    const pairs = modes.flatMap((mode) => measurePair(text, ground, page, palette.modes, mode) ?? [])
    const lowest = Math.min(...pairs.map(({ contrast }) => contrast?.ratio ?? 21))
    return { text, ground, modes: pairs, isFailing: lowest < 4.5 && !/disabled|inactive/i.test(text.name), lowest }
  })
  return measured.sort((a, b) => Number(b.isFailing) - Number(a.isFailing) || (a.isFailing ? a.lowest - b.lowest : 0))
}

type Pair = readonly [text: PaletteColor, ground: PaletteColor]

function declaredPair(names: ColorPair, byName: ReadonlyMap<string, PaletteColor>): Pair {
  const [text, ground] = names.map((name) => {
    const color = byName.get(name)
    if (!color) throw optionError('pairs', 'the names of two colors of the palette', name)
    return color
  })
  return [text as PaletteColor, ground as PaletteColor]
}

function conventionalPairs({ colors }: Palette): Pair[] {
  const prefix = sharedPrefix(colors.map(({ name }) => name))
  const byName = new Map(colors.map((color) => [color.name.slice(prefix.length).toLowerCase(), color]))
  return colors.flatMap((text) => {
    const name = text.name.slice(prefix.length)
    const [pattern, grounds = []] = conventions.find(([pattern]) => pattern.test(name)) ?? []
    return grounds.flatMap((template) => {
      const ground = name.replace(pattern as RegExp, template).toLowerCase()
      return matching(byName, ground).map((color): Pair => [text, color])
    })
  })
}

function matching(byName: ReadonlyMap<string, PaletteColor>, name: string): PaletteColor[] {
  const [start, end] = name.split('*') as [string, string?]
  if (end === undefined) return [byName.get(name) ?? []].flat()
  return [...byName].filter(([key]) => key.startsWith(start) && key.endsWith(end)).map(([, color]) => color)
}

/**
 * Measures a text color on a ground in one mode, a translucent ground over the page. Returns `undefined` if one of them
 * has no value in that mode.
 */
export function measurePair(
  text: PaletteColor,
  ground: PaletteColor,
  page: PaletteColor | undefined,
  modes: readonly string[],
  mode: string | undefined,
): MeasuredPair | undefined {
  const [over, under] = [valueIn(text, modes, mode), valueIn(ground, modes, mode)]
  if (!over || !under) return undefined
  const beneath = page && valueIn(page, modes, mode)
  return { mode, text: over, ground: under, contrast: measureOn(over, under, beneath) }
}
