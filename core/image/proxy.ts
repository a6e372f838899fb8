import { describeError } from '../describe-error.js'
import type { Handler, RouteHandler } from '../handler.js'
import { checkTimeout } from '../timeout.js'
import { type Refusal, refusalResponse, refusals, safetyHeaders } from './errors.js'
import { createImagePlanner, type ImagePlanOptions } from './planner.js'
import { openUpstream, type Upstream, UpstreamTimeout } from './upstream.js'

export interface ImageProxyOptions extends ImagePlanOptions {
  /**
   * Asks the service; the embedded image service or any function shaped like `fetch`. It must not follow redirects
   * (the request says `redirect: 'manual'`) and should stop at the request's signal. Default: the global `fetch`.
   */
  fetch?: Handler | undefined
  /** Secret that the service wants as `Authorization: Bearer` (imgproxy's `IMGPROXY_SECRET`). */
  serviceSecret?: string | undefined
  /** Longest wait for the service, in milliseconds: for its head, and for each further piece of the body. Default 10,000. */
  timeout?: number | undefined
  /** Told what an operator should know. Default: `console.error`. */
  log?: ((message: string, detail: Record<string, unknown>) => void) | undefined
}

type Log = NonNullable<ImageProxyOptions['log']>

const conditionHeaders = ['Accept', 'If-None-Match', 'If-Modified-Since']
const cachingHeaders = ['Cache-Control', 'Expires', 'Age', 'Date', 'ETag', 'Last-Modified', 'Vary']
const bodyHeaders = ['Content-Type', 'Content-Length']

/**
 * Creates the image proxy: `GET|HEAD /{prefix}/{source}?width={n}` is signed and answered by an imgproxy-compatible
 * service, streamed through. The visitor's cookies and authorization never reach the service. Every failure has a
 * status of its own; see the README's table.
 *
 * @throws TypeError that names the option when one is malformed.
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
  const {
    fetch: ask = (request: Request) => fetch(request),
    serviceSecret,
    log = (message: string, detail: Record<string, unknown>) => console.error(message, detail),
  } = options

  const timeout = checkTimeout(options.timeout ?? 10_000)

  return async (request) => {
    const planned = plan(request)
    if (!planned) return undefined
    if (planned.refusal) {
      if (planned.refusal === refusals.notConfigured) log(refusals.notConfigured.error, { missing: missing(options) })
      return refusalResponse(planned.refusal)
    }
    const headers = pickHeaders(request.headers, conditionHeaders)
    if (serviceSecret) headers.Authorization = `Bearer ${serviceSecret}`
    // The closure keeps the visitor's request alive while the body streams: undici's requests hold on to what aborts
    // their signal by a weak reference.
    const fail = (error: unknown): Refusal => {
      const refusal = error instanceof UpstreamTimeout ? refusals.serviceTimedOut : refusals.serviceFailed
      // A visitor who left is nobody's failure.
      if (!request.signal?.aborted) log(refusal.error, { reason: describeError(error) })
      return refusal
    }
    try {
      const upstream = await openUpstream(ask, planned.url, { headers, signal: request.signal, timeout, onBreak: fail })
      return await respond(request.method, upstream, log)
    } catch (error) {
      return refusalResponse(fail(error))
    }
  }
}

async function respond(method: string, upstream: Upstream, log: Log): Promise<Response> {
  const { status, headers } = upstream
  if (status === 304) {
    upstream.discard()
    return new Response(null, { status, headers: { ...pickHeaders(headers, cachingHeaders), ...safetyHeaders } })
  }
  const refusal = status === 200 ? refuseBody(headers) : refuseStatus(status)
  if (refusal || method === 'HEAD') upstream.discard()
  if (refusal) {
    if (refusal === refusals.serviceFailed) log(refusal.error, { status, reason: hint(status) })
    const busy = refusal === refusals.serviceBusy
    return refusalResponse(refusal, busy ? { 'Retry-After': headers.get('Retry-After') ?? '1' } : {})
  }
  const body = method === 'HEAD' ? null : await upstream.body()
  if (body === undefined) return refusalResponse(refusals.notProcessed)
  // What was decoded on the way has another length than the header says.
  const returned = headers.has('Content-Encoding') ? ['Content-Type'] : bodyHeaders
  return new Response(body, {
    headers: { ...pickHeaders(headers, [...cachingHeaders, ...returned]), ...safetyHeaders },
  })
}

function refuseBody(headers: Headers): Refusal | undefined {
  return /^image\//i.test(headers.get('Content-Type') ?? '') ? undefined : refusals.notProcessed
}

function refuseStatus(status: number): Refusal {
  if (status === 404) return refusals.notFound
  if (status === 422) return refusals.notProcessed
  if (status === 429 || status === 503) return refusals.serviceBusy
  return refusals.serviceFailed
}

function hint(status: number): string {
  if (status === 401) return 'THE SERVICE WANTS ANOTHER SECRET: compare serviceSecret with the one of the service'
  if (status === 403) return 'THE SERVICE REFUSED THE SIGNATURE: compare key and salt with those of the service'
  if (status >= 300 && status < 400) return 'redirects of the service are not followed: compare serviceUrl'
  return 'unexpected status'
}

function missing(options: ImageProxyOptions): string[] {
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
