import type { MaybePromise } from '../async.js'
import { checkHandler, expectRequest, type Handler, type RouteHandler } from '../handler.js'
import { parseRequestDirectives } from '../http/cache-control.js'
import { checkKnownOptions, oneOf } from '../options.js'
import { checkTags, splitTags } from '../tags.js'
import { createBypass } from './bypass.js'
import { createCacheContext } from './context.js'
import type { ResponseCacheOptions } from './options.js'
import { createPass } from './pass.js'
import { resolveOptions } from './resolve-options.js'
import { notePurge } from './separate-caches.js'
import { createServe } from './serve.js'
import type { PurgeMode } from './tags/tag-index.js'

const purgeChecks = { mode: oneOf('hard', 'soft') }

/** A shared HTTP cache inside the server. */
export interface ResponseCache {
  /**
   * Wraps a handler: requests are answered from the cache where possible, and by the handler otherwise. To wrap a Hono
   * app, pass its `fetch`.
   */
  wrap(handler: (request: Request) => Response | Promise<Response>): Handler
  wrap(handler: RouteHandler): RouteHandler
  /**
   * Purges every response that has one of the tags. After the promise has resolved, a response from before the purge
   * answers no new request (`hard`), or only requests that arrive before the new response is rendered (`soft`). Rejects
   * if it is uncertain whether the purge has succeeded.
   *
   * @param options.mode Default `'hard'`, unlike the purges of CDNs (`purgeEverywhere`), which are soft by default.
   * @example await cache.invalidate(['document'], { mode: 'soft' })
   */
  invalidate(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
}

/**
 * Creates a response cache: a shared cache by RFC 9111 (with RFC 5861, 9211 and 9213) around any handler. A response's
 * `Cache-Control` says whether and for how long it may be stored, and its `Cache-Tag` names the tags that purge it. The
 * handler receives only the URL and the declared fields and cookies of a request. A request with other cookies, or with
 * `Authorization`, is the visitor's own: the handler receives it whole, and the response is for this visitor only.
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
  const pass = createPass(context)
  const bypassReason = createBypass(settings)

  const handle = (request: Request, handler: RouteHandler): MaybePromise<Response | undefined> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return pass(request, handler, 'method')
    const reason = bypassReason(request)
    if (reason !== undefined) return pass(request, handler, 'bypass', reason)
    const { url, pairs, key } = context.narrow(request)
    context.fieldWarning?.check(request, pairs)
    return serve({
      url, // a spread would double the time of a hit
      pairs,
      key,
      request,
      handler,
      directives: parseRequestDirectives(request.headers, settings.honorRequestCacheControl),
      deadline: performance.now() + settings.lookupTime + 1, // later than an operation's timeout, which notes it as slow
      stamp: undefined,
      cached: undefined,
      age: 0,
      purge: 'none',
    })
  }

  return {
    wrap: ((handler: RouteHandler): RouteHandler => {
      checkHandler(handler)
      return expectRequest(async (request) => {
        const response = await handle(request, handler)
        // If this page is a part of another page that is rendering, that page gets its tags, too.
        if (settings.content?.tags()) settings.content.add(splitTags(response?.headers.get('cache-tag') ?? null))
        if (!settings.exposeTags && response?.headers.has('cache-tag')) response.headers.delete('cache-tag')
        return response
      })
    }) as ResponseCache['wrap'],
    async invalidate(tags, options = {}) {
      const { mode = 'hard' } = checkKnownOptions(options, purgeChecks, "invalidate(['document'], { mode: 'soft' })")
      const checked = checkTags(tags)
      if (settings.watchesPurges) notePurge(context, checked)
      await settings.tagIndex.purge(checked, mode)
    },
  }
}
