/** What came of one call: it went well, or why not. */
export interface Outcome {
  ok: boolean
  /** The status of the answer; `undefined` when there was none. */
  status?: number | undefined
  /** The `Retry-After` of the answer. */
  retryAfter?: string | null | undefined
  reason: string
}

const firstDelay = 200
const longestDelay = 2000

/**
 * Decides when to try a failed call again, in milliseconds from now; `undefined`: never. Tries again after a network
 * error, 408, 425, 429 and 5xx, since they may pass. The delays double from 200 ms to 2 s, each by chance between half
 * and whole, so that several servers do not come back at once; a `Retry-After` is never undercut (RFC 9110, section
 * 10.2.3).
 *
 * @example planRetry({ ok: false, status: 429, retryAfter: '1', reason: '' }, { failures: 1, attempts: 5 }) // 1000
 */
export function planRetry(
  { ok, status, retryAfter }: Outcome,
  { failures, attempts, now = Date.now(), random = Math.random() }: RetryState,
): number | undefined {
  if (ok || failures >= attempts || !mayPass(status)) return undefined
  const whole = Math.min(firstDelay * 2 ** (failures - 1), longestDelay)
  return Math.max(whole / 2 + (random * whole) / 2, parseRetryAfter(retryAfter, now))
}

export interface RetryState {
  /** How often the call has failed, at least once. */
  failures: number
  /** How often it is tried at most. */
  attempts: number
  /** The time, in milliseconds since 1970. */
  now?: number
  /** From 0 to 1. */
  random?: number
}

/** The milliseconds that `Retry-After` asks for, in seconds or as a date; 0 when it is missing, past or malformed. */
export function parseRetryAfter(value: string | null | undefined, now: number): number {
  if (!value) return 0
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN
  return date > now ? date - now : 0
}

function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 425 || status === 429 || status >= 500
}
