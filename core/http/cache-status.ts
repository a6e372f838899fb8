import { optionError } from '../option-error.js'
import { withHeaders } from './headers.js'

/** Why a request was forwarded to the handler (RFC 9211, section 2.2). */
export type ForwardReason = 'bypass' | 'method' | 'uri-miss' | 'miss' | 'request' | 'stale'

/** How the cache handled a request. */
export type CacheOutcome =
  | { hit: true; ttl: number; detail?: string | undefined }
  | {
      forward: ForwardReason
      status?: number
      stored?: boolean
      collapsed?: boolean
      detail?: string | undefined
    }

/** Formats this cache's member of `Cache-Status` for one response. */
export type FormatCacheStatus = (outcome: CacheOutcome) => string

/**
 * Creates the function that formats `Cache-Status` (RFC 9211).
 *
 * @param name Name of the cache: a token.
 * @throws TypeError when the name is not a token.
 * @example createCacheStatus('sitewright')({ hit: true, ttl: 59 }) // 'sitewright; hit; ttl=59'
 */
export function createCacheStatus(name: string): FormatCacheStatus {
  if (!/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/.test(name)) {
    throw optionError('name', "a token (RFC 9211), such as 'sitewright'", name)
  }
  return (outcome) => {
    const detail = outcome.detail === undefined ? '' : `; detail=${outcome.detail}`
    if ('hit' in outcome) return `${name}; hit; ttl=${outcome.ttl}${detail}`
    const { forward, status, stored, collapsed } = outcome
    return [
      `${name}; fwd=${forward}`,
      status === undefined ? '' : `; fwd-status=${status}`,
      stored ? '; stored' : '',
      collapsed ? '; collapsed' : '',
      detail,
    ].join('')
  }
}

/** Copies a response and appends a member to its `Cache-Status` (RFC 9211, section 2). */
export function withCacheStatus(response: Response, member: string): Response {
  return withHeaders(response, (headers) => headers.append('cache-status', member))
}
