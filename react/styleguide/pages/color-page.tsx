import type * as React from 'react'
import { optionError } from '../../../core/option-error.js'
import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  arrangeMatrix,
  type ColorPair,
  findGrounds,
  isOpaqueColor,
  modesThatDiffer,
  type Palette,
  type TextMatrix,
} from '../../../core/styleguide/internal.js'
import type { Ground, PaletteView } from './color-detail.js'
import { maxBands, Strip } from './color-strip.js'
import type { Specimen } from './color-trial.js'
import { arrangePalette } from './palette.js'
import { hasTextOnGround, TextOnGround, textOnGround } from './text-matrix.js'

export interface ColorPageProps {
  /** The colors as returned by a reader: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /** `'grouped'` groups the colors by their names; `'grid'` shows them in their original order. Default `'grouped'`. */
  layout?: 'grouped' | 'grid' | undefined
  /**
   * The backgrounds of the site's pages, on which contrast is measured: names of colors, or opaque CSS colors. Default:
   * the first two colors with the name of a background, such as `background`, `surface` and `paper`; if there are no
   * such colors, white and black.
   */
  background?: string | readonly string[] | undefined
  /** Pairs of a text color and its background, by name, in addition to the pairs that the names imply. */
  pairs?: readonly ColorPair[] | undefined
  /** Words and fonts in which a color is shown on another. `<StyleguidePage>` passes those of the tree. */
  specimen?: Specimen | undefined
}

// Up to `smallPalette` colors, each swatch has its values printed under it. Beyond `manyColors`, swatches are denser.
const [smallPalette, manyColors] = [40, 200]

/**
 * Shows the colors of a style configuration, or `No colors found`. Each family is a strip of touching swatches. A
 * swatch is split if modes differ; the details of a color open under its row. Up to 40 colors, names and values are
 * printed under each swatch, and a matrix below shows each text on each ground; larger palettes show the pairs that
 * belong together by their names. Uses no inline styles, so it works with a strict Content-Security-Policy. The
 * styleguide's script lets visitors copy each value, and try one color on another.
 *
 * @throws TypeError for a background that is neither a color's name nor an opaque color, and for pairs of unknown
 *   colors.
 * @example <ColorPage colors={fromTailwind3(config).colors} background="#f6f1e6" />
 */
export function ColorPage(props: ColorPageProps): React.ReactElement {
  const { colors, layout = 'grouped', background, pairs, specimen } = props
  const palette = arrangePalette({ colors, layout })
  const matrix = arrangeMatrix(palette, pairs)
  const isSmall = palette.colors.length <= smallPalette
  const view: PaletteView = {
    modes: palette.modes,
    isScheme: isSmall && isLightAndDark(palette),
    othersOf: compare(palette, matrix, isSmall, background),
    isSmall,
    isDense: palette.colors.length > manyColors,
  }
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const { strips } = palette
  const mixed = new Set(strips.filter(({ isRamp }) => !isRamp).map(({ family }) => family))
  const text = { palette, matrix, isSmall, specimen }
  return (
    <>
      <p className="sw-deck">
        {count(palette.colors.length, 'color')}
        {strips.length > 1 && ` in ${count(strips.length, 'group')}`}
        {view.isScheme ? ', in light and dark' : describeSplit(palette)}
        {hasTextOnGround(text) && (
          <>
            {' · '}
            <a href={`#${textOnGround}`}>Which text on which ground</a>
          </>
        )}
      </p>
      <div className={isSmall ? 'sw-palette sw-few' : 'sw-palette'}>
        {strips.map((strip) => {
          const isLine = !isSmall && strip.isRamp && !mixed.has(strip.family) && strip.swatches.length > 5
          return <Strip key={strip.id} strip={strip} isLine={isLine} isAlone={strips.length === 1} view={view} />
        })}
      </div>
      {hasTextOnGround(text) && <TextOnGround {...text} />}
    </>
  )
}

/** Whether the only modes that differ are light and dark. */
function isLightAndDark(palette: Palette): boolean {
  const { differing } = modesThatDiffer(palette)
  return (
    differing.length === 2 && palette.modes.length === 2 && palette.modes.every((mode) => /^(?:light|dark)$/.test(mode))
  )
}

/** Names the parts of the split swatches. */
function describeSplit(palette: Palette): string {
  const { differing, isComplete } = modesThatDiffer(palette)
  if (differing.length === 0) return ''
  const others = differing.length > maxBands ? `, and ${differing.length - maxBands} more in the details` : ''
  const names = `${differing.slice(0, maxBands).join(', ')}${others}`
  return ` · split where modes differ, from the top: ${names}${isComplete ? '' : ', as far as declared'}`
}

/**
 * Returns the function for the colors with which the detail of a color compares it: those that belong to it by their
 * names, then, of a small palette, those of the matrix, or else the backgrounds of pages.
 */
function compare(
  palette: Palette,
  { texts, grounds, own }: TextMatrix,
  isSmall: boolean,
  background: ColorPageProps['background'],
): PaletteView['othersOf'] {
  const hasMatrix = isSmall && grounds.length > 1
  const pages: readonly Ground[] = hasMatrix ? grounds : findGrounds(palette).slice(0, 2)
  const extremes = ['white', 'black'].map((name) => ({ name, tones: [{ mode: undefined, value: name }] }))
  const declared =
    background === undefined ? undefined : [background].flat().map((name) => declaredGround(palette, name))
  const usual = declared ?? (pages.length > 0 ? pages : extremes)
  return (color) => {
    const ownGrounds = own.filter(({ text }) => text === color).map(({ ground }) => ground)
    const ownTexts = own.filter(({ ground }) => ground === color).map(({ text }) => text)
    return {
      grounds: texts.includes(color) || declared ? [...new Set([...ownGrounds, ...usual])] : [],
      texts: [...new Set([...ownTexts, ...(hasMatrix && grounds.includes(color) ? texts : [])])],
    }
  }
}

function declaredGround({ colors }: Palette, background: string): Ground {
  const color = colors.find(({ name }) => name === background)
  if (color) return { name: color.name, tones: color.tones }
  if (isOpaqueColor(background)) return { name: background, tones: [{ mode: undefined, value: background }] }
  const expected = "the name of a color or an opaque color such as '#f6f1e6'"
  throw optionError('background', expected, background, 'var() cannot be resolved on the server')
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`
}
