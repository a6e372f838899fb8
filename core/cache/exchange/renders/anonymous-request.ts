import type { StoredVary } from '../../store/entry.js'

// Fields that browsers and the scripts of pages send, and by which a handler can tell them apart.
const clientFields =
  /^(?:accept-.+|authorization|cache-control|cookie|dnt|hx-.+|origin|pragma|priority|referer|save-data|sec-.+|turbo-frame|upgrade-insecure-requests|user-agent|x-inertia.*|x-livewire.*|x-pjax.*|x-requested-with|x-up-.+)$/
// Those by which proxies and CDNs say where a client is, and trace its request. What else they add stays: a handler may need it.
const addressFields =
  /^(?:baggage|b3|cf-(?:connecting-ip.*|ip.+|ray|region.*|timezone|postal-code|metro-code)|client-ip|cloudfront-viewer-.+|do-connecting-ip|fastly-client-.+|fly-(?:client-ip|region|request-id)|forwarded|sentry-trace|trace.+|true-client-ip|x-amz-cf-id|x-amzn-trace-id|x-appengine-(?:city.*|country|region|user-ip)|x-azure-(?:clientip|ref|socketip)|x-b3-.+|x-client-.+|x-cloud-trace-context|x-cluster-client-ip|x-correlation-id|x-datadog-.+|x-forwarded-for|x-nf-(?:client-connection-ip|geo|request-id)|x-real-ip|x-request-.+|x-vercel-(?:forwarded-for|id|ip-.+))$/

// Handlers may expect that there is one.
const userAgent = 'sitewright'

const tellsApart = (name: string) => clientFields.test(name) || addressFields.test(name)

/** A request, and what is known of the fields that its response varies by. */
export interface Received {
  request: Pick<Request, 'headers'>
  vary: StoredVary | undefined
}

/** Returns the fields of a request without those that tell visitors apart, unless the response varies by them. */
export function anonymousHeaders({ request, vary }: Received): Headers {
  const headers = new Headers(request.headers)
  for (const name of request.headers.keys()) {
    if (tellsApart(name) && !vary?.names.includes(name)) headers.delete(name)
  }
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
  return headers
}

/** Whether a request says where its client is. */
export function hasAddress(headers: Headers): boolean {
  return [...headers.keys()].some((name) => addressFields.test(name))
}

/** Whether a request has a field that tells visitors apart, and that the response does not vary by. */
export function hasClientFields(headers: Headers, vary: Pick<StoredVary, 'names'>): boolean {
  return [...headers].some(
    ([name, value]) =>
      tellsApart(name) && !vary.names.includes(name) && !(name === 'user-agent' && value === userAgent),
  )
}

/**
 * Creates the request for a page that is for all: in place of that of the visitor who happened to come first, so that neither the
 * page nor an error is due to his fields. What the render leads to is stored for this request: in a page that has
 * begun to vary by one of the fields, the visitor's value was not used.
 */
export function createAnonymousRequest(url: string, received: Received): Request {
  return new Request(url, { headers: anonymousHeaders(received) })
}
