import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { parseRetryAfter } from '../../core/http/dates.js'
import { withTimeout } from '../../core/timeout.js'
import type { PurgeLimits } from './limits.js'
import type { Provider } from './provider.js'
import { PurgeError } from './purge-error.js'
import { createQueuedTags, type QueuedTag, type TagsByEncoded } from './queued-tags.js'
import { retryDelay } from './retry.js'
import { sendCall } from './send-call.js'

// Some 30 MB.
const maxWaitingTags = 100_000
// In milliseconds: as long as Cloudflare blocks an API token (https://developers.cloudflare.com/fundamentals/api/reference/limits/).
const maxPause = 300_000

/**
 * Creates the purge of a CDN: one queue for all callers. What is purged while calls are under way joins the next one, each
 * tag once. A call with fewer tags than the provider's batch is only sent when no other is under way, so that many small
 * purges at once take few calls. Each call is retried as {@link retryDelay} decides; its delays and a `Retry-After` pause
 * all calls, up to five minutes; a rejected token (401, 403) ends all purges that wait.
 *
 * A purge resolves when each of its tags was in a call that was sent after the purge began, and succeeded. Otherwise it
 * throws a PurgeError with all tags that were not purged, at the latest after `timeout`.
 */
export function createPurgeQueue(provider: Provider, { send, ...limits }: PurgeLimits & { send: Handler }) {
  const { timeout = 8000, callTimeout = 3000, attempts = 5, concurrency = 4 } = limits
  const queue = createQueuedTags()
  let calling = 0
  // Of performance.now(): the system clock may be set back, and a pause of seconds become one of hours.
  let pausedUntil = 0

  /** Gives up for those whose time is over before the pause is. Returns the tags for which somebody still waits. */
  const endLate = (tags: readonly QueuedTag[]): QueuedTag[] => {
    for (const tag of tags) {
      for (const waiter of tag.waiters) {
        if (waiter.deadline > pausedUntil) continue
        queue.end(tag, waiter, tag.reason ?? 'skipped: calls pause for longer than the time limit')
      }
    }
    return tags.filter(({ waiters }) => waiters.size > 0)
  }

  const purgeBatch = async (batch: readonly QueuedTag[]): Promise<void> => {
    for (let failures = 0; ; ) {
      const tags = endLate(batch)
      const [first] = tags
      if (!first) return
      const pause = pausedUntil - performance.now()
      if (pause > 0) {
        await sleep(pause)
        continue
      }
      const encoded = tags.map((tag) => tag.encoded)
      const call = provider.purgeCall(encoded, first.mode)
      const result = await sendCall(send, call, { ...provider, timeout: Math.min(callTimeout, timeout) })
      if (result.ok) return queue.endAll(tags)
      for (const tag of tags) tag.reason = result.reason
      const delay = retryDelay(result, { failures: ++failures, attempts })
      const wait = Math.ceil(Math.max(delay ?? 0, parseRetryAfter(result.retryAfter, Date.now())))
      pausedUntil = Math.max(pausedUntil, performance.now() + Math.min(wait, maxPause))
      if (delay === undefined) queue.endAll(tags, result.reason)
      const isTokenRejected = result.status === 401 || result.status === 403
      if (isTokenRejected) queue.endAll(undefined, 'skipped: token was rejected')
    }
  }

  const sendCalls = () => {
    while (queue.size() > 0 && calling < concurrency && (calling === 0 || queue.size() >= provider.batchSize)) {
      calling++
      void purgeBatch(queue.take(provider.batchSize)).then(() => {
        calling--
        sendCalls()
      })
    }
  }

  return async (tags: TagsByEncoded, mode: PurgeMode): Promise<void> => {
    const all = [...tags.values()].flat()
    const fail = (failed: readonly string[], reasons: Set<string>) =>
      new PurgeError(provider.name, { tags: failed, total: all.length, reasons })
    if (all.length === 0) return
    const waiting = queue.waiting()
    if (waiting > 0 && waiting + tags.size > maxWaitingTags) {
      throw fail(all, new Set([`${waiting} tags are waiting already`]))
    }
    const waiter = queue.add(tags, mode, performance.now() + timeout)
    sendCalls()
    await withTimeout(timeout, waiter.ended).catch(() => {
      for (const tag of waiter.remaining.keys()) {
        queue.end(tag, waiter, tag.reason ?? `not purged within ${timeout} ms`)
      }
    })
    if (waiter.failed.length > 0) throw fail(waiter.failed, waiter.reasons)
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
