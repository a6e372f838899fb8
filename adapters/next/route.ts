import { handleWhileConnected } from '../../core/disconnected.js'
import { checkHandler, type Mountable } from '../../core/handler.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The exports of a `route.ts`: the same handler for each method. */
export type NextRoute = Record<(typeof methods)[number], (request: Request) => Promise<Response>>

/**
 * Creates a route of the App Router from a handler. It exports every method, so that the 405 is the handler's own and not
 * that of Next.js, which has no `Allow`. Requests that the handler does not answer get 404.
 *
 * @example
 * // app/%5Fimage/[[...source]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(createImageProxy(imageOptions))
 */
export function nextRoute(handler: Mountable): NextRoute {
  checkHandler(handler)
  const route = async (request: Request) =>
    (await handleWhileConnected(handler, request)) ?? new Response('Not found', { status: 404 })
  return Object.fromEntries(methods.map((method) => [method, route])) as NextRoute
}
