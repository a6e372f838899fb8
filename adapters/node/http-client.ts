import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { startTimer, TimeoutError } from '../../core/timeout.js'

/** A response after its head has arrived. Read its body, or discard it. */
export interface ClientResponse {
  status: number
  /** Keyed by lowercase name. */
  headers: Record<string, string | string[] | undefined>
  /** The whole body if it is short, or else a stream. */
  body: Promise<Buffer<ArrayBuffer>> | Readable
  /** Abandons the body, but keeps its connection if the rest arrives within a second. */
  discard(): void
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

// Up to this size, the operating system buffers a body for each client anyway, even if the client does not read.
const maxShortBytes = 64 * 1024
// Errors of a connection that the server has just closed.
const closed = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/**
 * Sends a GET request with undici's `dispatch`, without creating `fetch` objects. Retries once when the connection ends
 * before the response, because the server may just have closed a kept-alive connection (RFC 9112, section 9.3.1). The time
 * limits include both attempts, and their waits for a connection.
 *
 * Never pauses a response: when a paused connection is closed, undici 7 fails an assertion, which ends the process
 * (https://github.com/nodejs/undici/issues/5360). Therefore, limit bodies with the dispatcher's `maxResponseSize`.
 *
 * @throws TimeoutError, the signal's reason, or the connection's error. The body may later fail with the same errors.
 */
export function sendGet(dispatcher: Dispatcher, { url, headers, timeout, signal }: ClientRequest) {
  const { origin, pathname, search } = url
  const request = { origin, path: pathname + search, headers, headersTimeout: 0, bodyTimeout: timeout }
  return new Promise<ClientResponse>((resolve, reject) => {
    let stream: Readable | undefined
    /** A short body. A stream for it would take longer than the rest of the exchange. */
    let short: { resolve(body: Buffer<ArrayBuffer>): void; reject(error: Error): void } | undefined
    const shortPieces: Buffer<ArrayBuffer>[] = []
    let abort: (reason?: Error) => void = () => {}
    let [isOver, hasHead, attempts, informational, pieces, bytes] = [false, false, 0, 0, 0, 0]
    const onAbort = () => fail(signal?.reason)
    const startLimit = (limit: number) => startTimer(limit, () => fail(new TimeoutError(`not done within ${limit} ms`)))
    const end = () => {
      isOver = true
      stopHeadLimit()
      stopLimit()
      signal?.removeEventListener('abort', onAbort)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
      short?.reject(error)
      stream?.destroy(error)
      abort(error)
    }
    const destroy = (error: Error | null, callback: (error: Error | null) => void) => {
      end()
      abort(error ?? undefined)
      callback(error)
    }
    // The body may fail before it is read, and an unhandled error would end the process.
    const openStream = () => {
      stream = new Readable({ read() {}, destroy }).on('error', () => {})
      return stream
    }
    const openShort = () => {
      const body = new Promise<Buffer<ArrayBuffer>>((resolve, reject) => {
        short = { resolve, reject }
      })
      body.catch(() => {})
      return body
    }
    const discard = () => {
      stream?.resume()
      setTimeout(() => isOver || fail(new Error('response body: cancelled')), 1_000).unref()
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        abort = (reason) => controller.abort(reason ?? new Error('response body: cancelled'))
        if (isOver) abort(new Error('request: cancelled'))
      },
      onResponseStart(_, status, fields) {
        // RFC 9110, section 15.2, allows any number of 1xx responses, each of which costs this process time.
        if (++informational > 10) throw new Error('the server sent more than 10 1xx responses')
        if (status < 200) return
        stopHeadLimit()
        hasHead = true
        const isShort = status === 200 && Number(fields['content-length'] ?? Infinity) <= maxShortBytes
        const body = isShort ? openShort() : openStream()
        resolve({ status, headers: fields, body, discard })
      },
      onResponseData(_, piece) {
        bytes += piece.length
        // Each piece has its own memory overhead: 50 MB in single bytes would take gigabytes.
        if (++pieces > 1_000 + bytes / 256) throw new Error('the server sends too small pieces')
        if (short) shortPieces.push(piece as Buffer<ArrayBuffer>)
        else stream?.push(piece)
      },
      onResponseEnd() {
        end()
        short?.resolve(shortPieces.length === 1 && shortPieces[0] ? shortPieces[0] : Buffer.concat(shortPieces))
        stream?.push(null)
      },
      onResponseError(_, error) {
        const { code } = Object(error) // the error may be a signal's reason, which may be any value
        if (!hasHead && !isOver && attempts < 2 && closed.includes(code)) return dispatch()
        fail(code === 'UND_ERR_BODY_TIMEOUT' ? new TimeoutError(`no bytes within ${timeout} ms`) : error)
      },
    }
    const dispatch = () => {
      attempts++
      dispatcher.dispatch({ ...request, method: 'GET' }, handler)
    }
    const stopHeadLimit = startLimit(timeout)
    const stopLimit = startLimit(6 * timeout)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort)
    dispatch()
  })
}
