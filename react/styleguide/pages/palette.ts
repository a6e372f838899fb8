import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  type ColorStrip,
  createUniqueSlugs,
  findGrounds,
  findPairs,
  groupColors,
  type MeasuredPairs,
  measureOn,
  mergeModes,
  type Palette,
  type PaletteColor,
  type Swatch,
  sharedPrefix,
  textOn,
  valueIn,
} from '../../../core/styleguide/internal.js'

/** A swatch with the id for links to it. */
export interface ArrangedSwatch extends Swatch {
  id: string
}

export interface ArrangedStrip extends ColorStrip {
  /** The id of the strip's heading. */
  id: string
  swatches: readonly ArrangedSwatch[]
}

export interface ArrangedPalette extends Palette {
  strips: readonly ArrangedStrip[]
  /** The strips line by line. Neighbors share a line if they have up to five swatches each, and up to ten together. */
  lines: readonly (readonly ArrangedStrip[])[]
  /** The pairs of a text and its ground that belong together by their names. */
  own: readonly MeasuredPairs[]
  /** The ground of the site's pages, if a name tells it. */
  page: PaletteColor | undefined
}

// Results are kept for each list of colors, because a configuration is read one time and shown often.
const arranged = new WeakMap<readonly StyleColor[], ArrangedPalette>()

/** Arranges colors as strips. Strips and swatches have ids, which are the same on the colors page and in the search. */
export function arrangePalette({ colors }: { colors: readonly StyleColor[] }): ArrangedPalette {
  const palette = arranged.get(colors) ?? arrange(colors)
  arranged.set(colors, palette)
  return palette
}

/** Up to this number, colors of different families are one strip, in their original order. */
const fewColors = 12

function arrange(colors: readonly StyleColor[]): ArrangedPalette {
  const palette = mergeModes(colors)
  const createId = createUniqueSlugs()
  const groups = groupColors(palette.colors)
  const isPlain = palette.colors.length <= fewColors && groups.every(({ isRamp }) => !isRamp)
  const strips = isPlain ? [ungrouped(groups, palette)] : groups
  const withIds = strips.map((strip) => ({
    ...strip,
    id: createId(`colors ${strip.name ?? ''}`),
    swatches: strip.swatches.map((swatch) => ({ ...swatch, id: createId(`color ${swatch.color.name}`) })),
  }))
  const [page] = findGrounds(palette)
  return { ...palette, strips: withIds, lines: linesOf(withIds), own: findPairs(palette), page }
}

function linesOf(strips: readonly ArrangedStrip[]): ArrangedStrip[][] {
  const lines: ArrangedStrip[][] = []
  for (const strip of strips) {
    const line = [...(lines.at(-1) ?? []), strip]
    const count = line.flatMap(({ swatches }) => swatches).length
    if (count <= 10 && line.every(({ name, swatches }) => name && swatches.length <= 5)) lines.splice(-1, 1, line)
    else lines.push([strip])
  }
  return lines
}

function ungrouped(groups: readonly ColorStrip[], { colors }: Palette): ColorStrip {
  const prefix = sharedPrefix(colors.map(({ name }) => name)).length
  const swatches = groups
    .flatMap(({ swatches }) => swatches.map((swatch) => ({ ...swatch, label: swatch.color.name.slice(prefix) })))
    .sort((a, b) => colors.indexOf(a.color) - colors.indexOf(b.color))
  return { name: undefined, isRamp: false, swatches }
}

/** Returns a color's value in the present color scheme, if it differs in light and dark; or else its first value. */
export function presentValue(color: PaletteColor, palette: Palette): string {
  return inScheme(palette, (mode) => valueIn(color, palette.modes, mode) ?? color.tones[0]?.value ?? '')
}

/**
 * Returns the palette's color for a text on another, in the present color scheme.
 *
 * @param least The contrast that it needs, or black or white is returned.
 */
export function presentText(ground: PaletteColor, palette: ArrangedPalette, least: number): string {
  return inScheme(palette, (mode) => textIn(palette, ground, mode, least))
}

/**
 * Returns the palette's color for a text on another in a mode: its own, such as `on-accent`, or else that of the site's
 * pages or their ground, or else the color with the most contrast.
 *
 * @param beneath The opaque color below a translucent one. Default: white.
 */
export function textIn(
  { colors, modes, own, page }: ArrangedPalette,
  ground: PaletteColor,
  mode: string | undefined,
  least: number,
  beneath?: string,
): string {
  const valuesOf = (colors: readonly (PaletteColor | undefined)[]) =>
    colors.flatMap((color) => (color && valueIn(color, modes, mode)) ?? [])
  const [value = ''] = valuesOf([ground])
  const textsOn = (color: PaletteColor | undefined) =>
    own.filter((pair) => pair.ground === color).map(({ text }) => text)
  const usual = valuesOf([...textsOn(ground), ...textsOn(page), page])
  const isEnough = (text: string) => (measureOn(text, value, beneath)?.ratio ?? 0) >= least
  return usual.find(isEnough) ?? textOn(value, valuesOf(colors), least, beneath)
}

function inScheme({ modes }: Palette, valueAt: (mode: string | undefined) => string): string {
  const [light, dark] = ['light', 'dark'].map((mode) => (modes.includes(mode) ? valueAt(mode) : undefined))
  return light && dark && light !== dark ? `light-dark(${light}, ${dark})` : valueAt(modes[0])
}
