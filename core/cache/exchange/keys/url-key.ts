import { sha256Hex } from '../../../crypto.js'
import { optionError } from '../../../option-error.js'

/**
 * Query parameters of the common campaign and click trackers: they describe where a visitor came from, not the page.
 */
export const trackingParameters: readonly string[] = [
  'utm_*',
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'yclid',
  'ttclid',
  'twclid',
  'li_fat_id',
  'igshid',
  'mc_cid',
  'mc_eid',
  '_ga',
  '_gl',
]

/**
 * Returns the URL that a page is rendered for and stored under: without fragment and the parameters that do not count, and with
 * its path as RFC 3986, section 6.2.2, normalizes it. Routers decode paths, so that each page would have any number of URLs.
 */
export type UrlKey = (url: string) => string

/** The query parameters that a page may depend on: all, those of a list, or those for which a function returns `true`. */
export type QueryParameters = 'all' | readonly string[] | ((name: string) => boolean)

/**
 * Creates the function that normalizes paths and removes query parameters; the others keep their order and spelling.
 *
 * @param ignored Names; a trailing `*` matches any ending.
 * @param parameters What is left when it is not `'all'`: then nothing is ignored besides. Names as above, but decoded.
 * @throws TypeError when a name is malformed.
 * @example createUrlKey(['utm_*'])('https://site.test/?utm_source=x&page=2') // 'https://site.test/?page=2'
 */
export function createUrlKey(ignored: readonly string[], parameters: QueryParameters = 'all'): UrlKey {
  const counts = parameters === 'all' ? createIgnore(ignored) : createSelect(parameters)
  return (url) => {
    const hash = url.indexOf('#')
    const whole = hash < 0 ? url : url.slice(0, hash)
    const start = whole.indexOf('?')
    if (start < 0) return normalizePath(whole)
    if (!counts) return normalizePath(whole.slice(0, start)) + whole.slice(start)
    const path = normalizePath(whole.slice(0, start))
    const kept = whole
      .slice(start + 1)
      .split('&')
      .filter(counts)
    return kept.length > 0 ? `${path}?${kept.join('&')}` : path
  }
}

/** Decodes what needs no encoding, and writes the rest in upper case. */
function normalizePath(url: string): string {
  if (!url.includes('%')) return url
  return url.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
  })
}

/** Returns whether a piece of a query counts, such as `page=2`. */
type Counts = (piece: string) => boolean

function createIgnore(ignored: readonly string[]): Counts | undefined {
  if (ignored.length === 0) return undefined
  const pattern = toPattern('ignoreQuery', ignored, '(?:=|$)')
  return (piece) => !pattern.test(piece)
}

function createSelect(parameters: Exclude<QueryParameters, 'all'>): Counts {
  if (typeof parameters !== 'function' && !Array.isArray(parameters)) {
    throw optionError('queryParameters', "'all', a list such as ['page'], or a function", parameters)
  }
  const pattern = typeof parameters === 'function' ? undefined : toPattern('queryParameters', parameters, '$')
  const isSelected = typeof parameters === 'function' ? parameters : (name: string) => pattern?.test(name) === true
  return (piece) => {
    const name = decodeName(piece.split('=', 1)[0] ?? '')
    return name !== undefined && name !== '' && isSelected(name) === true
  }
}

/** Browsers encode brackets in the names of form fields. */
function decodeName(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function toPattern(option: string, names: readonly string[], end: string): RegExp {
  // An empty list matches nothing.
  return names.length === 0 ? /(?!)/ : new RegExp(`^(?:${names.map((name) => toSource(option, name)).join('|')})${end}`)
}

function toSource(option: string, name: string): string {
  const stem = typeof name === 'string' ? name.replace(/\*$/, '') : ''
  if (!stem || /[*=&#]/.test(stem)) {
    throw optionError(option, "names of query parameters, such as 'gclid' or 'utm_*'", name)
  }
  return stem.replace(/[.+?^${}()|[\]\\]/g, '\\$&') + (name.endsWith('*') ? '[^=]*' : '')
}

/**
 * Returns the tag that every response of a URL has, so that what an unsafe method changes is purged on all instances. No tag
 * of a response has a comma.
 */
export function urlTag(key: string): string {
  return `url,${sha256Hex(key).slice(0, 16)}`
}
