import { formatValue } from './option-error.js'
import { checkFunction } from './options.js'

/** Answers every request. */
export type Handler = (request: Request) => Promise<Response>

/** Answers the requests of its own route; `undefined` means "not my route", and the server tries the next handler. */
export type RouteHandler = (request: Request) => Promise<Response | undefined>

/**
 * A handler that adapters can mount: either of the two kinds above, or a synchronous handler such as Hono's
 * `app.fetch`.
 */
export type Mountable = (request: Request) => Response | undefined | Promise<Response | undefined>

/**
 * Checks that a handler is a function, when it is mounted or wrapped.
 *
 * @throws TypeError if it is not a function. For a cache, or an object with a handler such as the result of `createImages`, the error
 *   names the part to pass.
 * @returns The handler.
 */
export function checkHandler<Value>(handler: Value): Value {
  const hasHandler = typeof (handler as { handler?: unknown } | null | undefined)?.handler === 'function'
  const isCache = typeof (handler as { wrap?: unknown } | null | undefined)?.wrap === 'function'
  const isApp = typeof (handler as { fetch?: unknown } | null | undefined)?.fetch === 'function'
  const part = hasHandler ? 'it has one: pass .handler' : isApp ? 'an app of Hono: pass app.fetch' : undefined
  const hint = isCache ? 'a cache: pass cache.wrap(handler)' : part
  checkFunction('handler', handler, 'a function that takes a Request', hint)
  // Express middleware, such as `express.static`, would end the process with an error that cannot be caught.
  if ((handler as { length: number }).length >= 3) {
    throw new TypeError(
      `handler: ${fetchHandler}, got one with three parameters, as middleware of Express; mount that as it is: app.use(middleware)`,
    )
  }
  return handler
}

const fetchHandler = 'expected a function from Request to Response'
const advice =
  "write (request) => new Response(html, { headers: { 'Content-Type': 'text/html' } }); routes of Express are cached by cachedRoutes(cache) of sitewright/express"

/**
 * Checks that a handler returned a `Response`, from any realm, or nothing.
 *
 * @throws TypeError otherwise.
 * @returns The response.
 */
export function checkResponse<Result>(response: Result): Result {
  if (response === undefined || response === null) return response
  if (typeof response === 'object' && 'status' in response && 'headers' in response) return response
  throw new TypeError(`handler: ${fetchHandler}, got one that returns ${formatValue(response)}; ${advice}`)
}

// Messages of the first error that a handler for Hono or Express throws when it gets a `Request`.
const frameworkFailure =
  /^\w+\.(?:html|render|redirect|notFound|header|status|body|get|next) is not a function|^next is not a function|^Cannot read properties of undefined \(reading '(?:param|send|sendFile|render|set|status|json|type|cookie|redirect|header|method|user)'\)/

/**
 * Explains the error of a handler that was written for Hono or Express, not for a `Request`. Returns any other error
 * unchanged.
 */
export function explainError(error: unknown): unknown {
  if (!(error instanceof TypeError) || !frameworkFailure.test(error.message)) return error
  const got = `one for a context of Hono or a response of Express, by its error "${error.message}"`
  const honoAdvice =
    'of Hono, wrap an app of its routes as it is: cache.wrap(new Hono().get(path, (c) => c.html(html)).fetch)'
  return new TypeError(`handler: ${fetchHandler}, got ${got}; ${advice}; ${honoAdvice}`, { cause: error })
}

/**
 * Wraps a handler of this package, so that it throws for any object other than a `Request`. It gets such an object when
 * it is mounted without an adapter. Only `url`, which is a path in a Node request, is read, because some servers create
 * headers only when they are read.
 */
export function expectRequest<Given extends (request: Request) => unknown>(handler: Given): Given {
  return ((request: Request) => {
    const url: unknown = request?.url
    if (typeof url === 'string' && !url.startsWith('/')) return handler(request)
    // Thrown, not rejected: Express 4 ignores promises.
    throw new TypeError(`handler: expected a Request, got ${describe(request)}`)
  }) as Given
}

function describe(given: unknown): string {
  if (typeof given !== 'object' || given === null) return formatValue(given)
  if ('rawHeaders' in given)
    return 'a request of Node; mount it with expressMiddleware(handler) or nodeListener(handler)'
  if ('req' in given) return 'a context of Hono; mount it with honoMiddleware(handler)'
  return 'another object; mount it with expressMiddleware(handler), honoMiddleware(handler) or nextRoute(handler)'
}

/**
 * Calls a handler, for servers that report every handler error. An error after the client has disconnected is not a failure: it becomes
 * an empty 499, the status that nginx uses for this.
 *
 * @throws the handler's error while the client is still connected.
 */
export async function handleWhileConnected(handler: Mountable, request: Request): Promise<Response | undefined> {
  try {
    return checkResponse(await handler(request))
  } catch (error) {
    if (!request.signal?.aborted) throw explainError(error)
    return new Response(null, { status: 499 })
  }
}

const parsedBodies = new WeakSet<object>()

/** Marks a body that an adapter has serialized from a body parser's result, because it differs from the body that was sent. */
export function noteParsedBody<Body extends object>(body: Body): Body {
  parsedBodies.add(body)
  return body
}

/** Whether a parser or other middleware has already read a request's body, so its bytes are gone. Call it before reading the body. */
export function wasBodyRead({ body, bodyUsed }: Pick<Request, 'body' | 'bodyUsed'>): boolean {
  return bodyUsed === true || (typeof body === 'object' && body !== null && parsedBodies.has(body))
}
