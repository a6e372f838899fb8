import { handlerFields } from '../../../http/conditional.js'
import { hopByHopFields } from '../../../http/headers.js'
import type { CachedResponse } from '../cached-response.js'
import type { SelectingFields } from '../keys/selecting-fields.js'
import { withoutFragment } from '../keys/stated-url.js'

// Fields with which the handler might send less than the whole page.
const conditionalFields = ['if-none-match', 'if-modified-since', 'if-range', ...handlerFields]

// Fields of the visitor's connection or body: a handler that forwarded them would fail for everyone who waits.
const connectionFields = [...hopByHopFields, 'content-length', 'expect']

export interface OriginRequestOptions {
  url: string
  headers: Headers
  /** A stored response that the handler may confirm by a 304. */
  validate: CachedResponse | undefined
  selectingFields: SelectingFields
  signal: AbortSignal
}

/**
 * Creates the request that the handler receives in place of a visitor's: for the whole page, since it is stored; with the
 * host of its URL as `Host`; with the validators of the stored response (RFC 9111, section 4.3.1); and with a signal that
 * aborts only when nobody waits.
 */
export function createOriginRequest(options: OriginRequestOptions): Request {
  const { url, signal, validate, selectingFields } = options
  const headers = new Headers(options.headers)
  for (const name of [...conditionalFields, ...connectionFields]) headers.delete(name)
  selectingFields.normalize(headers)
  // As the key has it: in upper case, with the default port or beside another host in the request target, the client's own
  // would be that of another site in a page for all.
  headers.set('host', new URL(url).host)
  const entry = validate?.entry
  for (const [name, value] of entry?.headers ?? []) {
    if (name === 'etag' && !entry?.hasGeneratedEtag) headers.set('if-none-match', value)
    if (name === 'last-modified') headers.set('if-modified-since', value)
  }
  return new Request(withoutFragment(url), { headers, signal })
}

/** Whether a stored response has a validator that came from the handler. */
export function hasOriginValidator({ entry }: CachedResponse): boolean {
  return entry.headers.some(([name]) => name === 'last-modified' || (name === 'etag' && !entry.hasGeneratedEtag))
}
