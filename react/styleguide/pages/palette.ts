import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  type ColorStrip,
  createUniqueSlugs,
  groupColors,
  mergeModes,
  type Palette,
  type Swatch,
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
}

interface Arrangement {
  colors: readonly StyleColor[]
  layout?: 'grouped' | 'grid' | undefined
}

// Results are kept for each list of colors, because a configuration is read one time and shown often.
const arranged = new WeakMap<readonly StyleColor[], Partial<Record<'grouped' | 'grid', ArrangedPalette>>>()

/** Arranges colors as strips. Strips and swatches have ids, which are the same on the colors page and in the search. */
export function arrangePalette({ colors, layout = 'grouped' }: Arrangement): ArrangedPalette {
  const palettes = arranged.get(colors) ?? {}
  palettes[layout] ??= arrange(colors, layout)
  arranged.set(colors, palettes)
  return palettes[layout]
}

function arrange(colors: readonly StyleColor[], layout: 'grouped' | 'grid'): ArrangedPalette {
  const palette = mergeModes(colors)
  const createId = createUniqueSlugs()
  const strips = layout === 'grid' ? [ungrouped(palette)] : groupColors(palette.colors)
  const withIds = strips.map((strip) => ({
    ...strip,
    id: createId(`colors ${strip.name ?? ''}`),
    swatches: strip.swatches.map((swatch) => ({ ...swatch, id: createId(`color ${swatch.color.name}`) })),
  }))
  return { ...palette, strips: withIds }
}

function ungrouped({ colors }: Palette): ColorStrip {
  const swatches = colors.map((color) => ({ label: color.name, color, alsoNamed: [] }))
  return { name: undefined, family: undefined, isRamp: false, swatches }
}
