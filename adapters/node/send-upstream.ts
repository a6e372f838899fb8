import { EventEmitter } from 'node:events'
import type { Dispatcher } from 'undici'
import { hasNullBody } from '../../core/http/body.js'
import type { SendUpstream, UpstreamOptions, UpstreamResponse } from '../../core/image/internal.js'
import { withTimeout } from '../../core/timeout.js'
import { requestAgain } from './http1-connector.js'
import { readAhead } from './read-ahead.js'
import {
  createInformationalLimit,
  destroyBody,
  discardBody,
  hasContent,
  isAborted,
  readWhole,
  toTimeoutError,
  unaskedEncoding,
} from './upstream-body.js'

type Answer = Dispatcher.ResponseData

/** Upper bounds of each wait, in milliseconds. */
export interface SendLimits {
  headersTimeout: number
  bodyTimeout: number
}

// The buffers of the operating system take as much for each client, whether it reads or not.
const maxWholeBytes = 64 * 1024

/** Creates the function that sends requests by undici, without the objects of `fetch` around each of them. */
export function createSendByDispatcher(dispatcher: Dispatcher, limits: SendLimits): SendUpstream {
  return async (url, options) => {
    const { origin, pathname, search } = new URL(url)
    const timeout = Math.min(options.timeout, limits.headersTimeout)
    const bodyTimeout = Math.min(options.timeout, limits.bodyTimeout)
    const answer = await requestHead(
      dispatcher,
      {
        origin,
        path: pathname + search,
        method: 'GET',
        headers: { ...options.headers, 'accept-encoding': 'identity' },
        headersTimeout: 0, // the timer below also counts the wait for a connection
        bodyTimeout,
      },
      { timeout, signal: options.client.signal },
    )
    return toUpstreamResponse(answer, { ...options, timeout: bodyTimeout })
  }
}

/** What undici takes for a signal: it costs less than an `AbortController`. */
class Abort extends EventEmitter {
  reason: unknown
}

/** Sends a request, and waits for the head of the response no longer than the time limit and than the client does. */
async function requestHead(
  dispatcher: Dispatcher,
  request: Dispatcher.RequestOptions,
  { timeout, signal }: { timeout: number; signal: AbortSignal | undefined },
): Promise<Answer> {
  signal?.throwIfAborted()
  const abort = new Abort()
  const answering = requestAgain(dispatcher, { ...request, signal: abort, onInfo: createInformationalLimit() })
  return withTimeout(timeout, answering, signal).catch((error) => {
    abort.reason = error
    abort.emit('abort')
    // Its head may arrive at the very moment it is given up.
    answering.then(
      ({ body }) => destroyBody(body),
      () => {},
    )
    throw error
  })
}

function toUpstreamResponse(answer: Answer, options: UpstreamOptions): UpstreamResponse {
  const { statusCode, body } = answer
  const { timeout, client, onBodyError } = options
  const { signal } = client
  const headers = toHeaders(answer.headers)
  const discard = () => discardBody(body)
  // The body may fail at any time, and an error without a listener would end the process.
  let report: ((error: unknown) => void) | undefined
  body.on('error', (error) => report?.(error))
  const onClientAbort = () => destroyBody(body, signal?.reason)
  if (signal?.aborted) onClientAbort()
  else signal?.addEventListener('abort', onClientAbort, { once: true })
  body.once('close', () => signal?.removeEventListener('abort', onClientAbort))

  return {
    status: statusCode,
    headers,
    discard,
    async openBody() {
      const encodingError = unaskedEncoding(headers.get('content-encoding'))
      if (hasNullBody(statusCode) || encodingError) discard()
      if (encodingError) throw encodingError
      if (hasNullBody(statusCode)) return undefined
      if (isShort(headers.get('content-length'))) return readWhole(body, timeout)
      if (!(await hasContent(body, timeout))) return undefined
      // That it was destroyed on this side, since the client has left for example, is no failure.
      report = (error) => isAborted(error) || onBodyError(toTimeoutError(error, timeout))
      return readAhead(body, timeout)
    },
    async readStart(maxBytes) {
      const chunks: Uint8Array[] = []
      let length = 0
      const read = async () => {
        for await (const chunk of body) {
          chunks.push(chunk)
          length += chunk.length
          if (length >= maxBytes) break
        }
      }
      await withTimeout(timeout, read()).catch(() => {})
      destroyBody(body)
      return Buffer.concat(chunks).subarray(0, maxBytes)
    },
  }
}

/** Whether a `Content-Length`, beyond which undici reads nothing, says that a body is soon read. */
function isShort(length: string | null): boolean {
  return length !== null && /^\d+$/.test(length) && Number(length) <= maxWholeBytes
}

/** undici's fields have names in lower case. */
function toHeaders(fields: Answer['headers']): UpstreamResponse['headers'] {
  const get = (name: string) => {
    const value = fields[name.toLowerCase()]
    return value === undefined ? null : [value].flat().join(', ')
  }
  return { get, has: (name) => get(name) !== null }
}
