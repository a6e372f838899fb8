import { parseRetryAfter } from '../http/dates.js'
import { type FieldReader, jsonResponse } from '../http/headers.js'
import { truncate } from '../option-error.js'
import type { UpstreamResponse } from './upstream.js'

/** The errors that the image proxy answers with, besides those of `parameters.ts`. */
export const errors = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Image Proxy is not configured' },
  missingParameters: { status: 400, error: 'Missing required parameters' },
  unknownParameters: { status: 400, error: 'Unknown parameters' },
  invalidSource: { status: 400, error: 'Invalid source' },
  sourceNotAllowed: { status: 403, error: 'Source not allowed' },
  notFound: { status: 404, error: 'Image not found' },
  notProcessed: { status: 422, error: 'Image could not be processed' },
  serviceFailed: { status: 502, error: 'Image service failed' },
  serviceBusy: { status: 503, error: 'Image service is busy' },
  serviceTimedOut: { status: 504, error: 'Image service timed out' },
} as const

/** The status of a response and the `error` of its JSON body. */
export type ErrorResponse = Readonly<{ status: number; error: string }>

/** Headers of every response with content from a source, so that browsers do not run it as a document or a script. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const

/** Creates the JSON response to a request that gets no image. It is never stored. */
export function createErrorResponse({ status, error }: ErrorResponse, headers: Record<string, string> = {}): Response {
  const allow = status === 405 && { Allow: 'GET, HEAD' }
  return jsonResponse(status, { error }, { ...allow, ...securityHeaders, ...headers })
}

/**
 * Reads an error response of the service: any status other than 200 and an expected 304.
 *
 * @param redact Removes secrets, since the service may repeat them in its message.
 * @returns The error that the proxy answers with, and the reason for the operator.
 */
export async function readServiceError(
  upstream: UpstreamResponse,
  redact: (text: string) => string,
): Promise<{ error: ErrorResponse; reason: string }> {
  const { status } = upstream
  const message = redact(await readMessage(upstream)).replace(/[\p{C}\s]+/gu, ' ')
  const quoted = truncate(message.trim(), 200)
  const reasons = [quoted && `the image service says '${quoted}'`, hintFor(status, quoted)]
  return { error: toError(status), reason: reasons.filter(Boolean).join('; ') || 'unexpected status' }
}

/** Reads the beginning of a text body. Returns an empty string for other bodies, and if nothing arrives in time. */
async function readMessage({ headers, discard, readStart }: UpstreamResponse): Promise<string> {
  const isText = /^(?:text\/|application\/(?:problem\+)?json)/i.test(headers.get('Content-Type') ?? '')
  if (isText) return new TextDecoder().decode(await readStart(1024))
  discard()
  return ''
}

function toError(status: number): ErrorResponse {
  if (status === 404) return errors.notFound
  if (status === 422) return errors.notProcessed
  if (status === 429 || status === 503) return errors.serviceBusy
  return status === 504 ? errors.serviceTimedOut : errors.serviceFailed
}

function hintFor(status: number, message: string): string {
  if (status === 304) return 'image service answered 304 to a request without a condition'
  if (status === 401) return 'image service rejected serviceSecret (401); compare it with the secret of the service'
  if (status === 403) {
    return 'image service rejected the signature or serviceSecret (403); compare key, salt and serviceSecret with those of the service'
  }
  if (status === 404 && !message) {
    return 'image service says nothing more (404), as imgproxy does outside of its path prefix; check the path of serviceUrl'
  }
  return status >= 300 && status < 400 ? 'redirects of the image service are not followed; check serviceUrl' : ''
}

/** Returns the `Retry-After` for the client: the service's value in seconds, limited to the range from one second to an hour. */
export function toRetryAfter(headers: FieldReader): string {
  const seconds = Math.ceil(parseRetryAfter(headers.get('Retry-After'), Date.now()) / 1000)
  return String(Math.min(Math.max(seconds, 1), 3600))
}
