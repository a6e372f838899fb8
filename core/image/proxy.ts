import { isDevelopment, isNextBuild, warnOnce } from '../development.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { describeError, type Log, logError, throttleLog } from '../log.js'
import { createResponse } from '../response-factory.js'
import type { Cards } from './card.js'
import { createErrorResponse, errorOf, errors } from './errors.js'
import { createImageResponder, readClient } from './image-response.js'
import type { ImageLoaderOptions } from './loader.js'
import { createPlanner, type ImagePlanner, type ImageRejection, type PlannedImage, rememberPlans } from './plan.js'
import type { ImageService, ServiceFailure } from './service.js'

export interface ImageProxyOptions extends ImageLoaderOptions {
  maxAge: number
  log: Log | undefined
  cards?: Cards | undefined
}

/**
 * Creates the image proxy: the handler of `GET|HEAD /{prefix}/{source}?width={n}`. It checks the request, asks the service for
 * the image, and creates the response. The visitor's cookies and authorization never reach the service. Each failure has its
 * own status. The `Cache-Tag` of each image is its source, so one purge removes all its widths and formats.
 *
 * @throws TypeError that names the malformed option.
 */
export function createImageProxy(options: ImageProxyOptions, service: ImageService): RouteHandler {
  const { missing = [] } = service
  const plan = rememberPlans(createPlanner(options, missing.length === 0, options.cards))
  const warn = warnOnce()
  // The newest, since development may load a module again and again.
  if (isDevelopment() && planners.push(plan) > 20) planners.shift()
  const createImageResponse = createImageResponder(options.maxAge, options.version)
  const log = createProxyLog(options.log, missing)

  const getImage = async (request: Request, planned: PlannedImage): Promise<Response> => {
    const { image } = planned
    // The failure is not logged if the visitor has left in the meantime: then the service did not fail.
    const report = ({ status, details }: ServiceFailure) => {
      if (!request.signal?.aborted) log(errorOf(status).error, { source: image.source, ...details })
    }
    const client = readClient(request, report)
    const result = await getResult(service, image, client)
    if (!('details' in result)) return createImageResponse(planned, client, result)
    report(result)
    return createErrorResponse(errorOf(result.status), result.retryAfter)
  }

  const reject = (request: Request, { error, reason, value }: ImageRejection): Response => {
    if (error === errors.notConfigured) log(error.error, { missing })
    if (reason !== undefined) {
      // In development only, since any client can send such requests.
      const where = `${error.status} ${error.error} for ${new URL(request.url).pathname.slice(0, 200)}`
      warn(() => `Images: ${where}: ${explain(request, reason)}`, `${error.error} ${value}`)
    }
    return createErrorResponse(error)
  }

  return expectRequest(async (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if ('image' in planned) return await getImage(request, planned)
    if ('error' in planned) return reject(request, planned)
    // Not stored, since the version changes.
    return createResponse(null, { status: 307, headers: { Location: planned.location, 'Cache-Control': 'no-store' } })
  })
}

/** The planners of this process in development, where a rejected image may be one of another handler. */
const planners: ImagePlanner[] = []

function explain(request: Request, reason: string): string {
  const isOfAnother = planners.some((plan) => 'image' in (plan(request) ?? {}))
  if (!isOfAnother) return reason.slice(0, 500)
  return 'another createImages has the same prefix and this source: give one of them a prefix of its own'
}

async function getResult(service: ImageService, ...asked: Parameters<ImageService['getImage']>) {
  try {
    return await service.getImage(...asked)
  } catch (error) {
    return { status: 502, details: { reason: describeError(error) } } as const
  }
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
    // A failure of one original is logged for each original, except for 404, because any name can be requested.
    keyOf: (message, { status, reason, failure, source }) =>
      `${message}\n${status}\n${reason}\n${failure && status !== 404 ? source : ''}`,
  })
}
