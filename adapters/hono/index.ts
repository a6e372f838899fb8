import type { MiddlewareHandler } from 'hono'
import type { Mountable } from '../../core/handler.js'

/**
 * Creates Hono middleware from a handler. Requests that the handler does not answer go to the next middleware.
 *
 * @example app.use(honoMiddleware(images), honoMiddleware(revalidate))
 */
export function honoMiddleware(handler: Mountable): MiddlewareHandler {
  return async (context, next) => (await handler(context.req.raw)) ?? (await next())
}
