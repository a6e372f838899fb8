import { describeError } from '../../describe-error.js'
import { withCacheStatus } from '../../http/cache-status.js'
import { isNotModified, isNotModifiedField } from '../../http/conditional.js'
import { withTimeout } from '../../timeout.js'
import { stopWithSignal, teeBody } from './body-tee.js'
import type { CacheContext, Render, RenderOutcome } from './context.js'
import { notShared, type RenderResult } from './in-flight-renders.js'
import { clientOf } from './share-unavailable.js'
import { createStoredResponse, createStoreResponse, type ResponseHead, type StorableHead } from './store-response.js'

/**
 * Creates the function that sends a response to the first reader while it is collected, and stores it once it is complete.
 * A first reader who has the page already gets a 304; in the background nobody gets anything.
 */
export function createTeeResponse(context: CacheContext) {
  const { settings, background, backoff, budget, formatStatus, log } = context
  const storeResponse = createStoreResponse(context)

  const storeBody = async ({ exchange, inFlight, isBackground }: Render, head: StorableHead, body: CompleteBody) => {
    try {
      if (body) return await storeResponse(exchange, inFlight, await createStoredResponse(head, inFlight, body))
      if (isBackground) backoff.fail(exchange.key, clientOf(exchange, isBackground))
    } catch (error) {
      log('Response cache: storing a response failed', { reason: describeError(error) })
    }
    return notShared
  }

  return async (render: Render, response: Response, head: StorableHead): Promise<RenderOutcome> => {
    const { exchange, inFlight, forward, isBackground, release } = render
    const { body, headers, status } = response
    const expectedLength = parseLength(headers.get('content-length'))
    // A body without a length may still turn out to be too large; the header is sent before.
    const stored = (expectedLength ?? 0) <= settings.maxBodyBytes && budget.hasRoom(expectedLength ?? 1)
    const cacheStatus = formatStatus({ forward, status, stored })
    const isUnread = isBackground || isKnownToClient(exchange.request.headers, response)
    if (!body) {
      const result = await storeBody(render, head, new Uint8Array(0))
      return {
        response: isUnread ? notModifiedOf(headers, cacheStatus) : withCacheStatus(response, cacheStatus),
        result,
      }
    }

    // A refresh has its slot already.
    const freeSlot = isUnread && !isBackground ? background.takeSpare() : () => {}
    if (!freeSlot) {
      body.cancel().catch(() => {})
      return { response: notModifiedOf(headers, formatStatus({ forward, status })), result: notShared }
    }
    let resolve: (result: RenderResult) => void = () => {}
    const result = new Promise<RenderResult>((settle) => {
      resolve = settle
    })
    const tee = teeBody(body, {
      maxBytes: settings.maxBodyBytes,
      budget,
      expectedLength,
      onCollected: async (complete) => resolve(await storeBody(render, head, complete)),
      // Without a reader, the body is still collected: it is worth storing.
      onReaderLeft: isUnread ? () => {} : release,
    })
    stopWithSignal(tee, inFlight.signal, result)
    if (!isUnread) return { response: withCacheStatus(response, cacheStatus, tee.stream), result }
    tee.stream.cancel().catch(() => {})
    // No reader's leaving ends it, so a time limit does.
    withTimeout(settings.refreshTimeout, inFlight.result).catch(release).finally(freeSlot)
    return { response: notModifiedOf(headers, cacheStatus), result }
  }
}

type CompleteBody = Uint8Array<ArrayBuffer> | undefined

/** Whether the client that asked has this response already. */
function isKnownToClient(request: Headers, { status, headers }: Pick<ResponseHead, 'status' | 'headers'>): boolean {
  const etag = headers.get('etag') ?? undefined
  const lastModified = headers.get('last-modified') ?? undefined
  if (etag === undefined && lastModified === undefined) return false
  return isNotModified(request, { status, etag, lastModified })
}

function notModifiedOf(headers: Headers, cacheStatus: string): Response {
  const included = [...headers].filter(([name]) => isNotModifiedField(name))
  return withCacheStatus(new Response(null, { status: 304, headers: included }), cacheStatus)
}

function parseLength(length: string | null): number | undefined {
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}
