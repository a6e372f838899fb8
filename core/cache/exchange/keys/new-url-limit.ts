import { createBoundedMap } from '../../bounded-map.js'
import { withoutFragment } from './stated-url.js'

/** Returns whether a URL with a status may be stored: it was before, or not too many of its kind were new in this minute. */
export type NewUrlLimit = (url: string, status: number) => boolean

const interval = 60_000

/**
 * Creates a bound of the URLs of one path that are stored for the first time in a minute. What was stored is remembered for
 * longer than it is fresh, so that only what nobody has asked for lately is new. Those with a query are counted apart, so that
 * made-up queries do not keep the page itself from being stored. Those where there is nothing are counted together, since
 * paths can be made up as well. What a request says of its URL besides does not count: it makes a variant of the URL, of which there
 * is a bound, too.
 *
 * @param keepsHostsApart Whether each host has paths of its own: where hosts are checked, none of them is made up.
 */
export function createNewUrlLimit(maxNewUrls: number, keepsHostsApart: boolean): NewUrlLimit {
  const known = createBoundedMap<true>()
  const paths = createBoundedMap<{ since: number; count: number }>()

  return (stated, status) => {
    const whole = withoutFragment(stated)
    if (known.get(whole)) return true
    const query = whole.indexOf('?')
    const start = pathStart(whole)
    const end = isNotFound(status) ? start : query < 0 ? whole.length : query + 1
    const path = copy(whole.slice(keepsHostsApart ? 0 : start, end))
    const now = performance.now()
    const last = paths.get(path)
    const current = last && now - last.since < interval ? last : { since: now, count: 0 }
    if (current.count >= maxNewUrls) return false
    current.count++
    paths.set(path, current)
    known.set(whole, true)
    return true
  }
}

/** Whether a status says that there is nothing at a URL. */
export function isNotFound(status: number): boolean {
  return status === 404 || status === 410
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('//') + 2)
}

/** A part of a text keeps all of it in memory. */
function copy(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
