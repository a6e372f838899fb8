import type { PurgeMode } from '../../core/cache/index.js'
import { type Log, logError, throttleLog } from '../../core/log.js'
import { checkFunction, checkKnownOptions, functionAs, type OptionCheck, type OptionChecks, oneOf, required, unchecked } from '../../core/options.js'
import { optionError } from '../../core/option-error.js'
import { maxTimeout } from '../../core/timeout.js'
import type { Cdn } from './cdn.js'
import { PurgeError } from './purge-error.js'

export interface PurgeEverywhereOptions {
  /** Purges the site's own store: the `invalidate` of its response cache. */
  invalidate: (tags: string[], options: { mode: PurgeMode }) => unknown
  /** CDNs in front of the site. */
  cdns: readonly Cdn[]
  /** How the CDNs are purged. Default `'soft'`. */
  mode?: PurgeMode | undefined
  /**
   * Milliseconds after which a CDN is purged a second time of what it has purged; 0 for never. Default 5,000. A page whose
   * render began before the purge may reach a CDN after it, so this should be longer than the slowest render.
   */
  repeatAfter?: number | undefined
  /** Receives errors of the second purge, one a minute for each CDN; the first one rejects. Default: `console.error`. */
  log?: Log | undefined
}

const checkPause: OptionCheck<number> = (option, value) => {
  if (typeof value === 'number' && value >= 0 && value <= maxTimeout) return value
  throw optionError(option, 'milliseconds >= 0, such as 5_000', value)
}
const checks: OptionChecks<PurgeEverywhereOptions> = {
  invalidate: required(functionAs('the invalidate of a response cache')),
  cdns: unchecked,
  mode: oneOf('hard', 'soft'),
  repeatAfter: checkPause,
  log: checkFunction,
}

/**
 * Creates the `invalidate` of the revalidation endpoint for a site behind CDNs. It purges the site's own store first,
 * then all CDNs at the same time, since they fetch from the site what they have purged. The store is always purged hard:
 * after a soft purge it would serve the CDNs the old page once more, and they would store it.
 *
 * The function rejects when the store or a CDN failed; the endpoint then answers 503.
 *
 * @example
 * createRevalidateEndpoint({ secret, invalidate: purgeEverywhere({ invalidate: cache.invalidate, cdns: [cdn] }) })
 */
export function purgeEverywhere(options: PurgeEverywhereOptions): (tags: readonly string[]) => Promise<void> {
  const {
    invalidate,
    cdns,
    mode = 'soft',
    repeatAfter = 5000,
    log = logError,
  } = checkKnownOptions(options, checks, 'purgeEverywhere({ invalidate: cache.invalidate, cdns: [cdn] })')
  if (!Array.isArray(cdns)) throw optionError('cdns', 'a list, such as [fastly({ serviceId, token })]', cdns)

  const logFailure = throttleLog(log, { keyOf: (_, { cdn }) => String(cdn) })

  const purgeLater = (cdn: Cdn, tags: readonly string[]) => {
    if (repeatAfter === 0 || tags.length === 0) return
    const timer: { unref?: () => void } | number = setTimeout(() => {
      cdn
        .purge(tags, { mode })
        .catch((error: Error) => logFailure('CDN: second purge failed', { cdn: cdn.name, reason: error.message }))
    }, repeatAfter)
    // The process may exit before: its renders end with it.
    if (typeof timer === 'object') timer.unref?.()
  }
  const purgeTwice = async (cdn: Cdn, tags: readonly string[]) => {
    try {
      await cdn.purge(tags, { mode })
    } catch (error) {
      // Whoever gets the error purges again, and twice then.
      const failed = new Set(error instanceof PurgeError ? error.tags : tags)
      purgeLater(
        cdn,
        tags.filter((tag) => !failed.has(tag)),
      )
      throw error
    }
    purgeLater(cdn, tags)
  }

  return async (tags) => {
    await invalidate([...tags], { mode: 'hard' })
    const results = await Promise.allSettled(cdns.map((cdn) => purgeTwice(cdn, tags)))
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
    if (errors.length === 1) throw errors[0]
    if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
  }
}
