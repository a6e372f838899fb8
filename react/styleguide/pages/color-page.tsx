import type * as React from 'react'
import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  arrangeMatrix,
  type ColorPair,
  findGrounds,
  type Palette,
  type TextMatrix,
  valuesByMode,
} from '../../../core/styleguide/internal.js'
import type { Ground, PaletteView } from './color-detail.js'
import { maxBands, Strip } from './color-strip.js'
import type { Specimen } from './color-trial.js'
import { arrangePalette } from './palette.js'
import { TextOnGround, textOnGround } from './text-matrix.js'

export interface ColorPageProps {
  /** The colors as returned by a reader: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /** Pairs of a text color and its background, by name, in addition to the pairs that the names imply. */
  pairs?: readonly ColorPair[] | undefined
  /** Words and fonts in which a color is shown on another. `<StyleguidePage>` passes those of the tree. */
  specimen?: Specimen | undefined
}

/** Up to this number of colors, each swatch has its values printed under it. */
export const smallPalette = 40

/**
 * Shows the colors of a style configuration, or `No colors found`. Each family is a strip of touching swatches. A
 * swatch is split if modes differ; the details of a color open under its row. Up to 40 colors, names and values are
 * printed under each swatch, and a matrix below shows each text on each ground; larger palettes show the pairs that
 * belong together by their names. Uses no inline styles, so it works with a strict Content-Security-Policy. The
 * styleguide's script lets visitors copy each value, and try one color on another.
 *
 * @throws TypeError for pairs of unknown colors.
 * @example <ColorPage colors={fromTailwind3(config).colors} pairs={[['ink', 'sand']]} />
 */
export function ColorPage({ colors, pairs, specimen }: ColorPageProps): React.ReactElement {
  const palette = arrangePalette({ colors })
  const matrix = arrangeMatrix(palette, pairs)
  const isSmall = palette.colors.length <= smallPalette
  const isSplit = palette.colors.some((color) => valuesByMode(color, palette.modes).length > 1)
  const view: PaletteView = {
    modes: palette.modes,
    isScheme: isSmall && isSplit && [...palette.modes].sort().join() === 'dark,light',
    othersOf: compare(palette, matrix, isSmall),
    isSmall,
  }
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const text = TextOnGround({ palette, matrix, isSmall, specimen })
  const groups = palette.strips.filter(({ name }) => name)
  const split = ` · split where modes differ, from the top: ${palette.modes.slice(0, maxBands).join(', ')}`
  return (
    <>
      <p className="sw-deck">
        {palette.colors.length.toLocaleString('en')} {palette.colors.length === 1 ? 'color' : 'colors'}
        {groups.length > 1 && ` in ${groups.length} groups`}
        {view.isScheme ? ', in light and dark' : isSplit && split}
        {text && ' · '}
        {text && <a href={`#${textOnGround}`}>Which text on which ground</a>}
      </p>
      <div className={isSmall ? 'sw-palette sw-few' : 'sw-palette'}>
        {palette.lines.map((line) => (
          <div key={line[0]?.id} className={line.length > 1 ? 'sw-shared' : undefined}>
            {line.map((strip) => (
              <Strip key={strip.id} strip={strip} isAlone={palette.strips.length === 1} view={view} />
            ))}
          </div>
        ))}
      </div>
      {text}
    </>
  )
}

/**
 * Returns the function for the colors with which the detail of a color compares it: those that belong to it by their
 * names, then, of a small palette, those of the matrix, or else the backgrounds of pages.
 */
function compare(palette: Palette, { texts, grounds, own }: TextMatrix, isSmall: boolean): PaletteView['othersOf'] {
  const hasMatrix = isSmall && grounds.length > 1
  const pages = hasMatrix ? grounds : findGrounds(palette).slice(0, 2)
  const extremes = ['white', 'black'].map((name) => ({ name, tones: [{ mode: undefined, value: name }] }))
  const usual: readonly Ground[] = pages.length > 0 ? pages : extremes
  const usualTexts: readonly Ground[] = hasMatrix ? texts : extremes
  return (color) => {
    const ownGrounds = own.filter(({ text }) => text === color).map(({ ground }) => ground)
    const ownTexts = own.filter(({ ground }) => ground === color).map(({ text }) => text)
    return {
      grounds: texts.includes(color) ? [...new Set([...ownGrounds, ...usual])] : [],
      texts: [...new Set([...ownTexts, ...(grounds.includes(color) ? usualTexts : [])])],
    }
  }
}
