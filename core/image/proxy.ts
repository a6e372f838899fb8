import { describeError } from '../describe-error.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { checkKnownOptions, functionAs, integer, type OptionChecks } from '../known-options.js'
import type { Log } from '../log.js'
import { checkFunction, checkSecret } from '../option-error.js'
import { createResponse } from '../response-factory.js'
import { createRedact } from '../secrets.js'
import { checkTimeout, TimeoutError } from '../timeout.js'
import { createCachingFieldsFactory, type PlannedImage } from './caching-headers.js'
import { createProxyLog } from './checks/proxy-log.js'
import { createRejectionWarning } from './checks/rejections.js'
import { createErrorResponse, type ErrorResponse, errors, securityHeaders } from './errors.js'
import { createPlanner, type ImagePlanOptions, plannerChecks } from './planner.js'
import { rememberPlans } from './remembered-plans.js'
import { type KnownRepresentations, readKnownRepresentations, toRepresentationTag } from './representation-tags.js'
import { checkServiceSecret, createServiceHeaders } from './service-headers.js'
import { explainStatus, readServiceMessage, retryAfter, toError } from './service-message.js'
import { createSendByFetch, type UpstreamHandler, type UpstreamResponse } from './upstream.js'
import { createVersionRedirect } from './versions.js'

export interface ImageProxyOptions extends ImagePlanOptions {
  /**
   * Fetches from the service: the embedded image service, or any function shaped like `fetch`. It must not follow
   * redirects (the request has `redirect: 'manual'`), decodes what has a `Content-Encoding`, and should stop when the
   * request's signal aborts. Default: the global `fetch`. On Node, use `createUpstreamFetch` of `sitewright/node` for a
   * service on another server: with the global one, a connection that closes while a visitor reads slowly ends the process
   * on Node 22 and 24, and on Node 20 passes for the end of the image.
   */
  fetch?: UpstreamHandler | undefined
  /** Bearer token that the service requires (imgproxy's `IMGPROXY_SECRET`). Default: none. */
  serviceSecret?: string | undefined
  /** Maximum wait for the service in milliseconds: for its head, and for each chunk of the body. Default 10,000. */
  timeout?: number | undefined
  /**
   * Seconds for which browsers and caches may use an image without asking again; then a 304 tells them that it is unchanged.
   * An editor who replaces an original waits that long at most. Images whose URL has a version are kept for a year. Default
   * 300.
   */
  maxAge?: number | undefined
  /**
   * Receives warnings and errors, with the source and what the service says about it: each kind once a minute, then with
   * their number in `suppressed`. Default: `console.error`.
   */
  log?: Log | undefined
}

const checks: OptionChecks<ImageProxyOptions> = {
  ...plannerChecks,
  fetch: functionAs('a function, such as createUpstreamFetch()'),
  serviceSecret: checkSecret,
  timeout: checkTimeout,
  maxAge: integer(),
  log: checkFunction,
}

type Field = [name: string, value: string]

const securityFields: readonly Field[] = Object.entries(securityHeaders)
// One media type: two header lines are joined by a comma.
const imageType = /^image\/[\w.+-]+(?:\s*;[^,]*)?$/i
// What every `fetch` decodes. Others it passes on as they are, also a list with `identity`, and what is no image would be stored as one.
const decodedCodings = /^(?:identity|(?:(?:x-)?gzip|deflate|br)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br))*)?$/i

/**
 * Creates the image proxy: `GET|HEAD /{prefix}/{source}?width={n}` is signed and streamed from an imgproxy-compatible
 * service. The client's cookies and authorization never reach the service. Each failure has its own status.
 *
 * Each image has the source as its `Cache-Tag`, so that one purge reaches all its widths and formats, and a `Cache-Control`
 * of the proxy's own (see `maxAge`); only `no-store` and `private` of the service are passed on.
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
  checkKnownOptions(options, checks, "createImageProxy({ serviceUrl, key, salt, sources: ['/media/'] })")
  const plan = rememberPlans(createPlanner(options))
  const warnOfRejection = createRejectionWarning(options)
  const { timeout = 10_000 } = options
  const serviceSecret = checkServiceSecret(options.serviceSecret)
  const redact = createRedact([serviceSecret])
  const send = createSendByFetch(options.fetch ?? ((request) => fetch(request)))
  const createCachingFields = createCachingFieldsFactory(options.maxAge)
  const { serviceUrl, key, salt } = options
  const missing = Object.entries({ serviceUrl, key, salt }).flatMap(([name, value]) => (value ? [] : [name]))
  const log = createProxyLog(options.log, missing)
  const respondNotProcessed = (source: string, reason: string): Response => {
    log(errors.notProcessed.error, { status: 200, source, reason })
    return createErrorResponse(errors.notProcessed)
  }

  /** Whether the original of a URL with a version was replaced before or while the service read it. */
  const isReplaced = ({ source, version }: PlannedImage): boolean =>
    version !== undefined && options.version?.current !== undefined && options.version.current(source) !== version

  /** As a list, which is built and sent in less time than an object with other names each time. */
  const createFields = ({ planned, upstream }: ServiceAnswer, etag: string | undefined): Field[] => {
    const image = isReplaced(planned) ? { ...planned, isImmutable: false } : planned
    const fields = [...createCachingFields(image, upstream.headers), ...securityFields]
    if (etag !== undefined) fields.push(['ETag', etag])
    return fields
  }

  const respondWithImage = async (answer: ServiceAnswer): Promise<Response> => {
    const { request, planned, known, upstream } = answer
    const { source } = planned
    const { headers } = upstream
    const type = headers.get('Content-Type') ?? ''
    if (!imageType.test(type)) {
      upstream.discard()
      return respondNotProcessed(source, `Content-Type: expected an image, got '${type.slice(0, 100)}'`)
    }
    const coding = headers.get('Content-Encoding') ?? ''
    if (!decodedCodings.test(coding)) {
      upstream.discard()
      throw new Error(`Content-Encoding: expected none, got '${coding.slice(0, 100)}'`)
    }
    const etag = toRepresentationTag(headers.get('ETag'), type)
    // The service may not have recognized its tag, in a list for instance.
    const isKnown = etag !== undefined && known.includes(etag)
    if (isKnown || request.method === 'HEAD') upstream.discard()
    if (isKnown) return createNotModified(answer, etag)
    const body = request.method === 'HEAD' ? null : await upstream.openBody()
    if (body === undefined) return respondNotProcessed(source, 'empty body')
    // A body that `fetch` has decoded has another length than the header states.
    const length = headers.has('Content-Encoding') ? null : headers.get('Content-Length')
    const fields = createFields(answer, etag)
    fields.push(['Content-Type', type])
    if (length !== null && /^\d+$/.test(length)) fields.push(['Content-Length', length])
    return createResponse(body, { headers: fields })
  }

  const createNotModified = (answer: ServiceAnswer, etag: string | undefined): Response =>
    createResponse(null, { status: 304, headers: createFields(answer, etag) })

  const respond = async (answer: ServiceAnswer): Promise<Response> => {
    const { request, known, isConditional, upstream } = answer
    const { source } = answer.planned
    const { status, headers } = upstream
    if (status === 200) return await respondWithImage(answer)
    if (status === 304 && isConditional) {
      upstream.discard()
      return createNotModified(answer, known.confirmed(headers.get('ETag')))
    }
    const error = toError(status)
    const message = await readServiceMessage(upstream, redact)
    // Of a client that has disconnected meanwhile, the message is incomplete.
    if (!request.signal?.aborted) {
      const { failure } = upstream
      log(error.error, { status, source, reason: explainStatus(status, message), ...(failure && { failure }) })
    }
    return createErrorResponse(error, error === errors.serviceBusy ? { 'Retry-After': retryAfter(headers) } : {})
  }

  return expectRequest(async (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if (planned.error) {
      const { error, source, reason } = planned
      if (error === errors.notConfigured) log(error.error, { missing })
      if (reason !== undefined) log(error.error, { source, reason })
      else warnOfRejection(request, error)
      return createErrorResponse(error)
    }
    if (planned.location !== undefined) return createVersionRedirect(planned.location)
    const { url, source } = planned
    // This closure keeps the client's request alive while the body streams: undici's requests refer to the controller
    // that aborts their signal by a weak reference only.
    const onFailure = (error: unknown): ErrorResponse => {
      const response = error instanceof TimeoutError ? errors.serviceTimedOut : errors.serviceFailed
      // Not a failure of the service when the client disconnected.
      if (!request.signal?.aborted) log(response.error, { source, reason: redact(describeError(error)) })
      return response
    }
    const known = readKnownRepresentations(request.headers)
    const headers = createServiceHeaders(request.headers, serviceSecret, known.ifNoneMatch)
    const isConditional = 'If-None-Match' in headers || 'If-Modified-Since' in headers
    try {
      const upstream = await send(url, { headers, client: request, timeout, onBodyError: onFailure })
      return await respond({ request, planned, known, isConditional, upstream })
    } catch (error) {
      return createErrorResponse(onFailure(error))
    }
  })
}

/** What the service has answered, and to what. */
interface ServiceAnswer {
  request: Request
  planned: PlannedImage
  known: KnownRepresentations
  /** Whether the service was asked with a condition. */
  isConditional: boolean
  upstream: UpstreamResponse
}
