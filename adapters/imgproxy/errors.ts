import { parseRetryAfter } from '../../core/http/dates.js'
import type { ServiceFailure } from '../../core/image/index.js'
import { truncate } from '../../core/option-error.js'
import type { UpstreamResponse } from '../node/upstream.js'

/**
 * Reads an error response of imgproxy: any status other than 200 and an expected 304.
 *
 * @param redact Removes secrets, since imgproxy may repeat them in its message.
 */
export async function readFailure(
  upstream: UpstreamResponse,
  redact: (text: string) => string,
): Promise<ServiceFailure> {
  const { status, headers } = upstream
  const message = redact(await readMessage(upstream)).replace(/[\p{C}\s]+/gu, ' ')
  const quoted = truncate(message.trim(), 200)
  const reasons = [quoted && `the image service says '${quoted}'`, hintFor(status, quoted)]
  const reason = reasons.filter(Boolean).join('; ') || 'unexpected status'
  // Not the visitor's mistake, since the proxy has written the URL.
  return { status: status === 400 ? 502 : status, retryAfter: readRetryAfter(headers), details: { status, reason } }
}

/** Reads the beginning of a text body. Returns an empty string for other bodies, and if nothing arrives in time. */
async function readMessage({ headers, discard, readStart }: UpstreamResponse): Promise<string> {
  const isText = /^(?:text\/|application\/(?:problem\+)?json)/i.test(headers.get('Content-Type') ?? '')
  if (isText) return new TextDecoder().decode(await readStart(1024))
  discard()
  return ''
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

/** Returns the seconds of `Retry-After`, limited to the range from one second to an hour. */
function readRetryAfter(headers: UpstreamResponse['headers']): number {
  const seconds = Math.ceil(parseRetryAfter(headers.get('Retry-After'), Date.now()) / 1000)
  return Math.min(Math.max(seconds, 1), 3600)
}
