import { createBoundedMap } from '../bounded-map.js'

/** Returns whether a URL may be stored: it was stored before, or not too many of its path were new in this minute. */
export type NewUrlLimit = (url: string) => boolean

const interval = 60_000

/**
 * Creates a bound of the URLs of one path that are stored for the first time in a minute. What was stored is remembered for
 * longer than it is fresh, so that only what nobody has asked for lately is new. Those with a query are counted apart, so that
 * made-up queries do not keep the page itself from being stored.
 *
 * @param keepsHostsApart Whether each host has paths of its own: where hosts are checked, none of them is made up.
 */
export function createNewUrlLimit(maxNewUrls: number, keepsHostsApart: boolean): NewUrlLimit {
  const known = createBoundedMap<true>()
  const paths = createBoundedMap<{ since: number; count: number }>()

  return (url) => {
    if (known.get(url)) return true
    const query = url.indexOf('?')
    const path = url.slice(keepsHostsApart ? 0 : pathStart(url), query < 0 ? url.length : query + 1)
    const now = performance.now()
    const last = paths.get(path)
    const current = last && now - last.since < interval ? last : { since: now, count: 0 }
    if (current.count >= maxNewUrls) return false
    current.count++
    paths.set(path, current)
    known.set(url, true)
    return true
  }
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('//') + 2)
}
