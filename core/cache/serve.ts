import type { MaybePromise } from '../async.js'
import { cancelBody, withBodyEnd } from '../http/body.js'
import { type ForwardReason, withCacheStatus } from '../http/cache-status.js'
import { needsHandler } from '../http/conditional.js'
import { withHeaders } from '../http/headers.js'
import { describeError } from '../log.js'
import { untilAborted, withTimeout } from '../timeout.js'
import { createCall, forwardReason } from './call.js'
import type { CacheContext, Page } from './context.js'
import { createLookup } from './lookup.js'
import { createRender } from './render.js'
import type { Render } from './renders.js'
import { decideReuse, respondStaleIfError } from './reuse.js'
import { warnOfPurge } from './separate-caches.js'
import type { Stamp } from './store/entry.js'

// Longer URLs and fields are not cached, because they would fill the memory with keys.
const maxKeyLength = 8192

/** Creates the function that answers requests for shared pages: from the store, or by joining or beginning a render. */
export function createServe(context: CacheContext): (page: Page) => MaybePromise<Response | undefined> {
  const { settings, renders, formatStatus } = context
  const lookUp = createLookup(context)
  const call = createCall(context)
  const start = createStart(context)

  /** Calls the handler, and does not store the response. */
  const callDirectly = async (page: Page, forward: ForwardReason, detail: string): Promise<Response | undefined> => {
    const { request } = page
    const answer = await context.detach(() => call(page, { signal: request.signal, visitorRequest: request }))
    return answer && withCacheStatus(answer.response, formatStatus({ forward, status: answer.response.status, detail }))
  }

  /** Waits for the head of a render that another request began. Starts over if the response cannot be used. */
  const join = async (page: Page, render: Render): Promise<Response | undefined> => {
    const { request } = page
    const release = render.join()
    let response: Response | undefined
    try {
      const respond = await withTimeout(settings.joinTimeout, render.outcome, request.signal).catch(() => undefined)
      request.signal?.throwIfAborted()
      response = respond?.(request, formatStatus({ forward: forwardReason(page), collapsed: true }), release)
      if (response) return response
    } catch (error) {
      return staleInPlaceOf(error, page)
    } finally {
      if (!response) release()
    }
    return decide(await lookUp(page), false) // the response may be stored by now
  }

  const renderOrJoin = (page: Page, stamp: Stamp, mayJoin: boolean): MaybePromise<Response | undefined> => {
    const { isAlone, hasFailed } = renders.verdictOf(page.key)
    const stale = hasFailed ? respondStaleIfError(page) : undefined
    if (stale) return stale
    if (!mayJoin || isAlone || page.directives.noCache) return start.forVisitor(page, stamp, 'solo')
    const render = renders.find(page.key)
    const hasSameStamp = render?.stamp.epoch === stamp.epoch && render.stamp.sequence === stamp.sequence
    return render && hasSameStamp ? join(page, render) : start.forVisitor(page, stamp, 'shared')
  }

  const decide = (page: Page, mayJoin = true): MaybePromise<Response | undefined> => {
    const { request, directives, cached, age, purge, stamp } = page
    const reuse = cached ? decideReuse(cached.entry, directives, age, purge) : 'miss'
    if (cached && reuse === 'fresh') {
      if (context.watchesPurges) warnOfPurge(context, cached.entry.tags, age)
      return cached.respond(request, { age })
    }
    if (cached && stamp && reuse === 'stale-while-revalidate') {
      start.inBackground(page, stamp)
      return cached.respond(request, { age, detail: purge === 'soft' ? 'soft-purged' : 'stale-while-revalidate' })
    }
    // RFC 9111, section 5.2.1.7.
    if (directives.onlyIfCached) {
      const cacheStatus = formatStatus({ forward: 'request', detail: 'only-if-cached' })
      return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': cacheStatus } })
    }
    if (!stamp) return callDirectly(page, 'bypass', 'tag-index-unavailable')
    if (request.method === 'HEAD' || needsHandler(request.headers)) {
      return callDirectly(page, forwardReason(page), 'partial')
    }
    return renderOrJoin(page, stamp, mayJoin)
  }

  return (page) => {
    if (page.directives.noStore) return callDirectly(page, 'request', 'request')
    if (page.key.length > maxKeyLength) return callDirectly(page, 'bypass', 'too-large')
    const filledPage = lookUp(page)
    return filledPage instanceof Promise ? filledPage.then((filled) => decide(filled)) : decide(filledPage)
  }
}

/** Returns a stale page instead of an error. Throws the error if there is no stale page, or if the visitor has left. */
function staleInPlaceOf(error: unknown, page: Page): Response {
  const stale = page.request.signal?.aborted ? undefined : respondStaleIfError(page)
  if (stale) return stale
  throw error
}

/** Creates the functions that begin renders. */
function createStart(context: CacheContext) {
  const { settings, renders, detach, log } = context
  const render = createRender(context)

  const begin = (page: Page, stamp: Stamp, kind: Render['kind']): Render => {
    const inFlight = renders.begin(page.key, stamp, kind)
    renders.noteUrl(page.url)
    const keepAlive = async () => settings.waitUntil?.(inFlight.result, page.request)
    keepAlive().catch((error) => log('Response cache: waitUntil failed', { reason: describeError(error) }))
    return inFlight
  }

  return {
    /** Renders a page for a visitor. Other requests cannot join a `solo` render, but its response is stored, too. */
    async forVisitor(page: Page, stamp: Stamp, kind: 'shared' | 'solo'): Promise<Response | undefined> {
      const inFlight = begin(page, stamp, kind)
      const release = inFlight.join()
      const { signal = new AbortController().signal } = page.request // an imitation of Request may have no signal
      const work = detach(() => render(page, inFlight))
      try {
        const respond = await untilAborted(inFlight.outcome, signal)
        if (respond) return respond(page.request, undefined, release)
        const response = await untilAborted(work, signal)
        // Aborts the render if the visitor leaves before the end of the body.
        const watchedBody = kind === 'shared' && response?.body
        if (watchedBody) {
          const end = (piece: unknown) => piece === undefined && inFlight.resolve()
          return withHeaders(response, () => {}, withBodyEnd(watchedBody, release, end))
        }
        inFlight.resolve()
        return response
      } catch (error) {
        work.then((lateResponse) => cancelBody(lateResponse?.body)).catch(() => {})
        release()
        return staleInPlaceOf(error, page)
      }
    },

    /**
     * Renders a page while its stale response is served. Does nothing if a render of the page is running, if a recent
     * render failed or could not be stored, or if too many renders are running.
     */
    inBackground(page: Page, stamp: Stamp): void {
      if (renders.find(page.key) || renders.verdictOf(page.key).isAlone) return
      const inFlight = begin(page, stamp, 'background')
      if (!renders.goOn(inFlight)) return void inFlight.resolve()
      const work = detach(() => render(page, inFlight))
      work.then((lateResponse) => cancelBody(lateResponse?.body)).catch(() => {}) // logged by the render
    },
  }
}
