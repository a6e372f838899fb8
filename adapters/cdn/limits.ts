import { integer, type OptionChecks } from '../../core/options.js'
import { checkTimeout } from '../../core/timeout.js'

/** Limits of the purges of a CDN. */
export interface PurgeLimits {
  /**
   * Time limit for a purge with its wait for other purges, calls and retries, in milliseconds. Default 8,000: less than that of the
   * revalidation endpoint, so that its log shows the reason.
   */
  timeout?: number | undefined
  /** Time limit for one call, in milliseconds. Default 3,000. */
  callTimeout?: number | undefined
  /** How often a call is tried, including the first time; at least 1. Default 5. */
  attempts?: number | undefined
  /** How many calls are sent at the same time, of all purges together; at least 1. Default 4. */
  concurrency?: number | undefined
}

export const limitChecks: OptionChecks<PurgeLimits> = {
  timeout: checkTimeout,
  callTimeout: checkTimeout,
  attempts: integer(1),
  concurrency: integer(1),
}
