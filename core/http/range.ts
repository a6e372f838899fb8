import type { Validators } from './conditional.js'
import { parseHttpDate } from './dates.js'

/** Part of a body: the positions of its first and last byte, from 0. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * Selects the part of a body that a request asks for (RFC 9110, section 14.2). Several ranges at once, which can cost more
 * than the whole body, get the whole; so do a malformed range and an `If-Range` of another representation. Pure.
 *
 * @param length Bytes of the whole body.
 * @example selectRange(new Headers({ Range: 'bytes=-2' }), { status: 200 }, 10) // { first: 8, last: 9 }
 */
export function selectRange(
  request: Pick<Headers, 'get'>,
  validators: Validators,
  length: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(request.get('range') ?? '') ?? []
  if ((!first && !last) || length === 0) return 'whole'
  const ifRange = request.get('if-range')
  if (ifRange !== null && !isUnchanged(ifRange, validators)) return 'whole'
  if (!first)
    return last && Number(last) > 0 ? { first: Math.max(0, length - Number(last)), last: length - 1 } : 'unsatisfiable'
  if (last && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= length) return 'unsatisfiable'
  return { first: Number(first), last: last ? Math.min(Number(last), length - 1) : length - 1 }
}

/** Whether `If-Range` matches the stored response, by strong validators (RFC 9110, sections 13.1.5 and 8.8.2.2). */
function isUnchanged(ifRange: string, { etag, lastModified, date }: Validators): boolean {
  if (ifRange.includes('"')) return ifRange === etag && !ifRange.startsWith('W/')
  const [modified, sent] = [parseHttpDate(lastModified), parseHttpDate(date)]
  return ifRange === lastModified && modified !== undefined && sent !== undefined && sent - modified >= 1000
}
