import { noRequestDirectives } from '../http/cache-control.js'
import type { CacheContext } from './context.js'
import type { LookUp } from './lookup.js'
import type { Lookup } from './page.js'
import { decideReuse } from './reuse.js'

/** The state of a page in the cache, for the visitor without cookies and declared fields. */
export interface PageState {
  /** The URL under which the page is stored. */
  url: string
  /**
   * - `fresh`: visitors get it;
   * - `stale`: the next visit renders it anew, or gets it once more while it renders;
   * - `purged`: the next visit renders it anew;
   * - `missing`: it is not stored, so each visit renders it;
   * - `unknown`: the tag index does not answer, so each visit renders it.
   */
  state: 'fresh' | 'stale' | 'purged' | 'missing' | 'unknown'
  status?: number
  /** When the stored page was rendered. */
  renderedAt?: Date
  /** Until when the stored page is fresh, unless it is purged. */
  freshUntil?: Date
  /** The tags that purge the page: its path, its own tags, and those of the content that it shows. */
  tags?: readonly string[]
}

/** Creates the function that tells the state of a page in the cache. It renders nothing. */
export function createInspect({ narrow, lookupTime }: CacheContext, lookUp: LookUp) {
  const nothing = { stamp: undefined, cached: undefined, age: 0, purge: 'none' as const }
  return async (address: string): Promise<PageState> => {
    const deadline = performance.now() + lookupTime
    const page: Lookup = { ...narrow(new Request(address)), ...nothing, deadline }
    const { url, stamp, cached, age, purge } = await lookUp(page)
    if (!stamp) return { url, state: 'unknown' }
    if (!cached) return { url, state: 'missing' }
    const { status, tags, lifetime } = cached.entry
    const isFresh = decideReuse(cached.entry, noRequestDirectives, age, purge) === 'fresh'
    const state = purge === 'hard' ? 'purged' : isFresh ? 'fresh' : 'stale'
    const after = (seconds: number) => new Date(Date.now() + seconds * 1000)
    return { url, state, status, renderedAt: after(-age), freshUntil: after(lifetime - age), tags }
  }
}
