import type { DesignValue, Typography } from '../../../core/styleguide/index.js'
import { formatLength, lineHeightToLength, pixelsAt, splitTopLevel } from '../../../core/styleguide/internal.js'

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
export function composeStyles({ sizes = [], ...typography }: Typography): (TextStyle & Pick<DesignValue, 'source'>)[] {
  const { families = [], weights = [], letterSpacings = [] } = typography
  const valueNamed = (values: readonly DesignValue[], name: string) =>
    values.find((value) => value.name === name)?.value
  return sizes.flatMap(({ name, value: size, lineHeight, source, ...style }) => {
    if (!lineHeight) return []
    const family = style.family ?? valueNamed(families, name)
    const weight = style.weight ?? valueNamed(weights, name)
    const letterSpacing = style.letterSpacing ?? valueNamed(letterSpacings, name)
    return [{ name, source, family, size, weight, lineHeight, letterSpacing }]
  })
}

/** Returns the shorthand of a style with its tokens, `500 var(--deck)/1.1 Georgia, serif`, or without a family its size. */
export function fontOf(
  { weight = 'normal', size, lineHeight = 'normal', family }: TextStyle,
  type: Typography,
): string {
  const codeFor = (value: string, tokens: readonly DesignValue[] = []) => {
    const property = tokens.find((token) => token.value === value)?.source?.property
    return property ? `var(${property})` : value
  }
  return family ? `${weight} ${codeFor(size, type.sizes)}/${lineHeight} ${codeFor(family, type.families)}` : size
}

/** Returns the families of a stack without quotation marks, the first one first. */
export function familiesOf(stack: string): string[] {
  return splitTopLevel(stack, ',').map((name) => name.replace(/["']/g, '').trim())
}

/** Returns the name of the first family as readers know it: `'Newsreader'`, or for that of the device `'System sans'`. */
export function firstFamily(stack: string): string {
  const [first = ''] = familiesOf(stack)
  const [, kind] = /^(?:-apple-|ui-)?(system|system-ui|sans-serif|serif|monospace|rounded)$/i.exec(first) ?? []
  return kind ? `System ${/^sys/i.test(kind) ? 'sans' : kind.replace('-serif', '').replace('space', '')}` : first
}

/** Describes a style in a line: `'Georgia 500, 40–72 px, leading 1.1'`. */
export function describeStyle({ family, size, weight, lineHeight, letterSpacing, measure }: TextStyle): string {
  const parts = [
    [family && firstFamily(family), weight].filter(Boolean).join(' '),
    formatLength(size),
    lineHeight && `leading\u00a0${plainNumber(lineHeight)}`,
    letterSpacing && `tracking\u00a0${letterSpacing}`,
    measure && `measure\u00a0${measure}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** Computes a formula without units, such as Tailwind's `calc(1.25 / 0.875)`. */
function plainNumber(value: string): string {
  const number = /\d(?:[a-z]|%)/i.test(value) ? undefined : pixelsAt(value, 0)
  return number === undefined ? value : String(Math.round(number * 1000) / 1000)
}

/** From these sizes on, in pixels, a style shows two sentences, or one. */
const [mediumPixels, largePixels] = [20, 32]
/** The pixels of a text on a narrow screen, on the narrowest, and of a word in a column there. */
const [narrowRoom, narrowestRoom, narrowestColumn] = [350, 250, 130]
/** A letter is at most so many em wide on average. */
const letterWidth = 0.6

/** Returns the first sentences of a text, fewer for large text. The largest text is one word, never cut. */
export function excerptOf(text: string, size: string): string {
  const pixels = pixelsAt(size, 1280) ?? 16
  const [first = '', ...others] = text.split(/(?<=[.!?]) |(?<=。)/).slice(0, pixels < mediumPixels ? 3 : 2)
  if (pixels < largePixels) return [first, ...others].join(' ')
  const longest = wordOf(first, pixelsAt(size, 390) ?? 16, narrowRoom)
  return first.split(' ').some(({ length }) => length > longest.length) ? longest : first
}

/** Returns the longest word of a text that has room in a size, in pixels. */
export function wordOf(text: string, pixels: number, room: number): string {
  const most = room / letterWidth / pixels
  const words = text.split(' ').filter(({ length }) => length <= most)
  const word = words.sort((a, b) => b.length - a.length)[0] ?? text.slice(0, most)
  return word.charAt(0).toUpperCase() + word.slice(1)
}

interface ParagraphProps {
  style: Omit<TextStyle, 'name'>
  text: string
  /** Whether the text stands in a column beside its name, also on a narrow screen. Default: whether it is one word. */
  isInColumn?: boolean
}

/**
 * Text in any style. SVG has no attribute for the line height, so the font size of the SVG is the line height, and the
 * stylesheet uses it as such. The other values are attributes of the group in the SVG, which a Content-Security-Policy
 * does not treat as inline styles. Browsers ignore invalid values. The height has room for the text on a narrow screen;
 * the script makes it that of the text.
 */
export function Paragraph({ style, text, isInColumn = !text.includes(' ') }: ParagraphProps) {
  const { family, size, weight, lineHeight = '1.4', letterSpacing, measure } = style
  const pixels = pixelsAt(size, 390) ?? 16
  // A line height without a unit is a multiple of the font size; `lineHeightToLength` returns it as a multiple of 1rem.
  const leading = (lineHeightToLength(lineHeight) ?? 'calc(1rem * 1.4)').replace(/^calc\(1rem \*/, `calc(${size} *`)
  return (
    // The row sets the width of the element, and the measure that of the text.
    <div>
      <svg
        role="presentation"
        display="block"
        overflow="visible"
        className="sw-leading"
        width={measure ?? (pixels < largePixels ? '40rem' : '100%')}
        height={`${Math.ceil((text.length * letterWidth * pixels) / (isInColumn ? narrowestColumn : narrowestRoom))}em`}
        fontSize={leading}
      >
        <g fontFamily={family} fontSize={size} fontWeight={weight} letterSpacing={letterSpacing}>
          <foreignObject width="100%" height="100%" overflow="visible">
            <div>{text}</div>
          </foreignObject>
        </g>
      </svg>
    </div>
  )
}
