import { describeError } from '../../../describe-error.js'
import { cancelBody } from '../../../http/body.js'
import { parseCacheControl } from '../../../http/cache-control.js'
import { noRequestDirectives } from '../../../http/request-directives.js'
import { parseVary } from '../../../http/vary.js'
import { TimeoutError, untilAborted, withTimeout } from '../../../timeout.js'
import type { Stamp } from '../../store/entry.js'
import type { CacheContext, Exchange } from '../context.js'
import { forwardReason } from '../forward.js'
import { describeClient, hasUnusualFields } from '../keys/client.js'
import { isNotFound } from '../keys/new-url-limit.js'
import { withoutFragment } from '../keys/stated-url.js'
import type { LookUp } from '../lookup.js'
import { allowsAuthorization } from '../policy.js'
import { createRender } from '../render.js'
import { anonymousHeaders, createAnonymousRequest, hasAddress } from './anonymous-request.js'
import { type InFlightRender, isOfVisitor, type RenderKind } from './in-flight-renders.js'
import { createLeasedRender } from './leased-render.js'

/** The ways in which a render begins. */
export interface StartRender {
  /** For a visitor. Their leaving ends it, unless others wait for it too, or it is finished for later requests. */
  forVisitor(exchange: Exchange, stamp: Stamp, kind: 'shared' | 'extra' | 'own'): Promise<Response | undefined>
  /**
   * For all, on occasion of a visitor: the handler receives nothing that only he sent. `undefined` when the response is not for
   * him, or there is none.
   */
  forAll(exchange: Exchange, stamp: Stamp): Promise<Response | undefined>
  /** In the background, of what is served stale meanwhile, unless a render is in flight or has just failed, or too many run. */
  inBackground(stale: Exchange, stamp: Stamp): void
}

/** Creates the functions that begin renders: each is registered, so that others may join it, and settles by itself. */
export function createStartRender(context: CacheContext, lookUp: LookUp): StartRender {
  const { settings, renders, background, backoff, parallelism, sharedPages, log } = context
  const render = createRender(context)
  const leasedRender = createLeasedRender(context, lookUp, render)

  /** Registers a render, and keeps a serverless platform from ending it with the response. */
  const begin = (
    exchange: Exchange,
    stamp: Stamp,
    kind: RenderKind,
    { headers } = exchange.request,
  ): InFlightRender => {
    const { key, url, request, handler } = exchange
    const isOrdinary = !hasUnusualFields(headers, sharedPages.receivedOf(exchange).vary)
    // What a visitor sent must not become part of a page that can be rendered without it.
    const mayBeStored = !isOfVisitor({ kind }) || !sharedPages.has(exchange)
    const inFlight = renders.begin({ key, url: withoutFragment(url), stamp, kind, isOrdinary, mayBeStored, handler })
    try {
      settings.waitUntil?.(inFlight.result, request)
    } catch (error) {
      log('Response cache: waitUntil failed', { url, reason: describeError(error) })
    }
    return inFlight
  }

  /** @param signal Of the visitor who waits for it. */
  const run = async (exchange: Exchange, inFlight: InFlightRender, signal: AbortSignal | undefined) => {
    const { kind } = inFlight
    const release = inFlight.join()
    // A page that is hardly for others is not rendered for one process after the other.
    const isLeased =
      kind === 'anonymous' ||
      (kind === 'shared' && parallelism.countUnshared(exchange.key, () => inFlight.isOrdinary) < 2)
    const work = (isLeased ? leasedRender : render)({ exchange, inFlight, forward: forwardReason(exchange), release })
    if (!signal) return work // a look-alike of Request, as some servers pass
    try {
      return await untilAborted(work, signal)
    } catch (error) {
      if (signal.aborted) {
        release()
        work.then((late) => cancelBody(late?.body)).catch(() => {})
      }
      throw error
    }
  }

  const beginAnonymous = (visited: Exchange, stamp: Stamp, kind: 'anonymous' | 'background') => {
    const exchange = { ...visited, request: createAnonymousRequest(visited.url, sharedPages.receivedOf(visited)) }
    const inFlight = begin(visited, stamp, kind, exchange.request)
    inFlight.available.then(({ type }) => {
      if (inFlight.isForAll) return sharedPages.succeed(exchange)
      if (type === 'not-shared') sharedPages.refuse(exchange)
      // That its clients have left says nothing about the page.
      if (type === 'failed' && !inFlight.signal.aborted) sharedPages.fail(exchange)
    })
    return { inFlight, exchange }
  }

  return {
    forVisitor: (exchange, stamp, kind) =>
      run(exchange, begin(exchange, stamp, kind), exchange.signal ?? exchange.request.signal),

    async forAll(visited, stamp) {
      const { headers } = visited.request
      const signal = visited.signal ?? visited.request.signal
      const { exchange, inFlight } = beginAnonymous(visited, stamp, 'anonymous')
      const sent = exchange.request.headers
      // What is only not stored any longer is for the one who came first, if he has no field that it might depend on, such as a
      // cookie or an address.
      const isForOrdinary = (response: Response) => {
        const directives = parseCacheControl(response.headers.get('cache-control'))
        if (response.status >= 400 || directives.has('private') || directives.has('no-store')) return false
        return (
          sharedPages.wasForAll(visited.url) && !hasAddress(headers) && describeClient(sent) === describeClient(headers)
        )
      }
      const isSelected = (response: Response) => {
        if (headers.has('authorization') && !allowsAuthorization(response.headers, settings.targets)) return false
        const names = parseVary(response.headers.get('vary'))
        return names !== '*' && names.every((name) => sent.get(name) === headers.get(name))
      }
      try {
        const response = await run(exchange, inFlight, signal)
        if (response && (inFlight.isForAll || isForOrdinary(response)) && isSelected(response)) return response
        cancelBody(response?.body)
      } catch (error) {
        if (signal?.aborted) throw error
        log("Response cache: rendering without the visitor's fields failed", {
          url: visited.url,
          reason: describeError(error),
        })
      }
      return undefined
    },

    inBackground(stale, stamp) {
      const { key, url } = stale
      const received = sharedPages.receivedOf(stale)
      const headers = anonymousHeaders(received)
      const isOrdinary = !hasUnusualFields(headers, received.vary)
      const client = describeClient(headers)
      if (backoff.isActive(key, () => [client]) || renders.findAny(key, isOrdinary)) return
      // What an unusual field may make slow must not take the slots of the site.
      const isTrusted = isOfSite(stale) && isOrdinary
      const slot = isTrusted ? background.take(withoutFragment(url), key) : background.takeSpare(key)
      if (!slot) return
      const { inFlight, exchange } = beginAnonymous(stale, stamp, 'background')
      // In a turn of its own: others who are served stale meanwhile do not join it.
      inFlight.handler.alsoFor?.(exchange.request)
      const release = inFlight.join()
      const refresh = async (cached: Exchange['cached']) => {
        const whole = { ...exchange, directives: noRequestDirectives, cached }
        const unread = await leasedRender({ exchange: whole, inFlight, forward: 'stale', release })
        cancelBody(unread?.body)
        return inFlight.result
      }
      // The handler may confirm the page by a 304, or fail.
      const found = stale.isPart ? lookUp({ ...stale, isPart: false, cached: undefined }) : stale
      const work = found instanceof Promise ? found.then(({ cached }) => refresh(cached)) : refresh(found.cached)
      const timed = withTimeout(settings.refreshTimeout, work, slot.signal).finally(slot.free)
      timed.catch((error) => {
        release()
        if (!(error instanceof TimeoutError)) return // logged and counted by the render
        // As two: a render that hangs holds a connection for all of refreshTimeout.
        backoff.fail(key, client, 2)
        log('Response cache: background revalidation failed', { url, reason: describeError(error) })
      })
    },
  }
}

/** Whether the URL is known to exist: stored, without a query, and not a 404 page. */
function isOfSite({ cached, url }: Exchange): boolean {
  return cached !== undefined && !url.includes('?') && !isNotFound(cached.entry.status)
}
