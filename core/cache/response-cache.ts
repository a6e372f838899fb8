import type { MaybePromise } from '../async.js'
import { channels, observeWork } from '../diagnostics.js'
import { checkHandler, expectRequest, type Handler, type RouteHandler } from '../handler.js'
import { parseRequestDirectives } from '../http/cache-control.js'
import { checkKnownOptions, oneOf } from '../options.js'
import { checkTags, splitTags } from '../tags.js'
import { createBypass } from './bypass.js'
import { createCacheContext } from './context.js'
import { createInspect, type PageState } from './inspect.js'
import { endOf } from './lifetime-limit.js'
import { createLookup } from './lookup.js'
import type { ResponseCacheOptions } from './options.js'
import { type PassOn, passOnTo, withoutConnection } from './own-request.js'
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
   * Puts the cache in front of an app that was not written for a cache, with sessions, forms and pages of all kinds. A
   * stored page is rendered from the request for all: the URL and the declared fields and cookies. Every other answer
   * is the app's answer to the visitor's own request, unchanged but for `Cache-Status` and, where a CDN would store it,
   * `private`. The first answer that may be stored makes a page known, and the next request has it rendered for all.
   *
   * Further arguments go to the app, such as the `env` and the context of Hono's `fetch`. When a page is rendered for
   * all, they name no visitor's connection. For Express and other listeners of Node, see `inFrontOf` of
   * `sitewright/express`.
   *
   * @param passOn For adapters: hands a visitor's own request to the app. Default: the app is called with the request.
   * @example serve({ fetch: cache.inFrontOf(app.fetch) })
   */
  inFrontOf<Rest extends unknown[]>(
    app: (request: Request, ...rest: Rest) => MaybePromise<Response>,
    passOn?: PassOn,
  ): (request: Request, ...rest: Rest) => Promise<Response>
  /**
   * Purges every response that has one of the tags. After the promise has resolved, a response from before the purge
   * answers no new request (`hard`), or only requests that arrive before the new response is rendered (`soft`). Rejects
   * if it is uncertain whether the purge has succeeded.
   *
   * @param options.mode Default `'hard'`, unlike the purges of CDNs (`purgeEverywhere`), which are soft by default.
   * @example await cache.invalidate(['document'], { mode: 'soft' })
   */
  invalidate(tags: readonly string[], options?: { mode?: PurgeMode | undefined }): Promise<void>
  /**
   * Tells the state of a page in the cache, for the visitor without cookies and declared fields. Renders nothing.
   *
   * @param url The absolute URL, with the host that visitors use.
   * @example (await cache.inspect('https://www.example.com/articles/boats')).state // 'fresh'
   */
  inspect(url: string): Promise<PageState>
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
  const pass = createPass(context)
  const lookUp = createLookup(context)
  const serve = createServe(context, lookUp, pass)
  const bypassReason = createBypass(settings)

  const handle = (request: Request, handler: RouteHandler, passOn?: PassOn): MaybePromise<Response | undefined> => {
    const target = { handler, passOn }
    if (request.method !== 'GET' && request.method !== 'HEAD') return pass(request, target, { forward: 'method' })
    const reason = bypassReason(request)
    if (reason !== undefined) return pass(request, target, { forward: 'bypass', detail: reason })
    const { url, pairs, key } = context.narrow(request)
    context.fieldWarning?.check(request, pairs)
    return serve({
      url, // a spread would double the time of a hit
      pairs,
      key,
      request,
      handler,
      passOn,
      directives: parseRequestDirectives(request.headers, settings.honorRequestCacheControl),
      deadline: performance.now() + settings.lookupTime + 1, // later than an operation's timeout, which notes it as slow
      stamp: undefined,
      cached: undefined,
      age: 0,
      purge: 'none',
    })
  }

  const answer = async (request: Request, handler: RouteHandler, passOn?: PassOn): Promise<Response | undefined> => {
    const response = await handle(request, handler, passOn)
    // If this page is a part of another page that is rendering, that page gets its tags, too, and ends no later.
    if (response && settings.content?.tags()) {
      settings.content.add(splitTags(response.headers.get('cache-tag')))
      settings.content.until(endOf(response.headers))
    }
    if (response && channels.cache?.hasSubscribers) {
      channels.cache.publish({ request, cacheStatus: response.headers.get('cache-status') ?? '' })
    }
    if (!settings.exposeTags && response?.headers.has('cache-tag')) response.headers.delete('cache-tag')
    return response
  }

  return {
    inspect: createInspect(context, lookUp),
    wrap: ((handler: RouteHandler): RouteHandler => {
      checkHandler(handler)
      return expectRequest((request) => answer(request, handler))
    }) as ResponseCache['wrap'],
    inFrontOf: ((app: (request: Request, ...rest: unknown[]) => Promise<Response>, passOn?: PassOn) => {
      checkHandler(app)
      return expectRequest((request, ...rest) => {
        const render = (shared: Request) => app(shared, ...withoutConnection(rest, shared))
        return answer(request, render, passOn ?? passOnTo((own) => app(own, ...rest)))
      })
    }) as ResponseCache['inFrontOf'],
    async invalidate(tags, options = {}) {
      const { mode = 'hard' } = checkKnownOptions(options, purgeChecks, "invalidate(['document'], { mode: 'soft' })")
      const checked = checkTags(tags)
      if (settings.watchesPurges) notePurge(context, checked)
      const purge = async () => settings.tagIndex.purge(checked, mode)
      await observeWork(channels.purge, { target: settings.name, tags: checked }, purge)
    },
  }
}
