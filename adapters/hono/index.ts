import type { MiddlewareHandler } from 'hono'
import { isDevelopment } from '../../core/development.js'
import { checkHandler, handleWhileConnected, type Mountable } from '../../core/handler.js'
import { createCookieWarning } from '../../core/http/cookies.js'
import { type NodeRequest, type NodeResponse, waitForTurn } from '../node/exchange.js'

/**
 * Creates Hono middleware from a handler. Requests that the handler does not answer go to the next middleware. Errors
 * go to `app.onError`, except those caused by a client that has disconnected.
 *
 * @example app.use(honoMiddleware(images), honoMiddleware(revalidate))
 */
export function honoMiddleware(handler: Mountable): MiddlewareHandler {
  checkHandler(handler)
  return async (context, next) => {
    const { incoming, outgoing } = (context.env ?? {}) as Partial<NodeBindings>
    if (incoming && outgoing) await waitForTurn(incoming, outgoing)
    const response = await handleWhileConnected(handler, context.req.raw)
    if (response && isDevelopment()) {
      const [cookie] = context.newResponse(null).headers.getSetCookie()
      if (cookie !== undefined) warnOfCookie(cookie, response.headers.get('cache-control'))
    }
    return response ?? (await next())
  }
}

const warnOfCookie = createCookieWarning('c', 'Hono drops what is set before a handler returns a Response')

/** The environment that `@hono/node-server` passes. */
interface NodeBindings {
  incoming: NodeRequest
  outgoing: NodeResponse
}
