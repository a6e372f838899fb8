import type { PurgeMode } from '../../core/cache/index.js'
import type { Handler } from '../../core/handler.js'
import { parseRetryAfter } from '../../core/http/retry-after.js'
import type { PurgeLimits } from './limits.js'
import type { Provider } from './provider.js'
import { PurgeError } from './purge-error.js'
import { retryDelay } from './retry.js'
import { sendCall } from './send-call.js'

/** Purges tags. Keys are the tags as the provider encodes them, values the original tags. */
export type BatchPurge = (tagsByEncoded: ReadonlyMap<string, readonly string[]>, mode: PurgeMode) => Promise<void>

/**
 * Creates a purge that sends its tags in batches of the provider's size, several at the same time. Each call is retried
 * as {@link retryDelay} decides, within one time limit for the whole purge. A `Retry-After` pauses all calls; a
 * rejected token (401, 403) ends the purge.
 *
 * The purge throws a PurgeError with all tags that were not purged.
 */
export function createBatchPurge(provider: Provider, { send, ...limits }: PurgeLimits & { send: Handler }): BatchPurge {
  const { timeout = 8000, callTimeout = 3000, attempts = 5, concurrency = 4 } = limits
  const { isSuccess } = provider

  return async (tagsByEncoded, mode) => {
    const deadline = Date.now() + timeout
    const pending = splitBatches([...tagsByEncoded.keys()], provider.batchSize)
    const failed: string[] = []
    const reasons = new Set<string>()
    let pausedUntil = 0
    let isTokenRejected = false

    /** Waits for a pause to end. Returns why no call may follow, or `undefined`. */
    const waitForPause = async (): Promise<string | undefined> => {
      while (pausedUntil > Date.now() && pausedUntil < deadline) await sleep(pausedUntil - Date.now())
      if (isTokenRejected) return 'skipped: token was rejected'
      if (pausedUntil >= deadline) return 'skipped: Retry-After exceeds the time limit'
      return Date.now() < deadline ? undefined : `skipped: not sent within ${timeout} ms`
    }
    /** Sends a batch until it succeeds or is given up. Returns why it failed, or `undefined`. */
    const purgeBatch = async (batch: readonly string[]): Promise<string | undefined> => {
      const call = provider.purgeCall(batch, mode)
      let reason = ''
      for (let failures = 1; ; failures++) {
        const skipped = await waitForPause()
        if (skipped) return reason || skipped
        const result = await sendCall(send, call, { timeout: Math.min(callTimeout, deadline - Date.now()), isSuccess })
        if (result.ok) return undefined
        reason = result.reason
        isTokenRejected ||= result.status === 401 || result.status === 403
        const pause = parseRetryAfter(result.retryAfter, Date.now())
        if (pause > 0) pausedUntil = Math.max(pausedUntil, Date.now() + pause)
        const delay = retryDelay(result, { failures, attempts })
        if (delay === undefined || Date.now() + delay >= deadline) return reason
        await sleep(delay)
      }
    }
    const purgePending = async () => {
      for (let batch = pending.shift(); batch; batch = pending.shift()) {
        const reason = await purgeBatch(batch)
        if (reason === undefined) continue
        reasons.add(reason)
        failed.push(...batch)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, purgePending))
    if (failed.length === 0) return
    const total = [...tagsByEncoded.values()].reduce((sum, tags) => sum + tags.length, 0)
    const tags = failed.flatMap((encoded) => tagsByEncoded.get(encoded) ?? [])
    throw new PurgeError(provider.name, { tags, total, reasons })
  }
}

function splitBatches(tags: readonly string[], size: number): string[][] {
  const count = Math.ceil(tags.length / size)
  return Array.from({ length: count }, (_, index) => tags.slice(index * size, (index + 1) * size))
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
