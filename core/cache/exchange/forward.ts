import type { RouteHandler } from '../../handler.js'
import { type ForwardReason, withCacheStatus } from '../../http/cache-status.js'
import { findHeader, type HeaderLines } from '../../http/headers.js'
import { isSameResponse, type StoredResponse } from '../store/entry.js'
import type { CacheContext, Exchange } from './context.js'
import { statedFragment } from './keys/stated-url.js'
import { urlTag } from './keys/url-key.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export interface ForwardOptions {
  request: Request
  handler: RouteHandler
  reason: ForwardReason
  detail?: string | undefined
  /** The exchange of a HEAD request, whose response may show that the stored one is outdated. */
  exchange?: Exchange | undefined
}

/** Creates the function that forwards a request to the handler and stores nothing. */
export function createForward(context: CacheContext) {
  const { settings, store, tagIndex, renders, formatStatus, urlKey, variants } = context
  /** Whether any response of a URL is stored, whatever its request has said of it besides. */
  const isStored = async (key: string, stored: string) =>
    variants.has(key) || Boolean((await store.get(stored)) ?? (stored !== key && (await store.get(key))))

  /**
   * Removes what an unsafe method may have changed (RFC 9111, section 4.4). Other instances may have what is stored here, so
   * it is purged by its tag, too; what is not stored here is not, so that requests for made-up URLs and for an API purge
   * nothing.
   */
  const invalidate = async ({ url, method, headers: fields }: Request, { status, headers }: Response) => {
    if (!settings.invalidateOnUnsafeMethods || safeMethods.has(method) || status < 200 || status >= 400) return
    const targets = [url, headers.get('location'), headers.get('content-location')]
    for (const target of targets) {
      if (target === null || !URL.canParse(target, url)) continue
      const { href, origin } = new URL(target, url)
      if (origin !== new URL(url).origin) continue
      const key = urlKey(target === url ? url : href)
      renders.invalidate(key)
      const stored = key + statedFragment(fields)
      if (await isStored(key, stored)) await tagIndex.purge([urlTag(key)], 'hard')
      await store.delete(stored)
    }
  }

  /** Makes a stored response stale of which a HEAD shows that it is outdated, unless it was replaced meanwhile. */
  const expire = async ({ cached, key, age, purge }: Exchange, headers: Headers) => {
    if (!cached || purge === 'hard' || cached.entry.lifetime <= age) return
    if (!isOutdated(cached.entry.headers, headers)) return
    const current = (await store.get(key))?.entry
    if (isSameResponse(current, cached.entry) && !(await store.set(key, toStale(current, age)))) await store.delete(key)
  }

  return async ({ request, handler, reason, detail, exchange }: ForwardOptions): Promise<Response | undefined> => {
    const response = await handler(request)
    if (!response) return undefined
    const { status, headers } = response
    await invalidate(request, response)
    if (exchange && request.method === 'HEAD' && status === 200) await expire(exchange, headers)
    return withCacheStatus(response, formatStatus({ forward: reason, status, ...(detail !== undefined && { detail }) }))
  }
}

/** Why the handler is asked (RFC 9211, section 2.2). */
export function forwardReason({ cached, vary, purge, directives }: Exchange): ForwardReason {
  if (!cached) return vary ? 'vary-miss' : 'uri-miss'
  if (purge !== 'none') return 'stale'
  return directives.noCache || directives.maxAge !== undefined || directives.minFresh !== undefined
    ? 'request'
    : 'stale'
}

/** A fresh response as a stale one, which can still stand in for a failure. */
function toStale(entry: StoredResponse, age: number): StoredResponse {
  return { ...entry, initialAge: age, lifetime: age, ttl: Math.ceil(entry.ttl - (age - entry.initialAge)) }
}

/** Whether the response to a HEAD describes another page than the stored one (RFC 9111, section 4.3.5). */
function isOutdated(stored: HeaderLines, headers: Headers): boolean {
  return ['etag', 'last-modified', 'content-length'].some((name) => {
    const [known, received] = [findHeader(stored, name), headers.get(name)]
    return known !== undefined && received !== null && known !== received
  })
}
