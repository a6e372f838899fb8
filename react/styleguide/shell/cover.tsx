import { isValidElement } from 'react'
import { arrangeMatrix, describeColor, measureOn, reachablePages } from '../../../core/styleguide/internal.js'
import { type StyleguideTree, textOf } from '../content.js'
import { Bands } from '../pages/color-detail.js'
import { Painted } from '../pages/painted.js'
import { type ArrangedPalette, type ArrangedStrip, presentText, presentValue, textIn } from '../pages/palette.js'
import { paletteOf } from './page-picture.js'

// Up to `few` colors are all on stripes, and a palette of more than `small` colors is shown by its families. A narrow
// screen has room for `narrow` names.
const [few, small, narrow] = [12, 40, 8]

/** The head of the cover: title and lead on the color of the brand, and the first palette of the pages as stripes. */
export function Cover({ tree }: { tree: StyleguideTree }): React.ReactElement {
  const palettes = reachablePages(tree, '').map(({ page }) => paletteOf(page.content))
  const palette = palettes.find(({ colors }) => colors.length > 0) ?? paletteOf(undefined)
  const brand = brandOf(palette)
  const valueIn = (name: string) => (brand?.tones.find(({ mode }) => mode === name) ?? brand?.tones[0])?.value
  // A large palette has no color of the brand: the site's accent, which is read on the page, stands for it.
  const [light, dark] = ['light', 'dark'].map((name) => valueIn(name) ?? 'var(--sw-accent)')
  const lead = leadOf(tree)
  const textFrom = (least: number) => (brand ? textIn(palette, brand, 'light', least) : 'var(--sw-bg)')
  const inDark = brand && (measureOn(dark ?? '', '#131519')?.ratio ?? 0) < 3 ? 'var(--sw-text)' : dark
  return (
    <>
      <div className="sw-cover">
        <Bands values={[`light-dark(${light}, transparent)`]} />
        <h1 className="sw-title">
          <Painted text={`light-dark(${textFrom(3)}, ${inDark})`}>{tree.title}</Painted>
        </h1>
        {lead && (
          <p>
            <Painted text={`light-dark(${textFrom(4.5)}, var(--sw-text))`}>{lead}</Painted>
          </p>
        )}
      </div>
      {palette.colors.length > 0 && <Stripes palette={palette} />}
    </>
  )
}

/** Returns the text below the title: the description, or else content that is one short paragraph. */
export function leadOf({ description, content }: StyleguideTree): string | undefined {
  const isParagraph = isValidElement<{ children?: unknown }>(content) && content.type === 'p'
  const text = textOf(content)
  return description ?? (isParagraph && content.props.children === text && text.length <= 160 ? text : undefined)
}

const brandName = /^(?!.*\b(?:on|inverse)\b).*\b(?:brand|primary|accent)$/i

/** Returns the color of the brand by its name, or else the most colorful one of a palette that is not large. */
function brandOf({ colors }: ArrangedPalette) {
  const candidates = colors.length > small ? [] : [...colors]
  const [strongest] = candidates.sort((a, b) => strengthOf(b) - strengthOf(a))
  return colors.find((color) => brandName.test(color.name) && strengthOf(color) > 21) ?? strongest
}

/** Returns the contrast of a gray to white, from 1 to 21, or more than 21 for a color, by its chroma. */
function strengthOf({ tones: [tone] }: ArrangedPalette['colors'][number]): number {
  const chroma = Number(describeColor(tone?.value ?? '')?.oklch.split(' ')[1] ?? 0)
  return chroma > 0.05 ? 21 + chroma : (measureOn(tone?.value ?? '', '#fff')?.ratio ?? 0)
}

const middleOf = ({ swatches }: ArrangedStrip) => swatches[swatches.length >> 1]?.color ?? []

/** All of few colors; of more, the grounds with the shortest names; of many, the middle of each family. */
function Stripes({ palette }: { palette: ArrangedPalette }) {
  const { colors, strips } = palette
  const { grounds } = arrangeMatrix(palette)
  const short = [...grounds].sort((a, b) => a.name.length - b.name.length).slice(0, narrow)
  const families = strips.flatMap((strip) => ({ name: strip.name, color: [middleOf(strip)].flat()[0] }))
  const main = colors.length > few ? grounds.filter((color) => short.includes(color)) : colors
  const shown = colors.length > small ? families : main.map((color) => ({ name: color.name, color }))
  return (
    <ul className="sw-stripes" aria-hidden="true">
      {shown.map(
        ({ name, color }, index) =>
          name &&
          color && (
            <li key={name} className={(shown.length > few ? index % 2 > 0 : index >= narrow) ? 'sw-more' : undefined}>
              <Painted text={presentText(color, palette, 4.5)} ground={presentValue(color, palette)}>
                {hasRoom(name) && name}
              </Painted>
            </li>
          ),
      )}
    </ul>
  )
}

/** Whether a stripe has room for a name, which may break after a hyphen. */
const hasRoom = (name: string) => name.length <= 24 && name.split('-').every(({ length }) => length <= 12)
