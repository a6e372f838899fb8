import { splitTopLevel } from './brackets.js'
import { isComputable } from './colors/color.js'

/**
 * A kind of values, and how each source of styles marks a value of this kind. To add a kind, add a row to
 * {@link lists}.
 */
export interface Kind extends Row {
  name: KindName
}

interface Row {
  /**
   * Namespaces of custom properties, as in Tailwind 4, each with Tailwind's utility: `--radius-lg` is `rounded-lg`. The
   * utility is `undefined` if Tailwind has no utility for the namespace.
   */
  namespaces: Readonly<Record<string, string | undefined>>
  /** Section of a Tailwind 3 theme. */
  section: string
  /**
   * `$type` of design tokens, and the types of Tokens Studio. Tokens of the types `dimension`, `number` and `sizing`
   * must also have the kind's words in their path.
   */
  types: readonly string[]
  /** Words in the name of a custom property or in the path of a token, in kebab case. */
  words?: RegExp
  /** Whether a value is of this kind. Without this check, custom properties are recognized by their namespace alone. */
  accepts?: (value: string) => boolean
  /** Whether the values of modes are read, too. */
  hasModes?: boolean
}

const formula = String.raw`(?:abs|calc|clamp|env|hypot|if|max|min|mod|rem|round|var)\(.*\)`
const number = String.raw`(?:\d*\.)?\d+(?:e[+-]?\d+)?`
// https://www.w3.org/TR/css-values-4/#lengths
const units = 'r?(?:em|ex|cap|ch|ic|lh)|(?:[sld]?v|cq)(?:[whib]|min|max)|px|cm|mm|q|in|pt|pc'
const length = `0|${number}(?:${units}|%)`
/** Returns a check for values that match a pattern, and for formulas. */
const oneOf = (pattern: string) => {
  const expression = new RegExp(`^(?:${pattern}|${formula})$`, 'is')
  return (value: string) => expression.test(value)
}
const isLength = oneOf(length)
// Two lengths in a row, unlike the color and the strength of a shadow.
const isShadow = (text: string) => {
  const offsets = splitTopLevel(text.replace(/\s+/g, ' '), ' ').map((word) =>
    /^-?(?:0|[\d.]+[a-z]+|calc\(.*\))$/i.test(word),
  )
  return offsets.some((isOffset, index) => isOffset && offsets[index + 1])
}
const name = String.raw`-?[a-z_\u0080-\uffff][\w\u0080-\uffff-]*`
const isFamilyName = oneOf(`"[^"]+"|'[^']+'|${name}(?:[ \\t\\n\\f\\r]+${name})*`)
// These keywords belong to other properties of fonts, but could be names of families.
const fontKeyword = /^(?:inherit|initial|unset|normal|italic|oblique|bold(?:er)?|lighter|none|auto|swap|antialiased)$/i
const isFamily = (value: string) =>
  !fontKeyword.test(value) &&
  !isComputable(value) &&
  splitTopLevel(value, ',').every((family) => isFamilyName(family.trim()))
const gradient = /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(/i

// These words after `text` make another length of it, such as `text-to-icon` and `text.padding.sm`.
const distances = 'area|decoration|gap|height|indent|margin|offset|padding|to|underline|width'

const typography = {
  families: {
    namespaces: { '--font-*': 'font' },
    section: 'fontFamily',
    types: ['fontFamily', 'fontFamilies'],
    words: /(?<!default-|mono-)font-?famil(?:y|ies)/,
    accepts: isFamily,
  },
  sizes: {
    namespaces: { '--text-*': 'text', '--font-size-*': undefined },
    section: 'fontSize',
    types: ['dimension', 'fontSize', 'fontSizes'],
    words: new RegExp(
      `(?:font|text)-?(?:sizes?|scales?)|(?<!-to(?:-top|-bottom)?-)text(?!(?:-[^-]{1,20}){0,3}-(?:${distances})(?=-|$))`,
    ),
    accepts: oneOf(`${length}|(?:x{1,3}-)?(?:small|large)|medium|larger|smaller`),
  },
  weights: {
    namespaces: { '--font-weight-*': 'font' },
    section: 'fontWeight',
    types: ['fontWeight', 'fontWeights'],
    words: /(?:font|text)-?(?:[^-]{1,12}-)?weights?/,
    accepts: oneOf(String.raw`[1-9]\d{0,2}(?:\.\d+)?|1000|normal|bold(?:er)?|lighter`),
  },
  lineHeights: {
    namespaces: { '--leading-*': 'leading' },
    section: 'lineHeight',
    types: ['dimension', 'number', 'lineHeight', 'lineHeights'],
    words: /line-?heights?|leadings?/,
    accepts: oneOf(`${length}|${number}|normal`),
  },
  letterSpacings: {
    namespaces: { '--tracking-*': 'tracking' },
    section: 'letterSpacing',
    types: ['dimension', 'letterSpacing', 'letterSpacings'],
    words: /letter-?spacings?|tracking/,
    accepts: oneOf(`-?(?:${length})|normal`),
  },
} satisfies Record<string, Row>

/** The kinds that are properties of `Styles`. The comments document those properties. */
const lists = {
  /** Name and minimum window width, from narrow to wide. */
  breakpoints: { namespaces: { '--breakpoint-*': undefined }, section: 'screens', types: [] },
  /** Values of `box-shadow`. Here and in the lists below, the values of modes come after the document's values. */
  shadows: {
    namespaces: { '--shadow-*': 'shadow', '--inset-shadow-*': 'inset-shadow' },
    section: 'boxShadow',
    types: ['shadow', 'boxShadow'],
    words: /(?<!text-|drop-)shadows?|elevation/,
    accepts: isShadow,
    hasModes: true,
  },
  /** Values of `border-radius`. */
  radii: {
    namespaces: { '--radius-*': 'rounded' },
    section: 'borderRadius',
    types: ['dimension', 'borderRadius'],
    words: /radius|radii|rounded/,
    accepts: (value) => splitTopLevel(value.replaceAll('/', ' '), ' ').every((part) => part === '' || isLength(part)),
    hasModes: true,
  },
  /** Values of `background-image`. */
  gradients: {
    namespaces: { '--background-image-*': 'bg' },
    section: 'backgroundImage',
    types: ['gradient'],
    words: /gradients?/,
    accepts: (value) => splitTopLevel(value, ',').some((layer) => gradient.test(layer.trim())),
    hasModes: true,
  },
  /** The site's own scale of distances. */
  spacing: {
    namespaces: { '--spacing-*': 'p' },
    section: 'spacing',
    types: ['dimension', 'sizing', 'spacing'],
    words: /(?<!border-|white-|word-|line-)spac(?:e|es|ing|ings)|^(?:base-)?sizes?/,
    accepts: isLength,
    hasModes: true,
  },
} satisfies Record<string, Row>

/** A property for each of {@link lists}. */
export type ValueLists<Values> = { readonly [Name in keyof typeof lists]: Values }

/** The kinds of values of a style configuration, besides colors. */
export type KindName = keyof typeof typography | keyof typeof lists

const namesOf = <Name extends string>(rows: Record<Name, Row>) => Object.keys(rows) as Name[]
export const typographyNames: readonly KindName[] = namesOf(typography)
export const listNames = namesOf(lists)

/**
 * All kinds. If the words of several kinds match a name, the last word of the name decides, then the order of the
 * kinds.
 */
export const kinds: readonly Kind[] = Object.entries<Row>({ ...typography, ...lists }).map(([name, row]) => ({
  ...row,
  name: name as KindName,
}))

const wordsOf = new Map(
  kinds.flatMap(({ name, words }) => (words ? [[name, new RegExp(`(?<=^|-)(?:${words.source})(?=-|$)`, 'g')]] : [])),
) as ReadonlyMap<KindName, RegExp>

// No real value is longer; the patterns take quadratic time.
const maxLength = 2_000

/** Whether a value may be of a kind; `undefined` if the kind cannot be told from a value. */
export function isOfKind({ accepts }: Kind, value: string): boolean | undefined {
  return accepts && value.length <= maxLength && accepts(value)
}

/**
 * Returns the kind whose words are the last in a name.
 *
 * @example kindByWords('borderRadius.card', kinds)?.name // 'radii'
 */
export function kindByWords(name: string, candidates: readonly Kind[]): Kind | undefined {
  const kebab = name
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[a-z])(?=\d)/g, '-')
    .replace(/[^a-zA-Z\d]+/g, '-')
    .replace(/^-/, '')
    .toLowerCase()
  let last: { kind?: Kind; end: number } = { end: -1 }
  for (const kind of candidates) {
    for (const { 0: word, index } of kebab.matchAll(wordsOf.get(kind.name) ?? /$^/g)) {
      if (index + word.length > last.end) last = { kind, end: index + word.length }
    }
  }
  return last.kind
}
