import { closingParenthesis, splitTopLevel } from '../brackets.js'

/** The owner of the custom properties that a rule declares: the document, or a mode with these labels. */
export interface DocumentSelector {
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

interface Parsed extends DocumentSelector {
  anchor: 'root' | 'host' | 'mode'
}

const identifier = String.raw`(?:\\.|[\w-]|[^\x00-\x7f])+`
// The white space of CSS. White space beyond ASCII counts as a letter of an identifier.
const space = String.raw`[ \t\r\n\f]*`
const part = new RegExp(
  [
    String.raw`(?<type>${identifier}|\*)`,
    String.raw`\.(?<className>${identifier})`,
    String.raw`\[${space}(?<attribute>${identifier})${space}(?:[~|^$*]?=${space}(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>${identifier}))${space}(?:[is]${space})?)?\]`,
    String.raw`(?<pseudo>:[\w-]+)(?<open>\()?`,
  ].join('|'),
  'suy',
)
// Classes and attributes of modes, for rules that do not otherwise name the document.
const modeName = /^(?:light|dark)$|(?:^|[-_])(?:theme|mode|scheme|palette)(?:[-_]|$)/i
const uncertainModeName = /[-_](?:light|dark)$/i
// The document in front of a class of a mode: `html .dark`.
const documentAncestor = /^(?:(?:html|body|:root)(?:\s*>\s*|\s+))+(?=(?:body)?[.[])/i
const automatic = new Set(['auto', 'system'])
// For nested :is() and :where(); no real selector is nested deeper.
const maxDepth = 8

/**
 * Returns the owner of the custom properties that a rule declares, or `undefined` for a rule about elements within the
 * page. The document owns the rules of `:root`, `:host` and `html`, also within `:where()` and `:is()` and with any
 * `:not()`. With a class, an attribute or another condition, such a selector is a mode (`:root.compact`). Without
 * `:root`, `:host` or `html`, a class or attribute is a mode if it is named like a mode (`.dark`,
 * `[data-theme='dark']`). In a list, `:root` and `html` take precedence over modes, and modes over `:host`.
 *
 * @example parseSelectorList(":root, [data-theme='light']") // { labels: [], isAutomatic: false }
 */
export function parseSelectorList(list: string, named: NamedSelectors = new Map()): DocumentSelector | undefined {
  return parseList(list, named, 0)
}

/** Removes quotes and white space that make no difference in a selector. */
export function normalizeSelector(selector: string): string {
  return selector
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/["']/g, '')
    .replace(/ ?([>+~,=[\]]) ?/g, '$1')
}

function parseList(list: string, named: NamedSelectors, depth: number): Parsed | undefined {
  const owners = splitTopLevel(list, ',').flatMap((selector) => parseSelector(selector.trim(), named, depth) ?? [])
  const root = owners.find(({ anchor, labels }) => anchor === 'root' && labels.length === 0)
  if (root) return root
  // The mode with the shortest label is the plainest: `dark` in `:root:has(#dark:checked), [data-theme='dark']`.
  const modes = owners.filter(({ labels, isAutomatic }) => labels.length > 0 || isAutomatic)
  return modes.sort((a, b) => lengthOf(a) - lengthOf(b))[0] ?? owners[0]
}

function lengthOf({ labels, isAutomatic }: Parsed): number {
  return labels.length === 0 && isAutomatic ? Number.POSITIVE_INFINITY : labels.join(' ').length
}

function parseSelector(selector: string, named: NamedSelectors, depth: number): Parsed | undefined {
  const normalized = named.size > 0 ? normalizeSelector(selector) : ''
  if (named.has(normalized)) {
    const mode = named.get(normalized)
    return { anchor: 'root', labels: mode === undefined ? [] : [mode], isAutomatic: false }
  }
  const start = documentAncestor.exec(selector)?.[0].length ?? 0
  let anchor: Parsed['anchor'] | undefined
  let isAutomatic = false
  let isUncertain = false
  let isBody = false
  // Whether there are conditions, and all of them are names of modes such as 'dark'.
  let mayBeMode: boolean | undefined
  const labels = new Set<string>()
  const valueless: string[] = []
  const addLabel = (label: string) => {
    if (automatic.has(label.toLowerCase())) isAutomatic = true
    else labels.add(label)
  }
  const addParsed = (inner: Parsed | undefined) => {
    for (const label of inner?.labels ?? []) labels.add(label)
    isAutomatic ||= inner?.isAutomatic ?? false
  }
  for (let index = start; index < selector.length; ) {
    part.lastIndex = index
    const groups = part.exec(selector)?.groups
    if (!groups) return undefined
    index = part.lastIndex
    const { type, className, attribute, pseudo, open } = groups
    const value = groups.double ?? groups.single ?? groups.bare
    if (type !== undefined) {
      if (/^body$/i.test(type)) isBody = true
      else if (type.toLowerCase() === 'html') anchor = 'root'
      else return undefined
    } else if (className !== undefined) {
      addLabel(className)
      isUncertain ||= uncertainModeName.test(className) && !modeName.test(className)
      mayBeMode = mayBeMode !== false && (modeName.test(className) || uncertainModeName.test(className))
    } else if (attribute !== undefined) {
      if (value) addLabel(value)
      else valueless.push(attribute)
      mayBeMode = mayBeMode !== false && modeName.test(attribute)
    } else if (pseudo !== undefined) {
      const end = open ? closingParenthesis(selector, index) : index
      if (end < 0) return undefined
      const inner = selector.slice(index, end)
      index = open ? end + 1 : end
      const name = pseudo.toLowerCase()
      if (name === ':root') anchor = 'root'
      else if (name === ':host') {
        anchor ??= 'host'
        // Any class or attribute in `:host()` is a condition of the document.
        if (open && depth < maxDepth) addParsed(parseSelector(`:root${inner.trim()}`, named, depth + 1))
      } else if (name === ':where' || name === ':is') {
        const parsed = depth < maxDepth ? parseList(inner, named, depth + 1) : undefined
        if (!parsed) return undefined
        if (parsed.anchor === 'mode') mayBeMode ??= true
        else anchor = parsed.anchor
        addParsed(parsed)
      } else if (name !== ':not') {
        addLabel(`${pseudo}${open ? `(${inner})` : ''}`)
        mayBeMode = false
      }
    }
  }
  // An attribute without a value counts only if there is no other condition.
  if (labels.size === 0 && !isAutomatic) for (const attribute of valueless) labels.add(attribute)
  // `body` and `body.home` are elements within the page, not the document.
  anchor = mayBeMode ? (anchor ?? 'mode') : isBody ? undefined : anchor
  return (
    anchor && { anchor, labels: [...labels], isAutomatic, ...(isUncertain && anchor === 'mode' && { isUncertain }) }
  )
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
  /** See {@link DocumentSelector}. */
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
  const selector = list ? parseSelectorList(list, named) : undefined
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
