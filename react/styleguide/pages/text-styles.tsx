import type { DesignValue, Typography } from '../../../core/styleguide/index.js'
import { formatAtWidths, formatPixels, lineHeightToLength, pixelsAt } from '../../../core/styleguide/internal.js'
import { PageSection } from './page-section.js'

/** A style of text. Values are CSS. */
export interface TextStyle {
  /** Name of the style, such as `'Heading'`. */
  name: string
  /** Default: the first family of the typography. */
  family?: string | undefined
  size: string
  weight?: string | undefined
  lineHeight?: string | undefined
  letterSpacing?: string | undefined
  /** Width of the text, such as `'38rem'`. Default: `'40rem'`, and for large text the available width. */
  measure?: string | undefined
}

/**
 * Composes a style from each size with a line height, from what the size refers to, and from the values of other kinds
 * that have the size's name.
 */
export function composeStyles({ sizes = [], ...typography }: Typography): TextStyle[] {
  const { families = [], weights = [], letterSpacings = [] } = typography
  const valueNamed = (values: readonly DesignValue[], name: string) =>
    values.find((value) => value.name === name)?.value
  return sizes.flatMap(({ name, value: size, lineHeight, ...style }) => {
    if (!lineHeight) return []
    const family = style.family ?? valueNamed(families, name)
    const weight = style.weight ?? valueNamed(weights, name)
    const letterSpacing = style.letterSpacing ?? valueNamed(letterSpacings, name)
    return [{ name, family, size, weight, lineHeight, letterSpacing }]
  })
}

interface TextStylesProps {
  styles: readonly TextStyle[]
  /** The family of styles that do not set a family. */
  family: string | undefined
  text: string
}

/** Styles of text: the values of each style, beside a paragraph in this style. */
export function TextStyles({ styles, family, text }: TextStylesProps) {
  if (styles.length === 0) return null
  return (
    <PageSection title="Styles">
      <ul className="sw-rows">
        {styles.map((style) => (
          <li key={style.name} className="sw-row">
            <div className="sw-small">
              <strong>{style.name}</strong>
              {describe(style).map((line) => (
                <div key={line}>{line}</div>
              ))}
              <code>{style.size}</code>
            </div>
            <Paragraph style={{ family, ...style }} {...excerptOf(text, style)} />
          </li>
        ))}
      </ul>
    </PageSection>
  )
}

function describe({ family, size, weight, lineHeight, letterSpacing, measure }: TextStyle): string[] {
  const lines = [
    [family?.split(',')[0]?.replace(/["']/g, ''), weight && `weight ${weight}`],
    [formatAtWidths(size) ?? formatPixels(size)],
    [
      lineHeight && `leading ${plainNumber(lineHeight)}`,
      letterSpacing && `tracking ${letterSpacing}`,
      measure && `measure ${measure}`,
    ],
  ]
  return lines.map((parts) => parts.filter(Boolean).join(', ')).filter(Boolean)
}

/** Computes a formula without units, such as Tailwind's `calc(1.25 / 0.875)`. */
function plainNumber(value: string): string {
  const number = /\d(?:[a-z]|%)/i.test(value) ? undefined : pixelsAt(value, 0)
  return number === undefined ? value : String(Math.round(number * 1000) / 1000)
}

/** From this size on, in pixels, a style shows so many words as fit on two lines, like a heading. */
const largePixels = 28
const narrowPixels = 350

/** Returns so much of a text that it is not cut on a narrow screen, where a letter is about half as wide as it is high. */
function excerptOf(text: string, { size }: TextStyle) {
  const pixels = pixelsAt(size, 1280) ?? 16
  const lines = pixels >= largePixels ? 2 : 4
  const room = (lines * narrowPixels * 2) / pixels
  const [first = '', second = ''] = text.split(/(?<=[.!?]) |(?<=。)/)
  const fitting = [`${first} ${second}`, first].find(({ length }) => length <= (lines === 4 ? room : 0)) ?? first
  const isWhole = fitting.length <= room
  return {
    text: isWhole ? fitting : fitting.slice(0, room - 1).replace(/\s\S*$/, ''),
    lines: fitting === first ? 2 : lines,
  }
}

interface ParagraphProps {
  style: Omit<TextStyle, 'name'>
  text: string
  /** The lines for which there is space. Default 4. */
  lines?: number
}

/**
 * Text in any style. SVG has no attribute for the line height, so the font size of the SVG is the line height, and the
 * stylesheet uses it as such. The other values are attributes of the group in the SVG, which a Content-Security-Policy
 * does not treat as inline styles. Browsers ignore invalid values.
 */
export function Paragraph({ style, text, lines = 4 }: ParagraphProps) {
  const { family, size, weight, lineHeight = '1.4', letterSpacing, measure = lines < 4 ? '100%' : '40rem' } = style
  // A line height without a unit is a multiple of the font size; `lineHeightToLength` returns it as a multiple of 1rem.
  const leading = (lineHeightToLength(lineHeight) ?? 'calc(1rem * 1.4)').replace(/^calc\(1rem \*/, `calc(${size} *`)
  return (
    // The row sets the width of the element, and the measure that of the text.
    <div>
      <svg
        role="presentation"
        display="block"
        className={lines === 2 ? 'sw-leading sw-leading-2' : 'sw-leading'}
        width={measure}
        height={`${lines}em`}
        fontSize={leading}
      >
        <g fontFamily={family} fontSize={size} fontWeight={weight} letterSpacing={letterSpacing}>
          <foreignObject width="100%" height="100%">
            <div>{text}</div>
          </foreignObject>
        </g>
      </svg>
    </div>
  )
}
