import { NextResponse } from 'next/server.js'
import { createImagePlanner, type ImagePlanOptions } from '../../core/image/index.js'
import { createErrorResponse } from '../../core/image/internal.js'

export interface ImageRewriteOptions extends ImagePlanOptions {
  /** Secret that the service wants as `Authorization: Bearer`. */
  serviceSecret?: string | undefined
}

const forwarded = ['Accept', 'If-None-Match', 'If-Modified-Since']

/**
 * Creates the image proxy as a rewrite, for `proxy.ts` (`middleware.ts` before Next.js 16): Next.js itself fetches from
 * the service, which saves a hop. Only what the service needs of the visitor's headers is forwarded. Unlike the route,
 * it shows the service's own errors and headers, and visitors can read the signed URL in `x-middleware-rewrite`.
 * `undefined`: not an image request.
 *
 * @throws TypeError that names the option when one is malformed.
 * @example
 * // proxy.ts
 * const rewriteImage = createImageRewrite(imageOptions)
 * export const proxy = (request: Request) => rewriteImage(request)
 * export const config = { matcher: '/_image/:path*' }
 */
export function createImageRewrite(options: ImageRewriteOptions): (request: Request) => Response | undefined {
  const plan = createImagePlanner(options)
  return (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if (planned.error) return createErrorResponse(planned.error)
    // Next.js forwards exactly the headers that it is given here, and all of the visitor's when it is given none.
    const headers = new Headers()
    for (const name of forwarded) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (options.serviceSecret) headers.set('Authorization', `Bearer ${options.serviceSecret}`)
    return NextResponse.rewrite(planned.url, { request: { headers } })
  }
}
