import { checkKnownOptions, type OptionChecks, required } from '../../core/options.js'
import { type Cdn, type CdnOptions, cdnChecks, checkId } from './provider.js'
import { createCdn } from './purge.js'

export interface FastlyOptions extends CdnOptions {
  /** Id of the service, as shown in the dashboard. */
  serviceId: string
  /** An API token with the scope `purge_select`. */
  token: string
}

const checks: OptionChecks<FastlyOptions> = { ...cdnChecks, serviceId: required(checkId) }

/**
 * Creates a {@link Cdn} for Fastly. Header: `Surrogate-Key`, space-separated, 1,024 bytes per key and 16,384 in total
 * (https://www.fastly.com/documentation/reference/http/http-headers/Surrogate-Key/). Purge: 256 keys per call
 * (https://www.fastly.com/documentation/reference/api/purging/). `soft` is Fastly's soft purge, after which the old
 * page is served only within the response's `stale-while-revalidate` or `stale-if-error`.
 *
 * @throws TypeError that names the missing or malformed option.
 * @example const cdn = fastly({ serviceId: 'SU1Z0isxPaozGVKXdv0eY', token: process.env.FASTLY_API_TOKEN! })
 */
export function fastly(options: FastlyOptions): Cdn {
  const { serviceId, ...cdnOptions } = checkKnownOptions(options, checks, 'fastly({ serviceId, token })')
  return createCdn(
    {
      name: 'fastly',
      header: 'Surrogate-Key',
      separator: ' ',
      maxTagLength: 1024,
      maxHeaderLength: 16_384,
      // Fastly does not store private responses, and prefers the lifetime in Surrogate-Control to Cache-Control:
      // https://www.fastly.com/documentation/guides/full-site-delivery/caching/about-cache-control-headers/
      noStoreHeaders: { 'Cache-Control': 'private, no-cache', 'Surrogate-Control': 'max-age=0' },
      batchSize: 256,
      purgeCall: (tags, mode) => ({
        url: `https://api.fastly.com/service/${serviceId}/purge`,
        headers: { 'Fastly-Key': cdnOptions.token, ...(mode === 'soft' && { 'Fastly-Soft-Purge': '1' }) },
        body: { surrogate_keys: tags },
      }),
    },
    cdnOptions,
  )
}
