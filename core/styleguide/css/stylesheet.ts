import { TokenType } from '@csstools/css-tokenizer'
import { pushTo } from '../values.js'
import { type Context, contextOf, type NamedSelectors, normalizeSelector, outermost } from './selectors.js'
import { parseDeclaration, readStatements } from './statements.js'

/** Names and values of custom properties as declared, in their order. */
export type Declarations = [name: string, value: string][]

/** The custom properties that a stylesheet declares for the whole document. */
export interface Stylesheet {
  /** The document's own declarations. */
  root: Declarations
  /** The declarations of each mode, by its name: `dark`. */
  modes: ReadonlyMap<string, Declarations>
  /** Custom properties that are declared for elements within the page, each with its selector. */
  elsewhere: readonly { property: string; value: string; selector: string }[]
}

export interface SelectorOptions {
  /** Selectors that declare the document's custom properties, besides `:root`, `:host` and `html`: `['.app']`. */
  selectors?: readonly string[] | undefined
  /** Selectors of modes that are not recognized by name. The keys are the names to show: `{ ocean: '.ocean' }`. */
  modes?: Readonly<Record<string, string>> | undefined
}

/**
 * Reads the custom properties that a stylesheet declares for the whole document in `:root`, `:host`, `html` or
 * `@theme`, also within `@layer` and `@supports`. Reads the custom properties of modes, too, from rules such as `.dark`
 * or `[data-theme='dark']` and from media queries. Takes linear time; malformed CSS is skipped, as in browsers.
 *
 * @example readStylesheet(':root { --a: red } .dark { --a: blue }') // { root: [['--a', 'red']], modes: Map { 'dark' => [['--a', 'blue']] }, … }
 */
export function readStylesheet(css: string, options: SelectorOptions = {}): Stylesheet {
  const named = nameSelectors(options)
  const declared: Declared[] = []
  const initial: Declarations = []
  const layers = createLayerOrder()
  const blocks: { context: Context; prelude: string }[] = []
  const parent = () => blocks.at(-1)?.context ?? outermost
  readStatements(css, {
    open: (prelude, isInvalid) =>
      blocks.push({ context: contextOf(isInvalid ? '' : prelude, parent(), named), prelude }),
    close: () => blocks.pop(),
    statement: (statement) => {
      const { context, prelude } = blocks.at(-1) ?? { context: outermost, prelude: '' }
      const declaration = blocks.length > 0 && !statement.isInvalid ? parseDeclaration(statement) : undefined
      if (declaration) {
        layers.add(context.layer)
        declared.push({ context, declaration, selector: prelude.trim() })
      } else if (context.kind === 'property') initial.push(...initialValue(prelude, statement.text))
      else if (statement.firstType === TokenType.AtKeyword)
        for (const path of layersIn(statement.text)) layers.add([...context.layer, ...path])
    },
  })
  return assignDeclarations(declared, initial, layers)
}

interface Declared {
  context: Context
  declaration: Declarations[number]
  selector: string
}

/** Returns the initial value of `@property`, which applies if the property is not declared. */
function initialValue(prelude: string, descriptor: string): Declarations {
  const [name = '', value] = [prelude.trim().split(/\s+/)[1], /^\s*initial-value\s*:(.*)$/is.exec(descriptor)?.[1]]
  return name.startsWith('--') && value?.trim() ? [[name, value.trim()]] : []
}

/** Returns the layers of a statement such as `@layer base, components`. */
function layersIn(statement: string): string[][] {
  const [, names] = /^\s*@layer\s(.*)$/is.exec(statement) ?? []
  return names?.split(',').map((name) => name.trim().split('.')) ?? []
}

function nameSelectors({ selectors = [], modes = {} }: SelectorOptions): NamedSelectors {
  return new Map([
    ...selectors.map((selector) => [normalizeSelector(selector), undefined] as const),
    ...Object.entries(modes).map(([mode, selector]) => [normalizeSelector(selector), mode] as const),
  ])
}

/** Assigns declarations to the document or to a mode, in the order of their layers. */
function assignDeclarations(declared: readonly Declared[], initial: Declarations, layers: LayerOrder): Stylesheet {
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
  const overriding = overridingModes(sorted, layerOf)
  const elsewhere: Stylesheet['elsewhere'][number][] = []
  for (const { context, declaration, selector } of sorted) {
    const { kind, mode, isMedia, isUncertain, layer } = context
    const [property, value] = declaration
    if (kind !== 'declarations' || (isUncertain && !overriding.has(mode))) elsewhere.push({ property, value, selector })
    // A mode's declaration has no effect if the layer of the document's own declaration overrides its layer.
    else if (mode && layers.compare(layer, layerOf.get(property) ?? layer) >= 0)
      pushTo(isMedia ? mediaModes : modes, mode, declaration)
  }
  addMediaModes(modes, mediaModes)
  return { root, modes, elsewhere }
}

/**
 * Returns the uncertain modes that count as modes: more than half of a mode's declarations override properties of the
 * document, and it has more than a tenth as many declarations as the document has properties.
 */
function overridingModes(declared: readonly Declared[], root: ReadonlyMap<string, unknown>): Set<string> {
  const names = new Map<string, boolean[]>()
  for (const { context, declaration } of declared) {
    if (context.isUncertain) pushTo(names, context.mode, root.has(declaration[0]))
  }
  const countsAsMode = (inRoot: readonly boolean[]) =>
    inRoot.filter(Boolean).length * 2 > inRoot.length && inRoot.length * 10 > root.size
  return new Set([...names].flatMap(([mode, inRoot]) => (countsAsMode(inRoot) ? [mode] : [])))
}

/**
 * Adds the modes of media queries. A dark theme is often written twice: for the system's preference, and for a choice
 * on the page.
 */
function addMediaModes(modes: Map<string, Declarations>, mediaModes: ReadonlyMap<string, Declarations>): void {
  for (const [name, declarations] of mediaModes) {
    const chosen = modes.get(name)
    if (!chosen) modes.set(name, declarations)
    else if (!isPartOf(declarations, chosen)) modes.set(`${name} (media query)`, declarations)
  }
}

type LayerOrder = ReturnType<typeof createLayerOrder>

/**
 * Creates the order of cascade layers (CSS Cascade 5, 6.4.4): layers are in the order of their first mention, each
 * after its nested layers. Declarations outside layers come last.
 */
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
    /** Returns a number below 0 if the second layer overrides the first. */
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
