import { sha256Bytes } from '../../crypto.js'
import { type Directives, maxSeconds } from '../../http/cache-control.js'
import { findHeader, type HeaderLines, storableHeaders, updateHeaders } from '../../http/headers.js'
import type { StoredResponse } from '../store/entry.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext, Exchange } from './context.js'
import { clientsOf } from './keys/client.js'
import { withoutFragment } from './keys/stated-url.js'
import { urlTag } from './keys/url-key.js'
import { selectVariant, type Variant } from './keys/variant.js'
import type { VariantLimit } from './keys/variant-limit.js'
import type { StorageTerms } from './policy.js'
import { type InFlightRender, notShared, type RenderResult, type SharedResponse } from './renders/in-flight-renders.js'
import { mayShare } from './reuse.js'

/** The head of a response. */
export type ResponseHead = Pick<Response, 'status' | 'statusText' | 'headers'>

/** What a stored response is made of, besides its body. */
export interface StorableHead extends Pick<StoredResponse, 'tags' | 'status' | 'statusText' | 'headers'> {
  terms: StorageTerms
  /** When it arrived, by `performance.now`. */
  arrived: number
}

/** Creates the head that is stored: with a `Date`, since a recipient adds a missing one (RFC 9110, section 6.6.1). */
export function createStorableHead(
  { status, statusText, headers }: ResponseHead,
  tags: readonly string[],
  terms: StorageTerms,
  directives: Directives,
): StorableHead {
  const lines = storableHeaders(headers, directives)
  if (findHeader(lines, 'date') === undefined) lines.push(['date', new Date().toUTCString()])
  return { tags, status, statusText, headers: lines, terms, arrived: performance.now() }
}

/**
 * Creates the function that stores a response and returns what those who joined its render get. A response whose tags
 * were purged hard during its render is not stored: it answers only those who came before the purge.
 */
export function createStoreResponse(context: CacheContext) {
  const { settings, store, tagIndex, backoff, background, formatStatus, sharedPages, varyKey } = context
  const { variants, varyRecords, log } = context
  const recording = new Map<string, Promise<Variant>>()

  /**
   * Stores the record of a URL whose responses vary, or joins that of another render: a second one beside it would replace it,
   * and all that it leads to would be lost.
   */
  const record = async (exchange: Exchange, { headers, ttl }: StoredResponse): Promise<Variant> => {
    const { url } = exchange
    const before = recording.get(url)
    const selectAndStore = async () => {
      await before?.catch(() => {})
      const hit = await store.get(url)
      const known = hit?.entry.kind === 'vary' ? hit.entry : exchange.vary
      const variant = selectVariant({ ...exchange, vary: known }, headers, varyKey, sharedPages.varyNamesOf(url))
      const left = hit && hit.entry === variant.vary ? variant.vary.ttl - hit.age : 0
      // Twice as long as this response needs it, so that not each response has to renew it.
      if (variant.vary && left < ttl) await store.set(url, { ...variant.vary, ttl: Math.min(ttl * 2, maxSeconds) })
      return variant
    }
    const recorded = selectAndStore()
    recording.set(url, recorded)
    try {
      return await recorded
    } finally {
      if (recording.get(url) === recorded) recording.delete(url)
    }
  }

  /** Makes room for a variant of a URL; `false` when there is none. */
  const admit = async (limit: VariantLimit, url: string, key: string): Promise<boolean> => {
    const excess = limit.use(url, key)
    if (excess !== undefined) await store.delete(excess)
    return excess !== key
  }

  /**
   * Removes what a response that could not be stored was to replace: it would be served once more again and again, for as long as
   * what replaces it finds no room or time. The same page stays, and so does one that was not found, since there was no time for
   * reading either.
   */
  const removeReplaced = async ({ key, cached, url }: Exchange, storedKey: string, entry: StoredResponse) => {
    if (!cached || key !== storedKey || isSamePage(cached.entry, entry)) return
    log('Response cache: response not stored, and the previous one removed', { url: withoutFragment(url) })
    await store.delete(key)
  }

  /** Stores an entry, as far as there is room. Returns the variant that it is by the record that is stored now. */
  const storeEntry = async (exchange: Exchange, render: InFlightRender, entry: StoredResponse, known: Variant) => {
    const { url, vary, varyTtl } = exchange
    if (known.vary && !(await admit(varyRecords, url, url))) return known
    const isRecorded = known.vary === vary && (!vary || varyTtl >= entry.ttl)
    const variant = isRecorded ? known : await record(exchange, entry)
    if (!(await admit(variants, url, variant.key))) return variant
    render.isStored = await store.set(variant.key, entry)
    if (!render.isStored) {
      await removeReplaced(exchange, variant.key, entry)
      return variant
    }
    background.note(variant.key, performance.now() - render.began)
    return variant
  }

  return async (
    exchange: Exchange,
    render: InFlightRender,
    response: StoredResponse,
    known: Variant = selectVariant(exchange, response.headers, varyKey, sharedPages.varyNamesOf(exchange.url)),
  ): Promise<RenderResult> => {
    const { url } = exchange
    let variant = known
    const tags = settings.invalidateOnUnsafeMethods ? [...response.tags, urlTag(withoutFragment(url))] : response.tags
    const entry = { ...response, tags }
    const cached = toCachedResponse(entry, formatStatus)
    if (entry.ttl > 0 && (await tagIndex.purgedSince(entry.stamp, tags)) !== 'hard' && render.isValid()) {
      variant = await storeEntry(exchange, render, entry, known)
    }
    backoff.succeed(exchange.key, () => clientsOf(sharedPages.receivedOf(exchange)))
    // Whatever its age: one that each request has to revalidate.
    if (!mayShare(entry, 0)) return notShared
    // Any number of made-up URLs would push the pages of the site out of the record.
    if (render.isStored) sharedPages.add(url, variant.vary, response.status)
    return shareCached(cached, variant)
  }
}

/** Creates what those who wait for a render get of a response that is complete. */
export function shareCached(cached: CachedResponse, variant: Variant): SharedResponse {
  return {
    type: 'shared',
    variant,
    respond(request, status, onEnd) {
      const age = cached.entry.initialAge
      if (!mayShare(cached.entry, age)) return undefined
      onEnd()
      return cached.respond(request, { age, status })
    },
  }
}

/**
 * Creates the entry of a response: with the length of the body, with a strong ETag of the body's digest where the handler
 * gave none, and older by the time that the body took, since a response ages from its head on (RFC 9111, section 4.2.3).
 */
export async function createStoredResponse(
  { terms, arrived, ...head }: StorableHead,
  { stamp }: InFlightRender,
  body: Uint8Array<ArrayBuffer>,
): Promise<StoredResponse> {
  const { status } = head
  const headers = head.headers.filter(([name]) => name !== 'content-length')
  if (status !== 204 && status !== 205) headers.push(['content-length', String(body.length)])
  const hasGeneratedEtag = status === 200 && findHeader(headers, 'etag') === undefined
  if (hasGeneratedEtag) headers.push(['etag', await digestEtag(body)])
  const delay = (performance.now() - arrived) / 1000
  const initialAge = terms.initialAge + delay
  const ttl = Math.ceil(terms.ttl - delay)
  return { kind: 'response', ...head, stamp, headers, body, ...terms, initialAge, ttl, hasGeneratedEtag }
}

function isSamePage(known: StoredResponse, entry: StoredResponse): boolean {
  const [etag, other] = [known, entry].map(({ headers }) => findHeader(headers, 'etag'))
  return etag !== undefined && etag === other
}

async function digestEtag(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await sha256Bytes(body)
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 16))).replace(/={1,2}$/, '')}"`
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
