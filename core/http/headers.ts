import { type Directives, fieldsOf } from './cache-control.js'

/** Header lines, names in lower case. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

// RFC 9111, section 3.1; RFC 9110, section 7.6.1. The age is worked out anew for each answer.
const neverStored = new Set([
  'age',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The headers of a response that may be stored (RFC 9111, section 3.1): without hop-by-hop fields, those that
 * `Connection` names, and those that `no-cache="…"` or `private="…"` keep back.
 */
export function storableHeaders(headers: Headers, directives: Directives): [name: string, value: string][] {
  const kept = new Set([...fieldsOf(directives, 'no-cache'), ...fieldsOf(directives, 'private')])
  for (const name of headers.get('connection')?.split(',') ?? []) kept.add(name.trim().toLowerCase())
  return [...headers].filter(([name]) => !neverStored.has(name) && !kept.has(name))
}

/** The first value of a field. */
export function findHeader(lines: HeaderLines, name: string): string | undefined {
  return lines.find(([each]) => each === name)?.[1]
}

// What tells of the very bytes that are stored stays with them: RFC 9111, section 3.2; RFC 9530 for the digests.
const ofTheBody = new Set([
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'content-range',
  'digest',
  'etag',
  'repr-digest',
])

/**
 * The stored headers after a 304 (RFC 9111, section 3.2): each that it bears replaces the stored ones of that name,
 * except those that tell of the bytes.
 *
 * @param update What may be stored of the headers of the 304.
 */
export function updateHeaders(stored: HeaderLines, update: HeaderLines): [name: string, value: string][] {
  const news = update.filter(([name]) => !ofTheBody.has(name))
  const renewed = new Set(news.map(([name]) => name))
  return [...stored.filter(([name]) => !renewed.has(name)), ...news].map(([name, value]) => [name, value])
}
