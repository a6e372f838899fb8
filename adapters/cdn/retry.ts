import { parseRetryAfter } from '../../core/http/dates.js'

/** The result of one call. */
export interface CallResult {
  ok: boolean
  /** Status of the response; `undefined` when there was none. */
  status?: number | undefined
  /** `Retry-After` of the response. */
  retryAfter?: string | null | undefined
  /** Why the call failed; empty when it did not. */
  reason: string
}

const firstDelay = 200
const maxDelay = 2000

/**
 * Returns how many milliseconds to wait before a failed call is retried; `undefined`: do not retry. Network errors, 408,
 * 425, 429 and 5xx are retried, since they may be temporary. Delays double from 200 ms to 2 s, each with a random jitter
 * of up to half, so that several servers do not retry at the same moment. The delay is never shorter than `Retry-After`
 * (RFC 9110, section 10.2.3).
 *
 * @example retryDelay({ ok: false, status: 429, retryAfter: '1', reason: '' }, { failures: 1, attempts: 5 }) // 1000
 */
export function retryDelay(
  { ok, status, retryAfter }: CallResult,
  { failures, attempts, now = Date.now(), random = Math.random() }: RetryState,
): number | undefined {
  if (ok || failures >= attempts || !isTemporary(status)) return undefined
  const delay = Math.min(firstDelay * 2 ** (failures - 1), maxDelay)
  return Math.max(delay / 2 + (random * delay) / 2, parseRetryAfter(retryAfter, now))
}

export interface RetryState {
  /** How often the call has failed, at least 1. */
  failures: number
  /** How often it is tried at most. */
  attempts: number
  /** Current time, in milliseconds since 1970. */
  now?: number
  /** A random number from 0 to 1. */
  random?: number
}

function isTemporary(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 425 || status === 429 || status >= 500
}
