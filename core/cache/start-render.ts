import { describeError } from '../describe-error.js'
import type { RouteHandler } from '../handler.js'
import type { Forward } from '../http/cache-status.js'
import { noRequestDirectives, type RequestDirectives } from '../http/request-directives.js'
import { TimeoutError, withTimeout } from '../timeout.js'
import type { Stamp } from './entry.js'
import type { Lookup } from './lookup.js'
import type { Parts } from './parts.js'
import { createRender } from './render.js'

/** A request that the cache looks at. */
export interface Visit {
  request: Request
  handler: RouteHandler
  wishes: RequestDirectives
  /** What the page is stored under and rendered for. */
  url: string
}

/** Creates the two ways to begin a render: for a visitor who waits, and in the background. */
export function createStartRender(parts: Parts) {
  const { settings, flights, backoff, log } = parts
  const render = createRender(parts)

  return {
    /** Renders for a visitor; who leaves ends it, unless others wait for it, too. */
    async lead(visit: Visit, lookup: Lookup, stamp: Stamp, isJoinable: boolean): Promise<Response | undefined> {
      const { request, handler, wishes, url } = visit
      const flight = flights.begin(lookup.key, url, stamp, isJoinable)
      const leave = flight.enter()
      const forward = forwardReason(lookup, wishes)
      const work = render({ request, handler, lookup, wishes, forward, flight, isBackground: false, leave })
      const { signal } = request
      if (!signal) return work
      try {
        return await untilAborted(work, signal)
      } catch (error) {
        if (signal.aborted) {
          leave()
          work.then((late) => late?.body?.cancel()).catch(() => {})
        }
        throw error
      }
    },

    /** Renders anew what is being served meanwhile, unless that is under way or has just failed. */
    refresh({ request, handler, url }: Visit, lookup: Lookup, stamp: Stamp): void {
      const { key } = lookup
      if (backoff.isResting(key) || flights.isBusy(key)) return
      const flight = flights.begin(key, url, stamp, true)
      const leave = flight.enter()
      const purpose = { wishes: noRequestDirectives, forward: 'stale', isBackground: true } as const
      const work = render({ request, handler, lookup, flight, leave, ...purpose }).then((unread) => {
        unread?.body?.cancel().catch(() => {})
        return flight.landing
      })
      withTimeout(settings.refreshTimeout, work).catch((error) => {
        leave()
        if (!(error instanceof TimeoutError)) return // said and counted where it was caught
        backoff.fail(key)
        log('Response cache: a page could not be rendered anew', { url, reason: describeError(error) })
      })
    },
  }
}

/** Why the handler is asked (RFC 9211, section 2.2). */
export function forwardReason({ prepared, vary, purge }: Lookup, wishes: RequestDirectives): Forward {
  if (!prepared) return vary ? 'vary-miss' : 'uri-miss'
  if (purge !== 'none') return 'stale'
  return wishes.noCache || wishes.maxAge !== undefined || wishes.minFresh !== undefined ? 'request' : 'stale'
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
