import type * as React from 'react'
import { optionError } from '../../../core/option-error.js'
import { type ColorGroup, getContrast, groupColors, type StyleColor } from '../../../core/styleguide/index.js'
import { createUniqueSlugs } from '../../../core/styleguide/internal.js'
import { ContrastPicker } from './contrast-picker.js'
import { PageSection } from './page-section.js'
import { Swatch } from './swatch.js'

export interface ColorPageProps {
  /** The colors as returned by a reader: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /** `'grid'`: all in their original order; `'grouped'`: by name, with their shades. Default `'grid'`. */
  layout?: 'grid' | 'grouped' | undefined
  /** An opaque color to show the contrast on, in addition to white and black, such as the site's background. */
  background?: string | undefined
}

/**
 * Shows the colors of a style configuration, each painted, labelled and with its own link, or `No colors found`. Uses no
 * inline styles, so a strict Content-Security-Policy can be used. The styleguide's script adds copying by a click, and
 * contrast on any background.
 *
 * @throws TypeError for a background that is translucent, or that only a browser can resolve.
 * @example <ColorPage colors={fromTailwind3(config)} layout="grouped" background="#f6f1e6" />
 */
export function ColorPage({ colors, layout = 'grid', background }: ColorPageProps): React.ReactElement {
  if (background !== undefined && !getContrast(background, background)) {
    const expected = "an opaque color such as '#f6f1e6'"
    throw optionError('background', expected, background, 'var() and the like cannot be resolved on the server')
  }
  if (colors.length === 0) return <p className="sw-empty">No colors found</p>
  const createId = createUniqueSlugs()
  return (
    <>
      <ContrastPicker colors={colors} background={background} />
      {layout === 'grid' ? (
        <Swatches colors={colors} createId={createId} background={background} />
      ) : (
        groupColors(colors).map((group) => (
          <Group key={group.name ?? ''} group={group} createId={createId} background={background} />
        ))
      )}
    </>
  )
}

type CreateId = (name: string) => string

interface SwatchesProps {
  colors: readonly StyleColor[]
  createId: CreateId
  background: string | undefined
}

function Group({ group, ...props }: { group: ColorGroup } & Omit<SwatchesProps, 'colors'>) {
  const id = props.createId(group.name === undefined ? 'colors' : `colors ${group.name}`)
  return (
    <PageSection title={group.name ?? 'Single colors'} id={id}>
      <Swatches colors={group.colors} {...props} />
    </PageSection>
  )
}

function Swatches({ colors, createId, background }: SwatchesProps) {
  return (
    <ul className="sw-colors">
      {colors.map((color) => {
        const id = createId(`color ${color.name}`)
        return <Swatch key={id} id={id} color={color} background={background} />
      })}
    </ul>
  )
}
