import type { IncomingHttpHeaders as Fields, ServerResponse } from 'node:http'
import type { ResponseCache } from '../../core/cache/index.js'
import { checkHandler, type Mountable } from '../../core/handler.js'
import { checkFunction, withMethod } from '../../core/options.js'
import type { NodeResponse } from '../node/exchange.js'
import { serve } from '../node/listener.js'
import { enableFastResponses } from '../node/response.js'
import { callApp } from './call-app.js'
import { holdResponse } from './hold-response.js'
import { type ExpressApp, type ExpressRequest, parsedBody } from './request.js'

export type { ExpressRequest } from './request.js'

/**
 * Creates Express middleware from a handler. Requests that the handler does not answer go to the next middleware, and
 * errors go to the app's error handler. A malformed Host or request target gets a 400. Works before and after a body
 * parser. Over HTTP/2 it works in Connect-style apps; Express 4 and 5 themselves run over HTTP/1 only.
 *
 * @example app.use(expressMiddleware(images.handler), expressMiddleware(revalidate))
 */
export function expressMiddleware(handler: Mountable) {
  checkHandler(handler)
  enableFastResponses()
  return (req: ExpressRequest, res: NodeResponse, next: (error?: unknown) => void): Promise<void> =>
    serve(handler, req, res, { pass: next, fail: next }, toOptions)
}

const toOptions = (req: ExpressRequest) => ({ protocol: req.protocol, url: req.originalUrl, body: parsedBody(req) })

// The `req` objects that a cache leaves to the routes after it. The value is `undefined` for the `req` of a visitor,
// and the request that the page is made from for the `req` of a shared page.
const passed = new WeakMap<object, Request | undefined>()

/**
 * Creates Express middleware that caches the routes after it without changes to them, whether they use `res.render`,
 * `res.json`, `res.redirect` or a stream. The `Cache-Control` of a response decides whether it is stored, and for how
 * long.
 *
 * A page that is shared by all visitors is made only from its URL and from the fields and cookies that the cache
 * declares. Its routes therefore get a separate `req` and `res`, without a visitor, and run from the top of the app:
 * middleware above this one runs for the visitor, and once more for the page. Mount it high up: below compression and
 * logging, above sessions, body parsers and rate limits. A request that the cache's `bypass` marks as the visitor's own
 * goes on to the routes unchanged, and its response is sent as `private`.
 *
 * Only the status, the headers and the body of a shared page are captured, and not interim responses (103), trailers,
 * upgrades, or writes to `res.socket`. Declare the fields that routes need: for example `Accept`, by which `res.format`
 * and `res.redirect` vary, or `Last-Event-ID` for server-sent events. Mount apps inside the app with `app.use`, not
 * with a Router's `use`. Works over HTTP/1 only.
 *
 * @throws TypeError when there is no cache.
 * @example
 * app.use(cachedRoutes(createResponseCache({ store: memoryStore({ maxBytes: 64 * 1024 * 1024 }) })))
 * app.get('/', (req, res) => res.set('Cache-Control', 's-maxage=60').render('home'))
 */
export function cachedRoutes(cache: Pick<ResponseCache, 'wrap'>) {
  withMethod('wrap', 'a cache of createResponseCache')('cachedRoutes', cache)
  enableFastResponses()
  return (req: ExpressRequest, res: ServerResponse, next: (error?: unknown) => void): void | Promise<void> => {
    if (passed.has(req)) {
      const page = passed.get(req)?.headers
      // Reads go through the page's headers, so in development the cache can warn about a field that only the visitor
      // sent.
      const get = (fields: Fields, name: string) => (typeof name === 'string' && page?.get(name)) || fields[name]
      if (page) req.headers = new Proxy(req.headers, { get })
      return next()
    }
    passed.set(req, undefined)
    let app = checkFunction('cachedRoutes', req.app, 'a request of Express') as ExpressApp
    while (app.parent) app = app.parent
    // A page belongs to the host that the app itself reads from the request, by its `trust proxy`.
    const host = app.get('trust proxy fn')(req.socket.remoteAddress, 0) ? req.headers['x-forwarded-host'] : undefined
    const url = host ? `${req.protocol}://${String(host).split(',', 1)[0]?.trim()}${req.originalUrl}` : req.originalUrl
    const handle = async (visitors: Request) => {
      let heldResponse: ReturnType<typeof holdResponse> | undefined
      // Each request gets its own handler, which recognizes the visitor's request by identity.
      const response = await cache.wrap((request: Request) => {
        // This page is for all visitors, perhaps after this one has left, so no data of this visitor may be used.
        if (request !== visitors) return callApp(app, request, (page) => passed.set(page, request))
        heldResponse = holdResponse(res)
        next()
        return heldResponse.head
      })(visitors)
      heldResponse?.release(response.headers)
      return heldResponse ? undefined : response
    }
    return serve(handle, req, res, { pass() {}, fail: next }, () => ({ protocol: req.protocol, url, body: null }))
  }
}
