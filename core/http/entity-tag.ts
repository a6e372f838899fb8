/**
 * Whether an `If-None-Match` header names an entity tag. The comparison is weak, and `*` names any (RFC 9110, section
 * 13.1.2).
 *
 * @example matchesEntityTag('W/"a", "b"', '"a"') // true
 */
export function matchesEntityTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = opaqueTag(etag)
  if (opaqueTag(ifNoneMatch) === opaque) return true
  return ifNoneMatch.match(/"[^"]*"/g)?.includes(opaque) ?? false
}

/** Whether two entity tags are the same by the weak comparison (RFC 9110, section 8.8.3.2). */
export function sameEntityTag(one: string, other: string): boolean {
  return opaqueTag(one) === opaqueTag(other)
}

function opaqueTag(etag: string): string {
  return etag.trim().replace(/^W\//, '')
}
