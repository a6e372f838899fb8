import { parseCacheControl, secondsOf } from '../http/cache-control.js'
import { parseHttpDate } from '../http/dates.js'
import type { ResolvedOptions } from './resolve-options.js'
import { ageOf, type Stamp, type StorableHead } from './store/entry.js'
import type { GuardedTagIndex } from './store/guards.js'

/** For how many seconds a response may be fresh, and for how many it may be used in all. */
export interface LifetimeLimit {
  fresh: number
  total: number
  /** The time by `performance.now` from which these seconds count. */
  from: number
}

/**
 * Creates the function that limits the use of a response for either of two reasons. Its content ends at a date. Or its
 * content was purged less than `settles` ago, so that it may show the content of before: then it is fresh for half the
 * time since the purge, so that it is rendered a few times, and is not used after the content has settled.
 *
 * @returns A function of the response's tags, the time by `performance.now` from which on its content was read, the
 *   stamp of the render, and the date in milliseconds since 1970. It returns `undefined` if there is no limit.
 */
export function createLimit(content: ResolvedOptions['content'], tagIndex: GuardedTagIndex) {
  const settle = async (tags: readonly string[], began: number, stamp: Stamp | undefined) => {
    const settles = content?.settles ?? 0
    if (settles === 0 || !content?.tags()?.length) return undefined
    // Without the tag index, the tags may have been purged just now.
    const age = stamp ? await tagIndex.purgeAge(tags) : 0
    const ageAtBegin = age - (performance.now() - began)
    if (ageAtBegin >= settles) return undefined
    const total = Math.max(0, (settles - age) / 1000)
    return { fresh: Math.min(total, Math.max(2, ageAtBegin / 2000)), total, from: performance.now() }
  }
  return async (
    tags: readonly string[],
    began: number,
    stamp: Stamp | undefined,
    end: number | undefined,
  ): Promise<LifetimeLimit | undefined> => {
    const limit = await settle(tags, began, stamp)
    if (end === undefined) return limit
    const left = Math.max(0, (end - Date.now()) / 1000)
    const [fresh, total] = [Math.min(left, limit?.fresh ?? left), Math.min(left, limit?.total ?? left)]
    return { fresh, total, from: performance.now() }
  }
}

// Caches count in whole seconds, so a cache in front ends up to two seconds before the limit.
const toWholeSeconds = (seconds: number) => Math.max(0, Math.floor(seconds) - 1)

const fields = /(?:^|-)cache-control$|^(?:surrogate|edge)-control$/
// The unit of `Edge-Control` and the stale time after `+` of `Surrogate-Control` are replaced, too.
const lifetimePattern = /(?<![\w-])((?:s-maxage|max-age)\s*=\s*"?)(\d+)[\w+]*/gi
const stalePattern = /(?<![\w-])((?:stale-while-revalidate|stale-if-error)\s*=\s*"?)(\d+)[\w+]*/gi

/**
 * Limits the lifetime and the stale windows in the headers of a response, for this cache and for those in front: in
 * `Cache-Control`, in its targeted fields (RFC 9213) and in `Expires`. `X-Accel-Expires` states the end as a date,
 * because nginx does not subtract `Age`.
 */
export function limitHeaders(headers: Headers, limit: Omit<LifetimeLimit, 'from'>, now = Date.now()): void {
  const [fresh, total] = [toWholeSeconds(limit.fresh), toWholeSeconds(limit.total)]
  for (const name of [...headers.keys()].filter((key) => fields.test(key))) {
    let lifetime = 0
    const shorten = (_: string, directive: string, seconds: string) => {
      const shortened = Math.min(Number(seconds), fresh)
      lifetime = Math.max(lifetime, shortened)
      return directive + shortened
    }
    const shortenWindow = (_: string, directive: string, seconds: string) =>
      directive + Math.min(Number(seconds), total - lifetime)
    const value = String(headers.get(name)).replace(lifetimePattern, shorten)
    headers.set(name, value.replace(stalePattern, shortenWindow))
  }
  const expires = parseHttpDate(headers.get('expires'), now)
  const last = now + fresh * 1000
  if (expires !== undefined && expires > last) headers.set('expires', new Date(last).toUTCString())
  const accelerated = acceleratedSeconds(headers, fresh, now)
  if (accelerated !== undefined) headers.set('x-accel-expires', `@${Math.floor(now / 1000) + accelerated}`)
}

/** Returns for how many seconds nginx may keep a response, or `undefined` if it may not. */
function acceleratedSeconds(headers: Headers, fresh: number, now: number): number | undefined {
  const own = headers.get('x-accel-expires')
  const directives = parseCacheControl(headers.get('cache-control'))
  // `X-Accel-Expires` would override `private`.
  const isStored = !['private', 'no-store', 'no-cache'].some((name) => directives.has(name))
  const stated = isStored ? (secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')) : undefined
  if (own === null) return stated
  const ownSeconds = own.startsWith('@') ? Math.floor(Number(own.slice(1)) - now / 1000) : Number(own)
  return Math.max(0, Math.min(stated ?? fresh, fresh, ownSeconds || 0))
}

/** Returns the end of a response that {@link limitHeaders} has limited, in milliseconds since 1970. */
export function endOf(headers: Headers): number | undefined {
  const [, seconds] = /^@(\d+)$/.exec(headers.get('x-accel-expires') ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Limits the use of a response by this cache. */
export function limitTerms(head: StorableHead, limit: LifetimeLimit | undefined): StorableHead {
  if (!limit) return head
  const age = ageOf(head) - (performance.now() - limit.from) / 1000
  // The end is two milliseconds earlier, since `Date.now` drops the fraction of one: for the limit, and for the age of a
  // stored response.
  const end = Math.min(head.end ?? Number.POSITIVE_INFINITY, age + limit.total - 0.002)
  return { ...head, end, lifetime: Math.min(head.lifetime, age + limit.fresh) }
}

/** Limits a response whose head has been sent, by this cache and in the headers that are stored. */
export function limitHead(head: StorableHead, limit: LifetimeLimit | undefined): StorableHead {
  if (!limit) return head
  const headers = new Headers(head.headers.map(([...line]) => line))
  limitHeaders(headers, limit)
  return limitTerms({ ...head, headers: [...headers] }, limit)
}
