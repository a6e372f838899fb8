import { splitTopLevel } from './brackets.js'

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
   * `$type` of design tokens. Tokens of the types `dimension` and `number` must also have the kind's words in their
   * path.
   */
  types: readonly string[]
  /** Words in the name of a custom property or in the path of a token, in kebab case. */
  words?: RegExp
  /** Whether a value is of this kind. Without this check, custom properties are recognized by their namespace alone. */
  accepts?: (value: string) => boolean
  /** Whether the values of modes are read, too. */
  hasModes?: boolean
}

const formula = String.raw`(?:calc|clamp|min|max|round|var)\(.*\)`
const length = new RegExp(String.raw`^(?:0|(?:\d*\.)?\d+(?:e[+-]?\d+)?(?:[a-z]+|%)|${formula})$`, 'is')
const isLength = (text: string) => length.test(text)
// Two lengths in a row, unlike the color and the strength of a shadow.
const isShadow = (text: string) => {
  const offsets = splitTopLevel(text.replace(/\s+/g, ' '), ' ').map((word) =>
    /^-?(?:0|[\d.]+[a-z]+|calc\(.*\))$/i.test(word),
  )
  return offsets.some((isOffset, index) => isOffset && offsets[index + 1])
}
const gradient = /^(?:-webkit-)?(?:repeating-)?(?:linear|radial|conic)-gradient\(/i

const typography = {
  families: { namespaces: { '--font-*': 'font' }, section: 'fontFamily', types: ['fontFamily'] },
  sizes: {
    namespaces: { '--text-*': 'text' },
    section: 'fontSize',
    types: ['dimension'],
    words: /(?:font|text)-?sizes?|text/,
  },
  weights: { namespaces: { '--font-weight-*': 'font' }, section: 'fontWeight', types: ['fontWeight'] },
  lineHeights: {
    namespaces: { '--leading-*': 'leading' },
    section: 'lineHeight',
    types: ['dimension', 'number'],
    words: /line-?heights?|leadings?/,
  },
  letterSpacings: {
    namespaces: { '--tracking-*': 'tracking' },
    section: 'letterSpacing',
    types: ['dimension'],
    words: /letter-?spacings?|tracking/,
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
    types: ['shadow'],
    words: /(?<!text-|drop-)shadows?|elevation/,
    accepts: isShadow,
    hasModes: true,
  },
  /** Values of `border-radius`. */
  radii: {
    namespaces: { '--radius-*': 'rounded' },
    section: 'borderRadius',
    types: ['dimension'],
    words: /radius|radii|rounded/,
    accepts: (value) => splitTopLevel(value, ' ').every((part) => part === '' || part === '/' || isLength(part)),
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
    types: ['dimension'],
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
export const typographyNames = namesOf(typography)
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
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
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
