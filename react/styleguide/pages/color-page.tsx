import type * as React from 'react'
import { type ColorGroup, getContrast, groupColors, type StyleColor } from '../../../core/styleguide/index.js'
import { createUniqueSlugs } from '../../../core/styleguide/internal.js'
import { ContrastPicker } from './contrast-picker.js'
import { PageSection } from './page-section.js'
import { Swatch } from './swatch.js'

export interface ColorPageProps {
  /** The colors, as one of the readers gave them: `fromTailwind3(config)`, `fromDesignTokens(json)`, … */
  colors: readonly StyleColor[]
  /** `'grid'`: all in their order; `'grouped'`: by name, with their shades. Default `'grid'`. */
  layout?: 'grid' | 'grouped' | undefined
  /** An opaque color to tell the contrast on, besides white and black; the site's paper, say. */
  background?: string | undefined
}

/**
 * The colors of a style configuration, each painted, labelled and with a link of its own; `No colors found` when there
 * are none. No inline style, so that it holds under a strict Content-Security-Policy. The script adds copying by a
 * click, and contrast on a background that the reader chooses.
 *
 * @throws TypeError for a background that is translucent, or that only a browser can work out.
 * @example <ColorPage colors={fromTailwind3(config)} layout="grouped" background="#f6f1e6" />
 */
export function ColorPage({ colors, layout = 'grid', background }: ColorPageProps): React.ReactElement {
  if (background !== undefined && !getContrast(background, background)) throw new TypeError(refuse(background))
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

function refuse(background: string): string {
  return `background: '${background}' is no opaque color that is known without a browser; write one such as '#f6f1e6'`
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
