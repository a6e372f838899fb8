import type { LRUCache } from 'lru-cache'
import { createCacheStatus, type DescribeOutcome } from '../http/cache-status.js'
import { type Log, throttleLog } from '../log.js'
import { type Backoff, createBackoff } from './backoff.js'
import { type Budget, createBudget } from './collect.js'
import { createFlights, type Flights } from './flights.js'
import { type GuardedStore, guardStore } from './guarded-store.js'
import { type GuardedTagIndex, guardTagIndex } from './guarded-tag-index.js'
import type { Settings } from './options.js'
import { rememberByKey } from './remember.js'
import { createUrlKey, type UrlKey } from './url-key.js'
import { createVaryKey, type VaryKey } from './vary.js'

/** What a response cache consists of. */
export interface Parts {
  settings: Settings
  store: GuardedStore
  index: GuardedTagIndex
  flights: Flights
  backoff: Backoff
  budget: Budget
  /** URLs whose last response was for one visitor: nobody waits for another's there. */
  uncacheable: LRUCache<string, true>
  describe: DescribeOutcome
  urlKey: UrlKey
  varyKey: VaryKey
  log: Log
}

/** Puts the parts together. */
export function createParts(settings: Settings): Parts {
  const log = throttleLog(settings.log)
  return {
    settings,
    log,
    store: guardStore(settings.store, settings.storeTimeout, log),
    index: guardTagIndex(settings.tagIndex, settings.storeTimeout, log),
    flights: createFlights(),
    backoff: createBackoff(),
    budget: createBudget(settings.maxPendingBytes),
    uncacheable: rememberByKey(),
    describe: createCacheStatus(settings.name),
    urlKey: createUrlKey(settings.ignoreQuery),
    varyKey: createVaryKey(settings.imageFormats),
  }
}
