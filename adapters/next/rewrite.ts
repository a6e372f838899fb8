import { NextResponse } from 'next/server.js'
import {
  checkServiceSecret,
  createErrorResponse,
  createPlanner,
  createRejectionWarning,
  createServiceHeaders,
  createVersionRedirect,
  type ImagePlanOptions,
  plannerChecks,
} from '../../core/image/internal.js'
import { checkKnownOptions, checkSecret, type OptionChecks } from '../../core/options.js'

export interface ImageRewriteOptions extends ImagePlanOptions {
  /** Secret that the service expects as `Authorization: Bearer`. Default: none. */
  serviceSecret?: string | undefined
}

const checks: OptionChecks<ImageRewriteOptions> = { ...plannerChecks, serviceSecret: checkSecret }

/**
 * Creates the image proxy as a rewrite, for `proxy.ts` (`middleware.ts` before Next.js 16): Next.js itself fetches from
 * the image service, which saves a hop. Only the request headers that the service needs are forwarded. Unlike the route,
 * it exposes the service's own errors and headers (imgproxy's `ETag` is one for all formats of an image, its `Cache-Control` a
 * year unless `IMGPROXY_TTL` says less), and clients can read the signed URL in `x-middleware-rewrite`.
 * Returns `undefined` when the request is not for an image.
 *
 * @throws TypeError that names the option when one is malformed.
 * @example
 * // proxy.ts
 * const rewriteImage = createImageRewrite(imageOptions)
 * export const proxy = (request: Request) => rewriteImage(request)
 * export const config = { matcher: '/_image/:path*' }
 */
export function createImageRewrite(options: ImageRewriteOptions): (request: Request) => Response | undefined {
  const plan = createPlanner(
    checkKnownOptions(options, checks, "createImageRewrite({ serviceUrl, key, salt, sources: ['/media/'] })"),
  )
  const serviceSecret = checkServiceSecret(options.serviceSecret)
  const warnOfRejection = createRejectionWarning(options)
  return (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if (planned.error) {
      warnOfRejection(request, planned.error)
      return createErrorResponse(planned.error)
    }
    if (planned.location !== undefined) return createVersionRedirect(planned.location)
    // Next.js forwards exactly these headers; without the option it would forward all of the client's.
    const headers = new Headers(createServiceHeaders(request.headers, serviceSecret))
    return NextResponse.rewrite(planned.url, { request: { headers } })
  }
}
