import type { MiddlewareHandler } from 'hono'
import type { RouteHandler } from '../../core/handler.js'

/**
 * Mounts a handler as Hono middleware: what it does not answer goes on to the next.
 *
 * @example app.use(honoMiddleware(images), honoMiddleware(revalidate))
 */
export function honoMiddleware(handler: RouteHandler): MiddlewareHandler {
  return async (context, next) => (await handler(context.req.raw)) ?? (await next())
}
