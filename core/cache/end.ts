import { limitHeaders, limitUntil } from './lifetime-limit.js'
import { ageOf, type StorableHead } from './store/entry.js'

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
  limitHeaders(headers, limitUntil(until))
  return endHead({ ...head, headers: [...headers] }, until)
}

/** Whether a date has passed. */
export function hasPassed(until: number | undefined): boolean {
  return until !== undefined && until <= Date.now()
}
