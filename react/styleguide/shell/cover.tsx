import {
  arrangeMatrix,
  describeColor,
  measureOn,
  type PaletteColor,
  reachablePages,
  svgFill,
  textOn,
} from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { ColorPage } from '../pages/color-page.js'
import { type ArrangedPalette, type ArrangedStrip, arrangePalette, presentValue } from '../pages/palette.js'
import { propsOf } from './page-picture.js'

// Up to `labelled` colors are named on their stripes. A palette of more than `small` colors has no color of the brand.
const [labelled, small] = [12, 40]

interface CoverProps {
  tree: StyleguideTree
}

/** The head of the cover: the title on the color of the brand, and the first palette among the pages as stripes. */
export function Cover({ tree }: CoverProps): React.ReactElement {
  const props = reachablePages(tree, '')
    .map(({ page }) => propsOf(page.content, ColorPage))
    .find(Boolean)
  const palette = props && props.colors.length > 0 ? arrangePalette(props) : undefined
  const brand = palette && brandOf(palette)
  return (
    <>
      {brand ? <BrandField title={tree.title} brand={brand} /> : <h1 className="sw-title sw-cover">{tree.title}</h1>}
      {palette && <Stripes palette={palette} />}
    </>
  )
}

/**
 * The title on the color of the brand; in the dark, the title in that color. The heading is transparent below the same
 * text in an SVG, whose attributes may have these colors without an inline style.
 */
function BrandField({ title, brand: { tones } }: { title: string; brand: PaletteColor }) {
  const [light = tones[0], dark] = ['light', 'dark'].map((name) => tones.find(({ mode }) => mode === name))
  const field = light?.value ?? ''
  const label = textOn(field, [])
  const inDark = dark && (measureOn(dark.value, '#131519')?.ratio ?? 0) >= 3 ? dark.value : 'var(--sw-text)'
  return (
    <div className="sw-brand-field">
      <h1 className="sw-title sw-cover">{title}</h1>
      <svg color={dark ? `light-dark(${label}, ${inDark})` : label} aria-hidden="true">
        <rect width="100%" height="100%" fill={dark ? `light-dark(${field}, transparent)` : field} />
        <foreignObject width="100%" height="100%">
          <div className="sw-title sw-cover">{title}</div>
        </foreignObject>
      </svg>
    </div>
  )
}

/**
 * Returns the color of the brand by its name, or else the most colorful one. A palette of grays, or a large one, has no
 * such color.
 */
function brandOf({ colors }: ArrangedPalette): PaletteColor | undefined {
  if (colors.length > small) return undefined
  const vivid = colors.filter((color) => chromaOf(color) > 0.05)
  const named = vivid.find(
    ({ name }) => /(?:^|[-.])(?:brand|primary|accent)$/i.test(name) && !/(?:^|[-.])(?:on|inverse)[-.]/i.test(name),
  )
  return named ?? vivid.sort((a, b) => chromaOf(b) - chromaOf(a))[0]
}

const chromaOf = ({ tones }: PaletteColor) => Number(describeColor(tones[0]?.value ?? '')?.oklch.split(' ')[1] ?? 0)

/** All colors of a small palette, or its grounds; of a large palette, the most colorful swatch of each strip. */
function Stripes({ palette }: { palette: ArrangedPalette }) {
  const { colors, strips } = palette
  const { grounds } = arrangeMatrix(palette)
  const few = colors.length <= labelled ? colors : colors.length <= small ? grounds.slice(0, labelled) : []
  const shown = few.length > 0 ? few : strips.flatMap(mostColorful).slice(0, 40)
  return (
    <ul className="sw-stripes" aria-hidden="true">
      {shown.map((color) => (
        <Stripe key={color.name} color={color} palette={palette} isLabelled={few.length > 0} />
      ))}
    </ul>
  )
}

function mostColorful({ swatches }: ArrangedStrip): PaletteColor[] {
  const colors = swatches.map(({ color }) => color)
  return colors.sort((a, b) => chromaOf(b) - chromaOf(a)).slice(0, 1)
}

interface StripeProps {
  color: PaletteColor
  palette: ArrangedPalette
  isLabelled: boolean
}

function Stripe({ color, palette, isLabelled }: StripeProps) {
  const value = presentValue(color, palette)
  const labels = color.tones.map((tone) => textOn(tone.value, []))
  return (
    <li>
      <svg className="sw-bands" fill="none" aria-hidden="true">
        <rect width="100%" height="100%" color={value} fill={svgFill({ name: '', value })} />
        {isLabelled && (
          <foreignObject
            width="100%"
            height="100%"
            color={value.startsWith('light-dark') ? `light-dark(${labels.slice(0, 2).join(', ')})` : labels[0]}
          >
            <div>{color.name}</div>
          </foreignObject>
        )}
      </svg>
    </li>
  )
}
