import type { PurgeMode } from '../../core/cache/index.js'
import {
  checkKnownOptions,
  functionAs,
  type OptionCheck,
  type OptionChecks,
  oneOf,
  required,
  unchecked,
} from '../../core/known-options.js'
import { type Log, logError } from '../../core/log.js'
import { checkFunction, optionError } from '../../core/option-error.js'
import { maxTimeout } from '../../core/timeout.js'
import type { Cdn } from './cdn.js'

export interface PurgeEverywhereOptions {
  /** Purges the site's own store: the `invalidate` of its response cache. */
  invalidate: (tags: string[], options: { mode: PurgeMode }) => unknown
  /** CDNs in front of the site. */
  cdns: readonly Cdn[]
  /** How the CDNs are purged. Default `'soft'`. */
  mode?: PurgeMode | undefined
  /**
   * Milliseconds after which the CDNs are purged a second time; 0 for never. Default 5,000. A page whose render began
   * before the purge may reach a CDN after it, so this should be longer than the slowest render.
   */
  repeatAfter?: number | undefined
  /** Receives errors of the second purge; the first one rejects. Default: `console.error`. */
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
 * createRevalidateEndpoint({ secret, invalidate: purgeEverywhere({ invalidate: pages.invalidate, cdns: [cdn] }) })
 */
export function purgeEverywhere(options: PurgeEverywhereOptions): (tags: readonly string[]) => Promise<void> {
  const { invalidate, cdns, mode = 'soft', repeatAfter = 5000, log = logError } = checkKnownOptions(options, checks)
  if (!Array.isArray(cdns)) throw optionError('cdns', 'a list, such as [fastly({ serviceId, token })]', cdns)

  return async (tags) => {
    await invalidate([...tags], { mode: 'hard' })
    if (repeatAfter > 0 && cdns.length > 0) {
      const timer: { unref?: () => void } | number = setTimeout(() => {
        purgeCdns(cdns, tags, mode).catch((error) =>
          log('CDN: second purge failed', { reason: (error as Error).message }),
        )
      }, repeatAfter)
      // The process may exit before: its renders end with it.
      if (typeof timer === 'object') timer.unref?.()
    }
    await purgeCdns(cdns, tags, mode)
  }
}

async function purgeCdns(cdns: readonly Cdn[], tags: readonly string[], mode: PurgeMode): Promise<void> {
  const results = await Promise.allSettled(cdns.map((cdn) => cdn.purge(tags, { mode })))
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, errors.map(({ message }) => message).join('; '))
}
