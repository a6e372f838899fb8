import { measureOn } from './color.js'
import type { Palette, PaletteColor } from './modes.js'
import { sharedPrefix } from './names.js'
import { type ColorPair, findGrounds, findPairs, type MeasuredPair, type MeasuredPairs, measurePair } from './pairs.js'

/** The colors of a palette that may be text, and those that may be the ground of text. */
export interface TextMatrix {
  texts: readonly PaletteColor[]
  /** The grounds of whole pages come first. */
  grounds: readonly PaletteColor[]
  /** The pairs that belong together by their names or by declaration, such as `on-accent` and `accent`. */
  own: readonly MeasuredPairs[]
  /** Returns the pair in a mode; `undefined` if one of the colors has no value there. */
  measure: (text: PaletteColor, ground: PaletteColor, mode: string | undefined) => MeasuredPair | undefined
}

const word = (words: string) => new RegExp(`(?:^|[-._/])(?:${words})(?=$|[-._/])`, 'i')
const textWords = word('on|text|fg|foreground|content|ink|heading|caption|link|muted|quiet')
const groundWords = word('background|bg|surface|paper|canvas|page|base|card|popover|sidebar|panel|container|line')
// Colors that are drawn, and neither carry text nor are text.
const drawnWords = word('outline|border|divider|ring|stroke|shadow|scrim|overlay')

/**
 * Divides the colors of a palette into texts and grounds, by their names. A color whose name tells neither may be both.
 *
 * @throws TypeError for a declared name that is not in the palette.
 * @example arrangeMatrix(mergeModes(colors)).grounds.map(({ name }) => name) // ['paper', 'accent']
 */
export function arrangeMatrix(palette: Palette, declared: readonly ColorPair[] = []): TextMatrix {
  const own = findPairs(palette, declared)
  const [ownTexts, ownGrounds] = [new Set(own.map(({ text }) => text)), new Set(own.map(({ ground }) => ground))]
  const prefix = sharedPrefix(palette.colors.map(({ name }) => name)).length
  const wordsOf = ({ name }: PaletteColor) => name.slice(prefix).replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
  const measurable = palette.colors.filter(({ tones }) => tones.some(({ value }) => measureOn(value, '#fff')))
  const isText = (color: PaletteColor) =>
    ownTexts.has(color) || (!ownGrounds.has(color) && textWords.test(wordsOf(color)))
  const isGround = (color: PaletteColor) => !isText(color) && groundWords.test(wordsOf(color))
  const undrawn = measurable.filter((color) => isText(color) || !drawnWords.test(wordsOf(color)))
  const pages = findGrounds(palette)
  const [page] = pages
  const isSibling = ({ name }: PaletteColor) => page !== undefined && name.startsWith(`${page.name}-`)
  const grounds = undrawn.filter((color) => !isText(color) || ownGrounds.has(color))
  const texts = undrawn.filter(
    (color) => !isGround(color) && !(ownGrounds.has(color) && textWords.test(wordsOf(color))),
  )
  const siteTexts = own.filter(({ ground }) => ground === page).map(({ text }) => text)
  return {
    texts: [...new Set([...siteTexts.filter((color) => texts.includes(color)), ...texts])],
    grounds: [
      ...new Set([...pages.filter((color) => grounds.includes(color)), ...grounds.filter(isSibling), ...grounds]),
    ],
    own,
    measure: (text, ground, mode) => measurePair(text, ground, pages[0], palette.modes, mode),
  }
}

/**
 * Returns the value for a text on a color: the candidate with the most contrast, or else black or white.
 *
 * @param least The contrast that a candidate needs: 4.5, or 3 for large text.
 * @param beneath The opaque color below a translucent one. Default: white.
 * @example textOn('#94350f', ['#2b211a', '#fbf6ec'], 4.5) // '#fbf6ec'
 */
export function textOn(value: string, candidates: readonly string[], least: number, beneath?: string): string {
  const rank = (texts: readonly string[]) =>
    texts
      .map((text) => ({ text, ratio: measureOn(text, value, beneath)?.ratio ?? 0 }))
      .sort((a, b) => b.ratio - a.ratio)[0]
  const best = rank(candidates)
  return best && best.ratio >= least ? best.text : (rank(['#000', '#fff'])?.text ?? '')
}
