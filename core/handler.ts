import { formatValue } from './option-error.js'
import { checkFunction } from './options.js'

/** Answers every request. */
export type Handler = (request: Request) => Promise<Response>

/** Answers the requests of its own route; `undefined` means "not my route", and the server tries the next handler. */
export type RouteHandler = (request: Request) => Promise<Response | undefined>

/**
 * A handler that adapters can mount: a {@link Handler}, a {@link RouteHandler}, or a synchronous handler such as
 * Hono's `app.fetch`.
 */
export type Mountable = (request: Request) => Response | undefined | Promise<Response | undefined>

/**
 * Checks that a handler is a function, when it is mounted or wrapped.
 *
 * @throws TypeError if it is not a function. For a cache, or an object with a handler such as the result of
 *   `createImages`, the error names the part to pass.
 * @returns The handler.
 */
export function checkHandler<Value>(handler: Value): Value {
  const hasHandler = typeof (handler as { handler?: unknown } | null | undefined)?.handler === 'function'
  const isCache = typeof (handler as { wrap?: unknown } | null | undefined)?.wrap === 'function'
  const isApp = typeof (handler as { fetch?: unknown } | null | undefined)?.fetch === 'function'
  const part = hasHandler ? 'it has one: pass .handler' : isApp ? 'an app: pass app.fetch' : undefined
  const hint = isCache ? 'a cache: pass cache.wrap(handler)' : part
  checkFunction('handler', handler, 'a function that takes a Request', hint)
  // Middleware such as `express.static` would end the process with an error that cannot be caught.
  if ((handler as { length: number }).length >= 3) {
    throw new TypeError(
      `handler: ${expectedHandler}, got one with three parameters, as middleware has; mount that as it is: app.use(middleware)`,
    )
  }
  return handler
}

const expectedHandler = 'expected a function from Request to Response'
const advice = "write (request) => new Response(html, { headers: { 'Content-Type': 'text/html' } })"

/**
 * Checks that a handler returned a `Response`, from any realm, or nothing.
 *
 * @throws TypeError otherwise.
 * @returns The response.
 */
export function checkResponse<Result>(response: Result): Result {
  if (response === undefined || response === null) return response
  if (typeof response === 'object' && 'status' in response && 'headers' in response) return response
  throw new TypeError(`handler: ${expectedHandler}, got one that returns ${formatValue(response)}; ${advice}`)
}

/**
 * Says how to mount a handler, for error messages. The adapter in the text is an example; docs/start has a page for
 * each server.
 */
export const whereToMount =
  'mount it with the adapter of your server, such as expressMiddleware(handler): docs/start has each server'

/**
 * Wraps a handler of this package, so that it throws for any object other than a `Request`. A
 * handler that is mounted without an adapter gets such an object. Only `url`, which is a path in a Node request, is
 * read, because some servers create headers only when they are read.
 */
export function expectRequest<AnyHandler extends (request: Request, ...rest: unknown[]) => unknown>(
  handler: AnyHandler,
): AnyHandler {
  return ((request: Request, ...rest: unknown[]) => {
    const url: unknown = request?.url
    if (typeof url === 'string' && !url.startsWith('/')) return handler(request, ...rest)
    // The error is thrown and not rejected, because Express 4 ignores promises.
    throw new TypeError(`handler: expected a Request, got ${formatValue(request)}; ${whereToMount}`)
  }) as AnyHandler
}

/**
 * Calls a handler, for servers that report every handler error. An error after the client has disconnected is not a
 * failure: it becomes an empty 499, the status that nginx uses for this.
 *
 * @throws the handler's error while the client is still connected.
 */
export async function handleWhileConnected(handler: Mountable, request: Request): Promise<Response | undefined> {
  try {
    return checkResponse(await handler(request))
  } catch (error) {
    if (!request.signal?.aborted) throw error
    return new Response(null, { status: 499 })
  }
}

const parsedBodies = new WeakSet<object>()

/**
 * Marks a body that an adapter has serialized from the result of a body parser, because it differs from the sent body.
 */
export function noteParsedBody<Body extends object>(body: Body): Body {
  parsedBodies.add(body)
  return body
}

/**
 * Whether a parser or other middleware has already read a request's body, so its bytes are gone. Call it before reading
 * the body.
 */
export function wasBodyRead({ body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>): boolean {
  return bodyUsed === true || (typeof body === 'object' && body !== null && parsedBodies.has(body))
}
