import { checkKnownOptions, type OptionChecks, required } from '../../core/options.js'
import { type Cdn, type CdnOptions, cdnChecks, checkId } from './provider.js'
import { createCdn } from './purge.js'

export interface VercelOptions extends CdnOptions {
  /** Id or name of the project. */
  projectId: string
  /** Id of the team, if the project belongs to one. */
  teamId?: string | undefined
  /** An access token of the account or team. */
  token: string
}

const checks: OptionChecks<VercelOptions> = {
  ...cdnChecks,
  projectId: required(checkId),
  teamId: checkId,
}

/**
 * Creates a {@link Cdn} for Vercel. Header: `Vercel-Cache-Tag`, comma-separated, 128 tags per response, 256 bytes per
 * tag (https://vercel.com/docs/caching/cdn-cache/purge). Purge: 16 tags per call; `soft` uses `invalidate-by-tags`,
 * `hard` uses `dangerously-delete-by-tags` (https://vercel.com/docs/rest-api/reference/endpoints/edge-cache). Vercel
 * also purges these tags from its runtime cache and data cache.
 *
 * @throws TypeError that names the missing or malformed option.
 * @example const cdn = vercel({ projectId: 'prj_4xQ8…', teamId: 'team_1a2b…', token: process.env.VERCEL_TOKEN! })
 */
export function vercel(options: VercelOptions): Cdn {
  const checked = checkKnownOptions(options, checks, 'vercel({ projectId, token })')
  const { projectId, teamId, ...cdnOptions } = checked
  const query = new URLSearchParams({ projectIdOrName: projectId, ...(teamId !== undefined && { teamId }) })
  return createCdn(
    {
      name: 'vercel',
      header: 'Vercel-Cache-Tag',
      separator: ',',
      maxTagLength: 256,
      maxTagsInHeader: 128,
      // https://vercel.com/docs/caching/cache-control-headers (RFC 9213)
      noStoreHeaders: { 'Vercel-CDN-Cache-Control': 'no-store' },
      batchSize: 16,
      purgeCall: (tags, mode) => ({
        url: `https://api.vercel.com/v1/edge-cache/${mode === 'soft' ? 'invalidate' : 'dangerously-delete'}-by-tags?${query}`,
        headers: { Authorization: `Bearer ${cdnOptions.token}` },
        body: { tags },
      }),
    },
    cdnOptions,
  )
}
