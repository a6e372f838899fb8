import { createResponse, createResponseFrom } from '../response-factory.js'
import { type Directives, fieldsOf } from './cache-control.js'

/** Header lines, names in lower case. */
export type HeaderLines = readonly (readonly [name: string, value: string])[]

/** Fields that concern one connection only (RFC 9110, section 7.6.1). */
export const hopByHopFields: readonly string[] = [
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
]

// RFC 9111, section 3.1. The age is computed for each response.
const neverStored = new Set(['age', ...hopByHopFields])

/**
 * Returns the headers of a response that may be stored (RFC 9111, section 3.1): all except hop-by-hop fields and the
 * fields that `Connection`, `no-cache="…"` or `private="…"` names.
 */
export function storableHeaders(headers: Headers, directives: Directives): [name: string, value: string][] {
  const excluded = new Set([...fieldsOf(directives, 'no-cache'), ...fieldsOf(directives, 'private')])
  for (const name of headers.get('connection')?.split(',') ?? []) excluded.add(name.trim().toLowerCase())
  const lines: [name: string, value: string][] = []
  for (const [name, value] of headers) if (!neverStored.has(name) && !excluded.has(name)) lines.push([name, value])
  return lines
}

/** Returns the first value of a field. */
export function findHeader(lines: HeaderLines, name: string): string | undefined {
  for (const [field, value] of lines) if (field === name) return value
  return undefined
}

// RFC 9110, sections 5.1 and 5.6.2.
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Whether a text can be the name of a field. */
export function isFieldName(text: string): boolean {
  return fieldName.test(text)
}

/**
 * Parses a `Vary` header (RFC 9110, section 12.5.5). Returns field names in lower case, or `'*'` if the header contains
 * `*` or anything that is not a field name, because the response may then depend on everything.
 */
export function parseVary(field: string | null): readonly string[] | '*' {
  if (!field) return []
  const names = field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.every((name) => name !== '*' && isFieldName(name)) ? [...new Set(names)].sort() : '*'
}

// Fields that describe the stored bytes: RFC 9111, section 3.2; RFC 9530 for the digests.
const representationFields = new Set([
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
 * Updates stored headers from a 304 (RFC 9111, section 3.2). Each field of the 304 replaces the stored fields of that
 * name, except for fields that describe the stored bytes.
 *
 * @param update The storable headers of the 304.
 */
export function updateHeaders(stored: HeaderLines, update: HeaderLines): [name: string, value: string][] {
  const added = update.filter(([name]) => !representationFields.has(name))
  const replaced = new Set(added.map(([name]) => name))
  return [...stored.filter(([name]) => !replaced.has(name)), ...added].map(([name, value]) => [name, value])
}

/** Copies a response with changed headers. */
export function withHeaders(
  response: Response,
  change: (headers: Headers) => void,
  body?: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): Response {
  const { status } = response
  // The constructor rejects any other status, such as the 0 of Response.error().
  if (status < 200 || status > 599) return response
  // Copies the headers first: a Response of @hono/node-server 1 loses their changes when its text or body is read.
  const headers = new Headers(response.headers)
  change(headers)
  if (body === undefined) return createResponseFrom(response, headers)
  return createResponse(body, { status, statusText: response.statusText, headers })
}

/** Reads the values of header fields. `Headers` implements this interface. */
export type FieldReader = Pick<Headers, 'get' | 'has'>

/** Creates a JSON response that no cache stores, for errors and endpoints. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
  })
}
