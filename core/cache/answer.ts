import { needsHandler } from '../http/conditional.js'
import type { MaybePromise } from '../maybe-promise.js'
import { TimeoutError, withTimeout } from '../timeout.js'
import type { Stamp } from './entry.js'
import type { Flight } from './flights.js'
import { staleAnswer } from './job.js'
import { createLookup, type Lookup } from './lookup.js'
import type { Parts } from './parts.js'
import { createPass } from './pass.js'
import { decideReuse, mayServeOnError } from './reuse.js'
import { createStartRender, forwardReason, type Visit } from './start-render.js'

/** Creates the function that answers a GET or HEAD: out of the store, with another's render, or with one of its own. */
export function createAnswer(parts: Parts) {
  const { settings, flights, backoff, describe, uncacheable } = parts
  const lookUp = createLookup(parts)
  const { lead, refresh } = createStartRender(parts)
  const pass = createPass(parts)

  /** Waits for a render that another request began. */
  const follow = async (visit: Visit, lookup: Lookup, stamp: Stamp, flight: Flight, isFirst: boolean) => {
    const { request, wishes, url } = visit
    const leave = flight.enter()
    try {
      const { prepared, fits, error } = await withTimeout(settings.joinTimeout, flight.landing, request.signal)
      const old = prepared ? undefined : backoff.isResting(lookup.key) && staleAnswer({ lookup, request })
      if (old) return old
      if (error !== undefined) throw error
      if (prepared && fits(request.headers)) {
        const age = prepared.entry.initialAge
        const status = describe({ forward: forwardReason(lookup, wishes), collapsed: true })
        if (decideReuse(prepared.entry, wishes, age, 'none') === 'fresh')
          return prepared.respond(request, { age, status })
      } else if (prepared && isFirst) {
        // Another variant than this visitor's: its own may be stored, or under way.
        return await decide(visit, await lookUp(url, request.headers), false)
      }
    } catch (error) {
      if (!(error instanceof TimeoutError)) throw error
    } finally {
      leave()
    }
    return lead(visit, lookup, stamp, false)
  }

  const decide = (visit: Visit, lookup: Lookup, isFirst: boolean): MaybePromise<Response | undefined> => {
    const { request, handler, wishes, url } = visit
    const { stamp, key, age, purge } = lookup
    const isAuthorized = () => request.headers.has('authorization')
    // Headers cost time to read: most pages may answer whoever asks.
    const isForOthers = lookup.prepared?.entry.allowsAuthorization === false && isAuthorized()
    const prepared = isForOthers ? undefined : lookup.prepared
    const reuse = prepared ? decideReuse(prepared.entry, wishes, age, purge) : 'miss'
    if (prepared && reuse === 'fresh') return prepared.respond(request, { age })
    if (prepared && stamp && reuse === 'soft-stale') {
      refresh(visit, lookup, stamp)
      return prepared.respond(request, { age, detail: purge === 'soft' ? 'soft-purged' : 'stale-while-revalidate' })
    }
    if (wishes.onlyIfCached) return gatewayTimeout(describe({ forward: 'request', detail: 'only-if-cached' }))
    if (!stamp) return pass(request, handler, 'bypass', undefined, 'tag-index-away')
    if (prepared && reuse === 'revalidate' && backoff.isResting(key) && mayServeOnError(prepared.entry, age, purge)) {
      return prepared.respond(request, { age, detail: 'stale-if-error' })
    }
    const known = isForOthers ? { ...lookup, prepared } : lookup
    if (request.method === 'HEAD' || needsHandler(request.headers))
      return pass(request, handler, forwardReason(known, wishes), known)

    const isShared = !isAuthorized() && !wishes.noCache && !uncacheable.has(url)
    const flight = isShared ? flights.find(key, stamp) : undefined
    return flight ? follow(visit, known, stamp, flight, isFirst) : lead(visit, known, stamp, isShared)
  }

  return (visit: Visit): MaybePromise<Response | undefined> => {
    const lookup = lookUp(visit.url, visit.request.headers)
    return lookup instanceof Promise ? lookup.then((found) => decide(visit, found, true)) : decide(visit, lookup, true)
  }
}

/** RFC 9111, section 5.2.1.7. */
function gatewayTimeout(status: string): Response {
  return new Response(null, { status: 504, headers: { 'Cache-Control': 'no-store', 'Cache-Status': status } })
}
