import type { Handler } from '../../core/handler.js'
import { cancelBody, joinBytes, streamFrom } from '../../core/http/body.js'
import { linkSignal, withTimeout } from '../../core/timeout.js'
import type { SendUpstream, UpstreamHandler, UpstreamOptions, UpstreamResponse } from '../node/upstream.js'

/** Returns the cheapest way to send requests through a `fetch`-shaped function. */
export function createSendByFetch(fetch: UpstreamHandler): SendUpstream {
  return fetch.send ?? ((url, options) => sendByFetch(fetch, url, options))
}

async function sendByFetch(fetch: Handler, url: string, options: UpstreamOptions): Promise<UpstreamResponse> {
  const { headers, signal, timeout, onBodyError } = options
  const link = linkSignal(signal())
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
