import * as React from 'react'
import { describeSpacing } from '../../../core/spacing/internal.js'
import { describeColor, pageHref, svgFill, valuesByMode } from '../../../core/styleguide/internal.js'
import type { StyleguideContent, StyleguideTree } from '../content.js'
import { BreakpointsPage } from '../pages/breakpoints-page.js'
import { ColorPage } from '../pages/color-page.js'
import { GradientsPage, RadiiPage, ShadowsPage } from '../pages/effects-page.js'
import { type ArrangedPalette, type ArrangedStrip, arrangePalette } from '../pages/palette.js'
import { Scale, SpacingPage, scaleValue } from '../pages/spacing-page.js'
import { TypographyPage } from '../pages/typography-page.js'

/** Pages whose picture is the page itself, with its words hidden by the stylesheet. */
const drawings: readonly unknown[] = [BreakpointsPage, ShadowsPage, RadiiPage, GradientsPage]

interface PagePictureProps {
  page: StyleguideTree
  href: string
}

/** A picture of a page's content: its colors, letters or bars, or its first variant in a frame. */
export function PagePicture({ page, href }: PagePictureProps): React.ReactElement {
  const { content, pages = [] } = page
  const variant = pages.find(({ bare }) => bare)
  if (variant) return <Thumbnail title={page.title} src={pageHref(href, variant)} />
  const palette = propsOf(content, ColorPage)
  if (palette && palette.colors.length > 0) return <PalettePicture palette={arrangePalette(palette)} />
  const typography = propsOf(content, TypographyPage)
  if (typography) return <Letters families={(typography.typography.families ?? []).map(({ value }) => value)} />
  const spacing = propsOf(content, SpacingPage)
  if (spacing) return <Scale values={spacing.spacing ?? describeSpacing(spacing.scale).sizes.map(scaleValue)} />
  if (React.isValidElement(content) && drawings.includes(content.type)) return content
  return <p className="sw-words">{page.text?.slice(0, 160) || page.title}</p>
}

/** The props of content that is an element of a component. */
export function propsOf<Props extends object>(
  content: StyleguideContent,
  component: (props: Props) => React.ReactNode,
): Props | undefined {
  return React.isValidElement<Props>(content) && content.type === component ? content.props : undefined
}

function Thumbnail({ title, src }: { title: string; src: string | undefined }) {
  return <iframe title={title} src={src} loading="lazy" tabIndex={-1} />
}

const maxStrips = 9

/** One drawing of a palette's first ramps, or of its first strips if it has fewer than two ramps. */
function PalettePicture({ palette }: { palette: ArrangedPalette }) {
  const ramps = palette.strips.filter(({ swatches }) => swatches.length > 2)
  const strips = (ramps.length > 1 ? ramps : palette.strips).slice(0, maxStrips)
  return (
    <svg className="sw-paint" fill="none" aria-hidden="true">
      {strips.flatMap((strip, row) => cellsOf(strip, palette, row, strips.length))}
    </svg>
  )
}

function cellsOf({ swatches }: ArrangedStrip, { modes }: ArrangedPalette, row: number, rows: number) {
  return swatches
    .slice(0, 14)
    .map(({ id, color }, column, { length }) => (
      <rect
        key={id}
        x={`${(column / length) * 100}%`}
        y={`${(row / rows) * 100}%`}
        width={`${100 / length + 1}%`}
        height={`${100 / rows + 1}%`}
        fill={svgFill({ name: '', value: valuesByMode(color, modes)[0] ?? '' })}
      />
    ))
}

/** A band with the most colorful swatch of each strip. */
export function PaletteBand({ palette }: { palette: ArrangedPalette }): React.ReactElement {
  const colors = palette.strips.flatMap(mostColorful).slice(0, 40)
  return (
    <svg className="sw-band sw-paint" fill="none" aria-hidden="true">
      {colors.map((value, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: values may repeat
          key={index}
          x={`${(index / colors.length) * 100}%`}
          width={`${100 / colors.length + 1}%`}
          height="100%"
          fill={svgFill({ name: '', value })}
        />
      ))}
    </svg>
  )
}

/** Returns the value with the highest chroma of a family; for the strip of single colors, returns all values. */
function mostColorful({ name, swatches }: ArrangedStrip): string[] {
  const values = swatches.flatMap(({ color }) => color.tones[0]?.value || [])
  if (name === undefined) return values
  const chromaOf = (value: string) => Number(describeColor(value)?.oklch.split(' ')[1] ?? 0)
  return values.sort((a, b) => chromaOf(b) - chromaOf(a)).slice(0, 1)
}

function Letters({ families }: { families: readonly string[] }) {
  const firstFamilies = families.length > 0 ? families.slice(0, 3) : [undefined]
  return (
    <div className="sw-letters">
      {firstFamilies.map((family) => (
        <svg key={family} fontFamily={family} fill="currentColor" aria-hidden="true">
          <text x="50%" y="50%" dy="0.35em" textAnchor="middle">
            Aa
          </text>
        </svg>
      ))}
    </div>
  )
}
