import { optionError } from '../../../option-error.js'

/** The hosts of a site, as URLs have them: in lower case, with the port unless it is the scheme's own. */
export type SiteHosts = readonly string[] | ((host: string) => boolean)

const validHost = /^(?:[a-z\d_.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/

/**
 * Creates the function that tells whether a URL is on one of the site's hosts.
 *
 * @throws TypeError when a host is malformed.
 * @example createHostCheck(['example.com'])('https://example.com/page') // true
 */
export function createHostCheck(hosts: SiteHosts | undefined): (url: string) => boolean {
  if (hosts === undefined) return () => true
  if (typeof hosts === 'function') return (url) => hosts(hostOf(url))
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string' && validHost.test(host))) {
    throw optionError('hosts', "a list such as ['example.com', 'localhost:3000'], or a function", hosts)
  }
  const known = new Set(hosts)
  return (url) => known.has(hostOf(url))
}

function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.slice(start).search(/[/?#]/)
  return url.slice(start, end < 0 ? url.length : start + end)
}
