import { checkHandler, handleWhileConnected, type Mountable } from '../../core/handler.js'
import { warnAboutPrivateFolders } from './warnings.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * The exports of a `route.ts`: the same handler for each method, `{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS }`.
 */
export type NextRoute = Record<(typeof methods)[number], (request: Request) => Promise<Response>>

/**
 * Creates an App Router route from a handler. Export all seven methods: Next.js itself answers each method that a route
 * does not export, with a 405 that has no `Allow` header. Requests that the handler does not answer get a 404.
 *
 * The image proxy's folder is `app/%5Fimage`, because a folder whose name starts with `_` is private, and Next.js never
 * routes it. In development, `nextRoute` warns about such a folder.
 *
 * @example
 * // app/%5Fimage/[[...source]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(images.handler)
 */
export function nextRoute(handler: Mountable): NextRoute {
  checkHandler(handler)
  warnAboutPrivateFolders()
  const route = async (request: Request) =>
    (await handleWhileConnected(handler, request)) ?? new Response('Not found', { status: 404 })
  return Object.fromEntries(methods.map((method) => [method, route])) as NextRoute
}
