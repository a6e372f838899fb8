import { revalidatePath, revalidateTag } from 'next/cache.js'
import { after } from 'next/server.js'
import type { TagIndex } from '../../core/cache/index.js'
import { checkKnownOptions, type OptionChecks, unchecked, withMethod } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { createRevalidateEndpoint, type RevalidateAuthorization, type RevalidateSettings } from '../../core/revalidate/index.js'
import { revalidateChecks } from '../../core/revalidate/internal.js'
import { purgeTags, toPurgeMode } from './cache/purge.js'
import { pathForms } from './path-forms.js'
import { type NextRoute, nextRoute } from './route.js'

/** The cache-life profiles of Next.js itself. */
const builtInProfiles = ['default', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'max'] as const

/** How long an invalidated page may still be served: the name of a cache-life profile, or seconds. */
export type RevalidateProfile<Name extends string = string> =
  | (typeof builtInProfiles)[number]
  | Name
  | { expire: number }

export type RevalidateRouteOptions<Name extends string = string> = RevalidateRouteSettings<Name> &
  RevalidateAuthorization

export interface RevalidateRouteSettings<Name extends string = string> extends Omit<RevalidateSettings, 'invalidate'> {
  /**
   * Second argument of `revalidateTag`. Default `'max'`: the old page is served once more while the new one renders. With
   * `{ expire: 0 }` readers wait for the new one, as they always do on Next.js 15, which has no profiles, and, without
   * `tagIndex`, for the page of `?path=/about`: `revalidatePath` takes no profile.
   */
  profile?: RevalidateProfile<NoInfer<Name>> | undefined
  /** Names of the site's own profiles, from `cacheLife` in `next.config`. Default: none. */
  profiles?: readonly Name[] | undefined
  /**
   * Tag index of `createCacheHandler`. Everything with these tags must use it, `'use cache'` too (by
   * `createUseCacheHandler`). It is purged in place of `revalidateTag` and `revalidatePath`, which only queue: 200 means that
   * the purge is done for all instances, 503 that it could not be confirmed. The purge is soft with the profiles `'max'` and
   * `'default'` and an `expire` of a year or more, otherwise hard. Default: none.
   */
  tagIndex?: TagIndex | undefined
}

const { invalidate: _, ...endpointChecks } = revalidateChecks
const checks: OptionChecks<RevalidateRouteOptions> = {
  ...endpointChecks,
  profile: unchecked,
  profiles: checkProfiles,
  tagIndex: withMethod('stamp', 'a tag index, such as redisTagIndex({ client })'),
}

/**
 * Creates the revalidation endpoint as a route of the App Router. Data and pages must have the tag:
 * `fetch(url, { next: { tags: ['document'] } })`, `unstable_cache(…, { tags: ['document'] })` or `cacheTag('document')`.
 * `?path=/about` needs none: it purges the page as `revalidatePath('/about')` does, which knows no `basePath`.
 *
 * @throws TypeError that names the option when one is malformed, also for an unknown profile (a type error, too), which `revalidateTag`
 * itself accepts silently.
 * @example
 * // app/api/revalidate/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 *   createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })
 *
 * // several instances, with createCacheHandler({ store, tagIndex }) of sitewright/next-cache
 * createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET, tagIndex })
 */
export function createRevalidateRoute<Name extends string = never>(options: RevalidateRouteOptions<Name>): NextRoute {
  const {
    profile = 'max',
    profiles = [],
    tagIndex,
    ...endpoint
  } = checkKnownOptions(options, checks, 'createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })')
  const { timeout = 10_000 } = endpoint
  // `next build` loads the route without the server's environment, so a missing secret says nothing there.
  if (process.env.NEXT_PHASE === 'phase-production-build') endpoint.log = () => {}
  checkProfile(profile, [...builtInProfiles, ...profiles])
  if (tagIndex) {
    const mode = toPurgeMode(toDurations(profile))
    const invalidate = (tags: string[]) => {
      const implicit = pathsOf(tags).map((path) => `_N_T_${path}`)
      return purgeTags(tagIndex, [...tags, ...implicit], { mode, timeout })
    }
    return nextRoute(createRevalidateEndpoint({ ...endpoint, invalidate }))
  }
  const revalidate = (tags: string[]) => {
    for (const tag of tags) revalidateTag(tag, profile)
    for (const path of pathsOf(tags)) revalidatePath(path)
  }
  return nextRoute(
    createRevalidateEndpoint({
      ...endpoint,
      invalidate(tags) {
        revalidate(tags)
        // A page whose render began before the purge may have been stored after it. Purges again, after the response.
        after(() => revalidate(tags))
      },
    }),
  )
}

/** The paths among tags. That of an image may be among them; then there is no page to purge. */
function pathsOf(tags: readonly string[]): string[] {
  return tags.filter((tag) => tag.startsWith('/')).flatMap(pathForms)
}

/** Only these two profiles let the old page be served for a year or more. */
function toDurations(profile: RevalidateProfile): { expire?: number } {
  if (typeof profile !== 'string') return profile
  return profile === 'max' || profile === 'default' ? {} : { expire: 0 }
}

function checkProfiles(option: string, names: unknown): unknown {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names
  throw optionError(option, 'a list of names', names)
}

function checkProfile(profile: RevalidateProfile, known: readonly string[]): void {
  const expire: unknown = typeof profile === 'string' ? undefined : profile?.expire
  const valid = typeof profile === 'string' ? known.includes(profile) : typeof expire === 'number' && expire >= 0
  if (valid) return
  const names = known.map((name) => `'${name}'`).join(', ')
  const got = typeof expire === 'number' ? `{ expire: ${expire} }` : profile
  throw optionError('profile', `one of ${names}, or { expire: seconds >= 0 }`, got, 'name your own in profiles')
}
