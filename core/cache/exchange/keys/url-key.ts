import { optionError } from '../../../option-error.js'
import { digest } from './digest.js'

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

/** Returns the URL that a page is rendered for and stored under: without fragment and ignored parameters. */
export type UrlKey = (url: string) => string

/**
 * Creates the function that removes query parameters; the others keep their order and spelling.
 *
 * @param ignored Names; a trailing `*` matches any ending.
 * @throws TypeError when a name is malformed.
 * @example createUrlKey(['utm_*'])('https://site.test/?utm_source=x&page=2') // 'https://site.test/?page=2'
 */
export function createUrlKey(ignored: readonly string[]): UrlKey {
  const names = ignored.map(toPattern)
  const pattern = new RegExp(`^(?:${names.join('|')})(?:=|$)`)

  return (url) => {
    const hash = url.indexOf('#')
    const whole = hash < 0 ? url : url.slice(0, hash)
    const start = whole.indexOf('?')
    if (start < 0 || names.length === 0) return whole
    const pieces = whole.slice(start + 1).split('&')
    const kept = pieces.filter((piece) => !pattern.test(piece))
    if (kept.length === pieces.length) return whole
    return kept.length > 0 ? `${whole.slice(0, start)}?${kept.join('&')}` : whole.slice(0, start)
  }
}

function toPattern(name: string): string {
  const stem = typeof name === 'string' ? name.replace(/\*$/, '') : ''
  if (!stem || /[*=&#]/.test(stem)) {
    throw optionError('ignoreQuery', "names of query parameters, such as 'gclid' or 'utm_*'", name)
  }
  return stem.replace(/[.+?^${}()|[\]\\]/g, '\\$&') + (name.endsWith('*') ? '[^=]*' : '')
}

/**
 * Returns the tag that every response of a URL has, so that what an unsafe method changes is purged on all instances. No tag
 * of a response has a comma.
 */
export function urlTag(key: string): string {
  return `url,${digest(key).slice(0, 16)}`
}
