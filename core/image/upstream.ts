import type { Handler } from '../handler.js'
import { cancelBody, joinBytes, streamFrom } from '../http/body.js'
import type { FieldReader } from '../http/headers.js'
import type { ResponseBody } from '../response-factory.js'
import { linkSignal, withTimeout } from '../timeout.js'

/** A response of the image service whose head has arrived. Open its body, or discard it. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: FieldReader
  /** The reason why there is no image. Only for the log, and only if the service runs in this process. */
  readonly failure?: string | undefined
  /**
   * Waits for the first chunk, and returns the whole body; `undefined` if it is empty. If the service stalls or fails
   * right after its head, there is still time for an error response. If it stalls later, the body fails.
   */
  openBody(): Promise<ResponseBody | undefined>
  /**
   * Returns the beginning of the body, as far as it arrives within the time limit, and ends the exchange. Never
   * rejects.
   */
  readStart(maxBytes: number): Promise<Uint8Array>
  /** Ends the exchange without the body. */
  discard(): void
}

export interface UpstreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /**
   * The client's request. When its signal aborts, the request to the service is aborted, too. Read the signal only when waiting for the
   * service, because servers create it when it is first read.
   */
  readonly client: { readonly signal: AbortSignal | undefined }
  /** Maximum wait in milliseconds, for the head and for each chunk of the body. */
  readonly timeout: number
  /** Called when the body fails after its first chunk, when it is too late for another response. */
  readonly onBodyError: (error: unknown) => void
}

/**
 * Sends a `GET` to the service, and waits for the head of the response. Redirects are not followed.
 *
 * @throws TimeoutError, the reason of the signal, or the failure of the exchange.
 */
export type SendUpstream = (url: string, options: UpstreamOptions) => Promise<UpstreamResponse>

/** A `fetch`-shaped function that may also have a `send`, which needs no `Request`, `Response` or web stream. */
export interface UpstreamHandler extends Handler {
  readonly send?: SendUpstream | undefined
}

/** Returns the cheapest way to send requests through a `fetch`-shaped function. */
export function createSendByFetch(fetch: UpstreamHandler): SendUpstream {
  return fetch.send ?? ((url, options) => sendByFetch(fetch, url, options))
}

async function sendByFetch(fetch: Handler, url: string, options: UpstreamOptions): Promise<UpstreamResponse> {
  const { headers, client, timeout, onBodyError } = options
  const link = linkSignal(client.signal)
  /**
   * The request is kept for as long as the body is read, because undici's requests have only a weak reference to the controller that aborts
   * their signal. Once a request is garbage-collected, it can no longer be cancelled.
   */
  const exchange = { ...link, request: new Request(url, { headers, redirect: 'manual', signal: link.signal }) }
  const wait = <Result>(work: Promise<Result>) => withTimeout(timeout, work, exchange.signal)
  // Turns an error that `fetch` throws synchronously into a rejection.
  const fetching = (async () => fetch(exchange.request))()
  const response = await wait(fetching).catch((error) => {
    exchange.abort(error)
    // A `fetch` that ignores the signal may still respond.
    fetching.then((late) => cancelBody(late.body)).catch(() => {})
    throw error
  })

  const reader = (response.body ?? new Blob().stream()).getReader()
  const discard = (reason?: unknown) => {
    cancelBody(reader, reason)
    exchange.abort(reason)
  }
  const read = async () => {
    const chunk = await wait(reader.read()).catch((error) => {
      discard(error)
      throw error
    })
    if (chunk.done) exchange.end()
    return chunk
  }
  return {
    status: response.status,
    headers: response.headers,
    discard,
    async readStart(maxBytes) {
      const chunks: Uint8Array[] = []
      const readAll = async () => {
        for (let length = 0; length < maxBytes; length += chunks.at(-1)?.length ?? 0) {
          const { done, value } = await reader.read()
          if (done) return
          chunks.push(value)
        }
      }
      await wait(readAll()).catch(() => {})
      discard()
      return joinBytes(chunks).subarray(0, maxBytes)
    },
    async openBody() {
      const first = await read()
      if (first.done) return undefined
      const waiting = [first]
      let isCancelled = false
      const onError = (error: unknown) => {
        if (!isCancelled) onBodyError(error)
        throw error
      }
      return streamFrom(
        async () => waiting.pop() ?? (await read().catch(onError)),
        (reason) => {
          isCancelled = true
          discard(reason)
        },
      )
    },
  }
}
