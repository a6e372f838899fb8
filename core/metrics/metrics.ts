import type { Store } from '../cache/index.js'
import { expectRequest, type RouteHandler } from '../handler.js'
import { jsonResponse } from '../http/headers.js'
import { namedMediaTypes } from '../http/negotiation.js'
import { logError } from '../log.js'
import { checkKnownOptions, checkObject, type OptionChecks, unchecked } from '../options.js'
import { createBearerVerifier } from '../revalidate/authorize.js'
import { parseRoutePath } from '../routes.js'
import type { Secret } from '../secrets.js'
import { countEvents } from './count.js'

export interface MetricsOptions {
  /**
   * The bearer token that a scraper must send, or a list of tokens during a rotation. If there is none, every response
   * is a 500, and this is logged. With `false`, no token is needed: for a port that only the scraper reaches.
   */
  secret: Secret | false
  /** The stores whose bytes are measured, by the value of the label `store`. Redis measures its own. Default: `{}`. */
  stores?: Readonly<Record<string, Store>> | undefined
  /** Path of the metrics. Default `'/metrics'`. */
  path?: string | undefined
}

const checks: OptionChecks<MetricsOptions> = { secret: unchecked, stores: checkObject, path: parseRoutePath }

/**
 * Creates the handler of `GET /metrics` for Prometheus, and counts from now on: the requests of all response caches of
 * this process, their renders, purges and images. The answer is in OpenMetrics if `Accept` names it, and otherwise in
 * the text format of Prometheus. It is 401 for a wrong token, 500 without a configured token, and 405 for methods
 * besides `GET`.
 *
 * Each process counts for itself. On Cloudflare Workers, which have no `node:diagnostics_channel`, nothing is counted.
 *
 * @throws TypeError that names the malformed option.
 * @example createMetrics({ secret: process.env.METRICS_SECRET, stores: { pages: store } })
 */
export function createMetrics(options: MetricsOptions): RouteHandler {
  const call = 'createMetrics({ secret: process.env.METRICS_SECRET })'
  const { secret, stores = {}, path: given = '/metrics' } = checkKnownOptions(options, checks, call)
  const path = parseRoutePath('path', given)
  const verify = secret === false ? () => true : createBearerVerifier(secret)
  const error = 'Metrics are not configured'
  if (!verify) logError(error, { reason: 'secret is missing or empty: set it in the environment', path })
  const format = countEvents(stores)

  return expectRequest(async ({ url, method, headers }) => {
    if (new URL(url).pathname !== path) return undefined
    if (method !== 'GET') return jsonResponse(405, { error: 'Method not allowed' }, { Allow: 'GET' })
    if (!verify) return jsonResponse(500, { error })
    const isAuthorized = verify(headers.get('authorization')) === true
    if (!isAuthorized) return jsonResponse(401, { error: 'Invalid token' }, { 'WWW-Authenticate': 'Bearer' })
    const isOpenMetrics = namedMediaTypes(headers.get('accept')).has('application/openmetrics-text')
    const type = isOpenMetrics ? 'application/openmetrics-text; version=1.0.0' : 'text/plain; version=0.0.4'
    const fields = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' }
    return new Response(format(isOpenMetrics), { headers: fields })
  })
}
