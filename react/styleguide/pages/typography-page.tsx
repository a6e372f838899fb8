import type * as React from 'react'
import type { DesignValue, Typography } from '../../../core/styleguide/index.js'
import { formatLength, lineHeightToLength, pixelsAt, splitTopLevel } from '../../../core/styleguide/internal.js'
import { composeStyles, excerptOf, Paragraph, type TextStyle, TextStyles } from './text-styles.js'
import { fitting, ValueList } from './value-list.js'

export interface TypographyPageProps {
  /** The typography as returned by a reader. Sizes, weights and line heights are shown in the first family. */
  typography: Typography
  /**
   * Styles of text, such as heading, deck, body and caption. Default: a style for each size that the typography pairs
   * with a line height, with the family, weight and letter spacing of the same name.
   */
  styles?: readonly TextStyle[] | undefined
  /** A line of text, such as a sentence in the site's language. Default: a pangram. */
  sample?: string | undefined
  /** Three sentences, to show the styles and line heights; the largest styles show the first. Default: an English text. */
  text?: string | undefined
}

const pangram = 'Sphinx of black quartz, judge my vow'
const paragraph =
  'A page is read in glances. The eye takes in a few words, rests, and moves on. At the end of a line it has to find ' +
  'the next one without a thought.'
const alphabet = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz 0123456789 &?!@%()“”–'
/** Up to so many families are shown with their alphabet; more, as lines. */
const fewFamilies = 6

/**
 * Shows the typography of a style configuration, or `No typography found`: families, styles of text, sizes, weights,
 * line heights and letter spacings, each value with its name and a specimen. Uses no inline styles and no client
 * JavaScript.
 *
 * @example <TypographyPage typography={{ families: [{ name: 'serif', value: 'Georgia, serif' }] }} />
 */
export function TypographyPage({ typography, styles, sample = pangram, text = paragraph }: TypographyPageProps) {
  const { families = [], weights = [], lineHeights = [], letterSpacings = [] } = typography
  const family = families[0]?.value
  const composed = styles ?? composeStyles(typography)
  const sizes = (typography.sizes ?? [])
    .filter(({ name }) => styles || !composed.some((style) => style.name === name))
    .sort((a, b) => (pixelsAt(a.value, 1280) ?? 0) - (pixelsAt(b.value, 1280) ?? 0))
  if (![families, composed, sizes, weights, lineHeights, letterSpacings].some((values) => values.length > 0)) {
    return <p className="sw-empty">No typography found</p>
  }
  const isFluid = [...composed.map(({ size }) => size), ...sizes.map(({ value }) => value)].some((size) =>
    formatLength(size).includes('/'),
  )
  return (
    <>
      {isFluid && <p className="sw-deck">Three sizes in a row are those at window widths of 390, 768 and 1280 px.</p>}
      <Families families={families} />
      <TextStyles styles={composed} family={family} text={text} />
      <ValueList
        title="Sizes"
        form="sw-cells"
        most={fitting(
          sizes.map(({ value }) => value),
          1.3,
          [7, 3],
        )}
        values={sizes}
        note={({ value }) => formatLength(value)}
      >
        {({ name, value, family: own }) => (
          <Letters
            fontFamily={own ?? families.find((other) => other.name === name)?.value ?? family}
            fontSize={value}
          />
        )}
      </ValueList>
      <ValueList title="Weights" form="sw-cells" most={[7, 3]} values={weights} note={({ value }) => value}>
        {({ value }) => <Letters fontFamily={family} fontSize="2.5rem" fontWeight={value} />}
      </ValueList>
      <ValueList title="Line heights" form="sw-cells" most={[4, 2]} values={lineHeights} note={({ value }) => value}>
        {({ value }) =>
          lineHeightToLength(value) ? (
            <Paragraph
              style={{ family, size: '1rem', lineHeight: value }}
              text={excerptOf(text, '1.5rem')}
              columns={2}
            />
          ) : (
            'depends on the font'
          )
        }
      </ValueList>
      <ValueList title="Letter spacings" form="sw-styles" values={letterSpacings} note={({ value }) => value}>
        {({ value }) => <Paragraph style={{ family, size: '1.125rem', letterSpacing: value }} text={sample} />}
      </ValueList>
    </>
  )
}

/** A few families with their letters, or many as lines. */
function Families({ families }: { families: readonly DesignValue[] }) {
  const stackOf = ({ value }: DesignValue) => splitTopLevel(value, ',').map((name) => name.trim())
  if (families.length > fewFamilies)
    return (
      <ValueList title="Families" form="sw-bars" values={families} note={(family) => stackOf(family)[0]}>
        {({ value }) => <Letters fontFamily={value} fontSize="1.25rem" />}
      </ValueList>
    )
  return (
    <ValueList
      title="Families"
      form="sw-cards sw-faces"
      most={[3, 1]}
      values={families}
      note={(family) => stackOf(family).join(', ')}
    >
      {({ name, value }) => (
        <div>
          <Paragraph style={{ family: value, size: '2.5rem', lineHeight: '1.3' }} text={name} />
          <Paragraph style={{ family: value, size: '1.125rem' }} text={alphabet} />
        </div>
      )}
    </ValueList>
  )
}

/** Two letters that show a size, a weight or a family. */
function Letters(attributes: React.SVGAttributes<SVGElement>) {
  return (
    <svg
      className="sw-letters"
      display="block"
      width="1.5em"
      height="1.3em"
      overflow="visible"
      fill="currentColor"
      aria-hidden="true"
      {...attributes}
    >
      <text y="1em">Ag</text>
    </svg>
  )
}
