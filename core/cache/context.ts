import { createDetach } from '../async.js'
import { createIsNew, isDevelopment } from '../development.js'
import type { RouteHandler } from '../handler.js'
import type { RequestDirectives } from '../http/cache-control.js'
import { createCacheStatus } from '../http/cache-status.js'
import { type Log, throttleLog } from '../log.js'
import type { CachedResponse } from './cached-response.js'
import { createFieldWarning, createNarrow, type Narrowed } from './narrow.js'
import { createRenders } from './renders.js'
import type { ResolvedOptions } from './resolve-options.js'
import type { Stamp } from './store/entry.js'
import { guardStore, guardTagIndex } from './store/guards.js'
import type { PurgeState } from './tags/tag-index.js'
import { createUrlKey } from './url-key.js'

// Share of `storeTimeout` for lookups; the rest is for storing.
const lookupShare = 0.75

/** Everything that the requests of one response cache share. */
export type CacheContext = ReturnType<typeof createCacheContext>

/** Creates the context of a response cache. */
export function createCacheContext(settings: ResolvedOptions) {
  const log = throttleLog(settings.log)
  const lookupTime = lookupShare * settings.storeTimeout
  const store = guardStore(settings.store, lookupTime, log)
  const renders = createRenders(settings.refreshTimeout, log)
  return {
    settings,
    log,
    store,
    tagIndex: guardTagIndex(settings.tagIndex, lookupTime, log),
    renders,
    /** Notes why a page is not stored. Removes the stored page it was to replace, which would otherwise be served again and again. */
    conclude({ key, cached }: Page, detail: string | undefined): void {
      renders.note(key, detail)
      if (cached && detail !== undefined && detail !== 'broken-off' && detail !== 'purged') void store.delete(key)
    },
    ...createNarrow(settings.fields, settings.cookies, createUrlKey(settings.queryParameters)),
    formatStatus: createCacheStatus(settings.name),
    ...createExplanations(settings.log),
    /** In development, notes which fields a handler reads. */
    fieldWarning: isDevelopment() ? createFieldWarning(settings.fields) : undefined,
    /** Whether to warn of what other caches purge. */
    watchesPurges: isDevelopment() && settings.hasOwnIndex,
    /** Runs a render outside of the context of a visitor's request, and notes what it reads. */
    detach: createDetach(settings.content?.run),
    /** Longest time that a request waits for lookups, and for storing its own response, in milliseconds. */
    lookupTime,
    storeTime: settings.storeTimeout - lookupTime,
    /** Bytes that bodies in transfer may still hold; below 0, bodies are no longer collected. */
    room: { left: 8 * settings.maxBodyBytes },
  }
}

/** A GET or HEAD request for all, on its way through the cache. The lookup fills in the stored response. */
export interface Page extends Narrowed {
  /** The visitor's request. */
  readonly request: Request
  readonly handler: RouteHandler
  readonly directives: RequestDirectives
  /** Time until which the request waits for stores, by `performance.now`. */
  readonly deadline: number
  /** `undefined` if the tag index is unavailable. Nothing is reused or stored then. */
  stamp: Stamp | undefined
  cached: CachedResponse | undefined
  /** Current age of the cached response in seconds (RFC 9111, section 4.2.3). */
  age: number
  /** The strongest purge of its tags since it was rendered. */
  purge: PurgeState
}

/** Creates the functions that log, once and also in production, which cookie or field to declare. Visitors can make up names. */
function createExplanations(log: Log) {
  const isNew = createIsNew()
  const tell = (message: string, name: string, advice: string) => {
    if (isNew(message + name)) log(message, { name: name.slice(0, 100), advice })
  }
  return {
    explainCookie(name: string): void {
      const names = `bypass: withCookies('session') names those that count; cookies: ['${name}'] one that many have alike`
      tell('Response cache: requests with this cookie pass the cache', name, names)
    },
    explainVary(name: string): void {
      const advice = name === '*' ? 'Vary: name the request fields' : `declare it: fields: { '${name}': true }`
      tell('Response cache: pages that vary by this field are not stored', name, advice)
    },
  }
}
