import type { ServerResponse } from 'node:http'
import type { HeadFields, Passage, ResponseCache } from '../../core/cache/index.js'
import { channels } from '../../core/diagnostics.js'
import { checkFunction, withMethod } from '../../core/options.js'
import { isHttp2, type NodeResponse } from '../node/exchange.js'
import { answerError, serve } from '../node/listener.js'
import { enableFastResponses } from '../node/response.js'
import { callApp, type Listener, type Next } from './call-app.js'
import { createHeadFields } from './head-fields.js'
import { type ExpressRequest, requestedUrl } from './request.js'

/** An app of Express or Connect, or another listener of Node's `http` server. */
type App = (req: never, res: never, next?: never) => unknown

const overHttp2 = 'inFrontOf: expected a request over HTTP/1, got one over HTTP/2; write cache.wrap(handler)'
const withinItself =
  'inFrontOf: expected an app beside it, got one that contains it; write createServer(inFrontOf(cache, app)), or server.use(inFrontOf(cache, app)) with an outer app'

/**
 * Puts a cache in front of an app, which is not changed. A stored page is rendered from the request for all: the URL
 * and the fields and cookies that the cache declares. Every other answer is the app's answer to the visitor's own `req`
 * and `res`, unchanged but for `Cache-Status` and, where a CDN would store it, `private`. The `Cache-Control` of an
 * answer says whether its page is for all, and for how long: the first such answer makes the page known, and the next
 * request has it rendered and stored.
 *
 * Compression, logging, rate limits and static files belong in front of the cache, because middleware of the app does
 * not see hits. Works over HTTP/1 only. Of a page for all, the status, the headers and the body are stored, and no
 * interim responses (103) or trailers.
 *
 * @returns A listener for `createServer`, and middleware for the Express app that stands in front.
 * @throws TypeError when there is no cache or no app.
 * @example createServer(inFrontOf(cache, app)).listen(3000)
 * @example server.use(compression(), inFrontOf(cache, app))
 */
export function inFrontOf(cache: Pick<ResponseCache, 'inFrontOf'>, app: App) {
  withMethod('inFrontOf', 'a cache of createResponseCache')('inFrontOf', cache)
  const listener = checkFunction('inFrontOf', app, 'an app, such as express()') as Listener
  enableFastResponses()
  const passed = new WeakSet<object>()
  return async (req: ExpressRequest, res: NodeResponse, next?: Next): Promise<void> => {
    const fail = next ?? ((error: unknown) => answerError(res, error))
    if (isHttp2(res)) return void fail(new TypeError(overHttp2))
    const passOn = (passage: Passage): undefined => {
      if (passed.has(req)) throw new TypeError(withinItself)
      passed.add(req)
      watchAnswer(res, passage)
      const prototypes = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)]
      const passBack: Next = (error) => {
        passed.delete(req)
        // Express gives the objects of each app prototypes of their own.
        for (const [index, object] of [req, res].entries()) Object.setPrototypeOf(object, prototypes[index])
        next?.(error)
      }
      listener(req, res, next && passBack)
    }
    // Each request has its own functions, because the app gets Node's objects of this request.
    const render = (shared: Request) => callApp(next ? endPassedOn(listener) : listener, shared, req)
    const handle = cache.inFrontOf(render, (_own, passage) => passOn(passage))
    // The app answers a malformed request as it likes. No page is for it, as for OPTIONS, so the answer becomes private.
    const refuse = () => handle(new Request('http://localhost', { method: 'OPTIONS' })).catch(fail)
    await serve(handle, req, res, { pass() {}, fail, refuse }, () => requestedUrl(req, app))
  }
}

/** Keeps what an app passes on from being stored, because it is a page of the outer app, or an error for that app. */
function endPassedOn(listener: Listener): Listener {
  return (req, res) =>
    listener(req, res, (error) => {
      if (res.headersSent) res.destroy()
      else res.writeHead(error ? 500 : 404, { 'Cache-Control': 'no-store' }).end()
    })
}

/** Lets the cache change the head of an answer just before it is written, and delay the end of an answer. */
function watchAnswer(res: ServerResponse, passage: Passage): void {
  const { writeHead, end } = res
  const { beforeEnd } = passage
  let fields: HeadFields | undefined
  let isEnding = false
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    const given = typeof rest.at(-1) === 'object' ? rest.pop() : undefined
    const head = createHeadFields(res, given ?? {})
    if (!fields) passage.changeHead(status, head.fields)
    if (!fields) channels.cache?.publish({ request: res.req, cacheStatus: head.fields.get('cache-status') ?? '' })
    fields = head.fields
    return Reflect.apply(writeHead, res, [status, ...rest, ...(given ? [head.toGiven()] : [])])
  }) as typeof writeHead
  if (!beforeEnd) return
  res.end = ((...rest: unknown[]) => {
    if (isEnding) return res
    const purged = beforeEnd(res.statusCode, fields ?? createHeadFields(res).fields)
    if (!purged) return Reflect.apply(end, res, rest)
    fixHead(res, rest)
    isEnding = true
    void purged.then(() => Reflect.apply(end, res, rest))
    return res
  }) as typeof end
}

/**
 * Fixes the head as `end` would, because the app may no longer change it. Node sends the head with the body. The length
 * is given in the way that `end` gives it, so that the fields keep their order.
 */
function fixHead(res: ServerResponse, [chunk, encoding]: unknown[]): void {
  if (res.headersSent) return
  const isBody = typeof chunk === 'string' || chunk instanceof Uint8Array
  Object.assign(res, { _contentLength: isBody ? Buffer.byteLength(chunk, encoding as BufferEncoding) : 0 })
  res.writeHead(res.statusCode)
}
