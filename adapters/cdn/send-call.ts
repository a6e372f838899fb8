import type { Handler } from '../../core/handler.js'
import { cancelBody, readPieces } from '../../core/http/body.js'
import { describeError } from '../../core/log.js'
import { createRedact } from '../../core/secrets.js'
import { TimeoutError, withTimeout } from '../../core/timeout.js'
import type { Provider, PurgeCall } from './provider.js'
import type { CallResult } from './retry.js'

/** How much of a response body is read, in characters. */
const maxBodyLength = 8192

/**
 * Sends one call to a purge API and waits for its response, at most `timeout` milliseconds. Never rejects: the result
 * says what went wrong. Redirects are not followed, since the token would be sent along.
 */
export async function sendCall(
  send: Handler,
  { url, headers, body }: PurgeCall,
  { timeout, token, isSuccess }: { timeout: number } & Pick<Provider, 'token' | 'isSuccess'>,
): Promise<CallResult> {
  const redact = createRedact([token])
  const controller = new AbortController()
  try {
    const request = new Request(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: controller.signal,
    })
    // Not by the signal alone: a `fetch` that ignores it must not block the purge.
    return await withTimeout(timeout, readResult(send(request), redact, isSuccess))
  } catch (error) {
    controller.abort(error)
    const isLate = error instanceof TimeoutError
    return { ok: false, reason: isLate ? `no response within ${Math.round(timeout)} ms` : redact(describeError(error)) }
  }
}

async function readResult(
  sent: Promise<Response>,
  redact: (text: string) => string,
  isSuccess?: (body: string) => boolean,
): Promise<CallResult> {
  const response = await sent
  const { ok, status } = response
  if (ok && !isSuccess) {
    cancelBody(response.body)
    return { ok, status, reason: '' }
  }
  const body = await readStart(response)
  if (ok && isSuccess?.(body)) return { ok, status, reason: '' }
  const text = toSingleLine(redact(body))
  return {
    ok: false,
    status,
    retryAfter: response.headers.get('Retry-After'),
    reason: text ? `HTTP ${status}: ${text}` : `HTTP ${status}`,
  }
}

async function readStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of readPieces(body)) {
    text += decoder.decode(piece, { stream: true })
    if (text.length >= maxBodyLength) break
  }
  return text
}

/** Shortens a body to one line for the log. */
function toSingleLine(text: string): string {
  return text
    .slice(0, 200)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
