import { parseCacheControl, secondsOf } from '../http/cache-control.js'
import { parseHttpDate } from '../http/dates.js'
import { ageOf, type StorableHead } from './store/entry.js'

const lifetimeFields = /^(?:.*-)?cache-control$|^surrogate-control$/
const lifetimePattern = /(?<![\w-])(s-maxage|max-age)=("?)(\d+)\2/gi
const stalePattern = /(?<![\w-])(stale-while-revalidate|stale-if-error)=("?)(\d+)\2/gi

/**
 * Ends the lifetime and the stale windows of a response at a date, so that no cache serves it later: in `Cache-Control`,
 * in its targeted fields (RFC 9213) and in `Expires`. `X-Accel-Expires` states the end as a date, because nginx does not
 * subtract `Age`.
 *
 * @param end Milliseconds since 1970.
 */
export function endHeaders(headers: Headers, end: number, now = Date.now()): void {
  // Caches count in whole seconds, so the response ends up to two seconds before the date.
  const left = Math.max(0, Math.floor((end - now) / 1000) - 1)
  for (const name of [...headers.keys()].filter((field) => lifetimeFields.test(field))) {
    let lifetime = 0
    const shorten = (_: string, directive: string, _quote: string, seconds: string) => {
      const shortened = Math.min(Number(seconds), left)
      lifetime = Math.max(lifetime, shortened)
      return `${directive}=${shortened}`
    }
    const shortenWindow = (_: string, directive: string, _quote: string, seconds: string) =>
      `${directive}=${Math.min(Number(seconds), left - lifetime)}`
    const field = String(headers.get(name)).replace(lifetimePattern, shorten)
    headers.set(name, field.replace(stalePattern, shortenWindow))
  }
  const expires = parseHttpDate(headers.get('expires'), now)
  if (expires !== undefined && expires > end) headers.set('expires', new Date(end).toUTCString())
  const directives = parseCacheControl(headers.get('cache-control'))
  const seconds = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')
  // This field overrides `private` at nginx.
  if (seconds === undefined || ['private', 'no-store', 'no-cache'].some((name) => directives.has(name))) return
  headers.set('x-accel-expires', `@${Math.floor(now / 1000) + seconds}`)
}

/** Returns the end of a response that {@link endHeaders} has ended, in milliseconds since 1970. */
export function endOf(headers: Headers): number | undefined {
  const [, seconds] = /^@(\d+)$/.exec(headers.get('x-accel-expires') ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Ends the terms of a head at a date, in milliseconds since 1970. `undefined` is no date. */
export function endHead(head: StorableHead, until: number | undefined): StorableHead {
  if (until === undefined) return head
  const end = ageOf(head) + (until - Date.now()) / 1000
  return { ...head, until, terms: { ...head.terms, end, lifetime: Math.min(head.terms.lifetime, end) } }
}

/** Ends a head at a date that was noted after it was created. Returns the same head if the date is not earlier. */
export function addLateEnd(head: StorableHead, until: number | undefined): StorableHead {
  if (until === undefined || (head.until !== undefined && head.until <= until)) return head
  const headers = new Headers(head.headers.map(([...line]) => line))
  endHeaders(headers, until)
  return endHead({ ...head, headers: [...headers] }, until)
}

/** Whether a date has passed. */
export function hasPassed(until: number | undefined): boolean {
  return until !== undefined && until <= Date.now()
}
