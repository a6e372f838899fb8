import type { Typography } from '../../../core/styleguide/index.js'
import { formatLength, lineHeightToLength, pixelsAt } from '../../../core/styleguide/internal.js'
import {
  composeStyles,
  describeStyle,
  excerptOf,
  familiesOf,
  firstFamily,
  fontOf,
  Paragraph,
  type TextStyle,
  wordOf,
} from './text-styles.js'
import { sortByLength, ValueList } from './value-list.js'

export interface TypographyPageProps {
  /** The typography as returned by a reader. Sizes, weights and line heights are shown in the first family. */
  typography: Typography
  /**
   * Styles of text, such as heading, deck, body and caption. Default: a style for each size that the typography pairs
   * with a line height, with the family, weight and letter spacing of the same name.
   */
  styles?: readonly TextStyle[] | undefined
  /** A line of text in the site's language; sizes, weights, letter spacings and many families show one word of it. Default: an English text. */
  sample?: string | undefined
  /** Three sentences, to show the styles; line heights show two of them, and the largest styles the first. Default: an English text. */
  text?: string | undefined
}

const phrase = 'Sphinx of black quartz'
const paragraph =
  'A page is read in glances. The eye takes in a few words, rests, and moves on. At the end of a line it has to find ' +
  'the next one without a thought.'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ\nabcdefghijklmnopqrstuvwxyz\n0123456789 &?!@%()“”–'
/** The room for a word on a narrow screen in pixels, and the font size of a word that has no other */
const [wordRoom, wordSize] = [202, '28px']
/** Up to so many families are shown with their alphabet; more, as lines. */
const fewFamilies = 6

/**
 * Shows the typography of a style configuration, or `No typography found`: families, styles of text, sizes, weights,
 * line heights and letter spacings, each value with its name and a specimen. Uses no inline styles and no client
 * JavaScript.
 *
 * @example <TypographyPage typography={{ families: [{ name: 'serif', value: 'Georgia, serif' }] }} />
 */
export function TypographyPage({ typography, styles, sample = phrase, text = paragraph }: TypographyPageProps) {
  const { families = [], weights = [], lineHeights = [], letterSpacings = [] } = typography
  const family = families[0]?.value
  const descending = sortByLength(typography.sizes ?? [], 1280).reverse()
  const composed = (styles ?? composeStyles({ ...typography, sizes: descending })).map((style) => {
    return { family, ...style, value: fontOf({ family, ...style }, typography) }
  })
  const sizes = descending.filter(({ name }) => styles || !composed.some((style) => style.name === name))
  if (![families, composed, sizes, weights, lineHeights, letterSpacings].some((values) => values.length > 0)) {
    return <p className="sw-empty">No typography found</p>
  }
  const lengths = [...composed.map(({ size }) => size), ...sizes.map(({ value }) => value)]
  const isFew = families.length <= fewFamilies
  const counts = Object.entries({ families, styles: composed, sizes, weights }).filter(([, list]) => list.length > 1)
  const lead = [
    counts.length > 0 && `${counts.map(([kind, { length }]) => `${length} ${kind}`).join(', ')}.`,
    lengths.some((length) => formatLength(length).includes('–')) && 'A range goes from a window of 390 px to 1280 px.',
    families.length > 0 && 'A family that this device lacks shows its fallback.',
  ].filter(Boolean)
  const word = wordOf(sample, Math.max(28, ...sizes.map(({ value }) => pixelsAt(value, 390) ?? 0)), wordRoom)
  return (
    <>
      {lead.length > 0 && <p className="sw-deck">{lead.join(' ')}</p>}
      <ValueList
        title="Families"
        form={isFew ? 'sw-cards' : 'sw-lines'}
        columns={isFew ? [Math.min(3, families.length), 1] : undefined}
        values={families}
        note={({ value }) => (isFew ? describeFallbacks(value) : familiesOf(value)[0])}
      >
        {({ value }) =>
          isFew ? (
            <div className="sw-face">
              <Paragraph style={{ family: value, size: '2.25rem' }} text={firstFamily(value)} />
              <Paragraph style={{ family: value, size: 'min(1.25rem, 5cqw)' }} text={alphabet} />
            </div>
          ) : (
            <Paragraph style={{ family: value, size: wordSize }} text={word} />
          )
        }
      </ValueList>
      <ValueList title="Styles" form="sw-styles" values={composed} note={describeStyle}>
        {(style) => <Paragraph style={style} text={excerptOf(text, style.size)} />}
      </ValueList>
      <ValueList title="Sizes" form="sw-lines" values={sizes} note={({ value }) => formatLength(value)}>
        {({ name, value, family: own = families.find((other) => other.name === name)?.value ?? family }) => (
          <Paragraph style={{ family: own, size: value }} text={word} />
        )}
      </ValueList>
      <ValueList title="Weights" form="sw-lines" values={weights} note={({ value }) => value}>
        {({ value }) => <Paragraph style={{ family, size: wordSize, weight: value }} text={word} />}
      </ValueList>
      <ValueList title="Line heights" form="sw-lines" values={lineHeights} note={({ value }) => value}>
        {({ value }) =>
          lineHeightToLength(value) && (
            <Paragraph style={{ family, size: '1rem', lineHeight: value }} text={excerptOf(text, '20px')} isInColumn />
          )
        }
      </ValueList>
      <ValueList title="Letter spacings" form="sw-lines" values={letterSpacings} note={({ value }) => value}>
        {({ value }) => <Paragraph style={{ family, size: '1.125rem', letterSpacing: value }} text={word} />}
      </ValueList>
    </>
  )
}

/** Describes a stack after its first family: `'then Georgia and 2 more'`. */
function describeFallbacks(stack: string): string | undefined {
  const [, second, ...others] = familiesOf(stack)
  return second && `then ${second}${others.length > 0 ? ` and ${others.length} more` : ''}`
}
