import { optionError } from './option-error.js'
import { checkString } from './options.js'

/** Whether a path equals a route's path or lies below it. */
export function isBelowRoute(pathname: string, route: string): boolean {
  return `${pathname}/`.startsWith(`${route}/`)
}

/**
 * Normalizes the path of a route: adds a leading slash and removes a trailing slash.
 *
 * @throws TypeError that names the option if it is not a plain path.
 * @example parseRoutePath('prefix', '_image/') // '/_image'
 */
export function parseRoutePath(option: string, value: unknown): string {
  const path = checkString(option, value)
  const plain = `/${path.replace(/^\/|\/$/g, '')}`
  if (!/^(?:\/[\w.~-]+)+$/.test(plain) || new URL(plain, 'http://site.invalid').pathname !== plain) {
    throw optionError(option, "a path of letters, digits, '-' and '_', such as '/api/images'", path)
  }
  return plain
}

/** Decodes the unnecessary escapes in a path, and writes the others in upper case (RFC 3986, section 6.2.2). */
export function normalizePath(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded.toUpperCase()
  })
}

/**
 * Creates a function that returns whether a request is for one of the site's hosts, according to its URL and to every
 * host that proxies have added to `X-Forwarded-Host`.
 *
 * @throws TypeError when a host is malformed.
 */
export function createHostCheck(hosts: readonly string[]): (request: Pick<Request, 'url' | 'headers'>) => boolean {
  const index = hosts.findIndex((host) => !/^(?:[a-z\d_.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host))
  if (index >= 0) {
    throw optionError(`hosts[${index}]`, "a host, as in ['example.com', 'localhost:3000']", hosts[index])
  }
  const allowed = new Set(hosts.map(normalizeHost))
  return ({ url, headers }) => {
    const forwardedHosts = headers.get('x-forwarded-host')?.split(',') ?? []
    return [new URL(url).host, ...forwardedHosts].every((host) => allowed.has(normalizeHost(host)))
  }
}

/** Writes a host in lower case and without a default port, which proxies add (RFC 9110, section 4.2.3). */
function normalizeHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/:(?:80|443)?$/, '')
}

// The ends of the paths at which a router in the browser asks for the data of a page.
const dataPath = /(?:\/_root|\/_)?\.data$|\/(?:__data|_payload)\.json$/

/**
 * Returns the URL or path of a page for that of the data that a router in the browser asks for in its place.
 *
 * @example pageOf('/articles/boats.data') // '/articles/boats'
 */
export function pageOf(path: string): string {
  return path.replace(dataPath, '')
}
