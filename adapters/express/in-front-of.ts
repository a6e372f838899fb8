import type { ServerResponse } from 'node:http'
import type { ResponseCache } from '../../core/cache/index.js'
import type { Passage } from '../../core/cache/internal.js'
import { checkFunction, withMethod } from '../../core/options.js'
import { isClosed, isHttp2, type NodeResponse } from '../node/exchange.js'
import { serve } from '../node/listener.js'
import type { ToRequestOptions } from '../node/request.js'
import { enableFastResponses, sendText } from '../node/response.js'
import { createAppCaller } from './call-app.js'
import { createHeadFields, type GivenHeaders } from './head-fields.js'
import type { ExpressRequest } from './request.js'

type Next = (error?: unknown) => void
/** An app of Express or Connect, or another listener of Node's `http` server. */
type App = (req: never, res: never, next?: never) => unknown
type Listener = (req: ExpressRequest, res: ServerResponse, next?: Next) => unknown

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
  const callApp = createAppCaller(listener)
  const passed = new WeakSet<object>()
  return (req: ExpressRequest, res: NodeResponse, next?: Next): Promise<void> => {
    const fail = next ?? ((error: unknown) => answerError(res, error))
    const passOn = (passage?: Passage): undefined => {
      if (isHttp2(res)) throw new TypeError('inFrontOf: expected a request over HTTP/1, got one over HTTP/2')
      if (passed.has(req)) throw new TypeError(withinItself)
      passed.add(req)
      if (passage) watchAnswer(res, passage)
      callListener(listener, req, res, next)
    }
    // Each request has its own functions, because the app gets Node's objects of this request.
    const handle = cache.inFrontOf(
      (shared) => callApp(shared, req),
      (_own, passage) => passOn(passage),
    )
    const toOptions = () => toUrl(req, (app as { settings?: Settings }).settings?.['trust proxy fn'])
    return serve(handle, req, res, { pass() {}, fail, refuse: passOn }, toOptions)
  }
}

const withinItself =
  'inFrontOf: expected an app beside it, got one that contains it; write createServer(inFrontOf(cache, app)), or app for an outer app: server.use(inFrontOf(cache, app))'

function answerError(res: NodeResponse, error: unknown): void {
  console.error(error)
  if (!res.headersSent && !isClosed(res)) sendText(res, 500, 'Internal server error')
}

interface Settings {
  'trust proxy fn'?: (address: string | undefined, hop: number) => boolean
}

/** Returns the URL that the visitor has requested: behind a proxy that the app trusts, the URL that the proxy states. */
function toUrl({ headers, originalUrl, url = '/', socket }: ExpressRequest, trusts?: Settings['trust proxy fn']) {
  const isTrusted = trusts?.(socket.remoteAddress, 0)
  const stated = (name: string) =>
    (isTrusted &&
      String(headers[name] ?? '')
        .split(',', 1)[0]
        ?.trim()) ||
    undefined
  const host = stated('x-forwarded-host')
  const protocol = stated('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http')
  const target = originalUrl ?? url
  return { protocol, url: host ? `${protocol}://${host}${target}` : target, body: null } satisfies ToRequestOptions
}

/** Calls an app. If the app passes the request on to an outer app, that app gets its own prototypes back. */
function callListener(listener: Listener, req: ExpressRequest, res: ServerResponse, next?: Next): void {
  const [request, response] = [Object.getPrototypeOf(req), Object.getPrototypeOf(res)]
  const passOn = (error?: unknown) => {
    Object.setPrototypeOf(req, request)
    Object.setPrototypeOf(res, response)
    next?.(error)
  }
  if (next) listener(req, res, passOn)
  else listener(req, res)
}

/** Lets the cache change the head of an answer just before it is written, and delay the end of an answer. */
function watchAnswer(res: ServerResponse, passage: Passage): void {
  const { writeHead, end } = res
  let { fields } = createHeadFields(res)
  let [isWritten, isEnding] = [false, false]
  res.writeHead = ((status: number, ...rest: unknown[]) => {
    const given = rest.at(-1)
    const isGiven = typeof given === 'object' && given !== null
    const head = createHeadFields(res, isGiven ? (given as GivenHeaders) : {})
    fields = head.fields
    if (!isWritten) passage.changeHead(status, fields)
    isWritten = true
    return Reflect.apply(writeHead, res, [status, ...(isGiven ? [...rest.slice(0, -1), head.toGiven()] : rest)])
  }) as typeof writeHead
  res.end = ((...rest: unknown[]) => {
    if (isEnding) return res
    const purged = passage.beforeEnd(res.statusCode, fields)
    if (!purged) return Reflect.apply(end, res, rest)
    isEnding = true
    void purged.then(() => Reflect.apply(end, res, rest))
    return res
  }) as typeof end
}
