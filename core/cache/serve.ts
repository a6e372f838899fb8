import { chain, createDetach, type MaybePromise } from '../async.js'
import { type ForwardReason, withCacheStatus } from '../http/cache-status.js'
import { needsHandler } from '../http/conditional.js'
import { createLimiter } from '../limiter.js'
import { describeError } from '../log.js'
import { withTimeout } from '../timeout.js'
import type { CacheContext } from './context.js'
import type { LookUp } from './lookup.js'
import type { Page } from './page.js'
import type { Pass } from './pass.js'
import { createCall, createRender, forwardReason } from './render.js'
import type { Render, RenderKind } from './render-life.js'
import { decideReuse, respondStaleIfError } from './reuse.js'
import { warnOfPurge } from './separate-caches.js'
import type { Stamp } from './store/entry.js'

// Longer URLs and fields are not cached, because they would fill the memory with keys.
const maxKeyLength = 8192

/** Creates the function that answers requests for shared pages: from the store, or by joining or beginning a render. */
export function createServe(context: CacheContext, lookUp: LookUp, pass: Pass) {
  const { renders, knownPages, log, formatStatus, joinTimeout, waitUntil, content, maxRenders } = context
  const call = createCall(context)
  const render = createRender(context, call)
  /** Runs work outside of the async context of a visitor's request, and notes the content that it reads. */
  const detach = createDetach(content?.run)

  /** Calls the handler, or hands the visitor's request to the app, and does not store the response. */
  const callDirectly = async (page: Page, forward: ForwardReason, detail?: string): Promise<Response | undefined> => {
    const { request } = page
    if (page.passOn) return pass(request, page, { forward, detail }, page)
    const answer = await detach(() => call(page, { signal: request.signal, visitorRequest: request }))
    return answer && withCacheStatus(answer.response, formatStatus({ forward, status: answer.response.status, detail }))
  }

  const limit = maxRenders && createLimiter({ concurrency: maxRenders })
  const renderInTurn = async (begun: Render): Promise<void> => {
    const run = async () => {
      if (begun.state !== 'abandoned') await render(begun)
    }
    await (limit ? limit(run, AbortSignal.timeout(joinTimeout)).catch(run) : run())
  }

  const begin = (page: Page, stamp: Stamp, kind: RenderKind): Render => {
    // A render that waits for this one would keep its turn meanwhile.
    const isPart = content?.tags() !== undefined
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
    await lookUp(page) // the response may be stored by now
    return decide(page, false)
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
      if (context.watchesPurges) warnOfPurge(context, cached.entry.tags, age)
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

  return (page: Page): MaybePromise<Response | undefined> => {
    if (page.directives.noStore) return callDirectly(page, 'request', 'request')
    if (page.key.length > maxKeyLength) return callDirectly(page, 'bypass', 'too-large')
    return chain(lookUp(page), () => decide(page))
  }
}
