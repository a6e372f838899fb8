import type { Typography } from '../../../core/styleguide/index.js'
import { formatLength, lineHeightToLength, splitTopLevel } from '../../../core/styleguide/internal.js'
import { composeStyles, describeStyle, excerptOf, fontOf, Paragraph, type TextStyle } from './text-styles.js'
import { fitting, sortByLength, ValueList } from './value-list.js'

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
const letters = 'Ag'
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
  const composed = (styles ?? composeStyles(typography)).map((style) => {
    return { family, ...style, value: fontOf({ family, ...style }) }
  })
  const alone = typography.sizes?.filter(({ name }) => styles || !composed.some((style) => style.name === name))
  const sizes = sortByLength(alone ?? [], 1280)
  if (![families, composed, sizes, weights, lineHeights, letterSpacings].some((values) => values.length > 0)) {
    return <p className="sw-empty">No typography found</p>
  }
  const isFluid = [...composed.map(({ size }) => size), ...sizes.map(({ value }) => value)].some((size) =>
    formatLength(size).includes('/'),
  )
  const isFew = families.length <= fewFamilies
  const counts = Object.entries({ families, styles: composed, sizes, weights }).filter(([, list]) => list.length > 1)
  const lead = [
    counts.length > 0 && `${counts.map(([kind, { length }]) => `${length} ${kind}`).join(', ')}.`,
    isFluid && 'Three sizes in a row are those at window widths of 390, 768 and 1280 px.',
    families.length > 0 && 'A family that this device lacks shows its fallback.',
  ].filter(Boolean)
  return (
    <>
      {lead.length > 0 && <p className="sw-deck">{lead.join(' ')}</p>}
      <ValueList
        title="Families"
        form={isFew ? 'sw-cards sw-faces' : 'sw-bars'}
        most={isFew ? [3, 1] : undefined}
        values={families}
        note={({ value }) => (isFew ? stackOf(value).join(', ') : stackOf(value)[0])}
      >
        {({ value }) => (
          <div>
            <Paragraph
              style={{ family: value, size: isFew ? '2.25rem' : '1.75rem' }}
              text={isFew ? firstOf(value) : letters}
            />
            {isFew && <Paragraph style={{ family: value, size: '1.125rem' }} text={alphabet} />}
          </div>
        )}
      </ValueList>
      <ValueList title="Styles" form="sw-styles" values={composed} note={describeStyle}>
        {(style) => <Paragraph style={style} text={excerptOf(text, style.size)} />}
      </ValueList>
      <ValueList
        title="Sizes"
        most={fitting(sizes, 1.6, 7, 3)}
        values={sizes}
        note={({ value }) => formatLength(value)}
      >
        {({ name, value, family: own = families.find((other) => other.name === name)?.value ?? family }) => (
          <Paragraph style={{ family: own, size: value }} text={letters} />
        )}
      </ValueList>
      <ValueList title="Weights" most={[7, 3]} values={weights} note={({ value }) => value}>
        {({ value }) => <Paragraph style={{ family, size: '2.5rem', weight: value }} text={letters} />}
      </ValueList>
      <ValueList title="Line heights" most={[4, 2]} values={lineHeights} note={({ value }) => value}>
        {({ value }) =>
          lineHeightToLength(value) && (
            <Paragraph
              style={{ family, size: '1rem', lineHeight: value }}
              text={excerptOf(text, '1.5rem')}
              columns={2}
            />
          )
        }
      </ValueList>
      <ValueList title="Letter spacings" form="sw-styles" values={letterSpacings} note={({ value }) => value}>
        {({ value }) => <Paragraph style={{ family, size: '1.125rem', letterSpacing: value }} text={sample} />}
      </ValueList>
    </>
  )
}

/** Returns the families of a stack, the first one first. */
function stackOf(stack: string): string[] {
  return splitTopLevel(stack, ',').map((name) => name.trim())
}

/** Returns the name of the first family of a stack as readers know it: `'Newsreader'`, or for that of the device `'System sans'`. */
function firstOf(stack: string): string {
  const [first = ''] = stackOf(stack)
  const name = first.replace(/["']/g, '')
  if (/^(?:-apple-system|system-ui)$/i.test(name)) return 'System sans'
  return name.toLowerCase().startsWith('ui-') ? `System ${name.slice(3)}` : name
}
