import { Readable } from 'node:stream'
import { buildConnector, type Dispatcher } from 'undici'
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
  /** Maximum wait in milliseconds for the head, and for each chunk of the body. The whole response may take six times as long. */
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
  try {
    return await sendOnce(dispatcher, request)
  } catch (error) {
    if (!['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return await sendOnce(dispatcher, request)
  }
}

/**
 * Never pauses a response: when a paused connection is closed, undici 7 fails an assertion, which ends the process
 * (https://github.com/nodejs/undici/issues/5360). Therefore, limit bodies with the dispatcher's `maxResponseSize`.
 */
function sendOnce(dispatcher: Dispatcher, { url, headers, timeout, signal: outer }: ClientRequest) {
  const { origin, pathname, search } = url
  const options = { origin, path: pathname + search, method: 'GET', headers } as const
  return new Promise<ClientResponse>((resolve, reject) => {
    const deadline = startDeadline(6 * timeout, outer)
    const { signal } = deadline
    let body: Readable | undefined
    let abort: (reason?: Error) => void = () => {}
    let [informational, pieces, bytes] = [0, 0, 0]
    const onAbort = () => fail(signal.reason)
    const end = () => {
      deadline.end()
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
      body?.destroy(error)
      abort(error)
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    dispatcher.dispatch(
      { ...options, headersTimeout: timeout, bodyTimeout: timeout },
      {
        onRequestStart(controller) {
          abort = (reason) => controller.abort(reason ?? new Error('response body: cancelled'))
          if (signal.aborted) abort(signal.reason)
        },
        onResponseStart(_, status, fields) {
          // RFC 9110, section 15.2, allows any number of 1xx responses, each of which costs this process time.
          if (++informational > 10) throw new Error('the server sent more than 10 1xx responses')
          if (status < 200) return
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
          // The signal's reason may be any value.
          const { code } = Object(error) as { code?: unknown }
          const isTimeout = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
          fail(isTimeout ? new TimeoutError(`no bytes within ${timeout} ms`) : error)
        },
      },
    )
  })
}

/** Abandons a body and closes its connection. */
export function destroyBody(body: Readable, reason?: Error): void {
  body.on('error', () => {}).destroy(reason)
}

/** Abandons a body, but keeps its connection if the rest arrives within a second. */
export function discardBody(body: Readable): void {
  setTimeout(destroyBody, 1_000, body.resume()).unref()
}

/**
 * Creates undici's `connect` for HTTP/1.1. A reset fails the response, however much has arrived (RFC 9112, section 8).
 * By default, undici treats the code `ECONNRESET` as the end of a body without a length.
 */
export function createHttp1Connector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false })
  return (target, callback) =>
    connect(target, (...result) => {
      result[1]?.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET'
      })
      callback(...result)
    })
}
