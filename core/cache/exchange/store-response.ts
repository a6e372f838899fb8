import type { Directives } from '../../http/cache-control.js'
import { findHeader, type HeaderLines, storableHeaders, updateHeaders } from '../../http/headers.js'
import { parseVary } from '../../http/vary.js'
import type { StoredResponse } from '../store/entry.js'
import { toCachedResponse } from './cached-response.js'
import type { CacheContext, Exchange } from './context.js'
import type { InFlightRender, RenderResult } from './in-flight-renders.js'
import type { StorageTerms } from './policy.js'
import { mergeVary } from './vary-key.js'

/** The head of a response. */
export type ResponseHead = Pick<Response, 'status' | 'statusText' | 'headers'>

/** What a stored response is made of, besides its body. */
export interface StorableHead {
  tags: readonly string[]
  terms: StorageTerms
  directives: Directives
  response: ResponseHead
}

/**
 * Creates the function that stores a response and returns what those who joined its render get. A response whose tags
 * were purged hard during its render is not stored: it answers only those who came before the purge.
 */
export function createStoreResponse(context: CacheContext) {
  const { store, tagIndex, backoff, formatStatus, uncacheable, varyKey, variants } = context
  return async (
    { url, key, vary: knownVary, request }: Exchange,
    render: InFlightRender,
    entry: StoredResponse,
  ): Promise<RenderResult & { type: 'cached' }> => {
    const cached = toCachedResponse(entry, formatStatus)
    const names = parseVary(findHeader(entry.headers, 'vary') ?? null)
    const isImage = /^image\//i.test(findHeader(entry.headers, 'content-type') ?? '')
    const vary = mergeVary(knownVary, names === '*' ? [] : names, isImage)
    const variantKey = vary ? varyKey(url, vary, request.headers) : url
    const fits = (headers: Headers) => !vary || varyKey(url, vary, headers) === variantKey
    if ((await tagIndex.purgedSince(entry.stamp, entry.tags)) !== 'hard' && render.isValid()) {
      if (vary && vary !== knownVary) await store.set(url, vary)
      await store.set(variantKey, entry)
      const excess = vary && variants.use(url, variantKey)
      if (excess !== undefined) await store.delete(excess)
    }
    uncacheable.delete(url)
    backoff.succeed(key)
    return { type: 'cached', cached, fits }
  }
}

/**
 * Creates the entry of a response: with a `Date`, since a recipient adds a missing one (RFC 9110, section 6.6.1), with the
 * length of the body, and with a strong ETag of the body's digest where the handler gave none.
 */
export async function createStoredResponse(
  { tags, terms, directives, response }: StorableHead,
  { stamp }: InFlightRender,
  body: Uint8Array<ArrayBuffer>,
): Promise<StoredResponse> {
  const headers = storableHeaders(response.headers, directives).filter(([name]) => name !== 'content-length')
  const { status, statusText } = response
  if (status !== 204 && status !== 205) headers.push(['content-length', String(body.length)])
  if (findHeader(headers, 'date') === undefined) headers.push(['date', new Date().toUTCString()])
  const hasGeneratedEtag = status === 200 && findHeader(headers, 'etag') === undefined
  if (hasGeneratedEtag) headers.push(['etag', await digestEtag(body)])
  return { kind: 'response', stamp, tags, status, statusText, headers, body, ...terms, hasGeneratedEtag }
}

async function digestEtag(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 16))).replace(/=+$/, '')}"`
}

/**
 * Merges a handler's 304 into a stored response (RFC 9111, section 4.3.4): all headers, also those that are not stored. The
 * body keeps its ETag.
 */
export function mergeNotModified(entry: StoredResponse, notModified: Headers, directives: Directives): Headers {
  const keptNames = findHeader(entry.headers, 'etag') === undefined ? ['set-cookie'] : ['set-cookie', 'etag']
  const update: HeaderLines = storableHeaders(notModified, directives).filter(([name]) => !keptNames.includes(name))
  const merged = new Headers(updateHeaders(entry.headers, update))
  if (!notModified.has('date')) merged.set('date', new Date().toUTCString())
  const age = notModified.get('age')
  if (age !== null) merged.set('age', age)
  for (const cookie of notModified.getSetCookie()) merged.append('set-cookie', cookie)
  return merged
}
