import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { parseRetryAfter } from '../../core/http/retry-after.js'
import { withTimeout } from '../../core/timeout.js'
import { checkLimits, type PurgeLimits } from './limits.js'
import type { Provider } from './provider.js'
import { PurgeError } from './purge-error.js'
import { retryDelay } from './retry.js'
import { sendCall } from './send-call.js'

/** Purges tags. Keys are the tags as the provider encodes them, values the original tags. */
export type QueuedPurge = (tagsByEncoded: ReadonlyMap<string, readonly string[]>, mode: PurgeMode) => Promise<void>

/** One purge that waits for its tags. */
interface Waiter {
  deadline: number
  /** The original tags of those that are neither purged nor given up. */
  remaining: Map<QueuedTag, readonly string[]>
  failed: string[]
  reasons: Set<string>
  onEnd: () => void
}

/** A tag in a call, or for one of the next calls. */
interface QueuedTag {
  encoded: string
  mode: PurgeMode
  waiters: Set<Waiter>
  /** Why the last call with it failed. */
  reason?: string
}

// Some 30 MB.
const maxWaitingTags = 100_000
// In milliseconds. The longest that Cloudflare blocks an API token: https://developers.cloudflare.com/fundamentals/api/reference/limits/
const maxPause = 300_000

/**
 * Creates the purge of a CDN: one queue, whoever purges. What is purged while calls are under way joins the next one, each tag
 * once. A call with less than the provider's batch is only sent when no other is under way, so that many small purges at
 * once take few calls. Each call is retried as {@link retryDelay} decides; a `Retry-After` pauses all calls, up to five
 * minutes; a rejected token (401, 403) ends all purges that wait.
 *
 * A purge resolves when all its tags were in calls that were sent after it began, and succeeded. Otherwise it throws a
 * PurgeError with all tags that were not purged, at the latest after `timeout`.
 */
export function createPurgeQueue(
  provider: Provider,
  { send, ...limits }: PurgeLimits & { send: Handler },
): QueuedPurge {
  const { timeout, callTimeout, attempts, concurrency } = checkLimits(limits)
  const { batchSize, isSuccess } = provider
  const pending = new Map<string, QueuedTag>()
  const keyOf = (encoded: string, mode: PurgeMode) => `${mode} ${encoded}`
  let waitingTags = 0
  let calling = 0
  let pausedUntil = 0

  /** Ends the wait for a tag: purged, or given up for a reason. */
  const end = (tag: QueuedTag, waiter: Waiter, reason?: string) => {
    const originals = waiter.remaining.get(tag) ?? []
    if (!waiter.remaining.delete(tag)) return
    waitingTags--
    tag.waiters.delete(waiter)
    const key = keyOf(tag.encoded, tag.mode)
    if (tag.waiters.size === 0 && pending.get(key) === tag) pending.delete(key)
    if (reason !== undefined) {
      waiter.failed.push(...originals)
      waiter.reasons.add(reason)
    }
    if (waiter.remaining.size === 0) waiter.onEnd()
  }
  const endAll = (tags: Iterable<QueuedTag>, reason?: string) => {
    for (const tag of tags) for (const waiter of tag.waiters) end(tag, waiter, reason)
  }
  /** Gives up what waits for a shorter time than the pause lasts. Returns the tags for which somebody still waits. */
  const endLate = (tags: readonly QueuedTag[]): QueuedTag[] => {
    for (const tag of tags) {
      for (const waiter of tag.waiters) {
        if (waiter.deadline > pausedUntil) continue
        end(tag, waiter, tag.reason ?? 'skipped: calls pause for longer than the time limit')
      }
    }
    return tags.filter(({ waiters }) => waiters.size > 0)
  }

  /** Sends tags until the call succeeds or is given up. Never rejects. */
  const purgeBatch = async (batch: readonly QueuedTag[]): Promise<void> => {
    for (let failures = 0; ; ) {
      const tags = endLate(batch)
      const [first] = tags
      if (!first) return
      const pause = pausedUntil - Date.now()
      if (pause > 0) {
        await sleep(pause)
        continue
      }
      const call = provider.purgeCall(
        tags.map(({ encoded }) => encoded),
        first.mode,
      )
      const result = await sendCall(send, call, { timeout: Math.min(callTimeout, timeout), isSuccess })
      if (result.ok) return endAll(tags)
      const { status, reason } = result
      for (const tag of tags) tag.reason = reason
      const delay = retryDelay(result, { failures: ++failures, attempts })
      const wait = Math.max(delay ?? 0, parseRetryAfter(result.retryAfter, Date.now()))
      pausedUntil = Math.max(pausedUntil, Date.now() + Math.min(Math.ceil(wait), maxPause))
      if (delay === undefined) endAll(tags, reason)
      if (status === 401 || status === 403) endAll(pending.values(), 'skipped: token was rejected')
    }
  }
  const takeBatch = (): QueuedTag[] => {
    const batch: QueuedTag[] = []
    for (const [key, tag] of pending) {
      if (batch.length === batchSize) break
      if (batch[0] && batch[0].mode !== tag.mode) continue
      pending.delete(key)
      batch.push(tag)
    }
    return batch
  }
  const sendPending = () => {
    while (pending.size > 0 && calling < concurrency && (calling === 0 || pending.size >= batchSize)) {
      calling++
      void purgeBatch(takeBatch()).then(() => {
        calling--
        sendPending()
      })
    }
  }

  return async (tagsByEncoded, mode) => {
    const total = [...tagsByEncoded.values()].reduce((sum, tags) => sum + tags.length, 0)
    if (total === 0) return
    if (waitingTags > 0 && waitingTags + tagsByEncoded.size > maxWaitingTags) {
      const reasons = new Set([`${waitingTags} tags are waiting already`])
      throw new PurgeError(provider.name, { tags: [...tagsByEncoded.values()].flat(), total, reasons })
    }
    const waiter: Waiter = {
      deadline: Date.now() + timeout,
      remaining: new Map(),
      failed: [],
      reasons: new Set(),
      onEnd: () => {},
    }
    const ended = new Promise<void>((resolve) => {
      waiter.onEnd = resolve
    })
    for (const [encoded, originals] of tagsByEncoded) {
      const key = keyOf(encoded, mode)
      const tag = pending.get(key) ?? { encoded, mode, waiters: new Set() }
      pending.set(key, tag)
      tag.waiters.add(waiter)
      waiter.remaining.set(tag, originals)
    }
    waitingTags += tagsByEncoded.size
    sendPending()
    await withTimeout(timeout, ended).catch(() => {
      for (const tag of waiter.remaining.keys()) end(tag, waiter, tag.reason ?? `not purged within ${timeout} ms`)
    })
    const { failed, reasons } = waiter
    if (failed.length > 0) throw new PurgeError(provider.name, { tags: failed, total, reasons })
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
