/** Why nothing was revalidated: a status and a text, each once. Bodies are `{"error":…,"revalidated":false}`. */
export const refusals = {
  methodNotAllowed: { status: 405, error: 'Method not allowed' },
  notConfigured: { status: 500, error: 'Revalidation is not configured' },
  invalidToken: { status: 401, error: 'Invalid token' },
  bodyTooLarge: { status: 413, error: 'Body is larger than 64 KB' },
  bodyUnreadable: { status: 400, error: 'Body could not be read' },
  failed: { status: 503, error: 'Revalidation failed' },
} as const

/** What the log is told of an invalid token. */
export const invalidTokenWarning = 'Invalid token for revalidate request'

/** A status and a text; besides those of {@link refusals}, 400 with what is wrong with the body. */
export interface Refusal {
  readonly status: number
  readonly error: string
}

/** The answer to a refused request. */
export function refusalResponse({ status, error }: Refusal, headers: Record<string, string> = {}): Response {
  return answer(status, { error, revalidated: false }, headers)
}

/** The answer once every tag was invalidated. */
export function revalidatedResponse(): Response {
  return answer(200, { revalidated: true })
}

/** The answer to what concerns no tag: not a failure, so that a CMS does not send it again. */
export function unconcernedResponse(): Response {
  return answer(200, { revalidated: false })
}

function answer(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...headers },
  })
}
