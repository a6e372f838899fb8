import {
  arrangeMatrix,
  describeColor,
  measureOn,
  type PaletteColor,
  reachablePages,
} from '../../../core/styleguide/internal.js'
import type { StyleguideTree } from '../content.js'
import { ColorPage } from '../pages/color-page.js'
import { Painted } from '../pages/painted.js'
import { type ArrangedPalette, arrangePalette, presentText, presentValue, textIn } from '../pages/palette.js'
import { propsOf } from './page-picture.js'

// Up to `labelled` colors are named on their stripes. A palette of more than `small` colors has no color of the brand.
const [labelled, small] = [12, 40]

/** The head of the cover: the title on the color of the brand, and the first palette among the pages as stripes. */
export function Cover({ tree }: { tree: StyleguideTree }): React.ReactElement {
  const props = reachablePages(tree, '')
    .map(({ page }) => propsOf(page.content, ColorPage))
    .find(Boolean)
  const palette = props && props.colors.length > 0 ? arrangePalette(props) : undefined
  const brand = palette && brandOf(palette)
  return (
    <>
      {brand ? (
        <BrandField title={tree.title} palette={palette} brand={brand} />
      ) : (
        <h1 className="sw-title sw-cover">{tree.title}</h1>
      )}
      {palette && <Stripes palette={palette} />}
    </>
  )
}

/** The title on the color of the brand; in the dark, the title in that color. */
function BrandField({ title, palette, brand }: { title: string; palette: ArrangedPalette; brand: PaletteColor }) {
  const [light = brand.tones[0], dark] = ['light', 'dark'].map((name) => brand.tones.find(({ mode }) => mode === name))
  const field = light?.value ?? ''
  const text = textIn(palette, brand, light?.mode, 3)
  const inDark = dark && (measureOn(dark.value, '#131519')?.ratio ?? 0) >= 3 ? dark.value : 'var(--sw-text)'
  return (
    <h1 className="sw-title sw-cover sw-brand-field">
      <Painted
        text={dark ? `light-dark(${text}, ${inDark})` : text}
        ground={dark ? `light-dark(${field}, transparent)` : field}
      >
        {title}
      </Painted>
    </h1>
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

/** All colors of a small palette, or its grounds; of a large palette, the middle swatch of each strip. */
function Stripes({ palette }: { palette: ArrangedPalette }) {
  const { colors, strips } = palette
  const { grounds } = arrangeMatrix(palette)
  const named = colors.length <= labelled ? colors : colors.length <= small ? grounds.slice(0, labelled) : []
  const middles = strips.flatMap(({ swatches }) => swatches[swatches.length >> 1]?.color ?? [])
  const shown = named.length > 0 ? named : middles.slice(0, 40)
  return (
    <ul className="sw-stripes" aria-hidden="true">
      {shown.map((color) => (
        <li key={color.name}>
          <Painted text={presentText(color, palette, 4.5)} ground={presentValue(color, palette)}>
            {named.length > 0 && color.name}
          </Painted>
        </li>
      ))}
    </ul>
  )
}
