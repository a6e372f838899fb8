import { revalidatePath, revalidateTag } from 'next/cache.js'
import { after } from 'next/server.js'
import type { PurgeMode, TagIndex } from '../../core/cache/index.js'
import { isNextBuild } from '../../core/development.js'
import { optionError } from '../../core/option-error.js'
import { checkKnownOptions, type OptionChecks, withMethod } from '../../core/options.js'
import {
  createRevalidateEndpoint,
  type RevalidateAuthorization,
  type RevalidateSettings,
} from '../../core/revalidate/index.js'
import { revalidateChecks } from '../../core/revalidate/internal.js'
import { pathForms, purgeTags, toPurgeMode } from './cache/purge.js'
import { type NextRoute, nextRoute } from './route.js'

/** The cache-life profiles of Next.js. */
const profiles = ['default', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'max'] as const

/** How long an invalidated page may still be served: the name of a cache-life profile, or seconds. */
export type RevalidateProfile = (typeof profiles)[number] | { expire: number }

export type RevalidateRouteOptions = RevalidateRouteSettings & RevalidateAuthorization

export interface RevalidateRouteSettings extends Omit<RevalidateSettings, 'invalidate'> {
  /**
   * Second argument of `revalidateTag`. Default `'max'`: the old page is served once more while the new one renders. With
   * `{ expire: 0 }` readers wait for the new one, as they always do on Next.js 15, which has no profiles, and, without
   * `tagIndex`, for the page of `?path=/about`: `revalidatePath` takes no profile.
   */
  profile?: RevalidateProfile | undefined
  /**
   * Tag index of `createCacheHandler`. Everything with these tags must use it, `'use cache'` too (by
   * `createUseCacheHandler`). It is purged in place of `revalidateTag` and `revalidatePath`, which only queue: 200 means that
   * the purge is done for all instances, 503 that it could not be confirmed. The purge is soft with the profiles `'max'` and
   * `'default'` and an `expire` of a year or more, otherwise hard. Default: Next.js' own cache is purged.
   */
  tagIndex?: TagIndex | undefined
}

const { invalidate: _, ...endpointChecks } = revalidateChecks
const checks: OptionChecks<RevalidateRouteOptions> = {
  ...endpointChecks,
  profile: checkProfile,
  tagIndex: withMethod('stamp', 'a tag index, such as redisTagIndex({ client })'),
}

/**
 * Creates the revalidation endpoint as a route of the App Router. Data and pages must have the tag:
 * `fetch(url, { next: { tags: ['document'] } })`, `unstable_cache(…, { tags: ['document'] })` or `cacheTag('document')`.
 * `?path=/about` needs no tag: it purges the page as `revalidatePath('/about')` does, which knows no `basePath`.
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
export function createRevalidateRoute(options: RevalidateRouteOptions): NextRoute {
  const {
    profile = 'max',
    tagIndex,
    ...endpoint
  } = checkKnownOptions(options, checks, 'createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })')
  const { timeout = 10_000 } = endpoint
  // `next build` loads the route without the server's environment, so a missing secret says nothing there.
  if (isNextBuild()) endpoint.log = () => {}
  const revalidate = (tags: string[]) => {
    for (const tag of tags) revalidateTag(tag, profile)
    for (const path of pathsOf(tags)) revalidatePath(path)
  }
  const queue = (tags: string[]) => {
    revalidate(tags)
    // A page that was rendering meanwhile may have been stored after the purge. Purges again, after the response.
    after(() => revalidate(tags))
  }
  const purge = (index: TagIndex, tags: string[]) => {
    const implicit = pathsOf(tags).map((path) => `_N_T_${path}`)
    return purgeTags({ tagIndex: index, timeout }, [...tags, ...implicit], modeOf(profile))
  }
  const invalidate = (tags: string[]) => (tagIndex ? purge(tagIndex, tags) : queue(tags))
  return nextRoute(createRevalidateEndpoint({ ...endpoint, invalidate }))
}

/** The paths among tags. That of an image may be among them; then there is no page to purge. */
function pathsOf(tags: readonly string[]): string[] {
  return tags.filter((tag) => tag.startsWith('/')).flatMap(pathForms)
}

/** Of the named profiles, two let the old page be served for a year or more. */
function modeOf(profile: RevalidateProfile): PurgeMode {
  if (typeof profile !== 'string') return toPurgeMode(profile)
  return profile === 'max' || profile === 'default' ? 'soft' : 'hard'
}

function checkProfile(option: string, profile: unknown): unknown {
  const expire = (profile as { expire?: unknown } | null)?.expire
  if (profiles.includes(profile as 'max') || (typeof expire === 'number' && expire >= 0)) return profile
  const names = profiles.map((name) => `'${name}'`).join(', ')
  const got = typeof expire === 'number' ? `{ expire: ${expire} }` : profile
  throw optionError(
    option,
    `one of ${names}, or { expire: seconds >= 0 }`,
    got,
    'write the expire of a profile of your own',
  )
}
