import { type ByteBudget, createByteBudget } from '../../byte-budget.js'
import type { RouteHandler } from '../../handler.js'
import { createCacheStatus, type FormatCacheStatus, type ForwardReason } from '../../http/cache-status.js'
import type { RequestDirectives } from '../../http/request-directives.js'
import { type Log, throttleLog } from '../../log.js'
import type { MaybePromise } from '../../maybe-promise.js'
import { type BoundedMap, createBoundedMap } from '../bounded-map.js'
import type { ResolvedOptions } from '../resolve-options.js'
import type { Stamp, StoredVary } from '../store/entry.js'
import { type GuardedStore, guardStore } from '../store/guarded-store.js'
import { type GuardedTagIndex, guardTagIndex } from '../tags/guarded-tag-index.js'
import type { PurgeState } from '../tags/tag-index.js'
import type { CachedResponse } from './cached-response.js'
import { createNewUrlLimit, type NewUrlLimit } from './keys/new-url-limit.js'
import { createSelectingFields, type SelectingFields } from './keys/selecting-fields.js'
import { createUnconfirmed, type Unconfirmed } from './keys/unconfirmed.js'
import type { UrlKey } from './keys/url-key.js'
import { createVariantLimit, type VariantLimit } from './keys/variant-limit.js'
import { createVaryKey, type VaryKey } from './keys/vary-key.js'
import { type BackgroundSlots, createBackgroundSlots } from './renders/background-slots.js'
import { type Backoff, createBackoff } from './renders/backoff.js'
import {
  createInFlightRenders,
  type InFlightRender,
  type InFlightRenders,
  type RenderResult,
} from './renders/in-flight-renders.js'
import { createParallelism, type Parallelism } from './renders/parallelism.js'
import { createSharedPages, type SharedPages } from './renders/shared-pages.js'
import { createUnstoredWarning, type Unstored } from './unstored.js'

/** Everything that the exchanges of one response cache share. */
export interface CacheContext {
  settings: ResolvedOptions
  store: GuardedStore
  tagIndex: GuardedTagIndex
  renders: InFlightRenders
  backoff: Backoff
  budget: ByteBudget
  parallelism: Parallelism
  sharedPages: SharedPages
  /** URLs whose last body was larger than `maxBodyBytes`. */
  tooLarge: BoundedMap<true>
  /** URLs whose body has failed for a visitor while others read it along. */
  brokenOff: BoundedMap<true>
  unconfirmed: Unconfirmed
  formatStatus: FormatCacheStatus
  urlKey: UrlKey
  mayStoreUrl: NewUrlLimit
  selectingFields: SelectingFields
  varyKey: VaryKey
  variants: VariantLimit
  /** Of the records of URLs that vary. */
  varyRecords: VariantLimit
  background: BackgroundSlots
  log: Log
  /** In development, warns of pages that are never stored. */
  warnOfUnstored(page: Unstored): void
}

/** Creates the context of a response cache. */
export function createCacheContext(settings: ResolvedOptions): CacheContext {
  const log = throttleLog(settings.log)
  const background = createBackgroundSlots(settings.maxBackgroundRenders)
  const parallelism = createParallelism()
  const selectingFields = createSelectingFields(settings.normalizeFields)
  const varyKey = createVaryKey(selectingFields)
  return {
    settings,
    log,
    store: guardStore(settings.store, settings.storeTimeout, log),
    tagIndex: guardTagIndex(settings.tagIndex, settings.storeTimeout, log),
    renders: createInFlightRenders(background, settings.refreshTimeout, parallelism),
    backoff: createBackoff(),
    budget: createByteBudget(settings.maxPendingBytes, { stallTime: 5_000, maxUnread: settings.maxPendingBytes / 2 }),
    parallelism,
    sharedPages: createSharedPages(varyKey),
    tooLarge: createBoundedMap<true>(),
    brokenOff: createBoundedMap<true>(),
    unconfirmed: createUnconfirmed(),
    formatStatus: createCacheStatus(settings.name),
    urlKey: settings.urlKey,
    mayStoreUrl: createNewUrlLimit(settings.maxNewUrls, settings.checksHosts),
    selectingFields,
    varyKey,
    variants: createVariantLimit(settings.maxVariants),
    varyRecords: createVariantLimit(settings.maxVariants),
    background,
    warnOfUnstored: createUnstoredWarning(settings.targets, settings.maxBodyBytes),
  }
}

/** One GET or HEAD on its way through the cache. The lookup fills in what is known of its response. */
export interface Exchange {
  readonly request: Request
  readonly handler: RouteHandler
  readonly directives: RequestDirectives
  /** The URL that the response is rendered for and stored under: what its request says of it besides is the fragment. */
  readonly url: string
  /** The key of the response that this request selects: the URL, unless its responses vary. */
  key: string
  /** `undefined` when the tag index is unavailable: then nothing is reused or stored. */
  stamp: Stamp | undefined
  vary: StoredVary | undefined
  /** Seconds for which the stored `vary` can still be of use. 0: it is not stored yet. */
  varyTtl: number
  cached: CachedResponse | undefined
  /** Whether no more of the body of the cached response was read than the response to the request consists of. */
  readonly isPart: boolean
  /** Current age of the cached response in seconds (RFC 9111, section 4.2.3). */
  age: number
  /** The strongest purge of its tags since it was rendered. */
  purge: PurgeState
  /** Aborts when the request waits no longer, where that is before its own signal does. */
  signal: AbortSignal | undefined
}

/** Creates the exchange of a request: of its response nothing is known yet. */
export function createExchange(
  request: Request,
  handler: RouteHandler,
  directives: RequestDirectives,
  url: string,
): Exchange {
  return {
    request,
    handler,
    directives,
    url,
    key: url,
    stamp: undefined,
    vary: undefined,
    varyTtl: 0,
    cached: undefined,
    isPart: false,
    age: 0,
    purge: 'none',
    signal: undefined,
  }
}

/** One render: an exchange whose response the handler makes. */
export interface Render {
  readonly exchange: Exchange
  readonly inFlight: InFlightRender
  readonly forward: ForwardReason
  /** Leaves the render: it is aborted when nobody else waits for it. */
  release(): void
}

/** What a render leads to: the response for the one who began it, and what those who joined it get. */
export interface RenderOutcome {
  /** `undefined`: not the handler's route. */
  response: Response | undefined
  result: MaybePromise<RenderResult>
}
