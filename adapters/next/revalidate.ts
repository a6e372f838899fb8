import { revalidateTag } from 'next/cache.js'
import { after } from 'next/server.js'
import type { TagIndex } from '../../core/cache/index.js'
import { createRevalidateEndpoint, type RevalidateOptions } from '../../core/revalidate/index.js'
import { purgeModeOf, purgeTags } from './cache/purge.js'
import { type NextRoute, nextRoute } from './route.js'

/** What Next.js knows without a `cacheLife` of the site's own in `next.config`. */
const builtInProfiles = ['default', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'max']

/** When what was invalidated may be seen last: by the name of a cache-life profile, or in seconds. */
export type RevalidateProfile = string | { expire: number }

export interface RevalidateRouteOptions extends Omit<RevalidateOptions, 'invalidate'> {
  /**
   * Second argument of `revalidateTag`. Default `'max'`: the old page is served once more while the new one renders.
   * `{ expire: 0 }`: readers wait for the new one. Next.js 15 has no profiles, and always does the latter.
   */
  profile?: RevalidateProfile | undefined
  /** Names of the site's own profiles in `next.config`'s `cacheLife`. */
  profiles?: readonly string[] | undefined
  /**
   * The tag index of `createCacheHandler`, on which all that bears the tags must be, `'use cache'` too
   * (`createUseCacheHandler`). It is purged in place of `revalidateTag`, which only queues: 200 says that it is done for
   * all instances, 503 that this is not known. Softly with the profiles `'max'`, `'default'` and an `expire` of a year or
   * more, otherwise hard.
   */
  tagIndex?: TagIndex | undefined
}

/**
 * Creates the revalidation endpoint as a route of the App Router. Data and pages must bear the tag:
 * `fetch(url, { next: { tags: ['document'] } })`, `unstable_cache(…, { tags: ['document'] })` or `cacheTag('document')`.
 *
 * @throws TypeError that names the option; for an unknown profile too, which `revalidateTag` itself takes in silence.
 * @example
 * // app/api/revalidate/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 *   createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })
 *
 * // several instances, with createCacheHandler({ store, tagIndex }) of sitewright/next-cache
 * createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET, tagIndex })
 */
export function createRevalidateRoute(options: RevalidateRouteOptions): NextRoute {
  const { profile = 'max', profiles = [], tagIndex, timeout = 10_000 } = options
  checkProfile(profile, [...builtInProfiles, ...profiles])
  if (tagIndex) {
    const mode = purgeModeOf(durationsOf(profile))
    const invalidate = (tags: string[]) => purgeTags(tagIndex, tags, mode, timeout)
    return nextRoute(createRevalidateEndpoint({ ...options, invalidate }))
  }
  const revalidate = (tags: string[]) => {
    for (const tag of tags) revalidateTag(tag, profile)
  }
  return nextRoute(
    createRevalidateEndpoint({
      ...options,
      invalidate(tags) {
        revalidate(tags)
        // A page that was rendering meanwhile may have been stored after the purge. Once more, when we have answered.
        after(() => revalidate(tags))
      },
    }),
  )
}

/** Of the profiles, these two let the old page be served for a year or more. */
function durationsOf(profile: RevalidateProfile): { expire?: number } {
  if (typeof profile !== 'string') return profile
  return profile === 'max' || profile === 'default' ? {} : { expire: 0 }
}

function checkProfile(profile: RevalidateProfile, known: readonly string[]): void {
  const valid = typeof profile === 'string' ? known.includes(profile) : profile.expire >= 0
  if (valid) return
  throw new TypeError(
    `profile: ${JSON.stringify(profile)} is none of ${known.join(', ')}; write one of them, { expire: 0 }, or name your own in profiles`,
  )
}
