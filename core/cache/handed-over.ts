import { handlerFields } from '../http/conditional.js'
import type { Prepared } from './prepared.js'

// What would bring less than the whole page.
const conditions = ['if-none-match', 'if-modified-since', 'if-range', ...handlerFields]

// What tells of the visitor's connection, or of a body: a handler that passed it on would fail for all who wait.
const ofTheConnection = ['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'] // biome-ignore format: a row

/** What the handler is asked. */
export interface Question {
  url: string
  headers: Headers
  /** What is stored already, when the handler may say 304 to it. */
  validate: Prepared | undefined
  /** Whether no visitor waits: then whose request it was is kept from the handler. */
  isBackground: boolean
  /** Fields that the response varies by. */
  varies: readonly string[]
  signal: AbortSignal
}

/**
 * The request that the handler gets in place of a visitor's: for the whole page, since it is stored; with the validators
 * of what is stored already (RFC 9111, section 4.3.1); and with a signal that outlives the visitor.
 */
export function handOver(question: Question): Request {
  const { url, signal, validate, isBackground, varies } = question
  const headers = new Headers(question.headers)
  for (const name of [...conditions, ...ofTheConnection]) headers.delete(name)
  if (isBackground) {
    for (const name of ['cookie', 'authorization']) if (!varies.includes(name)) headers.delete(name)
  }
  const entry = validate?.entry
  for (const [name, value] of entry?.headers ?? []) {
    if (name === 'etag' && !entry?.hasGeneratedEtag) headers.set('if-none-match', value)
    if (name === 'last-modified') headers.set('if-modified-since', value)
  }
  return new Request(url, { headers, signal })
}

/** Whether a stored response has a validator that the handler gave it. */
export function isValidatable({ entry }: Prepared): boolean {
  return entry.headers.some(([name]) => name === 'last-modified' || (name === 'etag' && !entry.hasGeneratedEtag))
}

/** The response with one more member of `Cache-Status` (RFC 9211, section 2). The one given is left as it is. */
export function withCacheStatus(response: Response, member: string, body = response.body): Response {
  return withHeaders(response, (headers) => headers.append('cache-status', member), body)
}

/** The response with other headers. The one given is left as it is. */
export function withHeaders(response: Response, change: (headers: Headers) => void, body = response.body): Response {
  const { status, statusText } = response
  // A response that no constructor makes, such as Response.error(), passes as it is.
  if (status < 200 || status > 599) return response
  const headers = new Headers(response.headers)
  change(headers)
  return new Response(body, { status, statusText, headers })
}
