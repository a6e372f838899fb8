import { checkKnownOptions, type OptionChecks, oneOf, required } from '../../core/options.js'
import { type Cdn, type CdnOptions, cdnChecks, createCdn } from './cdn.js'
import { checkId, checkToken } from './credentials.js'

const api = 'https://api.vercel.com/v1/edge-cache'

export interface VercelOptions extends CdnOptions {
  /** Id or name of the project. */
  projectId: string
  /** Id of the team, if the project belongs to one. */
  teamId?: string | undefined
  /** An access token of the account or team. */
  token: string
  /** Deployments to purge. Default: all. */
  target?: 'production' | 'preview' | undefined
}

const checks: OptionChecks<VercelOptions> = {
  ...cdnChecks,
  projectId: required(checkId),
  teamId: checkId,
  token: required(checkToken),
  target: oneOf('production', 'preview'),
}

/**
 * Creates the CDN of Vercel. Header: `Vercel-Cache-Tag`, separated by commas, 128 tags per response, 256 bytes per tag
 * (https://vercel.com/docs/caching/cdn-cache/purge). Purge: 16 tags per call, `soft` by `invalidate-by-tags`, `hard` by
 * `dangerously-delete-by-tags` (https://vercel.com/docs/rest-api/reference/endpoints/edge-cache). Vercel also purges these
 * tags from its runtime cache and data cache.
 *
 * @throws TypeError that names the option when one is missing or malformed.
 * @example const cdn = vercel({ projectId: 'prj_4xQ8…', teamId: 'team_1a2b…', token: process.env.VERCEL_TOKEN! })
 */
export function vercel(given: VercelOptions): Cdn {
  const { projectId, teamId, token, target, ...options } = checkKnownOptions(
    given,
    checks,
    'vercel({ projectId, token })',
  )
  const query = new URLSearchParams({ projectIdOrName: projectId })
  if (teamId !== undefined) query.set('teamId', teamId)
  const authorization = `Bearer ${token}`
  return createCdn(
    {
      name: 'vercel',
      token,
      header: 'Vercel-Cache-Tag',
      separator: ',',
      maxTagLength: 256,
      maxTags: 128,
      maxHeaderLength: Number.POSITIVE_INFINITY,
      // https://vercel.com/docs/caching/cache-control-headers (RFC 9213)
      noStoreHeaders: { 'Vercel-CDN-Cache-Control': 'no-store' },
      batchSize: 16,
      purgeCall: (tags, mode) => ({
        url: `${api}/${mode === 'soft' ? 'invalidate' : 'dangerously-delete'}-by-tags?${query}`,
        headers: { Authorization: authorization },
        body: { tags, ...(target && { target }) },
      }),
    },
    options,
  )
}
