// Fields in which proxies say which URL a client has asked for. Handlers take it for the request's own, and nothing tells
// whether a proxy or the client wrote it. Cloudflare has most of these fields in its keys, too.
const statedFields = [
  'cf-visitor',
  'cloudfront-forwarded-proto',
  'front-end-https',
  'x-arr-ssl',
  'x-forwarded-host',
  'x-forwarded-hostname',
  'x-forwarded-path',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-proto',
  'x-forwarded-protocol',
  'x-forwarded-scheme',
  'x-forwarded-ssl',
  'x-forwarded-uri',
  'x-host',
  'x-original-host',
  'x-original-proto',
  'x-original-uri',
  'x-original-url',
  'x-real-host',
  'x-rewrite-url',
  'x-scheme',
  'x-script-name',
  'x-url-scheme',
]

/**
 * Returns what a request says of its URL in fields of proxies, as a fragment that makes it a URL of its own among the keys:
 * `''` where it says nothing. URLs of requests have no fragment otherwise.
 *
 * @example statedFragment(new Headers({ 'X-Forwarded-Host': 'site.test' })) // '#x-forwarded-host=site.test'
 */
export function statedFragment(headers: Pick<Headers, 'get'>): string {
  let fragment = ''
  const add = (name: string, value: string) => {
    fragment += `${fragment ? '&' : '#'}${name}=${encodeURIComponent(value)}`
  }
  for (const name of statedFields) {
    const value = headers.get(name)
    if (value !== null) add(name, value)
  }
  const forwarded = headers.get('forwarded')
  const elements = forwarded === null ? [] : withoutNodes(forwarded)
  // A handler may read the first element, or the last one, so that their number counts where one of them says something.
  if (elements.some(Boolean)) add('forwarded', elements.join())
  return fragment
}

const node = /^(?:by|for)\s*=\s*(?:[\w.:-]+|"[\w.:[\]-]+")$/i

/**
 * Returns what each element of `Forwarded` says of the URL (RFC 7239, section 5): everything but the addresses of clients and
 * proxies. What is no such address stays, whatever a handler may read from it.
 *
 * @example withoutNodes('for=192.0.2.1;proto=https;host=site.test, for=192.0.2.2') // ['proto=https;host=site.test', '']
 */
export function withoutNodes(forwarded: string): string[] {
  return forwarded.split(',').map((element) => {
    const pairs = element.trim().split(';')
    return pairs.filter((pair) => !node.test(pair.trim())).join(';')
  })
}

/** Returns the URL itself, as the handler receives it. */
export function withoutFragment(url: string): string {
  const start = url.indexOf('#')
  return start < 0 ? url : url.slice(0, start)
}

/** Returns the hosts that a request states beside its own: each proxy in a row may have added one. */
export function statedHosts(headers: Pick<Headers, 'get'>): string[] {
  const listed = headers.get('x-forwarded-host')?.split(',') ?? []
  const pairs = withoutNodes(headers.get('forwarded') ?? '').flatMap((element) => element.split(';'))
  const forwarded = pairs.flatMap((pair) => /^\s*host\s*=\s*"?([^"]*)/i.exec(pair)?.[1] ?? [])
  return [...listed, ...forwarded].map((host) => host.trim().toLowerCase())
}
