import { type NamedSelectors, parseSelectorList } from './selectors.js'

/** What a block of a stylesheet holds. */
export interface Context {
  /** Rules; declarations of the document's custom properties, and rules nested in them; or anything else. */
  kind: 'rules' | 'declarations' | 'other'
  /** The mode that the block belongs to, `dark`; empty for the document's own. */
  mode: string
  /** Whether the mode is a media query's only. */
  isMedia: boolean
}

export const outermost: Context = { kind: 'rules', mode: '', isMedia: false }
const other: Context = { kind: 'other', mode: '', isMedia: false }
// In characters; more conditions within each other are nobody's.
const maxModeLength = 200

/** Returns what a block holds, from the text before its `{` and from the block around it. */
export function contextOf(prelude: string, parent: Context, named: NamedSelectors): Context {
  if (parent.kind === 'other' || parent.mode.length > maxModeLength) return other
  const text = prelude.trim()
  const [, name, parameters = ''] = /^@([\w-]+)(.*)$/s.exec(text) ?? []
  if (name !== undefined) return atRule(name.toLowerCase(), parameters.trim(), parent)
  // Of the rules nested in the document's own, only `&` can be about the document, too.
  const list = parent.kind === 'rules' ? text : /^&(?!\s)/.test(text) ? text.replace(/&/g, ':root') : ''
  const selector = list ? parseSelectorList(list, named) : undefined
  if (!selector) return other
  const own = selector.labels.join(' ')
  // Where the visitor's preference chooses, the media query only says when, and the selector which.
  const mode = selector.isAutomatic ? own || parent.mode || 'auto' : joinModes(parent.mode, own)
  return { kind: 'declarations', mode, isMedia: parent.isMedia && !own }
}

function atRule(name: string, parameters: string, parent: Context): Context {
  if (name === 'layer') return parent
  if (name === 'theme') return parent.kind === 'rules' ? { ...parent, kind: 'declarations' } : other
  // Browsers that do not know what is asked for are the exception.
  if (name === 'supports') return /^not\b/i.test(parameters) ? other : parent
  if (name === 'variant') return { ...parent, mode: joinModes(parent.mode, parameters) }
  if (name !== 'media') return other
  const mode = joinModes(parent.mode, mediaLabel(parameters))
  return { ...parent, mode, isMedia: mode !== '' && (parent.mode === '' || parent.isMedia) }
}

function joinModes(outer: string, inner: string): string {
  return outer === inner || !inner ? outer : outer ? `${inner}, ${outer}` : inner
}

/** Returns what a media query asks for: `dark`, `color-gamut: p3`; nothing for every screen. */
function mediaLabel(query: string): string {
  const condition = query
    .replace(/\s+/g, ' ')
    .replace(/^(?:only )?(?:all|screen)(?: and (?=\()|$)/i, '')
    .trim()
  const [, feature] = /^\(([^()]*)\)$/.exec(condition) ?? []
  const [, scheme] = /^prefers-color-scheme ?: ?(\w+)$/i.exec(feature?.trim() ?? '') ?? []
  return scheme?.toLowerCase() ?? feature?.trim() ?? condition
}
