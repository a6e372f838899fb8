import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { startDeadline, TimeoutError } from '../../core/timeout.js'

/** A response whose head has arrived. Read its body, or call {@link discardBody}. */
export interface ClientResponse {
  status: number
  /** Keyed by lowercase name. */
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

export interface ClientRequest {
  url: URL
  headers: Readonly<Record<string, string>>
  /**
   * Maximum wait in milliseconds for the head, and for each chunk of the body. The whole response may take six times as
   * long.
   */
  timeout: number
  /** Aborts the request, or later its body. */
  signal: AbortSignal | undefined
}

/**
 * Sends a GET request with undici's `dispatch`, without creating `fetch` objects. Retries once when the connection ends
 * before the response, because the server may just have closed a kept-alive connection (RFC 9112, section 9.3.1).
 *
 * @throws TimeoutError, the signal's reason, or the connection's error. The body may later fail with the same errors.
 */
export async function sendGet(dispatcher: Dispatcher, request: ClientRequest): Promise<ClientResponse> {
  // One time limit for both attempts, including their waits for a connection.
  const head = startDeadline(request.timeout, request.signal)
  const send = () => sendOnce(dispatcher, request, head.signal)
  try {
    return await send().catch((error: NodeJS.ErrnoException) => {
      if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error
      return send()
    })
  } finally {
    head.end()
  }
}

/**
 * Never pauses a response: when a paused connection is closed, undici 7 fails an assertion, which ends the process
 * (https://github.com/nodejs/undici/issues/5360). Therefore, limit bodies with the dispatcher's `maxResponseSize`.
 */
function sendOnce(dispatcher: Dispatcher, { url, headers, timeout, signal: outer }: ClientRequest, head: AbortSignal) {
  const { origin, pathname, search } = url
  return new Promise<ClientResponse>((resolve, reject) => {
    const deadline = startDeadline(6 * timeout, outer)
    const { signal } = deadline
    let body: Readable | undefined
    let abort: (reason?: Error) => void = () => {}
    let [informational, pieces, bytes] = [0, 0, 0]
    const onAbort = () => fail(signal.reason)
    const onLate = () => fail(head.reason)
    const end = () => {
      deadline.end()
      head.removeEventListener('abort', onLate)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
      body?.destroy(error)
      abort(error)
    }
    if (head.aborted) return onLate()
    head.addEventListener('abort', onLate)
    signal.addEventListener('abort', onAbort)
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'GET', headers, headersTimeout: 0, bodyTimeout: timeout },
      {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason ?? new Error('response body: cancelled'))
          if (head.aborted) abort(head.reason)
        },
        onResponseStart(_, status, fields) {
          // RFC 9110, section 15.2, allows any number of 1xx responses, each of which costs this process time.
          if (++informational > 10) throw new Error('the server sent more than 10 1xx responses')
          if (status < 200) return
          head.removeEventListener('abort', onLate)
          const destroy = (error: Error | null, callback: (error: Error | null) => void) => {
            end()
            abort(error ?? undefined)
            callback(error)
          }
          // The body may fail before it is read, and an error without a listener would end the process.
          body = new Readable({ read() {}, destroy }).on('error', () => {})
          resolve({ status, headers: fields, body })
        },
        onResponseData(_, piece) {
          bytes += piece.length
          // Each piece has its own memory overhead: 50 MB in single bytes would take gigabytes.
          if (++pieces > 1_000 + bytes / 256) throw new Error('the server sends too small pieces')
          body?.push(piece)
        },
        onResponseEnd() {
          end()
          body?.push(null)
        },
        onResponseError(_, error) {
          // `Object`, because the error may be a signal's reason, which may be any value.
          const isTimeout = Object(error).code === 'UND_ERR_BODY_TIMEOUT'
          fail(isTimeout ? new TimeoutError(`no bytes within ${timeout} ms`) : error)
        },
      },
    )
  })
}

/** Abandons a body, but keeps its connection if the rest arrives within a second. */
export function discardBody(body: Readable): void {
  body.resume()
  setTimeout(() => body.destroy(), 1_000).unref()
}
