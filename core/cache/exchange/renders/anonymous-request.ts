import type { StoredVary } from '../../store/entry.js'
import { withoutFragment, withoutNodes } from '../keys/stated-url.js'

// Fields that browsers and the scripts of pages send, and by which a handler can tell them apart.
const clientFields =
  /^(?:accept-.+|authorization|cache-control|cookie|dnt|hx-.+|origin|pragma|priority|referer|save-data|sec-.+|turbo-frame|upgrade-insecure-requests|user-agent|x-inertia.*|x-livewire.*|x-pjax.*|x-requested-with|x-up-.+)$/
// Those by which proxies and CDNs say where a client is, and trace its request. What else they add stays: a handler may need it.
const placeFields =
  /^(?:baggage|b3|cf-(?:ip.+|ray|region.*|timezone|postal-code|metro-code)|cloudfront-viewer-.+|fastly-client-.+|fly-(?:region|request-id)|rndr-id|sentry-trace|trace.+|x-akamai-request-id|x-amz-cf-id|x-amzn-trace-id|x-appengine-(?:city.*|country|region)|x-arr-log-id|x-azure-ref|x-b3-.+|x-client-.+|x-cloud-trace-context|x-correlation-id|x-datadog-.+|x-forwarded-server|x-nf-(?:geo|request-id)|x-queue-start|x-railway-request-id|x-request-.+|x-unique-id|x-varnish|x-vercel-(?:id|ip-.+))$/
const addressFields =
  /^(?:cf-connecting-ip.*|client-ip|do-connecting-ip|fastly-client-ip|fly-client-ip|forwarded|true-client-ip|x-appengine-user-ip|x-azure-(?:clientip|socketip)|x-client-ip|x-cluster-client-ip|x-envoy-external-address|x-forwarded|x-(?:original-)?forwarded-for|x-nf-client-connection-ip|x-real-ip|x-remote-(?:addr|ip)|x-vercel-forwarded-for)$/

/** Whether a field says where the client of a request is, or traces it. */
export function isOfClientAddress(name: string): boolean {
  return addressFields.test(name) || placeFields.test(name)
}

const tellsApart = (name: string) => clientFields.test(name) || isOfClientAddress(name)

/**
 * Returns the value of a field in a request for all; `undefined` when it is left out. A handler may take a request without an
 * address for a local one, and one without a `User-Agent` for odd.
 */
function neutralValue(name: string, value = ''): string | undefined {
  if (name === 'user-agent') return 'sitewright'
  if (!addressFields.test(name)) return undefined
  const address = name === 'cf-connecting-ipv6' ? '2001:db8::1' : '192.0.2.1' // of nobody: RFC 3849 and RFC 5737
  if (name !== 'forwarded') return address
  const elements = withoutNodes(value).map((element) => [`for=${address}`, element].filter(Boolean).join(';'))
  return elements.join(', ')
}

/** A request, and what is known of the fields that its response varies by. */
export interface Received {
  request: Pick<Request, 'headers'>
  vary: StoredVary | undefined
}

/** Returns the fields of a request without those that tell visitors apart, unless the response varies by them. */
export function anonymousHeaders({ request, vary }: Received): Headers {
  const headers = new Headers(request.headers)
  for (const [name, value] of request.headers) {
    if (!tellsApart(name) || vary?.names.includes(name)) continue
    const neutral = neutralValue(name, value)
    if (neutral === undefined) headers.delete(name)
    else headers.set(name, neutral)
  }
  if (!headers.has('user-agent')) headers.set('user-agent', neutralValue('user-agent') ?? '')
  return headers
}

/** Whether a request says where its client is. */
export function hasAddress(headers: Headers): boolean {
  return [...headers.keys()].some(isOfClientAddress)
}

/**
 * Creates the request for a page that is for all: in place of that of the visitor who happened to come first, so that neither the
 * page nor an error is due to his fields. What the render leads to is stored for this request: in a page that has
 * begun to vary by one of the fields, the visitor's value was not used.
 */
export function createAnonymousRequest(url: string, received: Received): Request {
  return new Request(withoutFragment(url), { headers: anonymousHeaders(received) })
}
