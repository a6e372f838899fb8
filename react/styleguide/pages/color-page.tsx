import type * as React from 'react'
import { optionError } from '../../../core/option-error.js'
import type { StyleColor } from '../../../core/styleguide/index.js'
import {
  type ColorGroup,
  createUniqueSlugs,
  groupByMode,
  groupColors,
  isOpaqueColor,
  svgFill,
} from '../../../core/styleguide/internal.js'
import { PageSection } from './page-section.js'
import { Swatch } from './swatch.js'

export interface ColorPageProps {
  /** The colors as returned by a reader: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /**
   * `'grid'` shows all colors in their original order; `'grouped'` groups them by name, with their shades. Both show each
   * mode's colors under the mode's name. Default `'grid'`.
   */
  layout?: 'grid' | 'grouped' | undefined
  /** An opaque color, such as the site's background, to show the contrast on, in addition to white and black. */
  background?: string | undefined
}

/**
 * Shows the colors of a style configuration, each painted, labelled and with its own link, or `No colors found`. Uses
 * no inline styles, so it works with a strict Content-Security-Policy. The styleguide's script lets visitors copy a color
 * with a click and see the contrast on any background.
 *
 * @throws TypeError for a background that is translucent, or that only a browser can resolve.
 * @example <ColorPage colors={fromTailwind3(config)} layout="grouped" background="#f6f1e6" />
 */
export function ColorPage({ colors, layout = 'grid', background }: ColorPageProps): React.ReactElement {
  if (background !== undefined && !isOpaqueColor(background)) {
    const expected = "an opaque color such as '#f6f1e6'"
    throw optionError('background', expected, background, 'var() and the like cannot be resolved on the server')
  }
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const props = { background, createId: createUniqueSlugs() }
  return (
    <>
      <ContrastPicker colors={colors} background={background} />
      {layout === 'grid'
        ? groupByMode(colors).map((group) => (
            <Group key={group.mode ?? ''} title={group.mode} group={group} {...props} />
          ))
        : groupColors(colors).map((group) => {
            const title = [group.mode, group.name].filter(Boolean).join(' · ') || 'Single colors'
            return <Group key={title} title={title} group={group} {...props} />
          })}
    </>
  )
}

type CreateId = (name: string) => string

interface GroupProps {
  group: ColorGroup
  /** The heading. Without a heading, only the colors are shown. */
  title: string | undefined
  createId: CreateId
  background: string | undefined
}

function Group({ group: { name, mode, colors }, title, createId, background }: GroupProps) {
  const id = title && createId(['colors', mode, name].filter(Boolean).join(' '))
  const swatches = (
    <ul className="sw-colors">
      {colors.map((color) => {
        const id = createId(['color', mode, color.name].filter(Boolean).join(' '))
        return <Swatch key={id} id={id} color={color} background={background} />
      })}
    </ul>
  )
  if (!title) return swatches
  return (
    <PageSection title={title} id={id}>
      {swatches}
    </PageSection>
  )
}

interface ContrastPickerProps {
  colors: readonly StyleColor[]
  background: string | undefined
}

/** Lets visitors choose the background to measure contrast on. Shown only if the script, which measures it, is loaded. */
function ContrastPicker({ colors, background }: ContrastPickerProps) {
  return (
    <fieldset className="sw-picker" aria-label="Contrast">
      <label>
        Contrast on
        <select className="sw-field" autoComplete="off">
          <option value={background ?? ''}>{background ?? 'white and black'}</option>
          {colors.map(
            (color, index) =>
              svgFill(color) && (
                // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
                <option key={index} value={color.value}>
                  {color.mode === undefined ? color.name : `${color.name} (${color.mode})`}
                </option>
              ),
          )}
        </select>
      </label>
      <label>
        or
        <input
          className="sw-field"
          type="color"
          defaultValue="#808080"
          aria-label="Contrast on a custom color"
          autoComplete="off"
        />
      </label>
      <p>Click a color to copy its value, Shift-click to copy its hex.</p>
    </fieldset>
  )
}
