import { revalidatePath, revalidateTag } from 'next/cache.js'
import { after } from 'next/server.js'
import type { PurgeMode, TagIndex } from '../../core/cache/index.js'
import { isNextBuild } from '../../core/development.js'
import type { Routes } from '../../core/localized-pages/index.js'
import { optionError } from '../../core/option-error.js'
import { checkKnownOptions, type OptionChecks, withMethod } from '../../core/options.js'
import {
  createRevalidateEndpoint,
  type RevalidateAuthorization,
  type RevalidateSettings,
} from '../../core/revalidate/index.js'
import { EndpointError, revalidateChecks } from '../../core/revalidate/internal.js'
import { encodeTag } from '../../core/tags.js'
import { pathForms, purgeTags, toPurgeMode } from './cache/purge.js'
import { unreachedPages } from './pages-router.js'
import { folderPath, type NextRoute, nextRoute } from './routes.js'

/** The built-in `cacheLife` profiles of Next.js. */
const profiles = ['default', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'max'] as const

/** How long an invalidated page may still be served: the name of a cache-life profile, or seconds. */
export type RevalidateProfile = (typeof profiles)[number] | { expire: number }

export type RevalidateRouteOptions = RevalidateRouteSettings & RevalidateAuthorization

export interface RevalidateRouteSettings extends Omit<RevalidateSettings, 'invalidate'> {
  /**
   * Second argument of `revalidateTag`. Default `'max'`: the old page is served once more while the new one renders.
   * With `{ expire: 0 }`, visitors wait for the new page. They always wait on Next.js 15, which has no profiles.
   * Without a `tagIndex`, they also wait after `?path=/about`, because `revalidatePath` takes no profile.
   */
  profile?: RevalidateProfile | undefined
  /**
   * The tag index passed to `createCacheHandler`. Every cache that stores these tags must use it, including
   * `'use cache'` (through `createUseCacheHandler`). The route then purges the index instead of calling `revalidateTag`
   * and `revalidatePath`, which only queue a purge. A 200 means that the purge is complete on all instances, and a 503
   * that it could not be confirmed. The purge is soft with the profile `'max'` or `'default'`, or an `expire` of at
   * least a year; otherwise it is hard. Default: the route purges the cache of Next.js itself.
   */
  tagIndex?: TagIndex | undefined
  /**
   * The routes of a site in several languages. With them, `?path=/about` purges the page in all languages, including
   * the folder paths that `createLanguageProxy` serves it from. Default: only the path itself.
   */
  routes?: Pick<Routes, 'match' | 'pathsOf'> | undefined
}

const { invalidate: _, ...endpointChecks } = revalidateChecks
const checks: OptionChecks<RevalidateRouteOptions> = {
  ...endpointChecks,
  profile: checkProfile,
  tagIndex: withMethod('stamp', 'a tag index, such as redisTagIndex({ client })'),
  routes: withMethod('pathsOf', 'the result of createRoutes'),
}

/**
 * Creates the revalidation endpoint as an App Router route. It purges data and pages by tag, so tag them:
 * `fetch(url, { next: { tags: ['document'] } })`, `unstable_cache(…, { tags: ['document'] })` or
 * `cacheTag('document')`. `?path=/about` needs no tag. It purges the page like `revalidatePath('/about')`; the path
 * does not include the `basePath`.
 *
 * Pages of a `pages/` folder are only reached with `tagIndex`. Without it, if Next.js stores any of them that a purge
 * concerns, the response is 207 `{"error":"Not revalidated: /posts/[slug] of pages/","revalidated":false}`, after the
 * App Router has been purged. For those pages, call `res.revalidate(path)` in an API route of `pages/`.
 *
 * @throws TypeError that names the malformed option. An unknown profile counts as malformed, although `revalidateTag`
 *   itself would accept it silently.
 * @example
 * // app/api/revalidate/route.ts
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } =
 *   createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })
 *
 * // With several instances, share the tag index with createCacheHandler of sitewright/next-cache.
 * createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET, tagIndex })
 */
export function createRevalidateRoute(options: RevalidateRouteOptions): NextRoute {
  const call = 'createRevalidateRoute({ secret: process.env.REVALIDATE_SECRET })'
  const { profile = 'max', tagIndex, routes, ...endpoint } = checkKnownOptions(options, checks, call)
  const { timeout = 10_000 } = endpoint
  if (routes) endpoint.pathsOf = (path) => withFolders(routes, path)
  // `next build` loads the route without the server's environment variables, so do not log a missing secret there.
  if (isNextBuild()) endpoint.log = () => {}
  const revalidate = (tags: string[]) => {
    for (const tag of tags) revalidateTag(tag, profile)
    for (const path of pathsOf(tags)) revalidatePath(path)
  }
  const queue = (tags: string[]) => {
    revalidate(tags)
    // A page that was already rendering may be stored after this purge, so purge again once the response has been sent.
    after(() => revalidate(tags))
  }
  const invalidate = async (receivedTags: string[]) => {
    // Also the encoded tags, because `content.collect` returns tags as in a header, which are encoded.
    const tags = [...new Set(receivedTags.flatMap((tag) => [tag, encodeTag(tag)]))]
    if (tagIndex) {
      const implicit = pathsOf(tags).map((path) => `_N_T_${path}`)
      await purgeTags({ tagIndex, timeout }, [...tags, ...implicit], modeOf(profile))
    } else queue(tags)
    // The cache handler gives the pages of `pages/` their tags, so a purge of the index reaches them.
    const pages = tagIndex ? [] : unreachedPages(tags)
    if (pages.length > 0) throw new EndpointError(207, `Not revalidated: ${listPages(pages)}`, { reason })
  }
  return nextRoute(createRevalidateEndpoint({ ...endpoint, invalidate }))
}

const reason = 'only the App Router was revalidated; for pages/, call res.revalidate(path) in an API route'
const listPages = (pages: string[]) => `${pages.slice(0, 10).join(', ')}${pages.length > 10 ? ', …' : ''} of pages/`

async function withFolders(routes: Pick<Routes, 'match' | 'pathsOf'>, path: string): Promise<string[]> {
  const paths = await routes.pathsOf(path)
  return [...new Set(paths.flatMap((localizedPath) => [localizedPath, folderPath(routes.match(localizedPath))]))]
}

/**
 * Returns the paths among the tags, in every form that Next.js may use. An image's path does no harm, because no page
 * has that path.
 */
function pathsOf(tags: readonly string[]): string[] {
  return tags.filter((tag) => tag.startsWith('/')).flatMap(pathForms)
}

/**
 * Among the named profiles, only `max` and `default` let the old page be served for a year or more, so only they purge
 * softly.
 */
function modeOf(profile: RevalidateProfile): PurgeMode {
  if (typeof profile !== 'string') return toPurgeMode(profile)
  return profile === 'max' || profile === 'default' ? 'soft' : 'hard'
}

function checkProfile(option: string, profile: unknown): unknown {
  const expire = (profile as { expire?: unknown } | null)?.expire
  if (profiles.includes(profile as 'max') || (typeof expire === 'number' && expire >= 0)) return profile
  const names = profiles.map((name) => `'${name}'`).join(', ')
  const got = typeof expire === 'number' ? `{ expire: ${expire} }` : profile
  const expected = `one of ${names}, or { expire: seconds >= 0 }`
  throw optionError(option, expected, got, 'for a custom profile, pass its expire')
}
