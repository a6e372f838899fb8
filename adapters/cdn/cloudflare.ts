import { parseJson } from '../../core/http/body.js'
import { checkKnownOptions, type OptionChecks, required } from '../../core/options.js'
import { type Cdn, type CdnOptions, cdnChecks, checkId } from './provider.js'
import { createCdn } from './purge.js'

export interface CloudflareOptions extends CdnOptions {
  /** Id of the zone, as shown in the dashboard. */
  zoneId: string
  /** An API token with the permission to purge the zone's cache. */
  token: string
}

const checks: OptionChecks<CloudflareOptions> = { ...cdnChecks, zoneId: required(checkId) }

/**
 * Creates a {@link Cdn} for Cloudflare. Header: `Cache-Tag`, comma-separated, 16 KB in total, 1,024 characters per tag,
 * case-insensitive (https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/). Purge: 100 tags per
 * call, five calls per minute on the free plan
 * (https://developers.cloudflare.com/cache/how-to/purge-cache/#availability-and-limits). `hard` is `purge_cache`;
 * `soft` is `invalidate_cache`, which revalidates by `ETag` and serves the old page only within the response's
 * `stale-while-revalidate` (https://developers.cloudflare.com/cache/guides/invalidate-cache/).
 *
 * @throws TypeError that names the missing or malformed option.
 * @example const cdn = cloudflare({ zoneId: '023e105f4ecef8ad9ca31a8372d0c353', token: process.env.CLOUDFLARE_TOKEN! })
 */
export function cloudflare(options: CloudflareOptions): Cdn {
  const { zoneId, ...cdnOptions } = checkKnownOptions(options, checks, 'cloudflare({ zoneId, token })')
  return createCdn(
    {
      name: 'cloudflare',
      header: 'Cache-Tag',
      separator: ',',
      maxTagLength: 1024,
      // "Approximately 1,000 unique tags", according to the first page above.
      maxTagsInHeader: 1000,
      maxHeaderLength: 16_000,
      // https://developers.cloudflare.com/cache/concepts/cdn-cache-control/ (RFC 9213)
      noStoreHeaders: { 'Cloudflare-CDN-Cache-Control': 'no-store' },
      batchSize: 100,
      purgeCall: (tags, mode) => ({
        url: `https://api.cloudflare.com/client/v4/zones/${zoneId}/${mode === 'soft' ? 'invalidate_cache' : 'purge_cache'}`,
        headers: { Authorization: `Bearer ${cdnOptions.token}` },
        body: { tags },
      }),
      isSuccess: (body) => (parseJson(body) as { success?: unknown } | null | undefined)?.success === true,
    },
    cdnOptions,
  )
}
