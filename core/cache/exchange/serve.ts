import { isConditional, needsHandler } from '../../http/conditional.js'
import { chain, type MaybePromise } from '../../maybe-promise.js'
import { TimeoutError, withTimeout } from '../../timeout.js'
import type { Stamp, StoredVary } from '../store/entry.js'
import { type CacheContext, createExchange, type Exchange } from './context.js'
import { createForward, forwardReason } from './forward.js'
import { clientsOf, hasUnusualFields } from './keys/client.js'
import { createLookElsewhere } from './look-elsewhere.js'
import { createLookup } from './lookup.js'
import { respondStaleIfError } from './render.js'
import { anonymousHeaders } from './renders/anonymous-request.js'
import { type InFlightRender, isOfStamp } from './renders/in-flight-renders.js'
import { createStartRender } from './renders/start-render.js'
import { createRespondFromPart } from './respond-from-part.js'
import { decideReuse } from './reuse.js'
import { createStaleIfSlow } from './stale-if-slow.js'

// After a purge of whatever tags, a request uses no render that began before, since its tags are not known yet. So each purge
// would lead to one render more beside the others. Beyond this number, requests wait until one of them is stored: that is of
// use unless one of its own tags was purged.
const maxRendersAfterPurges = 8

/**
 * Creates the function that answers a GET or HEAD: from the store, by joining a render in flight, or by a render of its
 * own.
 */
export function createServe(context: CacheContext): (exchange: Exchange) => MaybePromise<Response | undefined> {
  const { settings, renders, backoff, formatStatus, parallelism, sharedPages, varyKey } = context
  const lookUp = createLookup(context)
  const start = createStartRender(context, lookUp)
  const lookElsewhere = createLookElsewhere(context, lookUp)
  const forward = createForward(context)
  const staleIfSlow = createStaleIfSlow(context)

  const isBackingOff = (exchange: Exchange) =>
    backoff.isActive(exchange.key, () => clientsOf(sharedPages.receivedOf(exchange)))

  const lookUpAgain = async ({ request, handler, directives, url, signal }: Exchange) =>
    lookUp({ ...createExchange(request, handler, directives, url), signal })

  /** Whether a render without the fields of the visitor is likely to be of use. */
  const isForAll = (exchange: Exchange, { wasForAll = false, timeouts = 0 }: Joining): boolean => {
    return !wasForAll && timeouts === 0 && sharedPages.isDue(exchange)
  }

  /** Whether the request that the handler would receive has no unusual fields. */
  const isOrdinaryRequest = (exchange: Exchange, joining: Joining): boolean => {
    const received = sharedPages.receivedOf(exchange)
    const headers = isForAll(exchange, joining) ? anonymousHeaders(received) : exchange.request.headers
    return !hasUnusualFields(headers, received.vary)
  }

  const renderForAll = async (exchange: Exchange, stamp: Stamp): Promise<Response | undefined> =>
    (await start.forAll(exchange, stamp)) ??
    decide(await lookUpAgain(exchange), { disappointments: 1, wasForAll: true })

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
    const { request, url, signal = request.signal } = exchange
    const { disappointments = 0 } = joining
    let { timeouts = 0, until = performance.now() + settings.joinTimeout } = joining
    let vary: StoredVary | undefined
    let isReading = false
    const release = inFlight.join()
    // It may wait for a turn of the connection that it began for, which has asked for a hundred pages.
    inFlight.handler.alsoFor?.(request)
    try {
      const isUsable = isOfStamp(inFlight, exchange.stamp)
      const settled = isUsable ? inFlight.available : inFlight.result
      const result = await withTimeout(until - performance.now(), settled, signal)
      const status = formatStatus({ forward: forwardReason(exchange), collapsed: true })
      if (result.type === 'shared') {
        const fits = isUsable && result.variant.fits(request.headers)
        const resumed = fits ? result.resumed?.() : undefined
        if (resumed) await withTimeout(until - performance.now(), resumed, signal)
        const response = fits ? result.respond(request, status, release) : undefined
        isReading = response !== undefined
        if (response) return response
        vary = result.variant.vary
      } else {
        const old = isBackingOff(exchange) && respondStaleIfError(exchange)
        if (old) return old
        if (result.type === 'unavailable' && result.fits(request.headers)) {
          return result.respond(status, request.headers)
        }
      }
    } catch (error) {
      if (!(error instanceof TimeoutError) || signal?.aborted) throw error
      timeouts++
      until = performance.now() + settings.joinTimeout
    } finally {
      if (!isReading) release()
    }
    const again = await lookUpAgain(exchange)
    if (vary && again.vary?.names.join() !== vary.names.join()) {
      Object.assign(again, { vary, varyTtl: 0, key: varyKey(url, vary, request.headers), cached: undefined })
    }
    return decide(again, { ...joining, until, timeouts, disappointments: disappointments + 1, except: inFlight })
  }

  const decide = (exchange: Exchange, joining: Joining = {}): MaybePromise<Response | undefined> => {
    const { request, handler, directives, key, stamp, age, purge } = exchange
    const countUnshared = () => parallelism.countUnshared(key, () => isOrdinaryRequest(exchange, joining))
    const isAuthorized = () => request.headers.has('authorization')
    // Reading headers takes time, and most pages may answer authorized requests.
    const isForOthers = exchange.cached?.entry.allowsAuthorization === false && isAuthorized()
    if (isForOthers) exchange.cached = undefined
    const { cached } = exchange
    const terms = cached ? decideReuse(cached.entry, directives, age, purge) : 'miss'
    // The last answer was not for others: the page may be gone, so the handler is asked before it is served once more.
    const mayBeGone = terms === 'stale-while-revalidate' && countUnshared() > 0
    const reuse = mayBeGone ? 'revalidate' : terms
    if (cached && reuse === 'fresh') return cached.respond(request, { age })
    if (cached && stamp && reuse === 'stale-while-revalidate') {
      const respondStale = () => {
        start.inBackground(exchange, stamp)
        return cached.respond(request, { age, detail: purge === 'soft' ? 'soft-purged' : 'stale-while-revalidate' })
      }
      const latest = lookElsewhere.briefly(exchange)
      return latest
        ? chain(latest, (found) => (found === exchange ? respondStale() : decide(found, joining)))
        : respondStale()
    }
    if (directives.onlyIfCached) return gatewayTimeout(formatStatus({ forward: 'request', detail: 'only-if-cached' }))
    if (!stamp) return forward({ request, handler, reason: 'bypass', detail: 'tag-index-unavailable' })
    const old = reuse === 'revalidate' && isBackingOff(exchange) ? respondStaleIfError(exchange) : undefined
    if (old) return old
    if (request.method === 'HEAD' || needsHandler(request.headers)) {
      const latest = lookElsewhere(exchange)
      if (latest) return chain(latest, (found) => decide(found, joining))
      if (settings.fillInBackground && !isAuthorized() && countUnshared() === 0) start.inBackground(exchange, stamp)
      return forward({ request, handler, reason: forwardReason(exchange), exchange })
    }
    // The handler may confirm a stored page, which a render needs as a whole.
    if (cached && exchange.isPart) return lookUpAgain(exchange).then((whole) => decide(whole, joining))
    const limited = staleIfSlow(exchange, reuse, (again) => decide(again, joining))
    if (limited) return limited
    if (isAuthorized() || directives.noCache) {
      const isRenderedForAll = !isForOthers && isForAll(exchange, joining)
      return isRenderedForAll ? renderForAll(exchange, stamp) : start.forVisitor(exchange, stamp, 'own')
    }
    const isOrdinary = isOrdinaryRequest(exchange, joining)
    const running = renders.countRunning(key)
    const { disappointments = 0, timeouts = 0 } = joining
    if (running === 0 && disappointments === 0) parallelism.beginAnew(key)
    const inFlight = renders.find(key, stamp, isOrdinary, joining.except)
    const isCrowded = running >= maxRendersAfterPurges && countUnshared() === 0
    const awaited = inFlight ?? (isCrowded ? renders.findAny(key, isOrdinary) : undefined)
    if (!awaited || awaited === joining.except) {
      return isForAll(exchange, joining) ? renderForAll(exchange, stamp) : start.forVisitor(exchange, stamp, 'shared')
    }
    if (inFlight && parallelism.allows(key, isOrdinary, running, disappointments, timeouts))
      return start.forVisitor(exchange, stamp, 'extra')
    return join(exchange, awaited, joining)
  }

  const respond = (exchange: Exchange): MaybePromise<Response | undefined> => {
    const found = lookUp(exchange)
    return found instanceof Promise ? found.then((looked) => decide(looked)) : decide(found)
  }

  const { getPart } = context.store
  const respondFromPart = getPart && createRespondFromPart({ lookUp, decide, respond, getPart })
  return (exchange) => {
    const { method, headers } = exchange.request
    const needsPart = method === 'HEAD' || isConditional(headers) || headers.has('range')
    return respondFromPart && needsPart ? respondFromPart(exchange) : respond(exchange)
  }
}

/** How a request has waited for renders of others so far. */
interface Joining {
  until?: number
  /** How often in vain. */
  disappointments?: number
  /** How often `joinTimeout` was over. */
  timeouts?: number
  /** Whether a render without the fields of the visitor was in vain. */
  wasForAll?: boolean
  /** The render that it does not wait for any more. */
  except?: InFlightRender
}

/** RFC 9111, section 5.2.1.7. */
function gatewayTimeout(cacheStatus: string): Response {
  return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': cacheStatus } })
}
