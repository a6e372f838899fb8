import type { IncomingHttpHeaders as Fields, ServerResponse } from 'node:http'
import type { ResponseCache } from '../../core/cache/index.js'
import { checkHandler, type Mountable } from '../../core/handler.js'
import { checkFunction } from '../../core/options.js'
import type { NodeResponse } from '../node/exchange.js'
import { serve } from '../node/listener.js'
import type { ToRequestOptions } from '../node/request.js'
import { enableFastResponses } from '../node/response.js'
import { callApp } from './call-app.js'
import { type HeldResponse, holdResponse } from './hold-response.js'
import { type ExpressApp, type ExpressRequest, parsedBody } from './request.js'

export type { ExpressRequest } from './request.js'

/**
 * Creates Express middleware from a handler. Requests that the handler does not answer go to the next middleware,
 * errors to the app's error handler, but for a malformed Host or request target: that is a 400. Works before and after
 * a body parser. Over HTTP/2 it works in apps in the manner of Connect; Express 4 and 5 themselves run over HTTP/1
 * only.
 *
 * @example app.use(expressMiddleware(images), expressMiddleware(revalidate))
 */
export function expressMiddleware(handler: Mountable) {
  checkHandler(handler)
  enableFastResponses()
  return (req: ExpressRequest, res: NodeResponse, next: (error?: unknown) => void): Promise<void> =>
    serve(handler, req, res, { pass: next, fail: next }, toOptions)
}

function toOptions(req: ExpressRequest): ToRequestOptions {
  return { protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) }
}

// The requests that have passed a cache, and are the routes' from then on: those of visitors, and each `req` of a page with
// the request for all that it is made of.
const passed = new WeakMap<object, Request | undefined>()

/**
 * Creates Express middleware that caches the routes after it as they are, whether they use `res.render`, `res.json`,
 * `res.redirect` or a stream. `Cache-Control` of a response says whether it is stored, and for how long.
 *
 * A page for all is made of its URL and of the declared fields and cookies of the cache. So its routes get a `req` and
 * a `res` of their own, without a visitor, and run from the top of the app: middleware above this one runs for the
 * visitor, and once more for the page. Mount it high up: below compression and logs, above sessions, body parsers
 * and rate limits. A request that is the visitor's own, by `bypass` of the cache, goes on to the routes as it
 * is, and its response leaves as `private`.
 *
 * Of a page for all, status, headers and body are captured, and nothing else: no interim responses (103), trailers,
 * upgrades, or writes to `res.socket`. Where routes need a field, declare it: `Accept`, by which
 * `res.format` and `res.redirect` vary, or `Last-Event-ID` of server-sent events. Apps inside the app must be mounted
 * by its `use`, not by that of a Router. Over HTTP/1 only.
 *
 * @throws TypeError when there is no cache.
 * @example
 * app.use(cachedRoutes(createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })))
 * app.get('/', (req, res) => res.set('Cache-Control', 's-maxage=60').render('home'))
 */
export function cachedRoutes(cache: Pick<ResponseCache, 'wrap'>) {
  checkFunction('cachedRoutes', cache?.wrap, 'a cache of createResponseCache')
  enableFastResponses()
  return (req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void): void | Promise<void> => {
    if (passed.has(req)) {
      const page = passed.get(req)?.headers
      // The cache tells in development of a field that is read of these and that the visitor sent in vain.
      const get = (all: Fields, name: string) => (typeof name === 'string' && page?.get(name)) || all[name]
      if (page) req.headers = new Proxy(req.headers, { get })
      return next()
    }
    passed.set(req, undefined)
    let app = checkFunction('cachedRoutes', req.app, 'a request of Express') as ExpressApp
    while (app.parent) app = app.parent
    // A page is for the host that the app itself believes it is asked for.
    const host = app.get('trust proxy fn')(req.socket.remoteAddress, 0) ? req.headers['x-forwarded-host'] : undefined
    const url = host ? `${req.protocol}://${String(host).split(',', 1)[0]?.trim()}${req.originalUrl}` : req.originalUrl
    const handle = async (visitors: Request) => {
      let held: HeldResponse | undefined
      // A handler for each request, which knows the visitor's own by its identity.
      const response = await cache.wrap((request: Request) => {
        // For all, and perhaps after the visitor has left: nothing of this one's may be used.
        if (request !== visitors) return callApp(app, request, (page) => passed.set(page, request))
        held = holdResponse(res)
        next()
        return held.head
      })(visitors)
      held?.release(response.headers)
      return held ? undefined : response
    }
    return serve(handle, req, res, { pass() {}, fail: next }, () => ({ protocol: req.protocol, url, body: null }))
  }
}
