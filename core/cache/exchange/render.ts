import { describeError } from '../../describe-error.js'
import { cancelBody } from '../../http/body.js'
import { parseCacheControl } from '../../http/cache-control.js'
import { withCacheStatus } from '../../http/cache-status.js'
import { sameEntityTag } from '../../http/entity-tag.js'
import { findHeader } from '../../http/headers.js'
import { hasNullBody } from '../../http/null-body.js'
import type { MaybePromise } from '../../maybe-promise.js'
import type { StoredResponse } from '../store/entry.js'
import { type CachedResponse, toCachedResponse } from './cached-response.js'
import type { CacheContext, Exchange, Render, RenderOutcome } from './context.js'
import { describeClient } from './keys/client.js'
import { isSameAgain } from './keys/unconfirmed.js'
import { hasSameEtag, toNotModified } from './not-modified.js'
import { passOn } from './pass-on.js'
import { planResponse } from './plan-response.js'
import { errorStatuses } from './policy.js'
import { failed, notShared, type RenderResult } from './renders/in-flight-renders.js'
import { createOriginRequest, hasOriginValidator } from './renders/origin-request.js'
import { beganLate } from './renders/pace-handler.js'
import { mayServeOnError } from './reuse.js'
import { createShareUnavailable } from './share-unavailable.js'
import { createStorableHead, createStoredResponse, createStoreResponse, mergeNotModified } from './store-response.js'
import { createTeeResponse } from './tee-response.js'

/**
 * Creates the function that asks the handler, returns the response for the first reader, and stores what may be stored.
 * Whatever becomes of it, the render in flight is settled here.
 *
 * @throws what the handler throws, unless a stored response may be served instead.
 */
export function createRender(context: CacheContext) {
  const { backoff, formatStatus, mayStoreUrl, log, selectingFields, sharedPages, store, unconfirmed, warnOfUnstored } =
    context
  const storeResponse = createStoreResponse(context)
  const teeResponse = createTeeResponse(context)
  const shareUnavailable = createShareUnavailable(context)

  /** Starts a back-off. An error for one client says nothing about the page of the others, unless it is the service's. */
  const fail = ({ exchange, inFlight }: Render, status: number) => {
    const { headers } = exchange.request
    const isOwn = status === 500 || !inFlight.isOrdinary
    backoff.fail(exchange.key, isOwn ? describeClient(headers) : undefined)
  }

  /** Updates the stored response from a 304 (RFC 9111, section 4.3.4). */
  const freshen = async (render: Render, entry: StoredResponse, answer: Response, began: number) => {
    const { exchange, inFlight, forward } = render
    const { status, statusText } = entry
    const headers = mergeNotModified(entry, answer.headers, parseCacheControl(answer.headers.get('cache-control')))
    const response = { status, statusText, headers }
    const { plan, tags } = planResponse(render, response, began, context)
    const { terms, directives } = plan
    const cacheStatus = formatStatus({ forward, status: 304, stored: (terms?.ttl ?? 0) > 0 })
    if (!terms || !tags.tags) {
      const body = hasNullBody(status) ? null : entry.body
      return { response: withCacheStatus(new Response(body, response), cacheStatus), result: notShared }
    }
    inFlight.isForAll = true
    const head = createStorableHead(response, tags.tags, terms, directives)
    const { hasGeneratedEtag } = entry
    const updated = { ...(await createStoredResponse(head, inFlight, entry.body)), hasGeneratedEtag }
    const result = await storeResponse(exchange, inFlight, updated)
    const options = { age: terms.initialAge, status: cacheStatus }
    return { response: toCachedResponse(updated, formatStatus).respond(exchange.request, options), result }
  }

  /** Passes on a response that is not stored. */
  const passThrough = (render: Render, response: Response, began: number): RenderOutcome => {
    const { exchange, inFlight, forward } = render
    const { request } = exchange
    if (errorStatuses.has(response.status)) {
      fail(render, response.status)
      inFlight.isForAll = response.status !== 500
      if (inFlight.isForAll) return shareUnavailable(render, response, began)
    }
    const cacheStatus = formatStatus({ forward, status: response.status })
    const result = response.status === 500 ? failed : notShared
    if (hasSameEtag(request.headers, response)) {
      cancelBody(response.body)
      return { response: withCacheStatus(toNotModified(response), cacheStatus), result }
    }
    const body = response.body && passOn(render, response.body)
    return { response: withCacheStatus(response, cacheStatus, body), result }
  }

  /**
   * Whether the handler does not confirm the page by a 304: it has just sent once more what is stored, or did so lately. Then that
   * is deleted, so that the handler is not asked in vain at each request.
   */
  const isUnconfirmed = (
    { exchange: { url, key, request } }: Render,
    validate: CachedResponse | undefined,
    { status, headers }: Response,
  ): boolean => {
    if (unconfirmed.has(url)) return true
    // After a reload, handlers send the whole page whatever they have.
    if (!validate || asksForReload(request.headers) || !isSameAgain(validate.entry, headers)) return false
    unconfirmed.add(url)
    store.delete(key)
    warnOfUnstored({ url, refusal: 'no lifetime and no 304', status, headers })
    return true
  }

  const askHandler = async (render: Render, validate: CachedResponse | undefined): Promise<RenderOutcome> => {
    const { exchange, inFlight } = render
    const { url, request, handler } = exchange
    const asked = performance.now()
    const originRequest = createOriginRequest({
      url,
      headers: request.headers,
      validate,
      selectingFields,
      signal: inFlight.signal,
    })
    const response = await handler(originRequest)
    // A response ages from when the handler was called (RFC 9111, section 4.2.3), and not while the call waited for its turn.
    const began = beganLate(originRequest) ?? asked
    if (!response) return { response, result: notShared }
    if (validate && response.status === 304) {
      const [known, received] = [findHeader(validate.entry.headers, 'etag'), response.headers.get('etag')]
      const isOther = known !== undefined && received !== null && !sameEntityTag(known, received)
      // A 304 with another ETag may be about another response than the stored one, by the time that it was asked for.
      // Without a time, only the stored ETag can have matched.
      if (isOther && findHeader(validate.entry.headers, 'last-modified') !== undefined) {
        return askHandler(render, undefined)
      }
      return freshen(render, validate.entry, response, began)
    }
    const old = errorStatuses.has(response.status) ? respondStaleIfError(exchange) : undefined
    if (old) {
      cancelBody(response.body)
      fail(render, response.status)
      inFlight.isForAll = true
      if (inFlight.kind === 'background')
        log('Response cache: background revalidation failed', { url, status: response.status })
      return { response: old, result: failed }
    }
    const { plan, tags } = planResponse(render, response, began, context)
    if (tags.error) log('Response cache: response not stored, invalid tags', { url, reason: tags.error })
    if (!plan.terms || !tags.tags) {
      if (plan.refusal === 'an error that may be due to the client') sharedPages.addError(url)
      warnOfUnstored({ url, refusal: plan.refusal, status: response.status, headers: response.headers })
      return passThrough(render, response, began)
    }
    const { directives, needsConfirmation } = plan
    const isOfNoUse = needsConfirmation && isUnconfirmed(render, validate, response)
    const isKnown = exchange.cached !== undefined || exchange.vary !== undefined
    const mayStore = !isOfNoUse && (isKnown || mayStoreUrl(url, response.status))
    const terms = mayStore ? plan.terms : { ...plan.terms, ttl: 0 }
    inFlight.isForAll = true
    return teeResponse(render, response, createStorableHead(response, tags.tags, terms, directives))
  }

  return async (render: Render): Promise<Response | undefined> => {
    const { exchange, inFlight } = render
    const { cached, purge, url } = exchange
    let result: MaybePromise<RenderResult> = failed
    try {
      // A purged page is rendered again, whatever its validators say.
      const validate = cached && purge === 'none' && hasOriginValidator(cached) ? cached : undefined
      const outcome = await askHandler(render, validate)
      result = outcome.result
      return outcome.response
    } catch (error) {
      // A client that left says nothing about the page.
      if (!inFlight.signal.aborted) fail(render, 500)
      if (inFlight.kind === 'background')
        log('Response cache: background revalidation failed', { url, reason: describeError(error) })
      const old = respondStaleIfError(exchange)
      inFlight.isForAll = old !== undefined
      if (old) return old
      throw error
    } finally {
      if (result instanceof Promise) result.then(inFlight.resolve)
      else inFlight.resolve(result)
    }
  }
}

function asksForReload(headers: Headers): boolean {
  return headers.has('pragma') || parseCacheControl(headers.get('cache-control')).has('no-cache')
}

/** Returns the stored response if it may stand in for a failure (RFC 5861, section 4). */
export function respondStaleIfError({ cached, age, purge, request }: Exchange): Response | undefined {
  if (!cached || !mayServeOnError(cached.entry, age, purge)) return undefined
  return cached.respond(request, { age, detail: 'stale-if-error' })
}
