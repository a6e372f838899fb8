import type { MaybePromise } from '../async.js'
import type { RouteHandler } from '../handler.js'
import { withHeaders } from '../http/headers.js'

/** The header fields of an answer. `Headers` implements this interface. */
export type HeadFields = Pick<Headers, 'delete' | 'get' | 'has' | 'set'> & { keys(): Iterable<string> }

/** What the cache does with the answer to a visitor's own request. */
export interface Passage {
  /** Call it with the head of the answer before the head is sent. Changes `Cache-Status` and, where needed, others. */
  changeHead(status: number, headers: HeadFields): void
  /**
   * Call it before the end of the answer is sent. Returns a promise if the end has to wait: after an unsafe method,
   * until the pages that it may have changed are purged. The promise never rejects.
   */
  beforeEnd(status: number, headers: Pick<Headers, 'get'>): Promise<void> | undefined
}

/**
 * Hands a visitor's own request to an app. Returns the app's answer, or `undefined` if the app answers by itself, as
 * Node's `res` does.
 */
export type PassOn = (request: Request, passage: Passage) => MaybePromise<Response | undefined>

/** Returns the function that hands requests to a web handler. */
export function passOnTo(handler: RouteHandler): PassOn {
  return async (request, passage) => {
    const response = await handler(request)
    if (!response) return undefined
    await passage.beforeEnd(response.status, response.headers)
    return withHeaders(response, (headers) => passage.changeHead(response.status, headers))
  }
}

/**
 * Returns an address of no visitor (RFC 3849), different for each render. A rate limit inside an app would count all
 * renders as one visitor's, and refuse them, if they had the same address.
 */
export function createAddress(): string {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint16Array(2))
  return `2001:db8:${first.toString(16)}:${second.toString(16)}::1`
}

// What Hono's adapters for AWS Lambda, Netlify and Cloudflare Pages add to `env`: each has the visitor's request.
const ofFunctions = ['context', 'event', 'eventContext', 'requestContext']

/**
 * Replaces what servers say about a visitor in the arguments of an app's `fetch`: the `env` of `@hono/node-server`,
 * which has Node's `req` and `res`, the `env` of functions, and the `info` of `Deno.serve`. The rest stays, such as the
 * bindings of a Worker.
 *
 * @param shared The request that a page for all is rendered from.
 */
export function withoutConnection<Rest extends unknown[]>(rest: Rest, { headers }: Request): Rest {
  const [env, ...others] = rest
  if (typeof env !== 'object' || env === null) return rest
  const address = headers.get('x-forwarded-for')
  const socket = { remoteAddress: address, remoteFamily: 'IPv6', remotePort: 0 }
  if ('incoming' in env) return [{ ...env, incoming: { socket }, outgoing: undefined }, ...others] as Rest
  if (ofFunctions.some((name) => name in env)) {
    const bindings = Object.entries(env).filter(([name]) => !ofFunctions.includes(name))
    return [Object.fromEntries(bindings), ...others] as unknown as Rest
  }
  if (!('remoteAddr' in env)) return rest
  return [{ remoteAddr: { transport: 'tcp', hostname: address, port: 0 } }, ...others] as Rest
}
