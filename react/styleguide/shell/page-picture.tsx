import * as React from 'react'
import { describeSpacing } from '../../../core/spacing/internal.js'
import type { DesignValue } from '../../../core/styleguide/index.js'
import { arrangeMatrix, listedPages, pageHref, pixelsAt, reachablePages } from '../../../core/styleguide/internal.js'
import { type StyleguideContent, type StyleguideTree, textOf } from '../content.js'
import { AdoptionPage } from '../pages/adoption-page.js'
import { BreakpointStrip, BreakpointsPage } from '../pages/breakpoints-page.js'
import { Bands } from '../pages/color-detail.js'
import { ColorPage, type ColorPageProps } from '../pages/color-page.js'
import { evenRows } from '../pages/color-strip.js'
import { Gradient, GradientsPage, RadiiPage, Radius, ShadowStack, ShadowsPage } from '../pages/effects-page.js'
import { Painted } from '../pages/painted.js'
import {
  type ArrangedPalette,
  type ArrangedStrip,
  arrangePalette,
  presentText,
  presentValue,
} from '../pages/palette.js'
import { SpacingPage, scaleValue } from '../pages/spacing-page.js'
import { composeStyles } from '../pages/text-styles.js'
import { TypographyPage } from '../pages/typography-page.js'

interface PagePictureProps {
  page: StyleguideTree
  href: string
}

/**
 * A picture of a page's content: its colors, families or lengths, or its first variant in a frame. A page without content
 * has the picture of the first page below it. It is hidden from screen readers, since a link beside it names the page.
 */
export function PagePicture(props: PagePictureProps) {
  return (
    <div className="sw-picture" aria-hidden="true" inert>
      <Content {...props} />
    </div>
  )
}

function Content({ page, href }: PagePictureProps): React.ReactElement {
  const { content, pages = [] } = page
  const variant = pages.find(({ bare }) => bare)
  if (variant)
    return (
      <iframe
        title={page.title}
        src={pageHref(href, variant)}
        height={292}
        loading="lazy"
        tabIndex={-1}
        data-sw-fit=""
      />
    )
  const [first] = content === undefined ? listedPages(page) : []
  const firstHref = first && pageHref(href, first)
  if (first && firstHref) return <Content page={first} href={firstHref} />
  const palette = propsOf(content, ColorPage)
  if (palette && palette.colors.length > 0) return <PalettePicture palette={arrangePalette(palette)} />
  const adoption = propsOf(content, AdoptionPage)?.adoption
  if (adoption)
    return (
      <p className="sw-words">{adoption.shares.map(({ kind, percent }) => `${percent} % of ${kind}`).join(' · ')}</p>
    )
  const families = propsOf(content, TypographyPage)?.typography.families ?? []
  if (families.length > 0) return <FamilyNames families={families.map(({ value }) => value)} />
  const spacing = propsOf(content, SpacingPage)
  const distances = spacing && (spacing.spacing ?? describeSpacing(spacing.scale).sizes.map(scaleValue))
  if (distances && distances.length > 0) return <NestedSquares values={distances} />
  const shadows = propsOf(content, ShadowsPage)?.shadows ?? []
  if (shadows.length > 0) return <ShadowStack shadows={shadows} />
  const breakpoints = propsOf(content, BreakpointsPage)?.breakpoints ?? []
  if (breakpoints.length > 0) return <BreakpointStrip breakpoints={breakpoints} />
  const [gradient] = propsOf(content, GradientsPage)?.gradients ?? []
  if (gradient) return <Gradient {...gradient} />
  const radius = propsOf(content, RadiiPage)?.radii.at(-1)
  if (radius) return <Radius {...radius} />
  return <p className="sw-words">{firstSentence(page.text ?? '') || page.title}</p>
}

/** Says how much is on a page: `'7 colors'`, `'1 family'`. Returns `undefined` for other pages. */
export function describeContent({ content }: StyleguideTree): string | undefined {
  const palette = propsOf(content, ColorPage)
  const counts: readonly [string, readonly unknown[] | undefined][] = [
    ['colors', palette && arrangePalette(palette).colors],
    ['families', propsOf(content, TypographyPage)?.typography.families],
    ['steps', propsOf(content, SpacingPage)?.spacing],
    ['shadows', propsOf(content, ShadowsPage)?.shadows],
    ['breakpoints', propsOf(content, BreakpointsPage)?.breakpoints],
  ]
  const [name, values] = counts.find(([, values]) => values && values.length > 0) ?? []
  const noun = values?.length === 1 ? name?.replace(/ies$/, 'y').replace(/s$/, '') : name
  return values && `${values.length} ${noun}`
}

/** Gives a page of colors the title, the first words and the fonts of the site, in which it shows a color on another. */
export function withSpecimen(content: StyleguideContent, tree: StyleguideTree): StyleguideContent {
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
  const specimen = { title: tree.title, text: texts.find((text) => text.length > 24), fonts }
  return React.cloneElement(content as React.ReactElement<ColorPageProps>, { specimen })
}

/** Returns the first sentence of more than two words, or its beginning up to a whole word. */
function firstSentence(text: string): string {
  const sentences = text
    .slice(0, 600)
    .replace(/^#+ .*/gm, '')
    .trim()
    .split(/(?<=[.!?\u2026])\s+|(?<=\u3002)/)
  const sentence = sentences.find((part) => part.split(' ').length > 2) ?? text
  return sentence.length > 140 ? `${sentence.slice(0, 120).replace(/\s\S*$/, '')} …` : sentence
}

/** The props of content that is an element of a component. */
export function propsOf<Props extends object>(
  content: StyleguideContent,
  component: (props: Props) => React.ReactNode,
): Props | undefined {
  return React.isValidElement<Props>(content) && content.type === component ? content.props : undefined
}

/** One drawing of a palette: up to six colors, each with `Aa` on it, or the first ramps if it has several. */
function PalettePicture({ palette }: { palette: ArrangedPalette }) {
  const ramps = palette.strips.filter(({ isRamp, swatches }) => isRamp && swatches.length > 2)
  const valuesOf = ({ swatches }: ArrangedStrip) => swatches.map(({ color }) => presentValue(color, palette))
  if (ramps.length > 1)
    return (
      <div className="sw-pairs">
        {ramps.slice(0, 9).map((ramp) => (
          <Bands key={ramp.id} values={valuesOf(ramp).slice(0, 14)} />
        ))}
      </div>
    )
  const { grounds } = arrangeMatrix(palette)
  const shown = (grounds.length > 1 ? grounds : palette.colors).slice(0, 6)
  return (
    <div className="sw-pairs">
      {shown.map((color, index) => (
        <div key={color.name} className={evenRows(shown.length, 3, 3)[index]}>
          <Painted text={presentText(color, palette, 3)} ground={presentValue(color, palette)}>
            Aa
          </Painted>
        </div>
      ))}
    </div>
  )
}

/** The first name of a family; those of the operating system's families are no words. */
function nameOfFamily(family: string): string {
  const name = family.split(',')[0]?.replace(/["']/g, '').trim() ?? ''
  const [, kind] = /^(?:-apple-|ui-)?(system|system-ui|sans-serif|serif|monospace|rounded)$/i.exec(name) ?? []
  return kind ? `System ${/^sys/.test(kind) ? 'sans' : kind.replace('-serif', '').replace('space', '')}` : name
}

/** The names of the first families, each in its own letters. */
function FamilyNames({ families }: { families: readonly string[] }) {
  const names = families.slice(0, 3).map(nameOfFamily)
  const size = Math.min(11, 130 / Math.max(...names.map(({ length }) => length)))
  return (
    <div className="sw-families">
      {names.map((name, index) => (
        <svg key={name} fontFamily={families[index]} fontSize={`${size}cqw`} fill="currentColor" aria-hidden="true">
          <text x="8%" y="50%" dy="0.35em">
            {name}
          </text>
        </svg>
      ))}
    </div>
  )
}

/** Lengths as squares within each other, the longest around all. */
function NestedSquares({ values }: { values: readonly DesignValue[] }) {
  const lengths = values.map(({ value }) => pixelsAt(value, 1280) ?? 0).filter((length) => length > 0)
  // The multiples of a base, such as that of Tailwind, are the scale.
  const scale = lengths.length > 1 ? lengths : [1, 2, 3, 4, 6, 8].map((factor) => factor * (lengths[0] ?? 1))
  const shown = [...new Set(scale)].sort((a, b) => b - a).slice(-9)
  const longest = shown[0] ?? 1
  return (
    <svg
      className="sw-nested"
      viewBox="0 0 100 100"
      fill="var(--sw-accent)"
      fillOpacity={1.2 / (shown.length + 1)}
      aria-hidden="true"
    >
      {shown.map((length) => {
        const size = (length / longest) * 100
        return <rect key={length} y={100 - size} width={size} height={size} />
      })}
    </svg>
  )
}
