import type * as React from 'react'
import { optionError } from '../../../core/option-error.js'
import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  type ColorPair,
  findGrounds,
  findPairs,
  isOpaqueColor,
  modesThatDiffer,
  type Palette,
} from '../../../core/styleguide/internal.js'
import type { Ground, PaletteView } from './color-detail.js'
import { ColorPairs } from './color-pairs.js'
import { maxBands, Strip } from './color-strip.js'
import { arrangePalette } from './palette.js'

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
}

// Swatches are smaller from `someColors` colors on, and denser beyond `manyColors`.
const [someColors, manyColors] = [40, 200]

/**
 * Shows the colors of a style configuration, or `No colors found`. Each family is a strip of touching swatches. A
 * swatch is split if modes differ; the details of a color open under its strip. Below, text colors are shown on their
 * backgrounds, pairs with too little contrast first. Uses no inline styles, so it works with a strict
 * Content-Security-Policy. The styleguide's script lets visitors copy each value.
 *
 * @throws TypeError for a background that is neither a color's name nor an opaque color, and for pairs of unknown
 *   colors.
 * @example <ColorPage colors={fromTailwind3(config).colors} background="#f6f1e6" />
 */
export function ColorPage(props: ColorPageProps): React.ReactElement {
  const { colors, layout = 'grouped', background, pairs: declared } = props
  const palette = arrangePalette({ colors, layout })
  const grounds = groundsOf(palette, background)
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const { strips } = palette
  const isDense = palette.colors.length > manyColors
  const view: PaletteView = { modes: palette.modes, grounds, isDense }
  const mixed = new Set(strips.filter(({ isRamp }) => !isRamp).map(({ family }) => family))
  const pairs = findPairs(palette, declared)
  const failing = pairs.filter(({ isFailing }) => isFailing).length
  return (
    <>
      <p className="sw-deck">
        {count(palette.colors.length, 'color')}
        {layout === 'grouped' && ` in ${count(strips.length, 'group')}`}
        {describeSplit(palette)}
        {pairs.length > 0 && (
          <>
            {' · '}
            <a href="#pairs">{failing > 0 ? `${failing} of ${count(pairs.length, 'pair')} fail` : 'all pairs pass'}</a>
          </>
        )}
      </p>
      <div className={palette.colors.length < someColors ? 'sw-palette sw-few' : 'sw-palette'}>
        {strips.map((strip) => {
          const isLine = strip.isRamp && !mixed.has(strip.family) && strip.swatches.length > 5
          return <Strip key={strip.id} strip={strip} isLine={isLine} view={view} />
        })}
      </div>
      {pairs.length > 0 && <ColorPairs pairs={pairs} />}
    </>
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

function groundsOf(palette: Palette, background: ColorPageProps['background']): Ground[] {
  if (background !== undefined) return [background].flat().map((name) => declaredGround(palette, name))
  const grounds = findGrounds(palette).slice(0, 2)
  if (grounds.length > 0) return grounds.map(({ name, tones }) => ({ name, tones }))
  return ['white', 'black'].map((name) => ({ name, tones: [{ mode: undefined, value: name }] }))
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
