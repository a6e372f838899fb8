import type { RouteHandler } from '../handler.js'
import type { ForwardReason } from '../http/cache-status.js'
import { withHeaders } from '../http/headers.js'
import { describeError } from '../log.js'
import { pathTag } from '../tags.js'
import { withTimeout } from '../timeout.js'
import type { CacheContext } from './context.js'
import type { Narrowed } from './key.js'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
// Directives for shared caches. They are removed, because no shared cache may store the response.
const sharedDirectives = /^(?:public|private|s-maxage|proxy-revalidate|stale-while-revalidate|stale-if-error)(?:=|$)/i
const sharedFields = /^(?:.*-cache-control|surrogate-(?:control|key)|edge-control|x-accel-expires|(?:.*-)?cache-tag)$/
// A directive. A quoted value may contain commas.
const memberPattern = /(?:"(?:\\.|[^"\\])*"|[^",])+/g

/**
 * Creates the function that passes a visitor's own request to the handler unchanged, and makes the response `private`.
 */
export function createPass(context: CacheContext) {
  const { settings, store, tagIndex, knownUrls, narrow, log } = context

  /** Purges the path of a page. A URL without a page, such as a made-up URL or the URL of an API, causes no purge. */
  const purge = async ({ url, key }: Narrowed) => {
    if (!knownUrls.has(url) && !(await store.get(key))) return
    void store.delete(key)
    await tagIndex.purge([pathTag(new URL(url).pathname)], 'hard')
  }
  /**
   * Purges the pages that an unsafe request may have changed: those of its URL, and of the URLs in its response (RFC
   * 9111, section 4.4).
   */
  const invalidate = async ({ url, headers }: Request, response: Response) => {
    const headerUrls = ['location', 'content-location'].flatMap((name) => response.headers.get(name) ?? [])
    const urls = [url, ...headerUrls.filter((href) => URL.canParse(href, url))].map((href) => new URL(href, url))
    const sameOrigin = urls.filter(({ origin }) => origin === new URL(url).origin)
    await Promise.all(sameOrigin.map(({ href }) => purge(narrow({ url: href, headers }))))
  }

  const onError = (error: unknown) =>
    log('Response cache: purge by an unsafe method failed', { reason: describeError(error) })

  return async (request: Request, handler: RouteHandler, forward: ForwardReason, detail?: string) => {
    const response = await handler(request)
    if (!response) return undefined
    if (!safeMethods.has(request.method) && response.status >= 200 && response.status < 400) {
      await withTimeout(settings.storeTimeout, invalidate(request, response)).catch(onError)
    }
    const cacheStatus = settings.formatStatus({ forward, status: response.status, detail })
    return withHeaders(response, (headers) => {
      headers.append('cache-status', cacheStatus)
      makePrivate(headers)
    })
  }
}

/**
 * Keeps a response out of every shared cache. Removes all fields that control (RFC 9213) or purge such a cache.
 */
function makePrivate(headers: Headers): void {
  for (const name of [...headers.keys()]) if (sharedFields.test(name)) headers.delete(name)
  const members = (headers.get('cache-control')?.match(memberPattern) ?? []).map((member) => member.trim())
  if (members.some((member) => /^(?:private|no-store)$/i.test(member))) return
  const kept = members.filter((member) => member && !sharedDirectives.test(member))
  headers.set('cache-control', ['private', ...kept].join(', '))
}
