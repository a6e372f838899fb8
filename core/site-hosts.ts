import { optionError } from './option-error.js'

/**
 * Creates the function that tells whether a request is for one of the site's hosts, by its URL and by `X-Forwarded-Host`, to which each
 * proxy in a row may have added one.
 *
 * @throws TypeError when a host is malformed.
 */
export function createHostCheck(
  hosts: readonly string[] | undefined,
): (request: Pick<Request, 'url' | 'headers'>) => boolean {
  if (hosts === undefined) return () => true
  const malformed = hosts.findIndex((host) => !/^(?:[a-z\d_.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host))
  if (malformed >= 0) {
    throw optionError(`hosts[${malformed}]`, "a host, as in ['example.com', 'localhost:3000']", hosts[malformed])
  }
  const known = new Set(hosts.map(normalizeHost))
  return ({ url, headers }) => {
    const stated = headers.get('x-forwarded-host')?.split(',') ?? []
    return [new URL(url).host, ...stated].every((host) => known.has(normalizeHost(host)))
  }
}

/** A port that some scheme has anyway says nothing, and proxies state it (RFC 9110, section 4.2.3). */
function normalizeHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:(?:80|443)?$/, '')
}
