import { contrastRatio } from '../../../core/styleguide/internal.js'
import { escapeXml } from '../../../core/xml.js'

/** The choices and the words of the form for one color on another. The markup hands them to the script as JSON. */
export interface Trial {
  colors: readonly TrialColor[]
  /** A heading, a text and a caption, as HTML. */
  lines: readonly string[]
}

/** An opaque color. */
export interface TrialColor {
  /** The id of its swatch. */
  id: string
  name: string
  tones: readonly Tone[]
  /** Whether the form may propose it in place of a text that fails. */
  isText: boolean
}

interface Tone {
  hex: string
  luminance: number
  /** A color for text on it. */
  label: string
}

export type Rgb = readonly [r: number, g: number, b: number]

/**
 * Returns the specimen of a text on a ground in a mode, with the verdict on each line, and the nearest text that passes.
 * It is HTML, since the server and the script write the same; colors are attributes of SVGs, as in `Painted`.
 */
export function answerTrial({ colors, lines }: Trial, text: TrialColor, ground: TrialColor, mode: number): string {
  const toneOf = ({ tones }: TrialColor) => tones[mode] as Tone
  const ratioOf = (color: TrialColor) => contrastRatio(toneOf(color).luminance, toneOf(ground).luminance)
  const awayFrom = (color: TrialColor) => distance(rgbOf(toneOf(color).hex), rgbOf(toneOf(text).hex))
  const ratio = ratioOf(text)
  const rows = lines.map((html, line) => {
    // WCAG 2.2, success criterion 1.4.3: the heading is large text.
    const least = line > 0 ? 4.5 : 3
    const verdict = paint(toneOf(ground).label, ratio < least ? `✕ needs ${least}` : '✓ passes')
    return `<span class="sw-tried">${html}${verdict}</span>`
  })
  const passing = colors.filter((color) => color.isText && ratioOf(color) >= 4.5)
  const [nearest] = passing.sort((a, b) => awayFrom(a) - awayFrom(b))
  const linkTo = (color: TrialColor) => {
    const name = `${swatch({ tones: [toneOf(color)] })}${escapeXml(color.name)}`
    return `<a href="${trialHref(color, ground)}">${name}</a> ${formatRatio(ratioOf(color))}`
  }
  const proposal = nearest ? `Use ${linkTo(nearest)}` : 'No text passes.'
  const verdict =
    ratio < 4.5 ? `${ratio < 3 ? 'Not for text' : 'For headings only'}. ${proposal}` : 'Good for every text.'
  const specimen = paint(toneOf(text).hex, rows.join(''), toneOf(ground).hex)
  return `${specimen}<p><strong>${formatRatio(ratio)}</strong> <span>${verdict}</span></p>`
}

/** The address of a text on a ground, which the server answers. */
export const trialHref = (text: TrialColor, ground: TrialColor) =>
  `?${new URLSearchParams({ text: text.name, ground: ground.name })}#try`

/** A small swatch, with a band for each mode. */
export const swatch = ({ tones }: Pick<TrialColor, 'tones'>) =>
  `<svg class="sw-icon sw-bands">${tones.map(({ hex }, index) => rect(hex, (index * 100) / tones.length)).join('')}</svg>`

const rect = (hex: string, y = 0) => `<rect y="${y}%" width="100%" height="100%" color="${hex}" fill="${hex}"/>`

/** Writes a text in a color, painted over itself, which is not visible but takes its place. */
function paint(color: string, html: string, ground = ''): string {
  const text = `<foreignObject width="100%" height="100%"><span>${html}</span></foreignObject>`
  const drawing = `<svg color="${color}">${ground && rect(ground)}${text}</svg>`
  return `<span class="sw-painted" aria-hidden="true"><span>${html}</span>${drawing}</span>`
}

/** Writes a ratio with one digit, cut off: 4.49, which is not enough, would be rounded to 4.5. */
export const formatRatio = (ratio: number) => (Math.floor(ratio * 10 + 1e-9) / 10).toFixed(1)

/**
 * Returns the distance in sRGB, with each channel weighted by the sensitivity of the eye
 * (https://www.compuphase.com/cmetric.htm).
 */
export function distance([r, g, b]: Rgb, [red, green, blue]: Rgb): number {
  const mean = (r + red) / 512
  return Math.sqrt((2 + mean) * (r - red) ** 2 + 4 * (g - green) ** 2 + (3 - mean) * (b - blue) ** 2)
}

export function parseHex(hex: string): Rgb | undefined {
  const written = hex.replace(/^#/, '')
  const digits = written.length < 5 ? written.replace(/./g, '$&$&') : written
  const [r, g, b] = (/^[\da-f]{6}(?:[\da-f]{2})?$/i.test(digits) ? digits.match(/../g) : null) ?? []
  return r && g && b ? [Number.parseInt(r, 16), Number.parseInt(g, 16), Number.parseInt(b, 16)] : undefined
}

const rgbOf = (hex: string) => parseHex(hex) as Rgb
