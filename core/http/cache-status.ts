/** Why a request went on to the handler (RFC 9211, section 2.2). */
export type Forward = 'bypass' | 'method' | 'uri-miss' | 'vary-miss' | 'miss' | 'request' | 'stale' | 'partial'

/** What the cache did with a request. */
export type CacheOutcome =
  | { hit: true; ttl: number; detail?: string | undefined }
  | { forward: Forward; status?: number; stored?: boolean; collapsed?: boolean; ttl?: number; detail?: string }

/** Makes the member of `Cache-Status` for one answer of this cache. */
export type DescribeOutcome = (outcome: CacheOutcome) => string

/**
 * Creates the function that writes `Cache-Status` (RFC 9211).
 *
 * @param name Name of the cache: a token.
 * @throws TypeError when it is none.
 * @example createCacheStatus('sitewright')({ hit: true, ttl: 59 }) // 'sitewright; hit; ttl=59'
 */
export function createCacheStatus(name: string): DescribeOutcome {
  if (!/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/.test(name)) {
    throw new TypeError(`name: '${name}' is no token; write letters, digits and hyphens, such as 'sitewright'`)
  }
  return (outcome) => {
    const detail = outcome.detail === undefined ? '' : `; detail=${outcome.detail}`
    if ('hit' in outcome) return `${name}; hit; ttl=${outcome.ttl}${detail}`
    const { forward, status, stored, collapsed, ttl } = outcome
    return [
      `${name}; fwd=${forward}`,
      status === undefined ? '' : `; fwd-status=${status}`,
      ttl === undefined ? '' : `; ttl=${ttl}`,
      stored ? '; stored' : '',
      collapsed ? '; collapsed' : '',
      detail,
    ].join('')
  }
}
