import type { PurgeMode } from '../../core/cache/index.js'
import { describeError, type Log, logError, throttleLog } from '../../core/log.js'
import {
  checkFunction,
  checkKnownOptions,
  functionAs,
  integer,
  type OptionChecks,
  oneOf,
  required,
  withMethod,
} from '../../core/options.js'
import { maxTimeout } from '../../core/timeout.js'
import type { Cdn } from './provider.js'

export interface PurgeEverywhereOptions {
  /** Purges the site's own store: the `invalidate` of its response cache. */
  invalidate: (tags: string[], options: { mode: PurgeMode }) => unknown
  /** CDNs in front of the site. */
  cdns: readonly Cdn[]
  /**
   * How the CDNs are purged. Default `'soft'`: a CDN may serve the old page while it fetches the new one, so a purge does
   * not send all visitors to the site at once. With `'hard'`, no visitor gets an old page. The site's own store is always
   * purged hard.
   */
  mode?: PurgeMode | undefined
  /**
   * Milliseconds after which a CDN is purged a second time; 0 for never. Default 5,000, but 0 for a CDN that charges
   * for each tag, such as CloudFront. A page that was rendering during the purge may reach a CDN after it, so this
   * should be longer than the slowest render.
   */
  repeatAfter?: number | undefined
  /**
   * Receives errors from the second purge, at most one a minute for each CDN. If the first purge fails, the function
   * rejects instead. Default: `console.error`.
   */
  log?: Log | undefined
}

const checks: OptionChecks<PurgeEverywhereOptions> = {
  invalidate: required(functionAs('the invalidate of a response cache')),
  cdns: required(withMethod('flatMap', 'a list, such as [fastly({ serviceId, token })]')),
  mode: oneOf('hard', 'soft'),
  repeatAfter: integer(0, maxTimeout),
  log: checkFunction,
}

/**
 * Creates the revalidation endpoint's `invalidate` for a site behind CDNs. It purges the site's own store first,
 * because the CDNs fetch the purged pages from the site again. Then it purges all CDNs at the same time. The store is
 * always purged hard: after a soft purge, it would serve the old page to the CDNs once more, and they would store it.
 *
 * The function rejects when the store or a CDN fails; the endpoint then answers 503.
 *
 * @example
 * createRevalidateEndpoint({ secret, invalidate: purgeEverywhere({ invalidate: cache.invalidate, cdns: [cdn] }) })
 */
export function purgeEverywhere(options: PurgeEverywhereOptions): (tags: readonly string[]) => Promise<void> {
  checkKnownOptions(options, checks, 'purgeEverywhere({ invalidate: cache.invalidate, cdns: [cdn] })')
  const { invalidate, cdns, mode = 'soft', repeatAfter, log = logError } = options
  const logFailure = throttleLog(log, { keyOf: (_, { cdn }) => String(cdn) })

  const purgeLater = (cdn: Cdn, tags: readonly string[]) => {
    const delay = repeatAfter ?? (cdn.isBilledByTag ? 0 : 5_000)
    if (delay === 0) return
    const timer: { unref?: () => void } = setTimeout(() => {
      // A user's own CDN may throw any value, even synchronously.
      const purging = (async () => cdn.purge(tags, { mode }))()
      purging.catch((error) => logFailure('CDN: second purge failed', { cdn: cdn.name, reason: describeError(error) }))
    }, delay)
    // The timer does not keep the process alive: a process that exits has no render left that could reach the CDN.
    timer.unref?.()
  }

  return async (tags) => {
    await invalidate([...tags], { mode: 'hard' })
    // A failed purge gets no second purge here: the caller retries it, and the retry gets its own second purge.
    const purge = async (cdn: Cdn) => {
      await cdn.purge(tags, { mode })
      purgeLater(cdn, tags)
    }
    const results = await Promise.allSettled(cdns.map(purge))
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (errors.length > 0) throw new AggregateError(errors, errors.map(describeError).join('; '))
  }
}
