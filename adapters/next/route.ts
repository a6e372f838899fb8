import type { Mountable } from '../../core/handler.js'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The exports of a `route.ts`: one handler for every method. */
export type NextRoute = Record<(typeof methods)[number], (request: Request) => Promise<Response>>

/**
 * Mounts a handler as a route of the App Router. Every method is exported, so that the handler's own 405 answers and
 * not the one of Next.js, which names no `Allow`. What the handler does not answer is 404.
 *
 * @example
 * // app/%5Fimage/[[...source]]/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(createImageProxy(imageOptions))
 */
export function nextRoute(handler: Mountable): NextRoute {
  const route = async (request: Request) => (await handler(request)) ?? new Response('Not found', { status: 404 })
  return Object.fromEntries(methods.map((method) => [method, route])) as NextRoute
}
