import { optionError } from '../../../option-error.js'

/** The hosts of a site, with the port unless it is 80 or 443; the function receives them in lower case. */
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
  if (!Array.isArray(hosts)) throw optionError('hosts', `a list such as ${example}, or a function`, hosts)
  const known = new Set(hosts.map(checkHost))
  return (url) => known.has(hostOf(url))
}

const example = "['example.com', 'localhost:3000']"

function checkHost(host: unknown, index: number): string {
  const normalized = typeof host === 'string' ? normalizeHost(host) : ''
  if (!validHost.test(normalized)) throw optionError(`hosts[${index}]`, `a host, as in ${example}`, host)
  return normalized
}

function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  const end = url.slice(start).search(/[/?#]/)
  return normalizeHost(url.slice(start, end < 0 ? url.length : start + end))
}

/** A port that some scheme has anyway says nothing, and proxies state it (RFC 9110, section 4.2.3). */
function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/:(?:80|443)?$/, '')
}
