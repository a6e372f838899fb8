import * as React from 'react'
import { describeSpacing } from '../../../core/spacing/internal.js'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { arrangeMatrix, listedPages, pageHref, pixelsAt, reachablePages } from '../../../core/styleguide/internal.js'
import { type StyleguideContent, type StyleguideTree, textOf } from '../content.js'
import { AdoptionPage } from '../pages/adoption-page.js'
import { BreakpointStrip, BreakpointsPage } from '../pages/breakpoints-page.js'
import { Bands } from '../pages/color-detail.js'
import { ColorPage, type ColorPageProps } from '../pages/color-page.js'
import type { Specimen } from '../pages/color-trial.js'
import { Gradient, GradientsPage, RadiiPage, Radius, ShadowStack, ShadowsPage, unique } from '../pages/effects-page.js'
import { Painted } from '../pages/painted.js'
import {
  type ArrangedPalette,
  type ArrangedStrip,
  arrangePalette,
  presentText,
  presentValue,
} from '../pages/palette.js'
import { SpacingPage, scaleValue } from '../pages/spacing-page.js'
import { composeStyles, firstFamily } from '../pages/text-styles.js'
import { TypographyPage } from '../pages/typography-page.js'

interface PagePictureProps {
  page: StyleguideTree
  href: string
}

/**
 * A picture of a page's content: its colors, families or lengths, or its first variant in a frame. A page without content
 * has the picture of a page below it, the first that is not wide. It is hidden from screen readers, since a link beside it
 * names the page.
 */
export function PagePicture(props: PagePictureProps) {
  return (
    <div className="sw-picture" aria-hidden="true" inert>
      <Content {...props} />
    </div>
  )
}

/** Whether a page is of a component that is meant for the whole width of a desktop's window, which its picture then has. */
export const isWide = ({ component }: StyleguideTree) => (component?.variants[0]?.widths[0] ?? 0) >= 1_000

function Content({ page, href }: PagePictureProps): React.ReactElement {
  const { content, pages = [] } = page
  const variant = pages.find(({ bare }) => bare)
  const src = variant && pageHref(href, variant)
  if (src) return <iframe title={page.title} src={src} height={292} loading="lazy" tabIndex={-1} data-sw-fit="" />
  const below = content === undefined ? listedPages(page) : []
  const first = below.find((child) => !isWide(child)) ?? below[0]
  const firstHref = first && pageHref(href, first)
  if (first && firstHref) return <Content page={first} href={firstHref} />
  return valuesOf(content).picture ?? <p className="sw-words">{firstSentence(page.text ?? '') || page.title}</p>
}

/** The palette of a page of colors, or else an empty one. */
export const paletteOf = (content: StyleguideContent) => arrangePalette(propsOf(content, ColorPage) ?? { colors: [] })

const count = (values: readonly unknown[], many: string, one = many.slice(0, -1)) =>
  `${values.length} ${values.length === 1 ? one : many}`

/** Returns how many values are on a page, such as `'8 steps'`, and their picture; both are `undefined` for other pages. */
export function valuesOf(content: StyleguideContent) {
  const palette = paletteOf(content)
  const inModes = palette.modes.length === 2 ? ` in ${palette.modes.join(' and ')}` : ''
  const { families = [] } = propsOf(content, TypographyPage)?.typography ?? {}
  const { spacing, scale } = propsOf(content, SpacingPage) ?? { spacing: [] }
  const steps = spacing ?? describeSpacing(scale).sizes.map(scaleValue)
  const unit = steps.length === 1 ? pixelsAt(steps[0]?.value ?? '', 1280) : undefined
  const shadows = unique(propsOf(content, ShadowsPage)?.shadows ?? [])
  const { breakpoints = [] } = propsOf(content, BreakpointsPage) ?? {}
  const { gradients = [] } = propsOf(content, GradientsPage) ?? {}
  const { radii = [] } = propsOf(content, RadiiPage) ?? {}
  const { shares = [] } = propsOf(content, AdoptionPage)?.adoption ?? {}
  const share = <p className="sw-words sw-percent">{Math.min(...shares.map(({ percent }) => percent))}&nbsp;%</p>
  const kinds: [values: readonly unknown[], summary: string, picture: React.ReactElement][] = [
    [palette.colors, count(palette.colors, 'colors') + inModes, <PalettePicture key="" palette={palette} />],
    [families, count(families, 'families', 'family'), <FamilyNames key="" families={families} />],
    [steps, unit ? `Multiples of ${unit}\u00a0px` : count(steps, 'steps'), <NestedSquares key="" values={steps} />],
    [shadows, count(shadows, 'shadows'), <ShadowStack key="" shadows={shadows} />],
    [breakpoints, count(breakpoints, 'breakpoints'), <BreakpointStrip key="" breakpoints={breakpoints} />],
    [gradients, count(gradients, 'gradients'), <Gradient key="" name="" value="" {...gradients[0]} />],
    [radii, count(radii, 'radii', 'radius'), <Radius key="" name="" value="" {...radii.at(-1)} />],
    [shares, 'Values that are tokens', share],
  ]
  const [, summary, picture] = kinds.find(([values]) => values.length > 0) ?? []
  return { summary, picture }
}

/** Gives a page of colors the title, the first words and the fonts of the site, in which it shows a color on another. */
export function withSpecimen(
  content: StyleguideContent,
  tree: StyleguideTree,
  pair: Specimen['pair'],
): StyleguideContent {
  if (!propsOf(content, ColorPage)) return content
  const pages = reachablePages(tree, '').map(({ page }) => page)
  const texts = pages.map(({ text, content }) => firstSentence(text ?? textOf(content)))
  const type = pages.map(({ content }) => propsOf(content, TypographyPage)).find(Boolean)
  const styles = type?.styles ?? composeStyles(type?.typography ?? {})
  const from = (size: string, pixels: number) => Math.abs((pixelsAt(size, 1280) ?? 0) - pixels)
  const fonts = [44, 17, 13].flatMap((pixels) => {
    const [style] = [...styles].sort((a, b) => from(a.size, pixels) - from(b.size, pixels))
    const family = style?.family ?? type?.typography.families?.[0]?.value ?? 'var(--sw-sans)'
    return style ? `${style.weight ?? 400} ${style.size} / ${style.lineHeight ?? 1.4} ${family}` : []
  })
  const specimen = { title: tree.title, text: texts.find((text) => text.length > 24), fonts, pair }
  return React.cloneElement(content as React.ReactElement<ColorPageProps>, { specimen })
}

/** Returns the first sentence of more than two words, or its beginning up to a whole word. */
export function firstSentence(text: string): string {
  const sentences = text
    .slice(0, 600)
    .replace(/^#+ .*/gm, '')
    .trim()
    .split(/(?<=[.!?\u2026])\s+|(?<=\u3002)/)
  const sentence = sentences.find((part) => part.split(' ').length > 2) ?? text
  return sentence.length > 140 ? `${sentence.slice(0, 120).replace(/\s\S*$/, '')} …` : sentence
}

/** The props of content that is an element of a component. */
export function propsOf<Props extends object>(content: StyleguideContent, component: React.FC<Props>) {
  return React.isValidElement<Props>(content) && content.type === component ? content.props : undefined
}

/** Two rows of colors, each with `Aa` on it, or the first ramps if a palette has several. */
function PalettePicture({ palette }: { palette: ArrangedPalette }) {
  const { colors, strips } = palette
  const ramps = strips.filter(({ isRamp, swatches }) => isRamp && swatches.length > 2)
  const valuesIn = ({ swatches }: ArrangedStrip) => swatches.map(({ color }) => presentValue(color, palette))
  const columns = ramps.slice(0, 24).map((ramp) => <Bands key={ramp.id} values={valuesIn(ramp).slice(0, 14)} />)
  const cells = (colors.length > 12 ? arrangeMatrix(palette).grounds : colors).slice(0, 12).map((color) => (
    <Painted key={color.name} text={presentText(color, palette, 3)} ground={presentValue(color, palette)}>
      Aa
    </Painted>
  ))
  const half = Math.ceil(cells.length / 2)
  const [first, second] =
    columns.length > 1 ? [columns] : cells.length > 3 ? [cells.slice(0, half), cells.slice(half)] : [cells]
  return (
    <div className="sw-pairs">
      <div>{first}</div>
      {second && <div>{second}</div>}
    </div>
  )
}

/** The names of the first families, each in its own letters. */
function FamilyNames({ families }: { families: readonly DesignValue[] }) {
  const shown = families.slice(0, 3).map(({ value }) => ({ value, name: firstFamily(value) }))
  const size = Math.min(11, 130 / Math.max(...shown.map(({ name }) => name.length)))
  const line = 100 / (shown.length + 1)
  return (
    <svg className="sw-drawing" fontSize={`min(${size}cqw, 18cqh)`} fill="currentColor" aria-hidden="true">
      {shown.map(({ value, name }, index) => (
        <text key={value} x="16" y={`${line * (index + 1)}%`} dy="0.35em" fontFamily={value}>
          {name}
        </text>
      ))}
    </svg>
  )
}

/** Lengths as squares within each other, the longest around all. */
function NestedSquares({ values }: { values: readonly DesignValue[] }) {
  const lengths = values.map(({ value }) => pixelsAt(value, 1280) ?? 0).filter((length) => length > 0)
  // The multiples of a base, such as that of Tailwind, are the scale.
  const scale = lengths.length > 1 ? lengths : [1, 2, 3, 4, 6, 8].map((factor) => factor * (lengths[0] ?? 1))
  const shown = [...new Set(scale)].sort((a, b) => b - a).slice(-9)
  const opacity = 1.2 / (shown.length + 1)
  const sizes = shown.map((length) => (100 * length) / (shown[0] ?? 1))
  return (
    <svg
      className="sw-drawing"
      viewBox="-16 -16 132 132"
      fill="var(--sw-accent)"
      fillOpacity={opacity}
      aria-hidden="true"
    >
      {sizes.map((size) => (
        <rect key={size} y={100 - size} width={size} height={size} />
      ))}
    </svg>
  )
}
