import { describeError } from '../describe-error.js'
import { isNotModifiedField } from '../http/conditional.js'
import { withTimeout } from '../timeout.js'
import { collectBody } from './collect.js'
import { withCacheStatus } from './handed-over.js'
import type { Job } from './job.js'
import { createKeep } from './keep.js'
import { type Head, isKnownTo, makeEntry } from './make-entry.js'
import type { Parts } from './parts.js'

/**
 * Creates the function that sends the first reader what comes, and stores it when it is whole. A first reader who has
 * the page already gets a 304, and nobody is sent anything in the background.
 */
export function createSend(parts: Parts) {
  const { settings, backoff, budget, describe, log } = parts
  const keep = createKeep(parts)

  const createSettle =
    (job: Job, head: Head) =>
    async (body: Uint8Array<ArrayBuffer> | undefined): Promise<void> => {
      try {
        if (body) await keep(job, await makeEntry(head, body))
        else if (job.isBackground) backoff.fail(job.lookup.key)
      } catch (error) {
        log('Response cache: a page could not be stored', { reason: describeError(error) })
      }
      job.flight.land({})
      job.leave()
    }

  return async (job: Job, response: Response, head: Head): Promise<Response> => {
    const { flight, request, forward, isBackground, leave } = job
    const { body, headers, status } = response
    const said = describe({ forward, status, stored: true })
    const settle = createSettle(job, head)
    const isUnread = isBackground || isKnownTo(request.headers, response)
    if (!body) await settle(new Uint8Array(0))

    const length = headers.get('content-length')
    const collection =
      body &&
      collectBody(body, {
        maxBytes: settings.maxBodyBytes,
        budget,
        expected: length !== null && /^\d+$/.test(length) ? Number(length) : undefined,
        onSettled: settle,
        // Nobody reads, but it is worth storing.
        onLeft: isUnread ? () => {} : leave,
      })
    if (collection) flight.onDeserted(() => collection.stop())
    if (!isUnread) return withCacheStatus(response, said, collection?.stream ?? null)
    collection?.stream.cancel().catch(() => {})
    // Nobody's leaving ends it.
    withTimeout(settings.refreshTimeout, flight.landing).catch(leave)
    const kept = [...headers].filter(([name]) => isNotModifiedField(name))
    return withCacheStatus(new Response(null, { status: 304, headers: kept }), said)
  }
}
