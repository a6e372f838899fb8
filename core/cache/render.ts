import { channels, observeWork } from '../diagnostics.js'
import { checkResponse } from '../handler.js'
import { cancelBody } from '../http/body.js'
import { type ForwardReason, withCacheStatus } from '../http/cache-status.js'
import { isKnownToVisitor } from '../http/conditional.js'
import { withHeaders } from '../http/headers.js'
import { describeError } from '../log.js'
import { createResponse } from '../response-factory.js'
import { encodeTag, maxTagsPerResponse, parseTags, pathTag } from '../tags.js'
import { collect } from './collect.js'
import type { CacheContext } from './context.js'
import { type HandlerRequestOptions, toHandlerRequest } from './key.js'
import { limitHead, limitHeaders, limitTerms } from './lifetime-limit.js'
import { confirmedBy, mergeNotModified, notModifiedOf } from './not-modified.js'
import { createAddress } from './own-request.js'
import type { Page } from './page.js'
import { planStorage } from './policy.js'
import type { Render, Respond } from './render-life.js'
import { hasEnded, mayShare, respondStaleIfError } from './reuse.js'
import type { StorableHead, StoredResponse } from './store/entry.js'
import { addLateTags, ageOf, createStorableHead, createStoredResponse } from './store/entry.js'

/** The answer of a handler. */
export interface Answer {
  /**
   * The response, whose `Cache-Tag` also has the tags of the option `tags` and of the path, and whose lifetime is
   * limited, even if the response is not stored here, because a CDN may store it.
   */
  response: Response
  /** The status as the handler sent it: 304 if it has confirmed a stored response. */
  status: number
  /** The part of the response that is stored besides the body. */
  head: StorableHead
  /** Why the response is not stored. */
  refusal: string | undefined
  /** The earliest date of the content that was read before the head, in milliseconds since 1970. */
  end: number | undefined
}

/**
 * Creates the function that calls the handler for a page. A 304 that confirms a stored response returns that response,
 * with the tags of both, because the body is still made of the same content.
 */
export function createCall(context: CacheContext) {
  const { fieldWarning, tags: option, content, name: cache, limitOf, targets, isCovered, maxBodyBytes } = context
  return async function call(page: Page, options: HandlerRequestOptions): Promise<Answer | undefined> {
    const address = page.passOn && createAddress()
    const request = toHandlerRequest(page, { ...options, address })
    fieldWarning?.watch(request)
    const began = performance.now()
    const work = () => page.handler(request)
    const sent = checkResponse(await observeWork(channels.render, { cache, url: page.url }, work))
    const delay = (performance.now() - began) / 1000
    fieldWarning?.check(page.request, page.pairs)
    if (!sent) return undefined
    const { status, headers } = sent
    const confirmed = status === 304 ? options.validate : undefined
    // The lifetime of a stored page may be limited until its content has settled, so a 304 must bring its own.
    const hasLifetime = !content?.settles || headers.has('cache-control')
    if (confirmed && !(hasLifetime && confirmedBy(confirmed, headers)))
      return call(page, { ...options, validate: undefined })
    const optionTags = typeof option === 'function' ? option(request, sent) : option
    const added = [...optionTags.map(encodeTag).filter(Boolean), ...pathTagsOf(page), ...(content?.tags() ?? [])]
    const tags = [...new Set([...(confirmed?.tags ?? []), ...parseTags(headers.get('cache-tag'), added)])]
    const whole = confirmed ? mergeNotModified(confirmed, headers) : sent
    const end = earlierEnd(content?.end(), confirmed, page.age + delay)
    const limit = content && (await limitOf(tags, began, page.stamp, end))
    // The headers are read before another response is made of this one.
    const plan = planStorage(whole, { targets, isCovered, delay, now: Date.now() })
    const isTooLarge = Number(whole.headers.get('content-length') ?? 0) > maxBodyBytes
    const response = withHeaders(whole, (copy) => {
      copy.set('cache-tag', tags.join())
      if (limit) limitHeaders(copy, limit)
    })
    const head = limitTerms(createStorableHead(response, tags, plan), limit)
    const unstored = isTooLarge ? 'too-large' : hasEnded(head, ageOf(head)) ? 'purged' : undefined
    const refusal = plan.refusal ?? (tags.length > maxTagsPerResponse ? 'tags' : unstored)
    return { response, status, head, refusal, end }
  }
}

/**
 * Returns the date at which a response ends, in milliseconds since 1970: the earliest date of its render, or that of
 * the stored response that it confirms, unless this date has passed.
 *
 * @param age The age of the stored response, in seconds.
 */
function earlierEnd(noted: number | undefined, confirmed: StoredResponse | undefined, age: number): number | undefined {
  const left = (confirmed?.end ?? 0) - age
  const earlier = left > 0 ? Date.now() + left * 1000 : undefined
  return noted === undefined || earlier === undefined ? (noted ?? earlier) : Math.min(noted, earlier)
}

/**
 * Returns the tag of a page's path and, behind a proxy that states a prefix, the tag of the path that visitors know.
 */
function pathTagsOf({ url, pairs }: Page): string[] {
  const { pathname } = new URL(url)
  const prefix = pairs.find(([name]) => name === 'x-forwarded-prefix')?.[1]
  const paths = prefix === undefined ? [pathname] : [pathname, prefix.replace(/(?<!\/)\/+$/, '') + pathname]
  return paths.map(pathTag)
}

/** Returns why the handler is called (RFC 9211, section 2.2). */
export function forwardReason({ cached, purge, pairs, directives }: Page): ForwardReason {
  if (!cached) return pairs.length === 0 ? 'uri-miss' : 'miss'
  const { noCache, maxAge, minFresh } = directives
  return purge === 'none' && (noCache || maxAge !== undefined || minFresh !== undefined) ? 'request' : 'stale'
}

/**
 * Creates the function that calls the handler for a render. Then it opens the render, if the response may be stored, or
 * closes it, with a response for the visitor whose request began the render.
 */
export function createRender(context: CacheContext, call: ReturnType<typeof createCall>) {
  const { store, tagIndex, renders, log, explainRefusal, limitOf, content, formatStatus } = context
  const { maxBodyBytes: maxBytes, refreshTimeout: idleTimeout, storeTime } = context
  // Bytes that bodies in transfer may still hold; below 0, bodies are no longer collected.
  const room = { left: 8 * maxBytes }

  /** Stores a page, or returns why it was not stored. A page that was purged hard during its render is not stored. */
  const storePage = async ({ page, stamp }: Render, { head, end }: Answer, body: Uint8Array<ArrayBuffer>) => {
    const { url, key } = page
    const tagged = addLateTags(head, content?.tags() ?? [])
    if (!tagged) return 'tags'
    const lateEnd = content?.end()
    const hasLateEnd = lateEnd !== undefined && lateEnd < (end ?? Number.POSITIVE_INFINITY)
    if (tagged !== head) log('Response cache: tags came after the head, so no CDN has them', { url })
    if (hasLateEnd) log('Response cache: a date came after the head, so no CDN knows it', { url })
    const isLate = tagged !== head || hasLateEnd
    const complete = isLate ? limitHead(tagged, await limitOf(tagged.tags, head.arrived, stamp, lateEnd)) : head
    if (hasEnded(complete, ageOf(complete))) return 'purged'
    const entry = await createStoredResponse(complete, stamp, body)
    const purge = await tagIndex.purgedSince(stamp, entry.tags)
    const newer = purge === 'soft' ? (await store.get(key))?.entry : undefined
    if (purge === 'hard' || (newer?.kind === 'response' && newer.stamp.sequence > stamp.sequence)) return 'purged'
    return (await store.set(key, entry)) ? undefined : 'store'
  }

  /**
   * Gives a response to all that wait. Opens the render and stores the response, or closes the render with an error,
   * which is not stored.
   *
   * @param cacheStatus Member of `Cache-Status` for the visitor whose request began the render.
   */
  const share = (render: Render, answer: Answer, cacheStatus: string, failure?: object): void => {
    const { response, head } = answer
    const { status, statusText } = response
    const length = response.headers.get('content-length')
    const onCollected = async (bytes: Uint8Array<ArrayBuffer> | undefined, reason?: string) => {
      if (failure) return
      const detail = bytes ? await storePage(render, answer, bytes) : reason
      renders.end(render, bytes && detail === undefined ? 'stored' : 'closed', detail)
    }
    const expectedLength = length !== null && /^\d+$/.test(length) ? Number(length) : undefined
    const options = { maxBytes, room, idleTimeout, storeTime, expectedLength, signal: render.signal, onCollected }
    const body = response.body && collect(response.body, options)
    const respond: Respond = (request, collapsed, leave) => {
      if (collapsed && !failure && !mayShare(head, ageOf(head))) return undefined
      const headers = new Headers(collapsed ? head.headers.map(([...line]) => line) : response.headers)
      if (collapsed) headers.set('age', String(Math.floor(ageOf(head))))
      headers.append('cache-status', collapsed ?? cacheStatus)
      const isKnown = isKnownToVisitor(request.headers, { status, headers })
      const stream = body && !isKnown ? body.open(leave) : null
      if (stream === undefined) return undefined
      body?.begin()
      if (stream === null) leave(!isKnown)
      return isKnown ? notModifiedOf(headers) : createResponse(stream, { status, statusText, headers })
    }
    if (failure) renders.close(render, respond, 'failed', failure)
    else renders.open(render, respond)
    if (render.kind === 'background') body?.begin()
    if (!body) void onCollected(new Uint8Array(0))
  }

  /** Closes a render, because its response is not stored. */
  const refuse = (render: Render, answer: Answer, cacheStatus: string, refusal: string): void => {
    const { page, kind, visitors } = render
    const { response } = answer
    const { status, headers } = response
    explainRefusal(refusal)
    const isError = status >= 500
    const detail = isError ? 'failed' : refusal
    // In front of an app, each visitor's own request follows, and gets the stale response or the app's own error.
    if (page.passOn) return void renders.close(render, toOwner(render, response), detail, { status })
    const stale = isError ? respondStaleIfError(page) : undefined
    // All that wait share an error, because each of them would call the handler and wait for the same error.
    const others = visitors - (kind === 'background' ? 0 : 1)
    const isShared = isError && !stale && others > 0 && !headers.has('set-cookie')
    if (isShared) return void share(render, answer, cacheStatus, { status })
    if (stale) cancelBody(response.body)
    renders.close(render, toOwner(render, stale ?? withCacheStatus(response, cacheStatus)), detail, { status })
  }

  return async (render: Render): Promise<void> => {
    const { page, signal } = render
    try {
      // A purged page is rendered without validators, so the handler cannot answer 304.
      const validate = page.purge === 'none' ? page.cached?.entry : undefined
      const answer = await call(page, { signal, validate })
      if (!answer) return void renders.close(render, toOwner(render, undefined), 'status')
      const { response, status, refusal } = answer
      const missReason = page.purge === 'none' ? renders.of(page.key).detail : 'purged'
      const outcome = refusal === undefined ? { status, stored: true } : { status: response.status }
      const cacheStatus = formatStatus({ forward: forwardReason(page), ...outcome, detail: refusal ?? missReason })
      if (refusal === undefined) share(render, answer, cacheStatus)
      else refuse(render, answer, cacheStatus, refusal)
    } catch (error) {
      const fail: Respond = (_request, _collapsed, leave) => {
        leave(true)
        throw error
      }
      // An abort by the visitor is not a failure of the page.
      renders.close(render, fail, signal.aborted ? undefined : 'failed', { reason: describeError(error) })
    }
  }
}

/**
 * Gives a response to the visitor whose request began the render. Other requests call the handler themselves. In front
 * of an app, the response is discarded, because each visitor gets the answer to the own request.
 */
function toOwner({ page, kind, abort }: Render, response: Response | undefined): Respond {
  if (page.passOn || kind === 'background' || page.request.signal?.aborted) cancelBody(response?.body)
  return ({ signal }, collapsed, leave) => {
    if (page.passOn || collapsed !== undefined) return undefined
    leave(true)
    signal?.addEventListener('abort', abort, { once: true })
    return response
  }
}
