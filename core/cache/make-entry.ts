import type { Directives } from '../http/cache-control.js'
import { isNotModified } from '../http/conditional.js'
import { findHeader, type HeaderLines, storableHeaders, updateHeaders } from '../http/headers.js'
import type { Stamp, StoredResponse } from './entry.js'
import type { Terms } from './policy.js'

/** What a stored response is made of, besides its body. */
export interface Head {
  stamp: Stamp
  tags: readonly string[]
  terms: Terms
  directives: Directives
  response: Pick<Response, 'status' | 'statusText' | 'headers'>
}

/**
 * Makes what is stored: with a `Date`, since whoever receives none adds one (RFC 9110, section 6.6.1), with the length
 * of the body, and with a strong ETag of the body's digest where the handler gave none.
 */
export async function makeEntry(head: Head, body: Uint8Array<ArrayBuffer>): Promise<StoredResponse> {
  const { stamp, tags, terms, directives, response } = head
  const headers = storableHeaders(response.headers, directives).filter(([name]) => name !== 'content-length')
  const { status, statusText } = response
  if (status !== 204 && status !== 205) headers.push(['content-length', String(body.length)])
  if (findHeader(headers, 'date') === undefined) headers.push(['date', new Date().toUTCString()])
  const hasGeneratedEtag = status === 200 && findHeader(headers, 'etag') === undefined
  if (hasGeneratedEtag) headers.push(['etag', await etagOf(body)])
  return { kind: 'response', stamp, tags, status, statusText, headers, body, ...terms, hasGeneratedEtag }
}

async function etagOf(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `"${btoa(String.fromCharCode(...digest.subarray(0, 16))).replace(/=+$/, '')}"`
}

/** All headers of a stored response after the handler said 304, with those that are not to be stored. */
export function mergeNotModified(entry: StoredResponse, notModified: Headers, directives: Directives): Headers {
  const update: HeaderLines = storableHeaders(notModified, directives).filter(([name]) => name !== 'set-cookie')
  const merged = new Headers(updateHeaders(entry.headers, update))
  if (!notModified.has('date')) merged.set('date', new Date().toUTCString())
  const age = notModified.get('age')
  if (age !== null) merged.set('age', age)
  for (const cookie of notModified.getSetCookie()) merged.append('set-cookie', cookie)
  return merged
}

/** Whether the first reader, whose page is just being stored, has it already. */
export function isKnownTo(request: Headers, { status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  const etag = headers.get('etag') ?? undefined
  const lastModified = headers.get('last-modified') ?? undefined
  if (etag === undefined && lastModified === undefined) return false
  return isNotModified(request, { status, etag, lastModified })
}
