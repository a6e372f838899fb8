import { matchNames } from '../options.js'
import { normalizePath } from '../tags.js'

/**
 * Query parameters of the common campaign and click trackers: they describe where a visitor came from, not the page.
 */
const trackingParameters: readonly string[] = (
  'utm_* gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ttclid twclid li_fat_id igshid ' +
  'mc_cid mc_eid _ga _gl'
).split(' ')

/** The query parameters that pages depend on: a list, in which a trailing `*` matches any ending, or a function. */
export type QueryParameters = readonly string[] | ((name: string) => boolean)

/**
 * Creates the function that returns the URL that a page is rendered for and stored under. This URL has no fragment, and
 * only the parameters that pages depend on, in their order and spelling. Its path is normalized as in RFC 3986, section
 * 6.2.2, because routers decode paths.
 *
 * @param parameters Default: all except the parameters of campaign and click trackers.
 * @throws TypeError when a name is malformed.
 * @example createUrlKey(['page'])('https://site.test/?utm_source=x&page=2') // 'https://site.test/?page=2'
 */
export function createUrlKey(parameters?: QueryParameters): (url: string) => string {
  const isTracking = matchNames('trackingParameters', trackingParameters)
  const keptParameters = parameters ?? ((name: string) => !isTracking(name))
  const matches = typeof keptParameters === 'function' ? keptParameters : matchNames('queryParameters', keptParameters)
  const isKept = (piece: string) => {
    try {
      // Browsers encode brackets in the names of form fields.
      const name = decodeURIComponent((piece.split('=', 1)[0] ?? '').replaceAll('+', ' '))
      return name !== '' && matches(name) === true
    } catch {
      return false // malformed
    }
  }
  return (url) => {
    const hash = url.indexOf('#')
    const withoutHash = hash < 0 ? url : url.slice(0, hash)
    const start = withoutHash.indexOf('?')
    if (start < 0) return normalizePath(withoutHash)
    const path = normalizePath(withoutHash.slice(0, start))
    const pieces = withoutHash.slice(start + 1).split('&')
    const query = pieces.filter(isKept).join('&')
    return query === '' ? path : `${path}?${query}`
  }
}
