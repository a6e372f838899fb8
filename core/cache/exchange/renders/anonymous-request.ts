import type { StoredVary } from '../../store/entry.js'

// Fields that browsers and the scripts of pages send, and by which a handler can tell them apart. What proxies add stays: a handler
// may need it.
const visitorFields =
  /^(?:accept-.+|authorization|cache-control|cookie|dnt|origin|pragma|priority|referer|save-data|sec-.+|upgrade-insecure-requests|user-agent|hx-.+|turbo-frame|x-inertia.*|x-livewire.*|x-pjax.*|x-requested-with|x-up-.+)$/

// Handlers may expect that there is one.
const userAgent = 'sitewright'

/** A request, and what is known of the fields that its response varies by. */
export interface Received {
  request: Pick<Request, 'headers'>
  vary: StoredVary | undefined
}

/** Returns the fields of a request without those that tell visitors apart, unless the response varies by them. */
export function anonymousHeaders({ request, vary }: Received): Headers {
  const headers = new Headers(request.headers)
  for (const name of request.headers.keys()) {
    if (visitorFields.test(name) && !vary?.names.includes(name)) headers.delete(name)
  }
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
  return headers
}

/**
 * Creates the request for a page that is for all: in place of that of the visitor who happened to come first, so that neither the
 * page nor an error is due to his fields. What the render leads to is stored for this request: in a page that has
 * begun to vary by one of the fields, the visitor's value was not used.
 */
export function createAnonymousRequest(url: string, received: Received): Request {
  return new Request(url, { headers: anonymousHeaders(received) })
}
