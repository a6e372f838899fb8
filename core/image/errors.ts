import { jsonResponse } from '../http/headers.js'

/** The errors that the image proxy answers with, besides those of `parameters.ts`. */
export const errors = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Image Proxy is not configured' },
  missingParameters: { status: 400, error: 'Missing required parameters' },
  unknownParameters: { status: 400, error: 'Unknown parameters' },
  invalidSource: { status: 400, error: 'Invalid source' },
  sourceNotAllowed: { status: 403, error: 'Source not allowed' },
  cardNotSigned: { status: 403, error: 'Card not signed' },
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
export function createErrorResponse({ status, error }: ErrorResponse, retryAfter = 1): Response {
  const allow = status === 405 && { Allow: 'GET, HEAD' }
  const busy = status === 503 && { 'Retry-After': String(retryAfter) }
  return jsonResponse(status, { error }, { ...allow, ...busy, ...securityHeaders })
}

/** Returns the error for the status of a service's failure. */
export function errorOf(status: number): ErrorResponse {
  if (status === 400) return errors.invalidSource
  if (status === 404) return errors.notFound
  if (status === 422) return errors.notProcessed
  if (status === 429 || status === 503) return errors.serviceBusy
  return status === 504 ? errors.serviceTimedOut : errors.serviceFailed
}
