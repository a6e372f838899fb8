import { isDevelopment } from '../../development.js'
import { checkHandler, expectRequest, type Handler, type RouteHandler } from '../../handler.js'
import { withHeaders } from '../../http/headers.js'
import { parseRequestDirectives } from '../../http/request-directives.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import { optionError } from '../../option-error.js'
import { checkTags } from '../../tag-names.js'
import type { ResponseCacheOptions } from '../options.js'
import { resolveOptions } from '../resolve-options.js'
import { addResponseTags } from '../tags/response-tags.js'
import { seenTagsOf } from '../tags/seen-tags.js'
import type { PurgeMode } from '../tags/tag-index.js'
import { createCacheContext, createExchange } from './context.js'
import { createForward } from './forward.js'
import { statedFragment, statedHosts } from './keys/stated-url.js'
import { paceHandler } from './renders/pace-handler.js'
import { createServe } from './serve.js'

/** A shared HTTP cache inside the server. */
export interface ResponseCache {
  /**
   * Wraps a handler: requests are answered from the cache where possible, and by the handler otherwise. An app of Hono is wrapped by
   * its `fetch`.
   */
  wrap(handler: (request: Request) => Response | Promise<Response>): Handler
  wrap(handler: RouteHandler): RouteHandler
  /**
   * Purges every response that has one of the tags. Once it resolves, no request that begins later is answered with a
   * response rendered before (`hard`), or only while the new one renders (`soft`). Rejects when that is uncertain.
   *
   * @param options.mode Default `'hard'`.
   * @example await cache.invalidate(['document'], { mode: 'soft' })
   */
  invalidate(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

// Longer URLs are not cached: they would fill the memory with keys.
const maxUrlLength = 8192

/**
 * Creates a response cache: a shared cache by RFC 9111 (with RFC 5861, 9211 and 9213) around any handler. A response's
 * `Cache-Control` says whether and for how long it may be stored, its `Cache-Tag` what it is purged by. Stored responses
 * also answer HEAD, conditional requests and single ranges; ranges of what is not stored are left to the handler.
 *
 * @throws TypeError that names the invalid option.
 * @example
 * const cache = createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })
 * const handler = cache.wrap(renderPage)
 * await cache.invalidate(['document'])
 */
export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const settings = resolveOptions(options)
  const context = createCacheContext(settings)
  const serve = createServe(context)
  const forward = createForward(context)
  const seenTags = seenTagsOf(settings.tagIndex)

  const isBypassed = (request: Request): boolean => {
    const answer: unknown = settings.bypass?.(request)
    // A promise is truthy: every request would pass the cache by.
    if (answer instanceof Promise) throw optionError('bypass', 'a function that returns true or false', answer)
    return Boolean(answer)
  }

  const isOfSite = (url: string, fragment: string, headers: Headers): boolean =>
    settings.isSiteHost(url) &&
    (fragment === '' || statedHosts(headers).every((host) => settings.isSiteHost(`https://${host}`)))

  const handle = (request: Request, handler: RouteHandler): MaybePromise<Response | undefined> => {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return forward({ request, handler, reason: 'method' })
    if (isBypassed(request)) {
      return forward({ request, handler, reason: 'bypass' }).then((response) => response && withoutStorage(response))
    }
    const directives = parseRequestDirectives(headers, settings.honorRequestCacheControl)
    if (directives.noStore) return forward({ request, handler, reason: 'request' })
    const fragment = statedFragment(headers)
    const url = context.urlKey(request.url) + fragment
    if (!isOfSite(url, fragment, headers))
      return forward({ request, handler, reason: 'bypass', detail: 'unknown-host' })
    if (url.length > maxUrlLength) return forward({ request, handler, reason: 'bypass' })
    return serve(createExchange(request, handler, directives, url))
  }

  const settle =
    isDevelopment() || !settings.exposeTags
      ? (response: Response | undefined) => {
          seenTags.note(response)
          return settings.exposeTags ? response : hideTags(response)
        }
      : undefined

  return {
    wrap: ((handler: RouteHandler): RouteHandler => {
      const tagged = addResponseTags(checkHandler(handler), settings.tagsOf)
      return expectRequest((request) => {
        try {
          const response = handle(request, paceHandler(tagged, request))
          return Promise.resolve(settle ? chain(response, settle) : response)
        } catch (error) {
          return Promise.reject(error)
        }
      })
    }) as ResponseCache['wrap'],
    async invalidate(tags, { mode = 'hard' } = {}) {
      if (mode !== 'hard' && mode !== 'soft') throw optionError('mode', "'hard' or 'soft'", mode)
      const checked = checkTags(tags)
      seenTags.warnOfUnknown(checked)
      await settings.tagIndex.purge(checked, mode)
    },
  }
}

/** Keeps a response out of every shared cache, whichever field it obeys (RFC 9213) or is purged by. */
function withoutStorage(response: Response): Response {
  return withHeaders(response, (headers) => {
    const targeted = [...headers.keys()].filter((name) => name.endsWith('cdn-cache-control'))
    for (const name of [...targeted, 'surrogate-control', 'expires', 'cache-tag']) headers.delete(name)
    headers.set('cache-control', 'private, no-store')
  })
}

function hideTags(response: Response | undefined): Response | undefined {
  if (response?.headers.has('cache-tag')) response.headers.delete('cache-tag')
  return response
}
