import { type Context, contextOf, outermost } from './context.js'
import { parseDeclaration, startsDeclaration } from './declaration.js'
import { type NamedSelectors, normalizeSelector } from './selectors.js'

/** Names and values of custom properties as declared, in their order. */
export type Declarations = [name: string, value: string][]

/** The custom properties that a stylesheet declares for the whole document. */
export interface Stylesheet {
  /** The document's own. */
  root: Declarations
  /** What each mode of the document declares, by its name: `dark`. */
  modes: ReadonlyMap<string, Declarations>
  /** Custom properties of something within the page: their number and the first one, for errors. */
  elsewhere: { count: number; first?: { property: string; selector: string } }
}

export interface SelectorOptions {
  /** Selectors that declare the document's custom properties, besides `:root`, `:host` and `html`: `['.app']`. */
  selectors?: readonly string[] | undefined
  /** Selectors of modes whose name does not say so, by the name to show: `{ ocean: '.ocean' }`. */
  modes?: Readonly<Record<string, string>> | undefined
}

// The tokens of a stylesheet (CSS Syntax 3) as far as they matter here: comments, strings, urls and escapes, whose
// contents are skipped; punctuation that opens or closes something; runs of anything else. An unclosed string or
// comment extends to the end.
const tokens = new RegExp(
  [
    /\/\*.*?(?:\*\/|$)/s,
    /"(?:\\.|[^"\\\n])*(?:"|$)?/,
    /'(?:\\.|[^'\\\n])*(?:'|$)?/,
    /(?<![\w\\#@-]|\P{ASCII})url\((?!\s*["'])(?:\\.|[^)\\])*\)?/u,
    /\\./,
    /<!--/,
    /[{}();[\]!]/,
    /[^/"'\\{}();[\]!<u]+/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gisu',
)
const closers = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const validUrl = /^url\(\s*(?:(?:\\[^\n]|[^\s"'()\\])+\s*)?\)?$/isu

/**
 * Reads the custom properties that a stylesheet declares for the whole document: in `:root`, `:host`, `html` or `@theme`,
 * also within `@layer` and `@supports`; and those of its modes, in rules such as `.dark` or `[data-theme='dark']` and in
 * media queries. Takes linear time; malformed CSS is skipped, as browsers do.
 *
 * @example readStylesheet(':root { --a: red } .dark { --a: blue }') // { root: [['--a', 'red']], modes: Map { 'dark' => [['--a', 'blue']] }, … }
 */
export function readStylesheet(css: string, options: SelectorOptions = {}): Stylesheet {
  const named = nameSelectors(options)
  const collector = createCollector()
  const blocks: { context: Context; prelude: string }[] = []
  // State of the current declaration or prelude: its text, the closing brackets it still needs, and what makes it
  // invalid.
  let text = ''
  // What its beginning says about it. To read all of it again at each brace or semicolon would take quadratic time.
  let firstCharacter = ''
  let isDeclaration = false
  let brackets: string[] = []
  let bangs = 0
  let isInvalid = false

  const reset = () => {
    text = ''
    firstCharacter = ''
    isDeclaration = false
    brackets = []
    bangs = 0
    isInvalid = false
  }
  const endDeclaration = () => {
    const block = blocks.at(-1)
    const declaration = block && !isInvalid ? parseDeclaration(text, bangs) : undefined
    if (declaration && block) collector.add(block.context, declaration, block.prelude)
    reset()
  }
  for (const { 0: token, index } of css.matchAll(tokens)) {
    const isNested = brackets.length > 0
    // The value of a declaration may be a block; no rule starts like a declaration.
    if (token === '{' && !isNested && blocks.length > 0) isDeclaration ||= startsDeclaration(text)
    const opensRule = token === '{' && !isNested && !isDeclaration
    const closer = closers.get(token)

    if (opensRule) {
      const parent = blocks.at(-1)?.context ?? outermost
      blocks.push({ context: contextOf(isInvalid ? '' : text, parent, named), prelude: text })
      reset()
    } else if (token === '}' && !isNested && blocks.length > 0) {
      endDeclaration()
      blocks.pop()
    } else if (token === ';' && !isNested && (blocks.length > 0 || firstCharacter === '@')) endDeclaration()
    else {
      if (closer) brackets.push(closer)
      else if (token === brackets.at(-1)) brackets.pop()
      else if (/^[)}\]]$/.test(token) || isMalformed(token, index + token.length === css.length)) isInvalid = true
      else if (token === '!' && !isNested) bangs++
      const piece = token.startsWith('/*') ? ' ' : token
      firstCharacter ||= piece.trimStart().charAt(0)
      text += piece
    }
  }
  endDeclaration()
  return collector.result()
}

function isMalformed(token: string, isLast: boolean): boolean {
  if (/^["']/.test(token)) return !isLast && (token.length < 2 || token.at(-1) !== token[0])
  return /^url\(/i.test(token) && !validUrl.test(token)
}

function nameSelectors({ selectors = [], modes = {} }: SelectorOptions): NamedSelectors {
  return new Map([
    ...selectors.map((selector) => [normalizeSelector(selector), undefined] as const),
    ...Object.entries(modes).map(([mode, selector]) => [normalizeSelector(selector), mode] as const),
  ])
}

function createCollector() {
  const root: Declarations = []
  const modes = new Map<string, Declarations>()
  const mediaModes = new Map<string, Declarations>()
  const elsewhere: Stylesheet['elsewhere'] = { count: 0 }

  return {
    add({ kind, mode, isMedia }: Context, declaration: Declarations[number], selector: string): void {
      if (kind !== 'declarations') {
        elsewhere.count++
        elsewhere.first ??= { property: declaration[0], selector: selector.trim() }
      } else if (!mode) root.push(declaration)
      else {
        const byName = isMedia ? mediaModes : modes
        const declarations = byName.get(mode)
        if (declarations) declarations.push(declaration)
        else byName.set(mode, [declaration])
      }
    },
    result(): Stylesheet {
      // A theme is often written twice: for visitors who prefer it, and for those who choose it.
      for (const [name, declarations] of mediaModes) {
        const chosen = modes.get(name)
        if (!chosen) modes.set(name, declarations)
        else if (!isPartOf(declarations, chosen)) modes.set(`${name} (media query)`, declarations)
      }
      return { root, modes, elsewhere }
    },
  }
}

function isPartOf(part: Declarations, whole: Declarations): boolean {
  const values = new Map(whole)
  return [...new Map(part)].every(([name, value]) => values.get(name) === value)
}
