import { describeError } from '../../describe-error.js'
import { needsHandler } from '../../http/conditional.js'
import { noRequestDirectives } from '../../http/request-directives.js'
import type { MaybePromise } from '../../maybe-promise.js'
import { TimeoutError, untilAborted, withTimeout } from '../../timeout.js'
import type { Stamp } from '../store/entry.js'
import { type CacheContext, createExchange, type Exchange } from './context.js'
import { createForward, forwardReason } from './forward.js'
import type { InFlightRender, RenderKind, RenderResult } from './in-flight-renders.js'
import type { Variant } from './keys/variant.js'
import { createLeasedRender } from './leased-render.js'
import { createLookup } from './lookup.js'
import { createRender, respondStaleIfError } from './render.js'
import { decideReuse } from './reuse.js'
import { clientOf } from './share-unavailable.js'

// How often a request goes on to wait for another render when `joinTimeout` is over.
const maxJoinTimeouts = 5

/**
 * Creates the function that answers a GET or HEAD: from the store, by joining a render in flight, or by a render of its
 * own.
 */
export function createServe(context: CacheContext) {
  const { settings, renders, background, backoff, formatStatus, uncacheable, varyKey, log } = context
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
    const renderShared = kind === 'shared' ? leasedRender : render
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
    const freeSlot = background.take()
    if (!freeSlot) return
    const inFlight = begin(stale, stamp, 'background')
    const release = inFlight.join()
    const exchange = { ...stale, directives: noRequestDirectives }
    const work = leasedRender({ exchange, inFlight, forward: 'stale', isBackground: true, release }).then((unread) => {
      unread?.body?.cancel().catch(() => {})
      return inFlight.result
    })
    const timed = withTimeout(settings.refreshTimeout, work).finally(freeSlot)
    timed.catch((error) => {
      release()
      if (!(error instanceof TimeoutError)) return // logged and counted by the render
      // Counts twice: a render that hangs holds a connection for all of refreshTimeout.
      const client = clientOf(stale, true)
      backoff.fail(key, client)
      backoff.fail(key, client)
      log('Response cache: background revalidation failed', { url, reason: describeError(error) })
    })
  }

  /**
   * Waits for a render that another request began. When it failed, or is for another client only, those who waited form one
   * more render among them, since that may be due to the request that began it; after that, each renders for itself.
   *
   * When it takes longer than `joinTimeout`, one of those who wait begins another one, and the others wait for that.
   */
  const join = async (
    exchange: Exchange,
    stamp: Stamp,
    inFlight: InFlightRender,
    joining: Joining,
  ): Promise<Response | undefined> => {
    const { request, handler, directives, url, key } = exchange
    const { until = performance.now() + settings.joinTimeout } = joining
    const release = inFlight.join()
    let isReading = false
    /** Looks again for what is stored or in flight: also by the `Vary` of a response that is not stored yet. */
    const decideAgain = async (other: Variant | undefined, next: Joining) => {
      const again = await lookUp(createExchange(request, handler, directives, url))
      const vary = other?.vary
      if (vary && again.vary?.generation !== vary.generation) {
        Object.assign(again, { vary, varyTtl: 0, key: varyKey(url, vary, request.headers), cached: undefined })
      }
      return decide(again, next)
    }
    try {
      const result = await withTimeout(until - performance.now(), inFlight.available, request.signal)
      const old = result.type === 'shared' ? undefined : isBackingOff(exchange, false) && respondStaleIfError(exchange)
      if (old) return old
      if (result.type === 'unavailable' && result.fits(request.headers)) {
        return result.respond(formatStatus({ forward: forwardReason(exchange), collapsed: true }), request.headers)
      }
      if (!joining.isSecondRender && mayBeDueToClient(result, exchange)) {
        const next = renders.find(key, stamp)
        return next
          ? await join(exchange, stamp, next, { ...joining, until, isSecondRender: true })
          : await lead(exchange, stamp, 'shared')
      }
      if (result.type === 'shared') {
        const status = formatStatus({ forward: forwardReason(exchange), collapsed: true })
        const fits = result.variant.fits(request.headers)
        const response = fits ? result.respond(request, directives, status, release) : undefined
        isReading = response !== undefined
        if (response) return response
        // Another variant than this request selects: its own may be stored, or in flight. Or it is stale already.
        const next = { ...joining, until, isSecondLookup: true, except: inFlight }
        if (!joining.isSecondLookup) return await decideAgain(result.variant, next)
      }
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
      const { timeouts = 0 } = joining
      if (timeouts < maxJoinTimeouts) return await decideAgain(undefined, { timeouts: timeouts + 1, except: inFlight })
    } finally {
      if (!isReading) release()
    }
    return lead(exchange, stamp, 'unshared')
  }

  const decide = (exchange: Exchange, joining: Joining = {}): MaybePromise<Response | undefined> => {
    const { request, handler, directives, url, key, stamp, age, purge } = exchange
    const isAuthorized = () => request.headers.has('authorization')
    // Reading headers takes time, and most pages may answer authorized requests.
    if (exchange.cached?.entry.allowsAuthorization === false && isAuthorized()) exchange.cached = undefined
    const { cached } = exchange
    const reuse = cached ? decideReuse(cached.entry, directives, age, purge) : 'miss'
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
      if (settings.fillInBackground && !isAuthorized() && !uncacheable.has(url)) refresh(exchange, stamp)
      return forward({ request, handler, reason: forwardReason(exchange), exchange })
    }
    const isShared = !isAuthorized() && !directives.noCache && !uncacheable.has(url)
    const inFlight = isShared ? renders.find(key, stamp) : undefined
    return inFlight && inFlight !== joining.except
      ? join(exchange, stamp, inFlight, joining)
      : lead(exchange, stamp, isShared ? 'shared' : 'unshared')
  }

  return (exchange: Exchange): MaybePromise<Response | undefined> => {
    const found = lookUp(exchange)
    return found instanceof Promise ? found.then((looked) => decide(looked)) : decide(found)
  }
}

/** How a request has waited for renders of others so far. */
interface Joining {
  until?: number
  isSecondRender?: boolean
  isSecondLookup?: boolean
  /** How often `joinTimeout` was over. */
  timeouts?: number
  /** The render that it does not wait for any more. */
  except?: InFlightRender
}

/** Whether a render may lead to something else for another request than for the one that began it. */
function mayBeDueToClient(result: RenderResult, exchange: Exchange): boolean {
  if (result.type !== 'not-shared') return result.type !== 'shared'
  return result.client !== undefined && result.client() !== clientOf(exchange, false)
}

/** RFC 9111, section 5.2.1.7. */
function gatewayTimeout(cacheStatus: string): Response {
  return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': cacheStatus } })
}
