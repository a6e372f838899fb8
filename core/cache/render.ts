import { cancelBody } from '../http/body.js'
import { withCacheStatus } from '../http/cache-status.js'
import { describeError } from '../log.js'
import { createResponse } from '../response-factory.js'
import { maxTags } from '../tags.js'
import { createCall, forwardReason } from './call.js'
import { collect } from './collect.js'
import type { CacheContext, Page } from './context.js'
import { confirmedBy, isKnownToVisitor, mergeNotModified, notModifiedOf } from './not-modified.js'
import { planStorage } from './policy.js'
import type { Render, Respond } from './renders.js'
import { mayShare, respondStaleIfError } from './reuse.js'
import type { StoredResponse } from './store/entry.js'
import { addLateTags, ageOf, createStorableHead, createStoredResponse, type StorableHead } from './stored-page.js'

/**
 * Returns the signal that aborts a render. A solo render, which no other request can join, is aborted with its request.
 */
const signalOf = ({ request }: Page, { kind, signal }: Render) => (kind === 'solo' && request.signal) || signal

/**
 * Creates the function that calls the handler, and stores the response if it may be stored. A response that all waiting
 * requests share is passed to `render.settle`. A response that only the first request may get is returned instead, and
 * `render.settle` gets `undefined`.
 */
export function createRender(context: CacheContext) {
  const { renders, isCovered, formatStatus, log, explainVary } = context
  const { targets, maxBodyBytes } = context.settings
  const call = createCall(context)
  const share = createShare(context)

  const fail = (page: Page, render: Render, reason: Record<string, unknown>) => {
    renders.note(page.key, 'failed')
    if (render.kind === 'background')
      log('Response cache: background revalidation failed', { url: page.url, ...reason })
  }

  const renderPage = async (page: Page, render: Render, validate?: StoredResponse): Promise<Response | undefined> => {
    const began = performance.now()
    const result = await call(page, { signal: signalOf(page, render), validate })
    const delay = (performance.now() - began) / 1000
    if (!result) {
      context.conclude(page, 'status')
      render.settle(undefined)
      return undefined
    }
    const { response: answer, tags } = result
    const isConfirmed = validate !== undefined && answer.status === 304
    if (isConfirmed && !confirmedBy(validate, answer.headers)) return renderPage(page, render)
    // From here on, a confirmed page is treated as if the handler had sent it again.
    const response = isConfirmed ? mergeNotModified(validate, answer.headers) : answer
    const { status, headers } = response
    const forward = forwardReason(page)
    const { terms, directives, refusal } = planStorage(response, { targets, isCovered, delay, now: Date.now() })
    const head = createStorableHead(response, tags, terms, directives)
    if (refusal?.startsWith('vary-')) explainVary(refusal.slice('vary-'.length))
    const isTooLarge = Number(headers.get('content-length') ?? 0) > maxBodyBytes
    const detail = refusal ?? (tags.length > maxTags ? 'tags' : isTooLarge ? 'too-large' : undefined)
    if (detail === undefined) {
      const missReason = page.purge === 'none' ? renders.verdictOf(page.key).detail : 'purged'
      const outcome = { forward, status: answer.status, stored: true, ...(missReason && { detail: missReason }) }
      share(page, render, response, head, formatStatus(outcome))
      return undefined
    }
    if (status >= 500) fail(page, render, { status })
    else context.conclude(page, detail)
    const stale = status >= 500 ? respondStaleIfError(page) : undefined
    if (stale) cancelBody(response.body)
    const cacheStatus = formatStatus({ forward, status, detail })
    // Waiting requests share an error. Otherwise, each of them would call the handler and wait for the same error.
    const isForAll = !stale && status >= 500 && render.countWaiting() > 1 && !headers.has('set-cookie')
    if (isForAll) share(page, render, response, head, cacheStatus, true)
    else render.settle(undefined)
    return isForAll ? undefined : (stale ?? withCacheStatus(response, cacheStatus))
  }

  return async (page: Page, render: Render): Promise<Response | undefined> => {
    try {
      // A purged page is rendered without validators, so the handler cannot answer 304.
      return await renderPage(page, render, page.purge === 'none' ? page.cached?.entry : undefined)
    } catch (error) {
      // An abort by the visitor is not a failure of the page.
      if (!signalOf(page, render).aborted) fail(page, render, { reason: describeError(error) })
      render.settle(() => {
        throw error
      })
      render.resolve()
      throw error
    }
  }
}

/** Creates the function that gives a response to all waiting requests, and stores any response except an error. */
function createShare({ settings, store, tagIndex, conclude, room, storeTime, log }: CacheContext) {
  /** Stores a page, or returns why it was not stored. A page that was purged hard during its render is not stored. */
  const storePage = async (page: Page, { stamp }: Render, head: StorableHead, body: Uint8Array<ArrayBuffer>) => {
    const complete = addLateTags(head, settings.content?.tags() ?? [])
    if (!complete) return 'tags'
    if (complete !== head) log('Response cache: tags came after the head, so no CDN has them', { url: page.url })
    const entry = await createStoredResponse(complete, stamp, body)
    const purge = await tagIndex.purgedSince(stamp, entry.tags)
    const newer = purge === 'soft' ? (await store.get(page.key))?.entry : undefined
    if (purge === 'hard' || (newer?.kind === 'response' && newer.stamp.sequence > stamp.sequence)) return 'purged'
    return (await store.set(page.key, entry)) ? undefined : 'store'
  }

  return (page: Page, render: Render, response: Response, head: StorableHead, cacheStatus: string, isError = false) => {
    const { status, statusText } = response
    const length = response.headers.get('content-length')
    const onCollected = async (bytes: Uint8Array<ArrayBuffer> | undefined, reason?: string) => {
      render.outlivesVisitors = false
      if (!isError && (bytes || reason)) conclude(page, bytes ? await storePage(page, render, head, bytes) : reason)
      render.resolve()
    }
    render.outlivesVisitors = !isError
    const body =
      response.body &&
      collect(response.body, {
        maxBytes: settings.maxBodyBytes,
        idleTimeout: settings.refreshTimeout,
        storeTime,
        expectedLength: length !== null && /^\d+$/.test(length) ? Number(length) : undefined,
        signal: signalOf(page, render),
        room,
        onCollected,
      })
    const respond: Respond = (request, collapsed, onEnd) => {
      if (collapsed && !isError && !mayShare(head.terms, ageOf(head))) return undefined
      const headers = new Headers(collapsed ? head.headers.map(([...line]) => line) : response.headers)
      if (collapsed) headers.set('age', String(Math.floor(ageOf(head))))
      headers.append('cache-status', collapsed ?? cacheStatus)
      const isKnown = isKnownToVisitor(request.headers, { status, headers })
      const content = body && !isKnown ? body.open(onEnd) : null
      if (content === undefined) return undefined
      body?.begin()
      if (content === null) onEnd()
      return isKnown ? notModifiedOf(headers) : createResponse(content, { status, statusText, headers })
    }
    if (render.kind === 'background') body?.begin()
    if (!body) void onCollected(new Uint8Array(0))
    render.settle(respond, !isError)
  }
}
