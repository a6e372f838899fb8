import type { Context, MiddlewareHandler } from 'hono'
import { isDevelopment } from '../../core/development.js'
import { checkHandler, handleWhileConnected, type Mountable } from '../../core/handler.js'
import { createCookieWarning } from '../../core/http/cookies.js'
import { withHeaders } from '../../core/http/headers.js'
import { type NodeRequest, type NodeResponse, waitForTurn } from '../node/exchange.js'

/**
 * Creates Hono middleware from a handler. Requests that the handler does not answer go to the next middleware. Errors
 * go to `app.onError`, except those caused by a client that has disconnected.
 *
 * Headers and cookies that other middleware sets before `next()` are added to the response, as in a response of
 * `c.body()`. A header that the handler sets itself wins, except that `Set-Cookie` and `Vary` keep both values. A
 * response cache never stores the headers of other middleware.
 *
 * @example app.use(honoMiddleware(images.handler), honoMiddleware(revalidate))
 */
export function honoMiddleware(handler: Mountable): MiddlewareHandler {
  checkHandler(handler)
  const warnsOfCookies = isDevelopment()
  return async (context, next) => {
    const { incoming, outgoing } = (context.env ?? {}) as Partial<NodeBindings>
    if (incoming && outgoing) await waitForTurn(incoming, outgoing)
    const response = await handleWhileConnected(handler, context.req.raw)
    return response ? addHeaders(context, response, warnsOfCookies) : await next()
  }
}

/**
 * Adds the headers that other middleware has set on the context. Hono itself would drop them or let them replace the
 * handler's headers, depending on whether `c.res` was read.
 */
function addHeaders(context: Context, response: Response, warnsOfCookies: boolean): Response {
  const contextHeaders = [...context.newResponse(null).headers]
  if (contextHeaders.length === 0) return response
  const cookies = contextHeaders.filter(([name]) => name === 'set-cookie')
  if (cookies[0] && warnsOfCookies) warnOfCookie(cookies[0][1], response.headers.get('cache-control'))
  // A copy, because a handler may return the same response to every visitor.
  const merged = withHeaders(response, (headers) => {
    const handlerCookies = headers.getSetCookie()
    headers.delete('set-cookie')
    for (const [name, value] of contextHeaders) {
      if (name === 'set-cookie' || name === 'vary' || !headers.has(name)) headers.append(name, value)
    }
    for (const cookie of handlerCookies) headers.append('set-cookie', cookie)
  })
  // Without this, Hono would merge the headers once more.
  context.res = undefined
  context.res = merged
  return merged
}

const warnOfCookie = createCookieWarning('c')

/** The environment that `@hono/node-server` passes. */
interface NodeBindings {
  incoming: NodeRequest
  outgoing: NodeResponse
}
