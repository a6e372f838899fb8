import { isNextBuild, warnOnce } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { describeError, type Log, logError, throttleLog } from '../log.js'
import { checkFunction, checkKnownOptions, integer, type OptionChecks } from '../options.js'
import { createResponse } from '../response-factory.js'
import { TimeoutError } from '../timeout.js'
import { createErrorResponse, type ErrorResponse, errors, readServiceError, toRetryAfter } from './errors.js'
import { createImageResponder, NotAnImageError, readKnownRepresentations } from './image-response.js'
import { loaderChecks } from './loader.js'
import { createPlanner, type ImagePlanOptions, type PlannedImage, rememberPlans } from './plan.js'
import { createServiceClient, serviceChecks } from './service.js'
import type { UpstreamResponse } from './upstream.js'

export interface ImageProxyOptions extends ImagePlanOptions {
  /**
   * Seconds for which browsers and caches may use an image without asking again. After that, they ask again and get
   * a 304 if it is unchanged. A replaced original therefore becomes visible within this time.
   * Images with a version in their URL are kept for a year. Default 300.
   */
  maxAge?: number | undefined
  /**
   * Receives warnings and errors, with the source and the service's message. Each kind is logged at most once a minute; the next entry
   * says in `suppressed` how many were omitted. Default: `console.error`.
   */
  log?: Log | undefined
}

const proxyChecks: OptionChecks<ImageProxyOptions> = {
  ...loaderChecks,
  ...serviceChecks,
  maxAge: integer(),
  log: checkFunction,
}

/**
 * Creates the image proxy: `GET|HEAD /{prefix}/{source}?width={n}` is signed and streamed from an imgproxy-compatible
 * service. The client's cookies and authorization never reach the service. Each failure has its own status.
 *
 * The `Cache-Tag` of each image is its source, so one purge removes all its widths and formats. The proxy sets its own `Cache-Control`
 * (see `maxAge`), and passes on only `no-store` and `private` from the service.
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
  checkKnownOptions(options, proxyChecks, "createImageProxy({ serviceUrl, key, salt, sources: ['/media/'] })")
  const plan = rememberPlans(createPlanner(options))
  const warn = warnOnce()
  const { redact, headersFor, send } = createServiceClient(options)
  const respondWithImage = createImageResponder(options.maxAge, options.version)
  const missing = (['serviceUrl', 'key', 'salt'] as const).filter((name) => !options[name])
  const log = createProxyLog(options.log, missing)

  const respondWithError = async (request: Request, source: string, upstream: UpstreamResponse): Promise<Response> => {
    const { status, headers, failure } = upstream
    const { error, reason } = await readServiceError(upstream, redact)
    // Not logged if the client has disconnected in the meantime, because the message is then incomplete. The `failure`
    // of a service within this process includes the message.
    if (!request.signal?.aborted) log(error.error, { status, source, ...(failure ? { failure } : { reason }) })
    return createErrorResponse(error, error === errors.serviceBusy ? { 'Retry-After': toRetryAfter(headers) } : {})
  }

  const fetchImage = async (request: Request, planned: PlannedImage): Promise<Response> => {
    const { url, source } = planned
    // While the body streams, this closure keeps the client's request and its signal, which servers abort, from being garbage-collected.
    const onFailure = (error: unknown): ErrorResponse => {
      const response = errorFor(error)
      // Not logged if the client disconnected, because the service did not fail.
      if (!request.signal?.aborted) log(response.error, { source, reason: redact(describeError(error)) })
      return response
    }
    const known = readKnownRepresentations(request.headers)
    const headers = headersFor(request.headers, known.ifNoneMatch)
    const isConditional = 'If-None-Match' in headers || 'If-Modified-Since' in headers
    try {
      const upstream = await send(url, { headers, client: request, onBodyError: onFailure })
      const response = await respondWithImage({ request, planned, known, isConditional, upstream })
      return response ?? (await respondWithError(request, source, upstream))
    } catch (error) {
      return createErrorResponse(onFailure(error))
    }
  }

  return expectRequest(async (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if ('url' in planned) return await fetchImage(request, planned)
    // Not stored, since the version changes.
    if ('location' in planned) {
      return createResponse(null, { status: 307, headers: { Location: planned.location, 'Cache-Control': 'no-store' } })
    }
    const { error, source, reason, value } = planned
    if (error === errors.notConfigured) log(error.error, { missing })
    if (source !== undefined) log(error.error, { source, reason })
    else if (reason !== undefined) {
      // In development only, since any client can send such requests.
      const where = `${error.status} ${error.error} for ${new URL(request.url).pathname.slice(0, 200)}`
      warn(() => `Images: ${where}: ${reason.slice(0, 500)}`, `${error.error} ${value}`)
    }
    return createErrorResponse(error)
  })
}

function errorFor(failure: unknown): ErrorResponse {
  if (failure instanceof TimeoutError) return errors.serviceTimedOut
  return failure instanceof NotAnImageError ? errors.notProcessed : errors.serviceFailed
}

/**
 * Creates the log of the proxy, with one line a minute for each kind of failure, regardless of the image. Missing options most
 * likely mean missing environment variables, so they are logged at creation, not only when the first image fails.
 *
 * @param missing Names of options.
 */
function createProxyLog(write: Log = logError, missing: readonly string[]): Log {
  if (missing.length > 0 && !isNextBuild()) write(errors.notConfigured.error, { missing })
  return throttleLog(write, {
    // Failures within this process are logged separately for each original, except 404s, because any name can be requested.
    keyOf: (message, { status, reason, failure, source }) =>
      `${message}\n${status}\n${reason}\n${failure && status !== 404 ? source : ''}`,
  })
}
