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
    /**
     * Notes why a page was not stored, or `undefined` if it was. Removes the previous page if the new one cannot be
     * stored: otherwise, the previous page would be served again and again.
     */
    conclude({ key, cached }: Page, detail: string | undefined): void {
      renders.note(key, detail)
      if (cached && detail !== undefined && detail !== 'broken-off' && detail !== 'purged') void store.delete(key)
    },
    ...createNarrow(settings.fields, settings.cookies, createUrlKey(settings.queryParameters)),
    formatStatus: createCacheStatus(settings.name),
    ...createExplanations(settings.log),
    /** In development, warns of fields that a handler reads but does not receive. */
    fieldWarning: isDevelopment() ? createFieldWarning(settings.fields) : undefined,
    /** Whether to warn if this cache serves a page that another cache of the process has purged. */
    watchesPurges: isDevelopment() && settings.hasOwnIndex,
    /**
     * Runs a render outside of the async context of a visitor's request, and notes the content that the render reads.
     */
    detach: createDetach(settings.content?.run),
    /** Longest time that a request waits for lookups, in milliseconds. */
    lookupTime,
    /** Longest time that a request waits for its own response to be stored, in milliseconds. */
    storeTime: settings.storeTimeout - lookupTime,
    /** Bytes that bodies in transfer may still hold; below 0, bodies are no longer collected. */
    room: { left: 8 * settings.maxBodyBytes },
  }
}

/** A GET or HEAD request whose page is for all visitors. The lookup fills in the stored response. */
export interface Page extends Narrowed {
  /** The visitor's request. */
  readonly request: Request
  readonly handler: RouteHandler
  readonly directives: RequestDirectives
  /** Time until which the request waits for the store and the tag index, by `performance.now`. */
  readonly deadline: number
  /** `undefined` if the tag index is unavailable: then no response is reused or stored. */
  stamp: Stamp | undefined
  cached: CachedResponse | undefined
  /** Current age of the cached response in seconds (RFC 9111, section 4.2.3). */
  age: number
  /** The strongest purge of the cached response's tags since its render. */
  purge: PurgeState
}

/**
 * Creates the functions that log which cookie or field to declare: each name once, also in production. Names are
 * shortened, because visitors can make them up.
 */
function createExplanations(log: Log) {
  const isNew = createIsNew()
  const logOnce = (message: string, name: string, advice: string) => {
    if (isNew(message + name)) log(message, { name: name.slice(0, 100), advice })
  }
  return {
    explainCookie(name: string): void {
      const advice = `bypass: withCookies('session') for session cookies; cookies: ['${name}'] if many visitors share its value`
      logOnce('Response cache: requests with this cookie pass the cache', name, advice)
    },
    explainVary(name: string): void {
      const advice = name === '*' ? 'Vary: name the request fields' : `declare it: fields: { '${name}': true }`
      logOnce('Response cache: pages that vary by this field are not stored', name, advice)
    },
  }
}
