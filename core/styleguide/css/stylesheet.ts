import { pushTo } from '../values.js'
import { type Context, contextOf, type NamedSelectors, normalizeSelector, outermost } from './selectors.js'

/** Names and values of custom properties as declared, in their order. */
export type Declarations = [name: string, value: string][]

/** The custom properties that a stylesheet declares for the whole document. */
export interface Stylesheet {
  /** The document's own declarations. */
  root: Declarations
  /** The declarations of each mode, by its name: `dark`. */
  modes: ReadonlyMap<string, Declarations>
  /** Custom properties that are declared for something within the page, with the selector. */
  elsewhere: readonly { property: string; value: string; selector: string }[]
}

export interface SelectorOptions {
  /** Selectors that declare the document's custom properties, besides `:root`, `:host` and `html`: `['.app']`. */
  selectors?: readonly string[] | undefined
  /** Selectors of modes that are not recognized by name. The keys are the names to show: `{ ocean: '.ocean' }`. */
  modes?: Readonly<Record<string, string>> | undefined
}

// The tokens of a stylesheet (CSS Syntax 3) as far as they matter here: comments, strings, urls and escapes, which
// are skipped; punctuation that opens or closes something; runs of anything else. An unclosed string or
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
 * Reads the custom properties that a stylesheet declares for the whole document in `:root`, `:host`, `html` or `@theme`, also within
 * `@layer` and `@supports`; and the custom properties of its modes, in rules such as `.dark` or `[data-theme='dark']` and in media
 * queries. Takes linear time; malformed CSS is skipped, as in browsers.
 *
 * @example readStylesheet(':root { --a: red } .dark { --a: blue }') // { root: [['--a', 'red']], modes: Map { 'dark' => [['--a', 'blue']] }, … }
 */
export function readStylesheet(css: string, options: SelectorOptions = {}): Stylesheet {
  const named = nameSelectors(options)
  const collector = createCollector()
  const blocks: { context: Context; prelude: string }[] = []
  let current = newStatement()
  const endDeclaration = () => {
    const block = blocks.at(-1)
    const declaration = block && !current.isInvalid ? parseDeclaration(current) : undefined
    if (declaration && block) collector.add(block.context, declaration, block.prelude)
    else if (block?.context.kind === 'property') collector.addInitial(block.prelude, current.text)
    else if (current.firstCharacter === '@') collector.orderLayers(current.text, block?.context ?? outermost)
    current = newStatement()
  }
  for (const { 0: token, index } of css.matchAll(tokens)) {
    const { brackets } = current
    const isNested = brackets.length > 0
    // The value of a declaration may be a block; no rule starts like a declaration.
    if (token === '{' && !isNested && blocks.length > 0) current.isDeclaration ||= startsDeclaration(current.text)
    const opensRule = token === '{' && !isNested && !current.isDeclaration
    const closer = closers.get(token)

    if (opensRule) {
      const parent = blocks.at(-1)?.context ?? outermost
      const prelude = current.text
      blocks.push({ context: contextOf(current.isInvalid ? '' : prelude, parent, named), prelude })
      current = newStatement()
    } else if (token === '}' && !isNested && blocks.length > 0) {
      endDeclaration()
      blocks.pop()
    } else if (token === ';' && !isNested && (blocks.length > 0 || current.firstCharacter === '@')) endDeclaration()
    else {
      if (closer) brackets.push(closer)
      else if (token === brackets.at(-1)) brackets.pop()
      else if (/^[)}\]]$/.test(token) || isMalformed(token, index + token.length === css.length))
        current.isInvalid = true
      else if (token === '!' && !isNested) current.bangs++
      const piece = token.startsWith('/*') ? ' ' : token
      current.firstCharacter ||= piece.trimStart().charAt(0)
      current.text += piece
    }
  }
  endDeclaration()
  return collector.result()
}

/** A declaration or a prelude while it is being read. */
interface Statement {
  text: string
  /** Kept because reading all of the text again at each semicolon would take quadratic time. */
  firstCharacter: string
  isDeclaration: boolean
  /** The closing brackets that it still needs. */
  brackets: string[]
  bangs: number
  isInvalid: boolean
}

function newStatement(): Statement {
  return { text: '', firstCharacter: '', isDeclaration: false, brackets: [], bangs: 0, isInvalid: false }
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
  const declared: { context: Context; declaration: Declarations[number]; selector: string }[] = []
  const initial: Declarations = []
  const layers = createLayerOrder()

  return {
    add(context: Context, declaration: Declarations[number], selector: string): void {
      layers.add(context.layer)
      declared.push({ context, declaration, selector: selector.trim() })
    },
    /** Adds the initial value of `@property`, which applies where nothing is declared. */
    addInitial(prelude: string, descriptor: string): void {
      const [name = '', value] = [prelude.trim().split(/\s+/)[1], /^\s*initial-value\s*:(.*)$/is.exec(descriptor)?.[1]]
      if (name.startsWith('--') && value?.trim()) initial.push([name, value.trim()])
    },
    /** Adds the layers of a statement such as `@layer base, components`. */
    orderLayers(statement: string, { layer }: Context): void {
      const [, names] = /^\s*@layer\s(.*)$/is.exec(statement) ?? []
      for (const name of names?.split(',') ?? []) layers.add([...layer, ...name.trim().split('.')])
    },
    result(): Stylesheet {
      const sorted = [...declared].sort((a, b) => layers.compare(a.context.layer, b.context.layer))
      const root = [...initial]
      const layerOf = new Map<string, readonly string[]>()
      for (const { context, declaration } of sorted) {
        if (context.kind !== 'declarations' || context.mode) continue
        root.push(declaration)
        layerOf.set(declaration[0], context.layer)
      }
      const modes = new Map<string, Declarations>()
      const mediaModes = new Map<string, Declarations>()
      const uncertain = overridingModes(sorted, new Set(layerOf.keys()))
      const elsewhere: Stylesheet['elsewhere'][number][] = []
      for (const { context, declaration, selector } of sorted) {
        const { kind, mode, isMedia, isUncertain, layer } = context
        const [property, value] = declaration
        if (kind !== 'declarations' || (isUncertain && !uncertain.has(mode)))
          elsewhere.push({ property, value, selector })
        // A mode in a layer below the document's own declaration has no effect.
        else if (mode && layers.compare(layer, layerOf.get(property) ?? layer) >= 0)
          pushTo(isMedia ? mediaModes : modes, mode, declaration)
      }
      addMediaModes(modes, mediaModes)
      return { root, modes, elsewhere }
    },
  }
}

/** Returns the uncertain modes that declare mostly properties of the document, and more than 1 in 10 of them. */
function overridingModes(
  declared: readonly { context: Context; declaration: Declarations[number] }[],
  root: ReadonlySet<string>,
): Set<string> {
  const names = new Map<string, boolean[]>()
  for (const { context, declaration } of declared) {
    if (context.isUncertain) pushTo(names, context.mode, root.has(declaration[0]))
  }
  const isMostly = (are: readonly boolean[]) =>
    are.filter(Boolean).length * 2 > are.length && are.length * 10 > root.size
  return new Set([...names].flatMap(([mode, are]) => (isMostly(are) ? [mode] : [])))
}

/** Adds the modes of media queries. A dark theme is often written twice: for the system's preference, and for a choice on the page. */
function addMediaModes(modes: Map<string, Declarations>, mediaModes: ReadonlyMap<string, Declarations>): void {
  for (const [name, declarations] of mediaModes) {
    const chosen = modes.get(name)
    if (!chosen) modes.set(name, declarations)
    else if (!isPartOf(declarations, chosen)) modes.set(`${name} (media query)`, declarations)
  }
}

/** Creates the order of cascade layers (CSS Cascade 5, 6.4.4): as first named, each after its own layers, and none after all. */
function createLayerOrder() {
  const ranks = new Map<string, number>()
  const rankOf = (path: readonly string[], depth: number) =>
    depth > path.length ? Number.POSITIVE_INFINITY : (ranks.get(path.slice(0, depth).join('.')) ?? 0)

  return {
    add(path: readonly string[]): void {
      for (let depth = 1; depth <= path.length; depth++) {
        const name = path.slice(0, depth).join('.')
        if (!ranks.has(name)) ranks.set(name, ranks.size)
      }
    },
    /** Below 0 if the first layer is overridden by the second. */
    compare(a: readonly string[], b: readonly string[]): number {
      for (let depth = 1; depth <= Math.max(a.length, b.length); depth++) {
        const [first, second] = [rankOf(a, depth), rankOf(b, depth)]
        if (first !== second) return first < second ? -1 : 1
      }
      return 0
    },
  }
}

function isPartOf(part: Declarations, whole: Declarations): boolean {
  const values = new Map(whole)
  return [...new Map(part)].every(([name, value]) => values.get(name) === value)
}

// CSS Syntax 3, section 4.3.7: white space that ends the digits is part of the escape.
const escapes = /\\([\da-f]{1,6}[ \t\r\n\f]?|[^\n\da-f])/gisu
const declaration = /^((?:\\.|[^\\:])*):(.*)$/s
const unescaped = /^(?:[\w-]|[^\0-\x7f])*$/

/** Whether a text begins like the declaration of a custom property. */
function startsDeclaration(text: string): boolean {
  return unescapeName(declaration.exec(text)?.[1] ?? '') !== undefined
}

function parseDeclaration({ text, bangs }: Statement): Declarations[number] | undefined {
  const [, written = '', rest = ''] = declaration.exec(text) ?? []
  const name = unescapeName(written)
  const value = bangs === 1 ? rest.trim().replace(/!\s*important$/i, '') : rest.trim()
  const isFlagged = bangs > 0 && value === rest.trim()
  return name === undefined || isFlagged ? undefined : [name, value.trim()]
}

/** Returns the unescaped name of a custom property; `undefined` for other names and for `--` alone. */
function unescapeName(written: string): string | undefined {
  const trimmed = written.trim()
  if (!unescaped.test(trimmed.replace(escapes, ''))) return undefined
  const name = trimmed.replace(escapes, decodeEscape)
  return name.startsWith('--') && name.length > 2 ? name : undefined
}

function decodeEscape(_: string, escaped: string): string {
  const code = /^[\da-f]/i.test(escaped) ? Number.parseInt(escaped, 16) : undefined
  if (code === undefined) return escaped
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(code)
}
