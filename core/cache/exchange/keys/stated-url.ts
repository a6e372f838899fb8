// Fields in which proxies say which URL a client has asked for. Handlers take it for the request's own, and nothing tells
// whether a proxy or the client wrote it. Cloudflare has most of these fields in its keys, too.
const statedFields = [
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-scheme',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-host',
  'x-original-host',
  'x-original-url',
  'x-rewrite-url',
]

/**
 * Returns what a request says of its URL in fields of proxies, as a fragment that makes it a URL of its own among the keys:
 * `''` where it says nothing. URLs of requests have no fragment otherwise.
 *
 * @example statedFragment(new Headers({ 'X-Forwarded-Host': 'site.test' })) // '#x-forwarded-host=site.test'
 */
export function statedFragment(headers: Pick<Headers, 'get'>): string {
  let fragment = ''
  for (const name of statedFields) {
    const value = headers.get(name)
    if (value !== null) fragment += `${fragment ? '&' : '#'}${name}=${encodeURIComponent(value)}`
  }
  return fragment
}

/** Returns the URL itself, as the handler receives it. */
export function withoutFragment(url: string): string {
  const start = url.indexOf('#')
  return start < 0 ? url : url.slice(0, start)
}

/** Returns the hosts that a request states beside its own: each proxy in a row may have appended one. */
export function statedHosts(headers: Pick<Headers, 'get'>): string[] {
  const field = headers.get('x-forwarded-host')
  return field === null ? [] : field.split(',').map((host) => host.trim().toLowerCase())
}
