import { checkInteger } from '../../core/option-error.js'
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

/**
 * Returns the limits with their defaults.
 *
 * @throws TypeError that names the option when one is out of range.
 */
export function checkLimits(limits: PurgeLimits): { [Name in keyof PurgeLimits]-?: number } {
  const { timeout = 8000, callTimeout = 3000, attempts = 5, concurrency = 4 } = limits
  return {
    timeout: checkTimeout(timeout),
    callTimeout: checkTimeout(callTimeout, 'callTimeout'),
    attempts: checkInteger('attempts', attempts, 1),
    concurrency: checkInteger('concurrency', concurrency, 1),
  }
}
