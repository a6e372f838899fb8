/** Why the image proxy answers no picture: a status and a text, each once. */
export const refusals = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Image Proxy is not configured' },
  missingParameters: { status: 400, error: 'Missing required parameters' },
  invalidWidth: { status: 400, error: 'Invalid width' },
  invalidSource: { status: 400, error: 'Invalid source' },
  sourceNotAllowed: { status: 403, error: 'Source not allowed' },
  notFound: { status: 404, error: 'Image not found' },
  notProcessed: { status: 422, error: 'Image could not be processed' },
  serviceFailed: { status: 502, error: 'Image service failed' },
  serviceBusy: { status: 503, error: 'Image service is busy' },
  serviceTimedOut: { status: 504, error: 'Image service timed out' },
} as const

export type Refusal = (typeof refusals)[keyof typeof refusals]

/** On every answer under the proxy's prefix: whatever came from a source is never run as a document or a script. */
export const safetyHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
} as const

/** The answer to a refused request: JSON, never stored. */
export function refusalResponse({ status, error }: Refusal, headers: Record<string, string> = {}): Response {
  return Response.json(
    { error },
    {
      status,
      headers: {
        ...(status === 405 && { Allow: 'GET, HEAD' }),
        'Cache-Control': 'no-store',
        ...safetyHeaders,
        ...headers,
      },
    },
  )
}
