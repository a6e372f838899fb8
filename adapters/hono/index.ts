import type { MiddlewareHandler } from 'hono'
import type { Mountable } from '../../core/handler.js'

/**
 * Mounts a handler as Hono middleware: what it does not answer goes on to the next.
 *
 * @example app.use(honoMiddleware(images), honoMiddleware(revalidate))
 */
export function honoMiddleware(handler: Mountable): MiddlewareHandler {
  return async (context, next) => (await handler(context.req.raw)) ?? (await next())
}
