import { chain, createDetach, type MaybePromise } from '../async.js'
import { type ForwardReason, withCacheStatus } from '../http/cache-status.js'
import { needsHandler } from '../http/conditional.js'
import { createLimiter } from '../limiter.js'
import { describeError } from '../log.js'
import { withTimeout } from '../timeout.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext } from './context.js'
import { createKeyMap } from './key.js'
import type { Page } from './page.js'
import type { Pass } from './pass.js'
import { createCall, createRender, forwardReason } from './render.js'
import type { Render, RenderKind } from './render-life.js'
import { decideReuse, respondStaleIfError } from './reuse.js'
import { warnOfPurge } from './separate-caches.js'
import type { Stamp, StoredResponse, StoreHit } from './store/entry.js'
import type { PurgeState } from './tags/tag-index.js'

// Longer URLs and fields are not cached, because they would fill the memory with keys.
const maxKeyLength = 8192

/** Creates the function that answers requests for shared pages: from the store, or by joining or beginning a render. */
export function createServe(context: CacheContext, pass: Pass): (page: Page) => MaybePromise<Response | undefined> {
  const { settings, renders, knownPages, log } = context
  const { formatStatus, joinTimeout, waitUntil } = settings
  const lookUp = createLookup(context)
  const call = createCall(context)
  const render = createRender(context)
  /** Runs work outside of the async context of a visitor's request, and notes the content that it reads. */
  const detach = createDetach(settings.content?.run)

  /** Calls the handler, or hands the visitor's request to the app, and does not store the response. */
  const callDirectly = async (page: Page, forward: ForwardReason, detail?: string): Promise<Response | undefined> => {
    const { request } = page
    if (page.passOn) return pass(request, page, { forward, detail }, page)
    const answer = await detach(() => call(page, { signal: request.signal, visitorRequest: request }))
    return answer && withCacheStatus(answer.response, formatStatus({ forward, status: answer.response.status, detail }))
  }

  const limit = settings.maxRenders && createLimiter({ concurrency: settings.maxRenders })
  const renderInTurn = async (begun: Render): Promise<void> => {
    const run = async () => {
      if (begun.state !== 'abandoned') await render(begun)
    }
    await (limit ? limit(run, AbortSignal.timeout(joinTimeout)).catch(run) : run())
  }

  const begin = (page: Page, stamp: Stamp, kind: RenderKind): Render => {
    // A render that waits for this one would keep its turn meanwhile.
    const isPart = settings.content?.tags() !== undefined
    const begun = renders.begin(page, stamp, kind)
    knownPages.add(page.url)
    const onError = (error: unknown) => log('Response cache: waitUntil failed', { reason: describeError(error) })
    if (waitUntil) (async () => waitUntil(begun.end.promise, page.request))().catch(onError)
    void detach(() => (isPart ? render : renderInTurn)(begun))
    return begun
  }

  /**
   * Waits for the head of a render. A request that has joined starts over after `joinTimeout`, or if it cannot use the
   * response. In front of an app, so does the request that began the render.
   */
  const receive = async (page: Page, begun: Render, hasJoined: boolean): Promise<Response | undefined> => {
    const { request } = page
    const leave = renders.join(begun)
    let response: Response | undefined
    try {
      const time = hasJoined ? joinTimeout : undefined
      const respond = await withTimeout(time, begun.answer.promise, request.signal).catch(() => undefined)
      request.signal?.throwIfAborted()
      const collapsed = hasJoined ? formatStatus({ forward: forwardReason(page), collapsed: true }) : undefined
      response = respond?.(request, collapsed, leave)
      if (response || !(hasJoined || page.passOn)) return response
    } catch (error) {
      const stale = request.signal?.aborted ? undefined : respondStaleIfError(page)
      if (stale) return stale
      if (!page.passOn || request.signal?.aborted) throw error
    } finally {
      if (!response) leave()
    }
    if (!hasJoined) return renderOrJoin(page, begun.stamp, false)
    return decide(await lookUp(page), false) // the response may be stored by now
  }

  const renderOrJoin = (page: Page, stamp: Stamp, mayJoin: boolean): MaybePromise<Response | undefined> => {
    const { current, detail, isAlone, hasFailed, isKnown } = renders.of(page.key)
    const stale = hasFailed ? respondStaleIfError(page) : undefined
    if (stale) return stale
    const isFirst = !isKnown && !page.cached
    if (page.passOn && (!mayJoin || isAlone || isFirst)) {
      return callDirectly(page, forwardReason(page), isAlone ? detail : isFirst ? 'first' : undefined)
    }
    if (!mayJoin || isAlone || page.directives.noCache) return receive(page, begin(page, stamp, 'solo'), false)
    const hasSameStamp = current?.stamp.epoch === stamp.epoch && current.stamp.sequence === stamp.sequence
    return hasSameStamp ? receive(page, current, true) : receive(page, begin(page, stamp, 'shared'), false)
  }

  /**
   * Renders a page while its stale response is served. Does nothing if a render of the page is running, if a recent
   * render failed or could not be stored, or if too many renders are running.
   */
  const refresh = (page: Page, stamp: Stamp): void => {
    const { current, isAlone } = renders.of(page.key)
    if (!current && !isAlone && renders.hasRoom()) begin(page, stamp, 'background')
  }

  const decide = (page: Page, mayJoin = true): MaybePromise<Response | undefined> => {
    const { request, directives, cached, age, purge, stamp } = page
    const reuse = cached ? decideReuse(cached.entry, directives, age, purge) : 'miss'
    if (cached && reuse === 'fresh') {
      if (settings.watchesPurges) warnOfPurge(context, cached.entry.tags, age)
      return cached.respond(request, { age })
    }
    if (cached && stamp && reuse === 'stale-while-revalidate') {
      refresh(page, stamp)
      return cached.respond(request, { age, detail: purge === 'soft' ? 'soft-purged' : 'stale-while-revalidate' })
    }
    // RFC 9111, section 5.2.1.7.
    if (directives.onlyIfCached) {
      const cacheStatus = formatStatus({ forward: 'request', detail: 'only-if-cached' })
      return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': cacheStatus } })
    }
    if (!stamp) return callDirectly(page, 'bypass', 'tag-index-unavailable')
    const isPartial = request.method === 'HEAD' || needsHandler(request.headers)
    if (isPartial) return callDirectly(page, forwardReason(page), 'partial')
    return renderOrJoin(page, stamp, mayJoin)
  }

  return (page) => {
    if (page.directives.noStore) return callDirectly(page, 'request', 'request')
    if (page.key.length > maxKeyLength) return callDirectly(page, 'bypass', 'too-large')
    return chain(lookUp(page), decide)
  }
}

/**
 * Creates the function that looks up the response to a request and asks whether its tags were purged. The answer of the
 * tag index is never older than the request. A store and an index in memory answer synchronously; others are asked at
 * the same time. The page is filled in place instead of copied, because every hit passes through here.
 */
function createLookup({ settings, store, tagIndex, knownPages, log }: CacheContext) {
  const cachedResponses = new WeakMap<StoredResponse, CachedResponse>()
  // The `unpurged` of the cached responses by stamp and tags, for stores that decode an entry again for each read.
  const unpurgedByTags = createKeyMap<CachedResponse['unpurged']>()

  /** Prepares an entry for serving, unless it is prepared already. */
  const adopt = (url: string, entry: StoredResponse): CachedResponse | undefined => {
    const existing = cachedResponses.get(entry)
    if (existing) return existing
    const { status, headers, stamp, tags } = entry
    try {
      // Another program's entry may be invalid. The platform's Response checks it; the Response of a server's adapter
      // does not.
      new Response(null, { status, headers: new Headers(headers as [string, string][]) })
      const name = `${stamp.epoch} ${stamp.sequence} ${tags.join()}`
      const known = unpurgedByTags.get(name)
      const unpurged = known ?? { until: stamp.sequence }
      if (!known) unpurgedByTags.set(name, unpurged)
      const cached = toCachedResponse(entry, unpurged, settings.formatStatus)
      cachedResponses.set(entry, cached)
      knownPages.add(url)
      return cached
    } catch (error) {
      log('Response cache: the store returned an invalid response', { reason: describeError(error) })
      return undefined
    }
  }

  const fill = (page: Page, stamp: Stamp | undefined, hit: StoreHit | undefined): MaybePromise<Page> => {
    page.stamp = stamp
    const entry = stamp && hit?.entry.kind === 'response' ? hit.entry : undefined
    const cached = entry && adopt(page.url, entry)
    page.cached = cached
    page.purge = 'none'
    if (!stamp || !hit || !cached) return page
    page.age = cached.entry.initialAge + hit.age
    if (cached.entry.stamp.epoch !== stamp.epoch) page.purge = 'hard'
    else if (cached.unpurged.until !== stamp.sequence) return askForPurge(page, cached, stamp)
    return page
  }

  const askForPurge = (page: Page, { entry, unpurged }: CachedResponse, stamp: Stamp): MaybePromise<Page> =>
    chain(until<PurgeState>(page.deadline, tagIndex.purgedSince(entry.stamp, entry.tags), 'hard'), (purge) => {
      // The stamp is older than this answer, so the answer covers every purge up to the stamp. The stamp's number
      // replaces even a higher one, because an index that has lost its last purges assigns the same numbers again.
      if (purge === 'none') unpurged.until = stamp.sequence
      page.purge = purge
      return page
    })

  return (page: Page): MaybePromise<Page> => {
    const stamp = tagIndex.stamp()
    // Without the tag index, no stored response may be reused. The store is not asked, because it may be on the same
    // unavailable server.
    if (stamp === undefined) return fill(page, undefined, undefined)
    const hit = store.get(page.key)
    if (!(stamp instanceof Promise) && !(hit instanceof Promise)) return fill(page, stamp, hit)
    const both = [until(page.deadline, stamp, undefined), until(page.deadline, hit, undefined)] as const
    return Promise.all(both).then(([currentStamp, storeHit]) => fill(page, currentStamp, storeHit))
  }
}

/** Waits for a value until the deadline, by `performance.now`. */
function until<T>(deadline: number, value: MaybePromise<T>, fallback: T): MaybePromise<T> {
  if (!(value instanceof Promise)) return value
  return withTimeout(Math.max(1, deadline - performance.now()), value).catch(() => fallback)
}
