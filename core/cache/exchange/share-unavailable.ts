import { parseCacheControl } from '../../http/cache-control.js'
import { withCacheStatus } from '../../http/cache-status.js'
import { parseVary } from '../../http/vary.js'
import { teeBody } from './body/tee-body.js'
import type { CacheContext, Render, RenderOutcome } from './context.js'
import { describeClient, hasUnusualFields } from './keys/client.js'
import { mergeVary } from './keys/vary-key.js'
import { anonymousHeaders } from './renders/anonymous-request.js'
import { isOfVisitor, type RenderResult } from './renders/in-flight-renders.js'

// The bodies of such errors are a sentence or a page; what is larger is not shared.
const maxSharedBytes = 64 * 1024
const slowMilliseconds = 1_000
const sharedFields = ['content-type', 'retry-after', 'vary', 'x-content-type-options', 'content-security-policy']

/**
 * Creates the function that shares a 502, 503 or 504 with those who wait for it: it describes the service behind the
 * handler, and asking again for each of them would only add to its load.
 *
 * One request may have caused it, however, by a cookie that is too long, for instance. So an error that came fast is shared
 * only with requests alike; one that took long is shared with all, since nobody is to wait that long again and again: at once
 * when the request was an ordinary one, else when a second render has failed for those who wait. Fields and
 * bodies that may be meant for one visitor are left out: `Set-Cookie`, and the body of what is `private` or varies by
 * everything, and any body for requests that differ in any field.
 */
export function createShareUnavailable({ budget, formatStatus, parallelism, sharedPages, varyKey }: CacheContext) {
  return ({ exchange, inFlight, forward, release }: Render, response: Response, began: number): RenderOutcome => {
    const { request, url } = exchange
    const sentFor = (headers: Headers) =>
      isOfVisitor(inFlight) ? headers : anonymousHeaders(sharedPages.receivedOf({ ...exchange, request: { headers } }))
    const { status, headers } = response
    const names = parseVary(headers.get('vary'))
    const isPersonal =
      names === '*' || headers.has('set-cookie') || parseCacheControl(headers.get('cache-control')).has('private')
    const shared = new Headers({ 'cache-control': 'no-store' })
    for (const name of sharedFields) {
      const value = headers.get(name)
      if (value !== null && !(isPersonal && name === 'content-type')) shared.set(name, value)
    }
    const vary = names === '*' ? undefined : mergeVary(undefined, names)
    const selects = (other: Headers) => !vary || varyKey(url, vary, other) === varyKey(url, vary, request.headers)
    const own = describeClient(request.headers)
    const all = JSON.stringify([...request.headers])
    const isSame = (other: Headers) => JSON.stringify([...sentFor(other)]) === all
    const isAlike = (other: Headers) => describeClient(sentFor(other)) === own
    const isSlow = performance.now() - began >= slowMilliseconds
    const isUnusual = hasUnusualFields(request.headers, sharedPages.receivedOf(exchange).vary)
    const isForAll = isSlow && (!isUnusual || parallelism.countFailures(exchange.key) > 0)
    const fits = (other: Headers) => selects(other) && (isForAll || isAlike(other))
    const resultOf = (body: Uint8Array<ArrayBuffer> | undefined): RenderResult => ({
      type: 'unavailable',
      fits,
      respond(cacheStatus, other) {
        const sharedBody = !isPersonal && isSame(other) ? (body ?? null) : null
        const answer = new Response(sharedBody, { status, headers: shared })
        if (sharedBody === null) answer.headers.delete('content-type')
        answer.headers.set('cache-status', cacheStatus)
        return answer
      },
    })

    const cacheStatus = formatStatus({ forward, status })
    if (!response.body || isPersonal) {
      return { response: withCacheStatus(response, cacheStatus), result: resultOf(undefined) }
    }
    const tee = teeBody(response.body as ReadableStream<Uint8Array<ArrayBuffer>>, {
      maxBytes: maxSharedBytes,
      budget,
      expectedLength: undefined,
      signal: inFlight.signal,
      onCollected: resultOf,
    })
    return { response: withCacheStatus(response, cacheStatus, tee.open(release)), result: tee.result }
  }
}
