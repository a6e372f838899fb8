import { parseRetryAfter } from '../http/retry-after.js'
import { type ErrorResponse, errors } from './errors.js'
import type { UpstreamResponse } from './upstream.js'

const maxBytes = 1024
const maxLength = 200

/**
 * Reads what the service says about an error, as one line of text for the log: at most 200 characters, and an empty line
 * when it says nothing in time.
 *
 * @param redact Removes secrets, which a service may repeat.
 */
export async function readServiceMessage(
  upstream: UpstreamResponse,
  redact: (text: string) => string,
): Promise<string> {
  const isText = /^(?:text\/|application\/(?:problem\+)?json)/i.test(upstream.headers.get('Content-Type') ?? '')
  if (!isText) {
    upstream.discard()
    return ''
  }
  const text = new TextDecoder().decode(await upstream.readStart(maxBytes))
  const line = redact(text)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  const characters = [...line]
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('')}…` : line
}

/**
 * Explains an error response of the service to its operator.
 *
 * @param message As {@link readServiceMessage} returned it.
 */
export function explainStatus(status: number, message: string): string {
  const hint = hintFor(status, message)
  return [message && `the image service says '${message}'`, hint].filter(Boolean).join('; ') || 'unexpected status'
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
  if (status >= 300 && status < 400) return 'redirects of the image service are not followed; check serviceUrl'
  return ''
}

/** Maximum value of `Retry-After`, in seconds: an hour. */
const maxRetryAfter = 3600

/** Returns the error for a status of the service that is neither 200 nor an expected 304. */
export function toError(status: number): ErrorResponse {
  if (status === 404) return errors.notFound
  if (status === 422) return errors.notProcessed
  if (status === 429 || status === 503) return errors.serviceBusy
  return status === 504 ? errors.serviceTimedOut : errors.serviceFailed
}

/** Seconds, from 1 to {@link maxRetryAfter}, whatever the service says. */
export function retryAfter(headers: UpstreamResponse['headers']): string {
  const seconds = Math.ceil(parseRetryAfter(headers.get('Retry-After'), Date.now()) / 1000)
  return String(Math.min(Math.max(seconds, 1), maxRetryAfter))
}
