import {
  AttributeAction,
  type AttributeSelector,
  isTraversal,
  parse,
  type Selector,
  SelectorType,
  stringify,
} from 'css-what'

/** The owner of the custom properties that a rule declares: the document, or a mode with these labels. */
interface Owner {
  anchor: 'root' | 'host' | 'mode'
  /** Empty for the document itself. */
  labels: readonly string[]
  /** Whether the mode is chosen by the visitor's preference: `[data-theme='auto']`. */
  isAutomatic: boolean
  /**
   * Whether the name alone does not tell if the selector is a mode: `.wa-dark` is a mode, but `.btn-dark` is a button.
   * Such a selector counts as a mode if it mostly overrides properties of the document.
   */
  isUncertain?: boolean | undefined
}

/** The selectors of the options, normalized, each with the name of its mode, or with `undefined` for the document. */
export type NamedSelectors = ReadonlyMap<string, string | undefined>

/** What one part of a selector, such as `.dark`, says about the owner. A part that says nothing is empty. */
interface Part {
  anchor?: 'root' | 'host' | 'body'
  labels?: readonly string[]
  isAutomatic?: boolean
  /** Whether a condition is named like a mode. */
  isMode?: boolean
  isUncertain?: boolean | undefined
  /** The label of an attribute without a value, which counts only if there is no other label. */
  fallback?: string
}

// Classes and attributes of modes, for rules that do not otherwise name the document.
const modeName = /^(?:light|dark)$|(?:^|[-_])(?:theme|mode|scheme|palette)(?:[-_]|$)/i
const uncertainModeName = /[-_](?:light|dark)$/i
const automatic = new Set(['auto', 'system'])
// For nested :is() and :where(); no real selector is nested deeper.
const maxDepth = 8
const root: Selector = { type: SelectorType.Pseudo, name: 'root', data: null }

/** Writes a selector in one way, whatever its quotes and white space. */
export function normalizeSelector(selector: string): string {
  return stringify(tryParse(selector))
}

function tryParse(list: string): Selector[][] {
  try {
    return parse(list)
  } catch {
    return [] // malformed, or nested too deeply for the stack
  }
}

/**
 * Returns the owner of the custom properties that a rule declares, or `undefined` for a rule about elements within the
 * page, and for a malformed selector. The document owns the rules of `:root`, `:host` and `html`, also within `:where()`
 * and `:is()` and with any `:not()`. With a class, an attribute or another condition, such a selector is a mode
 * (`:root.compact`). Without `:root`, `:host` or `html`, a class or attribute is a mode if it is named like a mode
 * (`.dark`, `[data-theme='dark']`). In a list, `:root` and `html` take precedence over modes, and modes over `:host`.
 */
function ownerOfList(list: readonly Selector[][], named: NamedSelectors, depth: number): Owner | undefined {
  const owners = depth > maxDepth ? [] : list.flatMap((selector) => ownerOf(selector, named, depth) ?? [])
  const root = owners.find(({ anchor, labels }) => anchor === 'root' && labels.length === 0)
  if (root) return root
  // The mode with the fewest words is the plainest: `dark` in `:root:has(#dark:checked), [data-theme='dark']`.
  const modes = owners.filter(({ labels, isAutomatic }) => labels.length > 0 || isAutomatic)
  return modes.sort((a, b) => countWords(a) - countWords(b))[0] ?? owners[0]
}

function countWords({ labels, isAutomatic }: Owner): number {
  return labels.length === 0 && isAutomatic ? Number.POSITIVE_INFINITY : wordsOf(labels.join(' ')).size
}

function wordsOf(label: string): ReadonlySet<string> {
  return new Set(label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [label])
}

/** Leaves out each label whose words another label has, too: `dark` beside `dark_dimmed`, `light:light` beside `light`. */
function withoutRepeated(labels: readonly string[]): string[] {
  return labels.filter((label, index) => {
    const words = wordsOf(label)
    return !labels.some((other, place) => {
      const others = wordsOf(other)
      const isLess = words.size < others.size || (words.size === others.size && place < index)
      return isLess && [...words].every((word) => others.has(word))
    })
  })
}

function ownerOf(selector: Selector[], named: NamedSelectors, depth: number): Owner | undefined {
  const name = named.size > 0 ? stringify([selector]) : ''
  if (named.has(name)) return { anchor: 'root', labels: [named.get(name) ?? []].flat(), isAutomatic: false }
  const start = selector.findLastIndex(isTraversal) + 1
  if (!selector.slice(0, start).every(isAncestor)) return undefined
  const parts = selector.slice(start).map((token) => partOf(token, named, depth))
  return parts.every((part) => part !== undefined) ? combine(parts) : undefined
}

/** Whether a token may be in front of the class of a mode: `html > body .dark`. */
function isAncestor(token: Selector): boolean {
  if (token.type === SelectorType.Tag) return /^(?:html|body)$/i.test(token.name)
  const isRoot = token.type === SelectorType.Pseudo && token.name === 'root'
  return isRoot || token.type === SelectorType.Child || token.type === SelectorType.Descendant
}

function combine(parts: readonly Part[]): Owner | undefined {
  const anchors = new Set(parts.map(({ anchor }) => anchor))
  const conditions = parts.filter(({ isMode }) => isMode !== undefined)
  const isMode = conditions.length > 0 && conditions.every(({ isMode }) => isMode)
  const isAutomatic = parts.some(({ isAutomatic }) => isAutomatic)
  const named = parts.flatMap(({ labels = [] }) => labels)
  const labels = named.length > 0 || isAutomatic ? named : parts.flatMap(({ fallback = [] }) => fallback)
  const document = anchors.has('root') ? 'root' : anchors.has('host') ? 'host' : undefined
  // `body` and `body.home` are elements within the page, not the document.
  const anchor = isMode ? (document ?? 'mode') : anchors.has('body') ? undefined : document
  const isUncertain = anchor === 'mode' && parts.some(({ isUncertain }) => isUncertain)
  return anchor && { anchor, labels: withoutRepeated(labels), isAutomatic, ...(isUncertain && { isUncertain }) }
}

/** Returns what a part of a selector says about the owner; `undefined` for a part about elements within the page. */
function partOf(token: Selector, named: NamedSelectors, depth: number): Part | undefined {
  if (token.type === SelectorType.Attribute) return attributePart(token)
  if (token.type === SelectorType.Tag) {
    const name = token.name.toLowerCase()
    return name === 'html' ? { anchor: 'root' } : name === 'body' ? { anchor: 'body' } : undefined
  }
  if (token.type !== SelectorType.Pseudo) return undefined
  const { name, data } = token
  if (name === 'root') return { anchor: 'root' }
  if (name === 'not') return {}
  const inner = Array.isArray(data) ? data : []
  if (name === 'host') {
    // Any class or attribute in `:host()` is a condition of the document.
    const owner = ownerOfList(inner.length === 1 ? [[root, ...inner.flat()]] : [], named, depth + 1)
    return { ...owner, anchor: 'host' }
  }
  if (name !== 'where' && name !== 'is') return { labels: [stringify([[token]])], isMode: false }
  const owner = ownerOfList(inner, named, depth + 1)
  if (owner?.anchor !== 'mode') return owner as Part | undefined
  const { labels, isAutomatic } = owner
  return { labels, isAutomatic, isMode: true }
}

function attributePart({ name, action, value }: AttributeSelector): Part | undefined {
  // Only jQuery knows `[name!=value]`.
  if (name === 'id' || action === AttributeAction.Not) return undefined
  const isClass = name === 'class' && action === AttributeAction.Element
  const isUncertain = isClass && uncertainModeName.test(value) && !modeName.test(value)
  const isMode = modeName.test(isClass ? value : name) || isUncertain
  if (!value) return { isMode, fallback: name }
  const isAutomatic = automatic.has(value.toLowerCase())
  return { isMode, isUncertain, isAutomatic, labels: isAutomatic ? [] : [value] }
}

/** The content of a block of a stylesheet. */
export interface Context {
  /**
   * - `rules`: the block contains rules;
   * - `declarations`: it declares custom properties of the document, and may contain nested rules;
   * - `property`: it contains the descriptors of `@property`;
   * - `other`: it contains anything else.
   */
  kind: 'rules' | 'declarations' | 'property' | 'other'
  /** The mode that the block belongs to, such as `dark`; empty for the document itself. */
  mode: string
  /** Whether the mode comes only from a media query. */
  isMedia: boolean
  /** See {@link Owner}. */
  isUncertain?: boolean | undefined
  /** The names of the layer and of the layers around it. */
  layer: readonly string[]
}

export const outermost: Context = { kind: 'rules', mode: '', isMedia: false, layer: [] }
const other: Context = { kind: 'other', mode: '', isMedia: false, layer: [] }

/** Returns the kind and mode of a block, from the text before its `{` and from the block around it. */
export function contextOf(prelude: string, parent: Context, named: NamedSelectors): Context {
  if (parent.kind === 'other') return other
  const text = prelude.trim()
  const [, name, parameters = ''] = /^@([\w-]+)(.*)$/s.exec(text) ?? []
  if (name !== undefined) return atRule(name.toLowerCase(), parameters.trim(), parent)
  // Among the rules nested in the document's rules, only a rule that starts with `&` can be about the document, too.
  const list = parent.kind === 'rules' ? text : /^&(?!\s)/.test(text) ? text.replace(/&/g, ':root') : ''
  const selector = list ? ownerOfList(tryParse(list), named, 0) : undefined
  if (!selector) return other
  const label = selector.labels.join(' ')
  // In a block for the visitor's preference, a label in the selector names the mode. The media query around the block
  // only says when the mode applies, so it names the mode only if there is no label.
  const mode = selector.isAutomatic ? label || parent.mode || 'auto' : joinModes(parent.mode, label)
  const isUncertain = parent.isUncertain || selector.isUncertain
  return {
    kind: 'declarations',
    mode,
    isMedia: parent.isMedia && !label,
    layer: parent.layer,
    ...(isUncertain && { isUncertain }),
  }
}

let unnamedLayers = 0

function atRule(name: string, parameters: string, parent: Context): Context {
  // Each layer without a name is a separate layer.
  if (name === 'layer')
    return { ...parent, layer: [...parent.layer, ...(parameters || `${unnamedLayers++} `).split('.')] }
  if (name === 'property') return { ...other, kind: 'property' }
  if (name === 'theme') return parent.kind === 'rules' ? { ...parent, kind: 'declarations' } : other
  // `@supports not` is for old browsers.
  if (name === 'supports') return /^not\b/i.test(parameters) ? other : parent
  if (name === 'variant') return { ...parent, mode: joinModes(parent.mode, parameters) }
  if (name !== 'media') return other
  const mode = joinModes(parent.mode, mediaLabel(parameters))
  return { ...parent, mode, isMedia: mode !== '' && (parent.mode === '' || parent.isMedia) }
}

function joinModes(outer: string, inner: string): string {
  return outer === inner || !inner ? outer : outer ? `${inner}, ${outer}` : inner
}

/** Returns the condition of a media query: `dark`, `color-gamut: p3`; `''` for a query that matches every screen. */
function mediaLabel(query: string): string {
  const condition = query
    .replace(/\s+/g, ' ')
    .replace(/^(?:only )?(?:all|screen)(?: and (?=\()|$)/i, '')
    .trim()
  const [, feature] = /^\(([^()]*)\)$/.exec(condition) ?? []
  const [, scheme] = /^prefers-color-scheme ?: ?(\w+)$/i.exec(feature?.trim() ?? '') ?? []
  return scheme?.toLowerCase() ?? feature?.trim() ?? condition
}
