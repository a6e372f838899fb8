import { describeError } from '../describe-error.js'
import type { Handler, RouteHandler } from '../handler.js'
import { type Log, logError } from '../log.js'
import { checkTimeout, TimeoutError } from '../timeout.js'
import { createErrorResponse, type ErrorResponse, errors, securityHeaders } from './errors.js'
import { createImagePlanner, type ImagePlanOptions } from './planner.js'
import { createServiceHeaders } from './service-headers.js'
import { fetchUpstream, type UpstreamResponse } from './upstream.js'

export interface ImageProxyOptions extends ImagePlanOptions {
  /**
   * Fetches from the service: the embedded image service, or any function shaped like `fetch`. It must not follow
   * redirects (the request has `redirect: 'manual'`) and should stop when the request's signal aborts. Default: the
   * global `fetch`.
   */
  fetch?: Handler | undefined
  /** Bearer token that the service requires (imgproxy's `IMGPROXY_SECRET`). Default: none. */
  serviceSecret?: string | undefined
  /** Maximum wait for the service in milliseconds: for its head, and for each chunk of the body. Default 10,000. */
  timeout?: number | undefined
  /** Receives warnings and errors. Default: `console.error`. */
  log?: Log | undefined
}

const cachingHeaders = ['Cache-Control', 'Expires', 'Age', 'Date', 'ETag', 'Last-Modified', 'Vary']
const bodyHeaders = ['Content-Type', 'Content-Length']

/**
 * Creates the image proxy: `GET|HEAD /{prefix}/{source}?width={n}` is signed and streamed from an imgproxy-compatible
 * service. The client's cookies and authorization never reach the service. Each failure has its own status, see the
 * README.
 *
 * @throws TypeError that names the malformed option.
 * @example
 * const images = createImageProxy({
 *   serviceUrl: 'https://imgproxy.example.com',
 *   key: process.env.IMAGE_PROXY_KEY,
 *   salt: process.env.IMAGE_PROXY_SALT,
 *   sources: ['/media/'],
 * })
 */
export function createImageProxy(options: ImageProxyOptions): RouteHandler {
  const plan = createImagePlanner(options)
  const { fetch: fetchImage = (request: Request) => fetch(request), serviceSecret, log = logError } = options
  const timeout = checkTimeout(options.timeout ?? 10_000)

  return async (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if (planned.error) {
      if (planned.error === errors.notConfigured) log(errors.notConfigured.error, { missing: missingOptions(options) })
      return createErrorResponse(planned.error)
    }
    // This closure keeps the client's request alive while the body streams: undici's requests refer to the controller
    // that aborts their signal by a weak reference only.
    const onFailure = (error: unknown): ErrorResponse => {
      const response = error instanceof TimeoutError ? errors.serviceTimedOut : errors.serviceFailed
      // Not a failure of the service when the client disconnected.
      if (!request.signal?.aborted) log(response.error, { reason: describeError(error) })
      return response
    }
    try {
      const upstream = await fetchUpstream(fetchImage, planned.url, {
        headers: createServiceHeaders(request.headers, serviceSecret),
        signal: request.signal,
        timeout,
        onBodyError: onFailure,
      })
      return await createResponse(request.method, upstream, log)
    } catch (error) {
      return createErrorResponse(onFailure(error))
    }
  }
}

async function createResponse(method: string, upstream: UpstreamResponse, log: Log): Promise<Response> {
  const { status, headers } = upstream
  if (status === 304) {
    upstream.discard()
    return new Response(null, { status, headers: { ...pickHeaders(headers, cachingHeaders), ...securityHeaders } })
  }
  const error = status === 200 ? checkContentType(headers) : toError(status)
  if (error || method === 'HEAD') upstream.discard()
  if (error) {
    if (error === errors.serviceFailed) log(error.error, { status, reason: describeStatus(status) })
    const isBusy = error === errors.serviceBusy
    return createErrorResponse(error, isBusy ? { 'Retry-After': headers.get('Retry-After') ?? '1' } : {})
  }
  const body = method === 'HEAD' ? null : await upstream.openBody()
  if (body === undefined) return createErrorResponse(errors.notProcessed)
  // A body that `fetch` has decoded has another length than the header states.
  const returned = headers.has('Content-Encoding') ? ['Content-Type'] : bodyHeaders
  return new Response(body, {
    headers: { ...pickHeaders(headers, [...cachingHeaders, ...returned]), ...securityHeaders },
  })
}

function checkContentType(headers: Headers): ErrorResponse | undefined {
  return /^image\//i.test(headers.get('Content-Type') ?? '') ? undefined : errors.notProcessed
}

function toError(status: number): ErrorResponse {
  if (status === 404) return errors.notFound
  if (status === 422) return errors.notProcessed
  if (status === 429 || status === 503) return errors.serviceBusy
  return errors.serviceFailed
}

function describeStatus(status: number): string {
  if (status === 401) return 'image service rejected serviceSecret (401); compare it with the secret of the service'
  if (status === 403)
    return 'image service rejected the signature (403); compare key and salt with those of the service'
  if (status >= 300 && status < 400) return 'redirects of the image service are not followed; check serviceUrl'
  return 'unexpected status'
}

function missingOptions(options: ImageProxyOptions): string[] {
  return (['serviceUrl', 'key', 'salt'] as const).filter((name) => !options[name])
}

function pickHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of names) {
    const value = headers.get(name)
    if (value !== null) picked[name] = value
  }
  return picked
}
