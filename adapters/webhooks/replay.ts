import type { TimedWebhookOptions } from './options.js'

/** Tells why a time of signing, in milliseconds since 1970, is refused; `undefined` when it is near enough. */
export type ReplayCheck = (signedAt: number) => string | undefined

/**
 * Creates the check of a replay window, which is as long into the past as into the future, both ends included.
 *
 * @throws TypeError when the tolerance is no finite time.
 * @example createReplayCheck({ tolerance: 300 })(Date.now() - 301_000) // 'signed 301 s ago, over the tolerance of 300 s'
 */
export function createReplayCheck({
  tolerance = 300,
  now = Date.now,
}: Omit<TimedWebhookOptions, 'secret'>): ReplayCheck {
  if (!(tolerance > 0 && tolerance < Number.POSITIVE_INFINITY)) {
    throw new TypeError(`tolerance: '${tolerance}' is no time; write seconds, such as 300`)
  }
  return (signedAt) => {
    const age = (now() - signedAt) / 1000
    // So that a time or a clock that is no number is refused, too.
    if (Math.abs(age) <= tolerance) return undefined
    const distance = age > 0 ? `${Math.ceil(age)} s ago` : `${Math.ceil(-age)} s in the future`
    return `signed ${distance}, over the tolerance of ${tolerance} s`
  }
}
