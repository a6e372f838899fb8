import { describeError } from '../../core/describe-error.js'
import type { Handler } from '../../core/handler.js'
import type { PurgeCall } from './provider.js'
import type { Outcome } from './retry.js'

/** The longest part of an answer that is read, in bytes. */
const maxAnswerBytes = 8192

/**
 * Makes one call of a purge API and waits for its answer, no longer than `timeout` milliseconds. Never throws: what
 * went wrong is the outcome. Redirects are not followed, since the token would go with them.
 */
export async function callOnce(
  ask: Handler,
  { url, headers, body }: PurgeCall,
  { timeout, isSuccess }: { timeout: number; isSuccess?: ((body: string) => boolean) | undefined },
): Promise<Outcome> {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${Math.round(timeout)} ms`)
      reject(error)
      controller.abort(error)
    }, timeout)
  })
  try {
    const request = new Request(url, {
      method: 'POST',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: controller.signal,
    })
    // A `fetch` that is deaf to the signal cannot hold us either.
    return await Promise.race([judge(ask(request), isSuccess), late])
  } catch (error) {
    return { ok: false, reason: describeError(error) }
  } finally {
    clearTimeout(timer)
  }
}

async function judge(asked: Promise<Response>, isSuccess?: (body: string) => boolean): Promise<Outcome> {
  const response = await asked
  const { ok, status } = response
  if (ok && !isSuccess) {
    response.body?.cancel().catch(() => {})
    return { ok, status, reason: '' }
  }
  const answer = await readStart(response)
  if (ok && isSuccess?.(answer)) return { ok, status, reason: '' }
  const text = printable(answer)
  return {
    ok: false,
    status,
    retryAfter: response.headers.get('Retry-After'),
    reason: text ? `HTTP ${status}: ${text}` : `HTTP ${status}`,
  }
}

async function readStart({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    text += decoder.decode(piece.value, { stream: true })
    if (text.length < maxAnswerBytes) continue
    reader?.cancel().catch(() => {})
    break
  }
  return text
}

/** One line for a log. */
function printable(text: string): string {
  return text
    .slice(0, 200)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
