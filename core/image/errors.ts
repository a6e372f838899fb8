import { jsonResponse } from '../http/json-response.js'

/** The errors that the image proxy answers with: a status and a message each. */
export const errors = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Image Proxy is not configured' },
  missingParameters: { status: 400, error: 'Missing required parameters' },
  invalidWidth: { status: 400, error: 'Invalid width' },
  unknownParameters: { status: 400, error: 'Unknown parameters' },
  invalidSource: { status: 400, error: 'Invalid source' },
  sourceNotAllowed: { status: 403, error: 'Source not allowed' },
  notFound: { status: 404, error: 'Image not found' },
  notProcessed: { status: 422, error: 'Image could not be processed' },
  serviceFailed: { status: 502, error: 'Image service failed' },
  serviceBusy: { status: 503, error: 'Image service is busy' },
  serviceTimedOut: { status: 504, error: 'Image service timed out' },
} as const

/** One of {@link errors}: the status of a response and the `error` of its JSON body. */
export type ErrorResponse = (typeof errors)[keyof typeof errors]

/** Headers of every response with content from a source: browsers must not run it as a document or a script. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const

/** Creates the response to a request that gets no image: JSON, never stored. */
export function createErrorResponse(
  { status, error }: { status: number; error: string },
  headers: Record<string, string> = {},
): Response {
  return jsonResponse(
    status,
    { error },
    { ...(status === 405 && { Allow: 'GET, HEAD' }), ...securityHeaders, ...headers },
  )
}
