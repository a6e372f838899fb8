import type { Handler } from '../../core/handler.js'
import { callOnce } from './call.js'
import { checkLimits, type PurgeLimits } from './limits.js'
import type { Provider, PurgeMode } from './provider.js'
import { PurgeError } from './purge-error.js'
import { parseRetryAfter, planRetry } from './retry.js'

/** Purges tags: by how the provider writes them, those that mean it. */
export type PurgeRun = (names: ReadonlyMap<string, readonly string[]>, mode: PurgeMode) => Promise<void>

/**
 * Creates the run of a purge: in calls of as many tags as the provider takes, several at once, each tried again as
 * {@link planRetry} decides, all within one time limit. A `Retry-After` holds for all calls; a refused token (401, 403)
 * ends the run. Every tag that is left is named.
 */
export function purgeBatches(provider: Provider, { ask, ...limits }: PurgeLimits & { ask: Handler }): PurgeRun {
  const { timeout, callTimeout, attempts, concurrency } = checkLimits(limits)
  const { isSuccess } = provider

  return async (names, mode) => {
    const deadline = Date.now() + timeout
    const left = splitBatches([...names.keys()], provider.batchSize)
    const failed: string[] = []
    const reasons = new Set<string>()
    let pausedUntil = 0
    let refused = false

    /** Why the next call may not be made; `undefined` once it may. */
    const waitForTurn = async (): Promise<string | undefined> => {
      while (pausedUntil > Date.now() && pausedUntil < deadline) await sleep(pausedUntil - Date.now())
      if (refused) return 'not sent after the refusal'
      if (pausedUntil >= deadline) return 'not sent, told to wait longer than the time limit'
      return Date.now() < deadline ? undefined : `not sent within ${timeout} ms`
    }
    /** Tries a batch until it is purged (`undefined`) or given up (why). */
    const purgeBatch = async (batch: readonly string[]): Promise<string | undefined> => {
      const call = provider.purgeCall(batch, mode)
      let reason = ''
      for (let failures = 1; ; failures++) {
        const denied = await waitForTurn()
        if (denied) return reason || denied
        const limit = Math.min(callTimeout, deadline - Date.now())
        const outcome = await callOnce(ask, call, { timeout: limit, isSuccess })
        if (outcome.ok) return undefined
        reason = outcome.reason
        refused ||= outcome.status === 401 || outcome.status === 403
        const wait = parseRetryAfter(outcome.retryAfter, Date.now())
        if (wait > 0) pausedUntil = Math.max(pausedUntil, Date.now() + wait)
        const delay = planRetry(outcome, { failures, attempts })
        if (delay === undefined || Date.now() + delay >= deadline) return reason
        await sleep(delay)
      }
    }
    const work = async () => {
      for (let batch = left.shift(); batch; batch = left.shift()) {
        const reason = await purgeBatch(batch)
        if (reason === undefined) continue
        reasons.add(reason)
        failed.push(...batch)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    if (failed.length === 0) return
    const total = [...names.values()].reduce((sum, tags) => sum + tags.length, 0)
    throw new PurgeError(provider.name, { tags: failed.flatMap((name) => names.get(name) ?? []), total, reasons })
  }
}

function splitBatches(names: readonly string[], size: number): string[][] {
  const count = Math.ceil(names.length / size)
  return Array.from({ length: count }, (_, index) => names.slice(index * size, (index + 1) * size))
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
