import { describeError } from '../describe-error.js'
import { parseCacheControl } from '../http/cache-control.js'
import { sameEntityTag } from '../http/entity-tag.js'
import { findHeader } from '../http/headers.js'
import type { StoredResponse } from './entry.js'
import { handOver, isValidatable, withCacheStatus } from './handed-over.js'
import { type Job, planJob, staleAnswer } from './job.js'
import { createKeep } from './keep.js'
import { makeEntry, mergeNotModified } from './make-entry.js'
import type { Parts } from './parts.js'
import type { Prepared } from './prepared.js'
import { createSend } from './send.js'

// RFC 5861, section 4.
const errorStatuses = new Set([500, 502, 503, 504])

/**
 * Creates the function that asks the handler, answers the first reader, stores what may be stored, and tells those who
 * wait. `undefined`: it is not the handler's route.
 *
 * @throws what the handler throws, unless what is stored may be served instead.
 */
export function createRender(parts: Parts) {
  const { store, backoff, describe, uncacheable, log } = parts
  const keep = createKeep(parts)
  const send = createSend(parts)

  /** Makes the stored response fresh again (RFC 9111, section 4.3.4). */
  const freshen = async (job: Job, entry: StoredResponse, answer: Response, began: number): Promise<Response> => {
    const { flight, request, forward } = job
    const { status, statusText } = entry
    const headers = mergeNotModified(entry, answer.headers, parseCacheControl(answer.headers.get('cache-control')))
    const response = { status, statusText, headers }
    const { plan, parsed } = planJob(job, response, began, parts)
    const { terms, directives } = plan
    const said = describe({ forward, status: 304, stored: terms !== undefined })
    if (!terms || !parsed.tags) {
      flight.land({})
      return withCacheStatus(new Response(entry.body, response), said)
    }
    const head = { stamp: flight.stamp, tags: parsed.tags, terms, directives, response }
    const prepared = await keep(job, {
      ...(await makeEntry(head, entry.body)),
      hasGeneratedEtag: entry.hasGeneratedEtag,
    })
    return prepared.respond(request, { age: terms.initialAge, status: said })
  }

  /** Passes on what is not stored. */
  const passOn = async (job: Job, response: Response): Promise<Response> => {
    const { lookup, flight, request, forward, leave } = job
    if (errorStatuses.has(response.status)) backoff.fail(lookup.key)
    else if (!request.headers.has('authorization')) {
      uncacheable.set(lookup.url, true)
      // The page is another one now, and none to keep.
      if (lookup.prepared) await store.delete(lookup.key)
    }
    flight.land({})
    leave()
    const { signal } = request
    // From here on it is this visitor's alone.
    signal?.addEventListener('abort', () => flight.abort(signal.reason), { once: true })
    return withCacheStatus(response, describe({ forward, status: response.status }))
  }

  const ask = async (job: Job, validate: Prepared | undefined): Promise<Response | undefined> => {
    const { request, handler, lookup, flight, isBackground, leave } = job
    const began = performance.now()
    const { url, vary } = lookup
    const { headers } = request
    const question = { url, headers, validate, isBackground, varies: vary?.names ?? [], signal: flight.signal }
    const response = await handler(handOver(question))
    if (!response) {
      uncacheable.set(url, true)
      flight.land({})
      leave()
      return undefined
    }
    if (validate && response.status === 304) {
      const [known, said] = [findHeader(validate.entry.headers, 'etag'), response.headers.get('etag')]
      // It speaks of another page than the one that is stored.
      if (known !== undefined && said !== null && !sameEntityTag(known, said)) return ask(job, undefined)
      return freshen(job, validate.entry, response, began).finally(leave)
    }
    const old = errorStatuses.has(response.status) ? staleAnswer(job) : undefined
    if (old) {
      response.body?.cancel().catch(() => {})
      backoff.fail(lookup.key)
      if (isBackground) log('Response cache: a page could not be rendered anew', { url, status: response.status })
      flight.land({})
      leave()
      return old
    }
    const { plan, parsed } = planJob(job, response, began, parts)
    if (parsed.fault) log('Response cache: a page is not stored for its tags', { url, reason: parsed.fault })
    if (!plan.terms || !parsed.tags) return passOn(job, response)
    const { terms, directives } = plan
    return send(job, response, { stamp: flight.stamp, tags: parsed.tags, terms, directives, response })
  }

  return async (job: Job): Promise<Response | undefined> => {
    const { lookup, flight, isBackground, leave } = job
    const { prepared, purge, url } = lookup
    try {
      // What was purged is to be rendered, whatever its validators say.
      return await ask(job, prepared && purge === 'none' && isValidatable(prepared) ? prepared : undefined)
    } catch (error) {
      backoff.fail(lookup.key)
      if (isBackground) log('Response cache: a page could not be rendered anew', { url, reason: describeError(error) })
      flight.land({ error })
      leave()
      const old = staleAnswer(job)
      if (old) return old
      throw error
    }
  }
}
