import { describeError } from '../../describe-error.js'
import { needsHandler } from '../../http/conditional.js'
import { noRequestDirectives } from '../../http/request-directives.js'
import type { MaybePromise } from '../../maybe-promise.js'
import { TimeoutError, untilAborted, withTimeout } from '../../timeout.js'
import type { Stamp, StoredVary } from '../store/entry.js'
import { type CacheContext, createExchange, type Exchange } from './context.js'
import { createForward, forwardReason } from './forward.js'
import { type InFlightRender, isOfStamp, type RenderKind } from './in-flight-renders.js'
import { clientOf } from './keys/client.js'
import { isNotFound } from './keys/new-url-limit.js'
import { createLeasedRender } from './leased-render.js'
import { createLookup } from './lookup.js'
import { createBackgroundRequest } from './origin-request.js'
import { createRender, respondStaleIfError } from './render.js'
import { decideReuse } from './reuse.js'

// After a purge of whatever tags, a request uses no render that began before, since its tags are not known yet. So each purge
// would lead to one render more beside the others. Beyond this number, requests wait until one of them is stored: that is of
// use unless one of its own tags was purged.
const maxRendersAfterPurges = 8

/**
 * Creates the function that answers a GET or HEAD: from the store, by joining a render in flight, or by a render of its
 * own.
 */
export function createServe(context: CacheContext) {
  const { settings, renders, background, backoff, formatStatus, parallelism, varyKey, log } = context
  const lookUp = createLookup(context)
  const render = createRender(context)
  const leasedRender = createLeasedRender(context, lookUp, render)
  const forward = createForward(context)

  const isBackingOff = (exchange: Exchange, isBackground: boolean) =>
    backoff.isActive(exchange.key, () => clientOf(exchange, isBackground))

  /** Registers a render, and keeps a serverless platform from ending it with the response. */
  const begin = ({ key, url, request }: Exchange, stamp: Stamp, kind: RenderKind): InFlightRender => {
    const inFlight = renders.begin(key, url, stamp, kind)
    try {
      settings.waitUntil?.(inFlight.result, request)
    } catch (error) {
      log('Response cache: waitUntil failed', { url, reason: describeError(error) })
    }
    return inFlight
  }

  /** Renders for a visitor. Their leaving ends it, unless others wait for it too, or it goes on for those to come. */
  const lead = async (exchange: Exchange, stamp: Stamp, kind: RenderKind): Promise<Response | undefined> => {
    const inFlight = begin(exchange, stamp, kind)
    const release = inFlight.join()
    // A page that is hardly for others is not rendered for one process after the other.
    const isLeased = kind === 'shared' && parallelism.countUnshared(exchange.key) < 2
    const renderShared = isLeased ? leasedRender : render
    const work = renderShared({ exchange, inFlight, forward: forwardReason(exchange), isBackground: false, release })
    const { signal } = exchange.request
    if (!signal) return work // a look-alike of Request, as some servers pass
    try {
      return await untilAborted(work, signal)
    } catch (error) {
      if (signal.aborted) {
        release()
        work.then((late) => late?.body?.cancel()).catch(() => {})
      }
      throw error
    }
  }

  /** Renders in the background what is served stale meanwhile, unless a render is in flight or has just failed, or too many run. */
  const refresh = (stale: Exchange, stamp: Stamp): void => {
    const { key, url } = stale
    if (isBackingOff(stale, true) || renders.has(key)) return
    const freeSlot = isOfSite(stale) ? background.take(url) : background.takeSpare()
    if (!freeSlot) return
    const inFlight = begin(stale, stamp, 'background')
    const release = inFlight.join()
    const exchange = { ...stale, request: createBackgroundRequest(stale), directives: noRequestDirectives }
    const work = leasedRender({ exchange, inFlight, forward: 'stale', isBackground: true, release }).then((unread) => {
      unread?.body?.cancel().catch(() => {})
      return inFlight.result
    })
    const timed = withTimeout(settings.refreshTimeout, work).finally(freeSlot)
    timed.catch((error) => {
      release()
      if (!(error instanceof TimeoutError)) return // logged and counted by the render
      // As two: a render that hangs holds a connection for all of refreshTimeout.
      backoff.fail(key, clientOf(stale, true), 2)
      log('Response cache: background revalidation failed', { url, reason: describeError(error) })
    })
  }

  /**
   * Waits for a render that another request began. What that led to may be of no use for this request: it failed, is not for
   * others, is another variant, or takes longer than `joinTimeout`. Then this request looks again for what is stored or in
   * flight, also by the `Vary` of a response that is not stored yet.
   */
  const join = async (
    exchange: Exchange,
    inFlight: InFlightRender,
    joining: Joining,
  ): Promise<Response | undefined> => {
    const { request, handler, directives, url } = exchange
    const { disappointments = 0 } = joining
    let { timeouts = 0, until = performance.now() + settings.joinTimeout } = joining
    let vary: StoredVary | undefined
    let isReading = false
    const release = inFlight.join()
    try {
      const isUsable = isOfStamp(inFlight, exchange.stamp)
      const settled = isUsable ? inFlight.available : inFlight.result
      const result = await withTimeout(until - performance.now(), settled, request.signal)
      const status = formatStatus({ forward: forwardReason(exchange), collapsed: true })
      if (result.type === 'shared') {
        const fits = isUsable && result.variant.fits(request.headers)
        const response = fits ? result.respond(request, directives, status, release) : undefined
        isReading = response !== undefined
        if (response) return response
        vary = result.variant.vary
      } else {
        const old = isBackingOff(exchange, false) && respondStaleIfError(exchange)
        if (old) return old
        if (result.type === 'unavailable' && result.fits(request.headers)) {
          return result.respond(status, request.headers)
        }
      }
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      timeouts++
      until = performance.now() + settings.joinTimeout
    } finally {
      if (!isReading) release()
    }
    const again = await lookUp(createExchange(request, handler, directives, url))
    if (vary && again.vary?.names.join() !== vary.names.join()) {
      Object.assign(again, { vary, varyTtl: 0, key: varyKey(url, vary, request.headers), cached: undefined })
    }
    return decide(again, { until, timeouts, disappointments: disappointments + 1, except: inFlight })
  }

  const decide = (exchange: Exchange, joining: Joining = {}): MaybePromise<Response | undefined> => {
    const { request, handler, directives, key, stamp, age, purge } = exchange
    const isAuthorized = () => request.headers.has('authorization')
    // Reading headers takes time, and most pages may answer authorized requests.
    if (exchange.cached?.entry.allowsAuthorization === false && isAuthorized()) exchange.cached = undefined
    const { cached } = exchange
    const terms = cached ? decideReuse(cached.entry, directives, age, purge) : 'miss'
    // The last answer was not for others: the page may be gone, so the handler is asked before it is served once more.
    const mayBeGone = terms === 'stale-while-revalidate' && parallelism.countUnshared(key) > 0
    const reuse = mayBeGone ? 'revalidate' : terms
    if (cached && reuse === 'fresh') return cached.respond(request, { age })
    if (cached && stamp && reuse === 'stale-while-revalidate') {
      refresh(exchange, stamp)
      return cached.respond(request, { age, detail: purge === 'soft' ? 'soft-purged' : 'stale-while-revalidate' })
    }
    if (directives.onlyIfCached) return gatewayTimeout(formatStatus({ forward: 'request', detail: 'only-if-cached' }))
    if (!stamp) return forward({ request, handler, reason: 'bypass', detail: 'tag-index-unavailable' })
    const old = reuse === 'revalidate' && isBackingOff(exchange, false) ? respondStaleIfError(exchange) : undefined
    if (old) return old
    if (request.method === 'HEAD' || needsHandler(request.headers)) {
      if (settings.fillInBackground && !isAuthorized() && parallelism.countUnshared(key) === 0) refresh(exchange, stamp)
      return forward({ request, handler, reason: forwardReason(exchange), exchange })
    }
    if (isAuthorized() || directives.noCache) return lead(exchange, stamp, 'own')
    const running = renders.countRunning(key)
    const { disappointments = 0, timeouts = 0 } = joining
    if (running === 0 && disappointments === 0) parallelism.beginAnew(key)
    const inFlight = renders.find(key, stamp)
    const isCrowded = running >= maxRendersAfterPurges && parallelism.countUnshared(key) === 0
    const awaited = inFlight ?? (isCrowded ? renders.findLatest(key) : undefined)
    if (!awaited || awaited === joining.except) return lead(exchange, stamp, 'shared')
    if (inFlight && parallelism.allows(key, running, disappointments, timeouts)) return lead(exchange, stamp, 'extra')
    return join(exchange, awaited, joining)
  }

  return (exchange: Exchange): MaybePromise<Response | undefined> => {
    const found = lookUp(exchange)
    return found instanceof Promise ? found.then((looked) => decide(looked)) : decide(found)
  }
}

/** How a request has waited for renders of others so far. */
interface Joining {
  until?: number
  /** How often in vain. */
  disappointments?: number
  /** How often `joinTimeout` was over. */
  timeouts?: number
  /** The render that it does not wait for any more. */
  except?: InFlightRender
}

/** Whether a stranger cannot have made it up: it is stored, has no query, and is no page that says that there is none. */
function isOfSite({ cached, url }: Exchange): boolean {
  return cached !== undefined && !url.includes('?') && !isNotFound(cached.entry.status)
}

/** RFC 9111, section 5.2.1.7. */
function gatewayTimeout(cacheStatus: string): Response {
  return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': cacheStatus } })
}
