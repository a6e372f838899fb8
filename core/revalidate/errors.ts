import { isDevelopment } from '../development.js'
import { jsonResponse } from '../http/json-response.js'

/** Status and message of a failed request. The body is `{"error":…,"revalidated":false}`. */
export interface EndpointError {
  readonly status: number
  readonly error: string
}

/** The errors of the endpoint, except the 400s of `body-tags.ts`. */
export const errors = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Revalidation is not configured' },
  invalidToken: { status: 401, error: 'Invalid token' },
  bodyTooLarge: { status: 413, error: 'Body is larger than 64 KB' },
  bodyUnreadable: { status: 400, error: 'Body could not be read' },
  failed: { status: 503, error: 'Revalidation failed' },
} as const satisfies Record<string, EndpointError>

/**
 * Creates the response to a failed request.
 *
 * @param hint What the developer should do. In development only.
 */
export function errorResponse(
  { status, error }: EndpointError,
  headers?: Record<string, string>,
  hint?: string,
): Response {
  return jsonResponse(status, { error, revalidated: false, ...(isDevelopment() && hint && { hint }) }, headers)
}
