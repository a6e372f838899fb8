import type { CacheContext } from './context.js'
import type { Stamp, StorableHead } from './store/entry.js'

/** For how many seconds a response may be fresh, and for how many it may be used in all. */
export interface LifetimeLimit {
  fresh: number
  total: number
}

/**
 * Creates the function that limits the use of a response whose content was purged less than `settles` ago: it may show
 * what was before. Such a response is fresh for half the time since the purge, so that it is rendered a few times, and
 * is not used after the content has settled. Returns `undefined` for other responses.
 *
 * @returns A function of the response's tags, the time by `performance.now` from which on its content was read, and the
 *   stamp of the render.
 */
export function createSettling({ settings: { content }, tagIndex }: CacheContext) {
  return async (
    tags: readonly string[],
    began: number,
    stamp: Stamp | undefined,
  ): Promise<LifetimeLimit | undefined> => {
    const settles = content?.settles ?? 0
    if (settles === 0 || !content?.tags()?.length) return undefined
    // Without the tag index, the tags may have been purged just now.
    const age = stamp ? await tagIndex.purgeAge(tags) : 0
    const ageAtBegin = age - (performance.now() - began)
    if (ageAtBegin >= settles) return undefined
    const total = Math.max(1, Math.ceil((settles - age) / 1000))
    return { fresh: Math.min(total, Math.max(1, Math.floor(ageAtBegin / 2000))), total }
  }
}

const lifetimeFields = /(?:^|-)cache-control$|^(?:surrogate|edge)-control$/
// The unit of `Edge-Control` and the stale time after `+` of `Surrogate-Control` are replaced, too.
const lifetimes = /\b(s-maxage|max-age|stale-while-revalidate|stale-if-error)(\s*=\s*"?)(\d+)[\w+]*/gi

/** Limits the lifetimes and stale windows in the headers of a response, for this cache and for those behind it. */
export function limitLifetime(headers: Headers, { fresh, total }: LifetimeLimit): void {
  const limit = (_: string, name: string, equals: string, seconds: string) =>
    name + equals + Math.min(Number(seconds), name.toLowerCase().startsWith('stale') ? total - fresh : fresh)
  for (const [name, value] of [...headers]) {
    if (lifetimeFields.test(name)) headers.set(name, value.replace(lifetimes, limit))
  }
  const expires = headers.get('expires')
  const last = Date.now() + fresh * 1000
  if (expires !== null && Date.parse(expires) > last) headers.set('expires', new Date(last).toUTCString())
  const seconds = headers.get('x-accel-expires') // nginx; `@` stands before a time
  if (seconds !== null) headers.set('x-accel-expires', String(Math.min(Number(seconds) || 0, fresh)))
}

/** Limits the use of a response whose head has been sent. */
export function limitHead(head: StorableHead, limit: LifetimeLimit): StorableHead {
  const headers = new Headers(head.headers.map(([...line]) => line))
  limitLifetime(headers, limit)
  const stale = limit.total - limit.fresh
  const terms = {
    ...head.terms,
    lifetime: Math.min(head.terms.lifetime, limit.fresh),
    staleWhileRevalidate: Math.min(head.terms.staleWhileRevalidate, stale),
    staleIfError: Math.min(head.terms.staleIfError, stale),
  }
  return { ...head, headers: [...headers], terms }
}
