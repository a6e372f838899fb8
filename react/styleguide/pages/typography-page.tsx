import type * as React from 'react'
import type { DesignValue, Typography } from '../../../core/styleguide/index.js'
import { formatAtWidths, formatPixels, lineHeightToLength } from '../../../core/styleguide/internal.js'
import { PageSection, Row } from './page-section.js'
import { composeStyles, Paragraph, type TextStyle, TextStyles } from './text-styles.js'

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
  /** A paragraph of at least four lines, to show the line heights. Default: an English text. */
  text?: string | undefined
}

const pangram = 'Sphinx of black quartz, judge my vow'
const paragraph =
  'A page is read in glances. The eye takes in a few words, rests, and moves on; at the end of a line it has to find ' +
  'the next one without a thought. Too little room between the lines, and it strays; too much, and the text falls ' +
  'apart into stripes. Set a paragraph, step back, and look at its gray: it should be even and calm, easy to leave ' +
  'and easy to come back to. Then set it again, narrower, and see whether it still holds together on a small screen.'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ\nabcdefghijklmnopqrstuvwxyz\n0123456789 .,:;!?&@%()“”–'
// With this size, the pangram fits on a small screen.
const sampleSize = 'clamp(1rem, 0.6rem + 1.6vw, 1.5rem)'

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
  const sizes = (typography.sizes ?? []).filter(({ name }) => styles || !composed.some((style) => style.name === name))
  if (![families, composed, sizes, weights, lineHeights, letterSpacings].some((values) => values.length > 0)) {
    return <p className="sw-empty">No typography found</p>
  }
  return (
    <>
      <Values title="Families" values={families}>
        {({ value }) => (
          <Paragraph
            style={{ family: value, size: 'clamp(1.0625rem, 0.5rem + 2vw, 1.75rem)' }}
            text={alphabet}
            lines={3}
          />
        )}
      </Values>
      <TextStyles styles={composed} family={family} text={text} />
      <Cells title="Sizes" values={sizes}>
        {({ name, value, family: own }) => ({
          fontFamily: own ?? families.find((other) => other.name === name)?.value ?? family,
          fontSize: value,
        })}
      </Cells>
      <Cells title="Weights" values={weights}>
        {({ value }) => ({ fontFamily: family, fontSize: '2.5rem', fontWeight: value })}
      </Cells>
      <Values title="Line heights" values={lineHeights}>
        {({ value }) =>
          lineHeightToLength(value) === undefined ? (
            <p className="sw-small">Not a fixed height; it depends on the font.</p>
          ) : (
            <Paragraph style={{ family, size: '1rem', lineHeight: value }} text={text} />
          )
        }
      </Values>
      <Values title="Letter spacings" values={letterSpacings}>
        {({ value }) => (
          <Paragraph style={{ family, size: sampleSize, letterSpacing: value }} text={sample} lines={2} />
        )}
      </Values>
    </>
  )
}

interface CellsProps<Value> {
  title: string
  values: readonly Value[]
  /** Returns the attributes of a letter in the value. */
  children: (value: Value) => React.SVGAttributes<SVGElement>
}

/** Values that two letters show, side by side. */
function Cells<Value extends DesignValue>({ title, values, children }: CellsProps<Value>) {
  if (values.length === 0) return null
  return (
    <PageSection title={title}>
      <ul className="sw-sizes-list">
        {values.map((value) => (
          <li key={value.name}>
            <svg fill="currentColor" aria-hidden="true" {...children(value)}>
              <text y="1em">Ag</text>
            </svg>
            <strong>{value.name}</strong>
            <div className="sw-small">{formatAtWidths(value.value) ?? formatPixels(value.value) ?? value.value}</div>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}

interface ValuesProps {
  title: string
  values: readonly DesignValue[]
  children: (value: DesignValue) => React.ReactNode
}

function Values({ title, values, children }: ValuesProps) {
  if (values.length === 0) return null
  return (
    <PageSection title={title}>
      <ul className="sw-rows">
        {values.map((value, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
          <Row key={index} {...value}>
            {children(value)}
          </Row>
        ))}
      </ul>
    </PageSection>
  )
}
