import type { TimedWebhookOptions } from './options.js'

/** Returns why a time of signing, in milliseconds since 1970, is rejected; `undefined` when it is within the tolerance. */
export type TimestampCheck = (signedAt: number) => string | undefined

/**
 * Creates the check for a replay window that extends into the past and into the future, both ends included.
 *
 * @example createTimestampCheck({ tolerance: 300 })(Date.now() - 301_000) // 'signed 301 s ago, over the tolerance of 300 s'
 */
export function createTimestampCheck({
  tolerance = 300,
  now = Date.now,
}: Omit<TimedWebhookOptions, 'secret'>): TimestampCheck {
  return (signedAt) => {
    const age = (now() - signedAt) / 1000
    // Written so that NaN is rejected, too.
    if (Math.abs(age) <= tolerance) return undefined
    const distance = age > 0 ? `${Math.ceil(age)} s ago` : `${Math.ceil(-age)} s in the future`
    return `signed ${distance}, over the tolerance of ${tolerance} s`
  }
}
