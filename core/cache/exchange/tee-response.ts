import { describeError } from '../../describe-error.js'
import { cancelBody } from '../../http/body.js'
import { withCacheStatus } from '../../http/cache-status.js'
import { createResponse } from '../../response-factory.js'
import { withTimeout } from '../../timeout.js'
import type { ReadStored } from './body/body-pieces.js'
import { type BodyTee, teeBody } from './body/tee-body.js'
import type { CacheContext, Render, RenderOutcome } from './context.js'
import { describeClient } from './keys/client.js'
import { selectVariant, type Variant } from './keys/variant.js'
import { isKnownToClient, notModifiedOf } from './not-modified.js'
import { passOn } from './pass-on.js'
import { createReadStored } from './read-stored.js'
import { failed, isOfVisitor, notShared, type RenderResult, type SharedResponse } from './renders/in-flight-renders.js'
import { mayShare } from './reuse.js'
import { createStoredResponse, createStoreResponse, type StorableHead } from './store-response.js'

/**
 * Creates the function that sends a response to the first reader while it is collected, lets others read along, and stores
 * it once it is complete. A first reader who has the page already gets a 304; in the background nobody gets anything.
 */
export function createTeeResponse(context: CacheContext) {
  const { settings, background, backoff, budget, formatStatus, log, sharedPages, store, varyKey } = context
  const { brokenOff, tooLarge, warnOfUnstored } = context
  const storeResponse = createStoreResponse(context)

  const storeBody = async (
    { exchange, inFlight }: Render,
    head: StorableHead,
    body: Uint8Array<ArrayBuffer> | undefined,
    variant: Variant,
    readFrom?: (stored: ReadStored) => void,
    isTooLarge = false,
  ): Promise<RenderResult> => {
    try {
      if (body) {
        const stored = await createStoredResponse(head, inFlight, body)
        const result = await storeResponse(exchange, inFlight, stored, variant)
        if (inFlight.isStored && result.type === 'shared')
          readFrom?.(createReadStored(store, result.variant.key, stored))
        return result
      }
      if (inFlight.kind === 'background' && !isTooLarge) {
        backoff.fail(exchange.key, describeClient(exchange.request.headers))
      }
    } catch (error) {
      log('Response cache: storing a response failed', { reason: describeError(error) })
    }
    return failed
  }

  const noteTooLarge = (url: string, { status, headers }: Response) => {
    tooLarge.set(url, true)
    warnOfUnstored({ url, refusal: 'body', status, headers })
  }

  return async (render: Render, response: Response, head: StorableHead): Promise<RenderOutcome> => {
    const { exchange, inFlight, forward, release } = render
    const isBackground = inFlight.kind === 'background'
    const { body, headers, status } = response
    const { url } = exchange
    const variant = selectVariant(exchange, head.headers, varyKey, sharedPages.varyNamesOf(url))
    const isReusable = mayShare(head.terms, head.terms.initialAge)
    const expectedLength = parseLength(headers.get('content-length'))
    const isTooLarge = (expectedLength ?? 0) > settings.maxBodyBytes
    // A body without a length may turn out to be too large, as the last one of this URL; the header is sent before.
    const mayBeTooLarge = isTooLarge || (expectedLength === undefined && tooLarge.has(url))
    // Those who read along keep pace with the fastest reader of a large body, or are disconnected. And one client may have a field
    // for which the body breaks off, each time that the page is asked for: others then wait until it is complete.
    const mayBreakOff = isOfVisitor(inFlight) && brokenOff.has(url)
    const isShared = isReusable && !mayBeTooLarge && !mayBreakOff
    const stored = head.terms.ttl > 0 && !mayBeTooLarge && budget.hasRoom(expectedLength ?? 1)
    const cacheStatus = formatStatus({ forward, status, stored })
    const isUnread = isBackground || isKnownToClient(exchange.request.headers, response)
    if (!body) {
      const result = await storeBody(render, head, new Uint8Array(0), variant)
      return {
        response: isUnread ? notModifiedOf(headers, cacheStatus) : withCacheStatus(response, cacheStatus),
        result,
      }
    }

    // Nobody reads along, and nothing is stored: held here, it would only take room, at the price of others.
    if (mayBeTooLarge && !isUnread) {
      if (isTooLarge) noteTooLarge(url, response)
      const measure = createMeasure(settings.maxBodyBytes, () => tooLarge.delete(url))
      const stream = passOn(render, body, measure)
      return { response: withCacheStatus(response, cacheStatus, stream), result: notShared }
    }

    // A refresh has its slot already, and what others wait for needs none.
    const isAwaited = inFlight.countWaiting() > 1
    const needsSlot = isUnread && !isBackground && !isAwaited
    const slot = needsSlot ? background.takeSpare(exchange.key) : undefined
    if (needsSlot && !slot) {
      cancelBody(body)
      return { response: notModifiedOf(headers, formatStatus({ forward, status })), result: failed }
    }
    const tee = teeBody<RenderResult>(body, {
      maxBytes: settings.maxBodyBytes,
      budget,
      expectedLength,
      signal: inFlight.signal,
      isAwaited: () => !isShared && inFlight.countWaiting() > 1,
      async onCollected(complete, isTooLarge, readFrom) {
        if (isTooLarge) noteTooLarge(url, response)
        else if (complete) tooLarge.delete(url)
        const result = await storeBody(render, head, complete, variant, readFrom, isTooLarge)
        if (isTooLarge) return notShared
        return isShared ? failed : result // those who joined read along
      },
      onFailed() {
        if (isShared && isOfVisitor(inFlight)) brokenOff.set(url, true)
      },
    })
    if (isShared) inFlight.share(shareResponse(head, variant, tee))
    const { result } = tee
    const stream = isUnread ? undefined : tee.open(release)
    if (stream) return { response: withCacheStatus(response, cacheStatus, stream), result }
    // A disconnect does not abort it, so a time limit does, unless other requests are waiting.
    if (isAwaited && !isBackground) release()
    else withTimeout(settings.refreshTimeout, inFlight.result, slot?.signal).catch(release).finally(slot?.free)
    return { response: notModifiedOf(headers, cacheStatus), result }
  }
}

/** Measures a body, and calls `onSmall` at its end when it was not larger than so many bytes. */
function createMeasure(maxBytes: number, onSmall: () => void): (piece: Uint8Array | undefined) => void {
  let length = 0
  return (piece) => {
    if (piece) length += piece.byteLength
    else if (length <= maxBytes) onSmall()
  }
}

/** Shares a response whose body others read along. */
function shareResponse(
  { status, statusText, headers: lines, terms, arrived }: StorableHead,
  variant: Variant,
  tee: BodyTee<unknown>,
): SharedResponse {
  const getAge = () => terms.initialAge + (performance.now() - arrived) / 1000
  return {
    type: 'shared',
    variant,
    resumed: () => (mayShare(terms, getAge()) ? tee.resumed() : undefined),
    respond(request, cacheStatus, onEnd) {
      const age = getAge()
      if (!mayShare(terms, age)) return undefined
      const headers = new Headers(lines.map(([name, value]) => [name, value]))
      headers.set('age', String(Math.floor(age)))
      if (isKnownToClient(request.headers, { status, headers })) {
        onEnd()
        return notModifiedOf(headers, cacheStatus)
      }
      const stream = tee.open(onEnd)
      headers.append('cache-status', cacheStatus)
      return stream && createResponse(stream, { status, statusText, headers })
    },
  }
}

function parseLength(length: string | null): number | undefined {
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}
