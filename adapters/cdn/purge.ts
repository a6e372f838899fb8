import type { PurgeMode } from '../../core/cache/index.js'
import { channels, observeWork } from '../../core/diagnostics.js'
import { parseRetryAfter } from '../../core/http/dates.js'
import { createLimiter } from '../../core/limiter.js'
import { describeError } from '../../core/log.js'
import { optionError } from '../../core/option-error.js'
import { createRedact } from '../../core/secrets.js'
import { type Deadline, startDeadline, untilAborted } from '../../core/timeout.js'
import type { Cdn, CdnOptions, Provider } from './provider.js'
import { encodeCdnTag, groupOf, tagHeaders } from './tags.js'

/** A call that failed. */
interface Failure {
  reason: string
  /** Status of the response; 503 when there was none, or when its body reports a temporary failure. */
  status: number
  /** Milliseconds of `Retry-After` (RFC 9110, section 10.2.3). */
  retryAfter?: number
}

/** Creates a {@link Cdn} from a provider. */
export function createCdn(provider: Provider, options: Partial<CdnOptions>): Cdn {
  const purge = createPurge(provider, options)
  return {
    name: provider.name,
    headers: (tags) => tagHeaders(provider, tags),
    async purge(tags, { mode = 'soft' } = {}) {
      if (mode !== 'soft' && mode !== 'hard') throw optionError('mode', "'soft' or 'hard'", mode)
      await observeWork(channels.purge, { target: provider.name, tags }, async () => {
        const tagsAndGroups = [...tags, ...tags.map(groupOf)]
        const encodedByTag = new Map(tagsAndGroups.map((tag) => [tag, encodeCdnTag(tag, provider.maxTagLength)]))
        const failures = await purge([...encodedByTag.values()], mode)
        const failed = [...encodedByTag].filter(([, encoded]) => failures.has(encoded))
        const names = failed.slice(0, 10).map(([tag]) => JSON.stringify(tag.slice(0, 100)))
        const reasons = [...new Set(failed.map(([, encoded]) => failures.get(encoded)))].slice(0, 5)
        const count = `${failed.length} of ${encodedByTag.size} tags not purged`
        if (failed.length > 0)
          throw new Error(`${provider.name}: ${count} (${names.join(', ')}): ${reasons.join('; ')}`)
      })
    },
  }
}

/**
 * Creates a CDN's purge function. Purges that start while calls are in progress share the next calls, so a bulk publish
 * needs only a few calls. A call that fails for a possibly temporary reason is repeated after 200 ms, and then after
 * twice the previous delay each time. A random jitter shortens each delay by up to half. These delays, and a
 * `Retry-After`, pause all calls.
 *
 * @returns A function that takes encoded tags. It resolves with the tags that were not purged, and the reasons, once
 *   each tag has been in a call that was sent after the purge began, or at the latest after `timeout`.
 */
function createPurge(provider: Provider, options: Partial<CdnOptions>) {
  const { timeout = 8_000 } = options
  const inTurn = createLimiter({ concurrency: 1 })
  const limitCalls = createLimiter({ concurrency: 4 })
  const gathering = new Map<PurgeMode, ReturnType<typeof gather>>()
  // The pause ends at a time of performance.now(), because a system clock that is set back could turn seconds into
  // hours.
  let pausedUntil = 0

  const purgeBatch = async (tags: string[], mode: PurgeMode, deadline: number): Promise<Failure | undefined> => {
    let failure: Failure | undefined = { reason: `not sent within ${timeout} ms`, status: 503 }
    const reference = crypto.randomUUID()
    // The last tenth of the time is left unused, because a call in it would only replace the API's reason with a
    // timeout.
    for (let delay = 200; Math.max(pausedUntil, performance.now()) < deadline - timeout / 10; delay *= 2) {
      await new Promise((resolve) => setTimeout(resolve, pausedUntil - performance.now()))
      // A call gets a third of the timeout, so that one that hangs leaves time for others.
      const deadlineOfCall = startDeadline(Math.min(timeout / 3, Math.max(1, deadline - performance.now())))
      failure = await sendCall(provider, options, [tags, mode, reference], deadlineOfCall).finally(deadlineOfCall.end)
      // Network errors, timeouts and statuses such as 429 may be temporary.
      if (!failure || !(failure.status >= 500 || [408, 425, 429].includes(failure.status))) break
      const wait = Math.max(delay * (0.5 + Math.random() / 2), failure.retryAfter ?? 0)
      // The pause is at most as long as Cloudflare blocks a token
      // (https://developers.cloudflare.com/fundamentals/api/reference/limits/).
      pausedUntil = Math.max(pausedUntil, performance.now() + Math.min(wait, 300_000))
    }
    return failure
  }

  const purgeAll = async (tags: string[], mode: PurgeMode, deadline: number) => {
    const reasons = new Map<string, string>()
    const purgeNextBatch = async () => {
      const batch = tags.splice(0, provider.batchSize)
      const failure = await purgeBatch(batch, mode, deadline)
      if (failure) for (const tag of batch) reasons.set(tag, failure.reason)
    }
    const count = Math.ceil(tags.length / provider.batchSize)
    await Promise.all(Array.from({ length: count }, () => limitCalls(purgeNextBatch)))
    return reasons
  }

  /** Starts to gather the tags for the next calls. Their time limit begins with the first purge. */
  const gather = (mode: PurgeMode) => {
    const tags = new Set<string>()
    const deadline = performance.now() + timeout
    const reasons = inTurn(async () => {
      await Promise.resolve() // include purges that start at the same moment
      gathering.delete(mode)
      return purgeAll([...tags], mode, deadline)
    })
    return { tags, reasons }
  }

  return (tags: readonly string[], mode: PurgeMode): Promise<ReadonlyMap<string, string>> => {
    const nextCalls = gathering.get(mode) ?? gather(mode)
    gathering.set(mode, nextCalls)
    for (const tag of tags) nextCalls.tags.add(tag)
    return nextCalls.reasons
  }
}

/** Sends one call to a purge API. Returns why it failed; `undefined` when it succeeded. */
async function sendCall(
  { purgeCall, isSuccess, readFailure }: Provider,
  { token, fetch: send = fetch }: Partial<CdnOptions>,
  purge: [tags: readonly string[], mode: PurgeMode, reference: string],
  { signal, isOver }: Deadline,
): Promise<Failure | undefined> {
  let redact = createRedact([token])
  const call = async () => {
    const { url, headers, body, secrets = [] } = await purgeCall(...purge)
    redact = createRedact([token, ...secrets])
    const types = typeof body === 'object' && { Accept: 'application/json', 'Content-Type': 'application/json' }
    // Do not follow redirects, because the token would be sent along.
    const init = { method: 'POST', redirect: 'manual', signal } as const
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const response = await send(new Request(url, { ...init, body: text, headers: { ...types, ...headers } }))
    return { response, text: await response.text() }
  }
  try {
    // Do not rely on the signal alone: a `fetch` that ignores it must not block the purge.
    const { response, text } = await untilAborted(call(), signal)
    if (response.ok && (isSuccess?.(text) ?? true)) return undefined
    const failure = readFailure?.(text)
    const line = redact((failure?.reason || text).replace(/[\p{Cc}\s]+/gu, ' ')).slice(0, 200)
    const status = failure?.isTemporary ? 503 : response.status
    const retryAfter = parseRetryAfter(response.headers.get('Retry-After'), Date.now())
    return { reason: `HTTP ${response.status}: ${line || 'no body'}`, status, retryAfter }
  } catch (error) {
    return { reason: isOver() ? 'no response in time' : redact(describeError(error)), status: 503 }
  }
}
