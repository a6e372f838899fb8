import type { MaybePromise } from '../async.js'
import type { RouteHandler } from '../handler.js'
import { withHeaders } from '../http/headers.js'

/** The header fields of an answer. `Headers` implements this interface. */
export type HeadFields = Pick<Headers, 'delete' | 'get' | 'has' | 'set'> & { keys(): Iterable<string> }

/** The treatment of the answer to a visitor's own request. */
export interface Passage {
  /** Call it with the head of the answer before the head is sent. Changes `Cache-Status` and, where needed, others. */
  changeHead(status: number, headers: HeadFields): void
  /**
   * Call it before the end of the answer is sent. Returns a promise if the end has to wait: until the pages that the
   * request may have changed are purged. The promise never rejects. `undefined` for a safe method.
   */
  readonly beforeEnd: ((status: number, headers: Pick<Headers, 'get'>) => Promise<void> | undefined) | undefined
}

/**
 * Hands a visitor's own request to an app. Returns the app's answer, or `undefined` if the app answers by itself, as
 * Node's `res` does.
 */
export type PassOn = (request: Request, passage: Passage) => MaybePromise<Response | undefined>

/**
 * Changes to the head of the answer to a visitor's own request, such as that of a draft. A function for `bypass` adds
 * its change here, so that no combination of such functions loses it.
 */
export const headChanges = new WeakMap<object, (headers: HeadFields) => void>()

/** Returns the function that hands requests to a web handler. */
export function passOnTo(handler: RouteHandler): PassOn {
  return async (request, passage) => {
    const response = await handler(request)
    if (!response) return undefined
    await passage.beforeEnd?.(response.status, response.headers)
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

/**
 * What servers say about a visitor's connection or request in the `env` of a `fetch`, with what takes its place:
 * `@hono/node-server`, `Deno.serve`, and Hono's adapters for AWS Lambda, Netlify and Cloudflare Pages.
 */
const standIns = (address: string | null) => ({
  incoming: { socket: { remoteAddress: address, remoteFamily: 'IPv6', remotePort: 0 } },
  outgoing: undefined,
  remoteAddr: { transport: 'tcp', hostname: address, port: 0 },
  ...{ context: undefined, event: undefined, eventContext: undefined, requestContext: undefined },
})

/**
 * Replaces what servers say about a visitor in the arguments of an app's `fetch`. The rest stays, such as the bindings
 * of a Worker.
 *
 * @param shared The request that a page for all is rendered from.
 */
export function withoutConnection<Rest extends unknown[]>(rest: Rest, { headers }: Request): Rest {
  const [env, ...others] = rest
  if (typeof env !== 'object' || env === null) return rest
  const replaced = Object.entries(standIns(headers.get('x-forwarded-for'))).filter(([name]) => name in env)
  return replaced.length === 0 ? rest : ([{ ...env, ...Object.fromEntries(replaced) }, ...others] as unknown as Rest)
}
