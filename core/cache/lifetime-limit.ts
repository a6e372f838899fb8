import { parseCacheControl, secondsOf } from '../http/cache-control.js'
import { parseHttpDate } from '../http/dates.js'
import { ageOf, type StorableHead } from './store/entry.js'

/** For how many seconds from now on a response may be fresh, and for how many it may be used in all. */
export interface LifetimeLimit {
  fresh: number
  total: number
}

/** Returns the limit of a response that ends at a date, in milliseconds since 1970. */
export function limitUntil(end: number, now = Date.now()): LifetimeLimit {
  // Caches count in whole seconds, so the response ends up to two seconds before the date.
  const left = Math.max(0, Math.floor((end - now) / 1000) - 1)
  return { fresh: left, total: left }
}

const fields = /(?:^|-)cache-control$|^(?:surrogate|edge)-control$/
// The unit of `Edge-Control` and the stale time after `+` of `Surrogate-Control` are replaced, too.
const lifetimePattern = /(?<![\w-])((?:s-maxage|max-age)\s*=\s*"?)(\d+)[\w+]*/gi
const stalePattern = /(?<![\w-])((?:stale-while-revalidate|stale-if-error)\s*=\s*"?)(\d+)[\w+]*/gi

/**
 * Limits the lifetime and the stale windows in the headers of a response, for this cache and for those in front: in
 * `Cache-Control`, in its targeted fields (RFC 9213) and in `Expires`. `X-Accel-Expires` states the end as a date,
 * because nginx does not subtract `Age`.
 */
export function limitHeaders(headers: Headers, { fresh, total }: LifetimeLimit, now = Date.now()): void {
  for (const name of [...headers.keys()].filter((key) => fields.test(key))) {
    let lifetime = 0
    const shorten = (_: string, directive: string, seconds: string) => {
      const shortened = Math.min(Number(seconds), fresh)
      lifetime = Math.max(lifetime, shortened)
      return directive + shortened
    }
    const shortenWindow = (_: string, directive: string, seconds: string) =>
      directive + Math.min(Number(seconds), total - lifetime)
    const value = String(headers.get(name)).replace(lifetimePattern, shorten)
    headers.set(name, value.replace(stalePattern, shortenWindow))
  }
  const expires = parseHttpDate(headers.get('expires'), now)
  const last = now + fresh * 1000
  if (expires !== undefined && expires > last) headers.set('expires', new Date(last).toUTCString())
  const accelerated = acceleratedSeconds(headers, fresh, now)
  if (accelerated !== undefined) headers.set('x-accel-expires', `@${Math.floor(now / 1000) + accelerated}`)
}

/** Returns for how many seconds nginx may keep a response, or `undefined` if it may not. */
function acceleratedSeconds(headers: Headers, fresh: number, now: number): number | undefined {
  const own = headers.get('x-accel-expires')
  const directives = parseCacheControl(headers.get('cache-control'))
  // `X-Accel-Expires` would override `private`.
  const isStored = !['private', 'no-store', 'no-cache'].some((name) => directives.has(name))
  const stated = isStored ? (secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age')) : undefined
  if (own === null) return stated
  const ownSeconds = own.startsWith('@') ? Math.floor(Number(own.slice(1)) - now / 1000) : Number(own)
  return Math.max(0, Math.min(stated ?? fresh, fresh, ownSeconds || 0))
}

/** Returns the end of a response that {@link limitHeaders} has limited, in milliseconds since 1970. */
export function endOf(headers: Headers): number | undefined {
  const [, seconds] = /^@(\d+)$/.exec(headers.get('x-accel-expires') ?? '') ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Limits the headers of a head that was created already. */
function limitLines({ headers: lines }: StorableHead, limit: LifetimeLimit): StorableHead['headers'] {
  const headers = new Headers(lines.map(([...line]) => line))
  limitHeaders(headers, limit)
  return [...headers]
}

/** Limits the use of a response after its head has been sent. */
export function limitHead(head: StorableHead, limit: LifetimeLimit): StorableHead {
  const stale = limit.total - limit.fresh
  const terms = {
    ...head.terms,
    lifetime: Math.min(head.terms.lifetime, limit.fresh),
    staleWhileRevalidate: Math.min(head.terms.staleWhileRevalidate, stale),
    staleIfError: Math.min(head.terms.staleIfError, stale),
  }
  return { ...head, headers: limitLines(head, limit), terms }
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
  return endHead({ ...head, headers: limitLines(head, limitUntil(until)) }, until)
}

/** Whether a date has passed. */
export function hasPassed(until: number | undefined): boolean {
  return until !== undefined && until <= Date.now()
}
