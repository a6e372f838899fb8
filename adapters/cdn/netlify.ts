import { checkKnownOptions, type OptionChecks, required } from '../../core/options.js'
import { type Cdn, type CdnOptions, cdnChecks, checkId } from './provider.js'
import { createCdn } from './purge.js'

export interface NetlifyOptions extends CdnOptions {
  /** Id of the project, as shown in the dashboard. */
  siteId: string
  /** A personal access token. */
  token: string
}

const checks: OptionChecks<NetlifyOptions> = { ...cdnChecks, siteId: required(checkId) }

/**
 * Creates a {@link Cdn} for Netlify. Header: `Netlify-Cache-Tag`, comma-separated, 500 tags per response, 1,024
 * characters per tag, case-insensitive. Purge: `POST /api/v1/purge`, each tag at most twice in 5 s, otherwise 429
 * (https://docs.netlify.com/platform/caching/). Netlify has no soft purge: both modes are `hard`. Netlify documents no
 * limit on the tags per call; this adapter sends 100.
 *
 * @throws TypeError that names the missing or malformed option.
 * @example const cdn = netlify({ siteId: '3970e0fe-8564-4903-9a55-c5f8de49fb8b', token: process.env.NETLIFY_TOKEN! })
 */
export function netlify(options: NetlifyOptions): Cdn {
  const { siteId, ...cdnOptions } = checkKnownOptions(options, checks, 'netlify({ siteId, token })')
  return createCdn(
    {
      name: 'netlify',
      header: 'Netlify-Cache-Tag',
      separator: ',',
      maxTagLength: 1024,
      maxTagsInHeader: 500,
      noStoreHeaders: { 'Netlify-CDN-Cache-Control': 'no-store' },
      batchSize: 100,
      purgeCall: (tags) => ({
        url: 'https://api.netlify.com/api/v1/purge',
        headers: { Authorization: `Bearer ${cdnOptions.token}` },
        // A call must name cache_tags, because Netlify purges the whole site for a call without them.
        body: { site_id: siteId, cache_tags: tags },
      }),
    },
    cdnOptions,
  )
}
