import type { Adoption } from '../core/styleguide/index.js'
import {
  findPairs,
  fromChannels,
  kindByWords,
  kinds,
  looksLikeColor,
  mergeModes,
  nearestToken,
  type Palette,
  pixelsAt,
  readStatements,
  readStylesheet,
  readUses,
  resolveProperties,
  schemeColors,
  toSrgb,
  type UseKind,
} from '../core/styleguide/internal.js'

/**
 * A token in one mode. `name` is the token's custom property. `isColor` is `undefined` for a value that is neither a
 * color nor a length.
 */
export type Token = ReturnType<typeof readTokens>[number]

/**
 * Measures how many of the colors, font sizes and distances in stylesheets are tokens. Finds the nearest token to each
 * value that is not a token, and the pairs of tokens without enough contrast. Declarations of the tokens themselves do
 * not count.
 *
 * @param stylesheets The stylesheets by file or URL.
 * @param source The stylesheet with the tokens. Tokens are its custom properties for the document.
 * @example measureTokens(new Map([['a.css', 'a { color: #111 }']]), ':root { --ink: #111 }').strays
 * // [{ place: 'a.css:1:5', property: 'color', value: '#111', token: '--ink', difference: 'ΔE 0' }]
 */
export function measureTokens(stylesheets: ReadonlyMap<string, string>, source: string) {
  const tokens = readTokens(source)
  const areColors = new Map(tokens.map(({ name, isColor }) => [name, isColor]))
  const uses = [...stylesheets].flatMap(([file, css]) =>
    readDeclarations(css).flatMap(({ property, value, place }) => {
      const reader = { isColor: (name: string) => areColors.get(name), colorOf: toSrgb, pixelsOf }
      const values = areColors.has(property) ? [] : readUses(property, value, reader)
      return values.map((use) => ({ ...use, property, place: `${file}:${place}` }))
    }),
  )
  // A length may be a distance or a font size. A token that the site uses is a candidate for the kind of its uses; an
  // unused token is a candidate for the kind that its name suggests.
  const kindsOf = new Map<string, Set<UseKind>>()
  for (const { kind, token } of uses) if (token) kindsOf.set(token, (kindsOf.get(token) ?? new Set()).add(kind))
  const isFor = (kind: UseKind, { name, isColor }: Token) => {
    if (kind === 'colors' || isColor) return kind === 'colors' && isColor
    return kindsOf.get(name)?.has(kind) ?? kindByWords(name, kinds)?.name === (kind === 'sizes' ? kind : 'spacing')
  }
  const candidates = new Map(kindNames.map((kind) => [kind, tokens.filter((token) => isFor(kind, token))]))

  return {
    shares: kindNames.map((kind) => {
      const values = uses.filter((use) => use.kind === kind)
      const count = values.filter(({ token }) => token).length
      const percent = values.length > 0 ? Math.floor((count / values.length) * 1000) / 10 : 100
      return { kind, percent, tokens: count, values: values.length }
    }),
    strays: uses.flatMap(({ kind, literal, property, place }) =>
      literal ? [{ place, property, value: literal, ...nearest(literal, candidates.get(kind)) }] : [],
    ),
    pairs: failingPairs(tokens),
  }
}

const kindNames = ['colors', 'sizes', 'spacings'] as const

/** Returns a length in pixels, in a window that is 1,280 pixels wide. */
const pixelsOf = (length: string) => pixelsAt(length, 1280)

const isLength = /^-?[\d.]+[a-z%]|^[a-z]+\(/i

/** Reads the tokens of a stylesheet. */
export function readTokens(source: string) {
  const { root, modes } = readStylesheet(source)
  return resolveProperties(root, { modes }).flatMap(({ name, value, mode }) => {
    const text = String(value)
    const color = fromChannels(text, true) ?? text
    if (!looksLikeColor(color)) {
      const isColor = isLength.test(text) ? false : undefined
      return [{ name, value: text, mode, isColor, measured: measure(text) }]
    }
    return schemeColors(color).map(({ scheme, value }) => {
      return { name, value, mode: mode ?? scheme, isColor: true, measured: measure(value) }
    })
  })
}

/** Returns the colors among tokens, by their names without `--color-` and the like. */
export function toPalette(tokens: readonly Token[]): Palette {
  const shortName = (name: string) => name.replace(/^--(?:colou?r-|bs-)?|(?<!body)-colou?r$/g, '')
  const colors = tokens.filter(({ isColor }) => isColor)
  return mergeModes(
    colors.map((color) => ({ ...color, name: shortName(color.name), source: { property: color.name } })),
  )
}

function failingPairs(tokens: readonly Token[]): Adoption['pairs'] {
  return findPairs(toPalette(tokens)).flatMap(({ text, ground, modes, isFailing }) =>
    modes.flatMap(({ mode = '', contrast: { ratio } = { ratio: 21 } }) =>
      isFailing && ratio < 4.5 ? { text: text.name, ground: ground.name, mode, contrast: ratio } : [],
    ),
  )
}

function readDeclarations(css: string) {
  const declarations: { property: string; value: string; place: string }[] = []
  const ends = [-1, ...Array.from(css.matchAll(/\n/g), ({ index }) => index)]
  let line = 1
  readStatements(css, {
    statement: ({ text, start, isInvalid }) => {
      const [, property, value] = /^\s*([\w-]+)\s*:(.*)$/s.exec(text) ?? []
      while ((ends[line] ?? css.length) < start) line++
      const place = `${line}:${start - (ends[line - 1] ?? 0)}`
      if (property && value && !isInvalid) declarations.push({ property, value, place })
    },
  })
  return declarations
}

/** Measures a value: a color by its channels in sRGB, a length in pixels. */
const measure = (value: string) => toSrgb(value) ?? pixelsOf(value)

function nearest(literal: string, tokens: readonly Token[] = []): { token: string; difference: string } {
  const value = measure(literal)
  const found = value === undefined ? undefined : nearestToken(value, tokens)
  if (!found) return { token: '', difference: '' }
  const { token, difference } = found
  return { token: token.name, difference: typeof value === 'number' ? `${difference} px` : `ΔE ${difference}` }
}
