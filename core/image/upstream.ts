import type { Handler } from '../handler.js'
import { cancelBody } from '../http/body.js'
import { createBodyPace } from '../http/body-pace.js'
import type { FieldReader } from '../http/field-reader.js'
import type { ResponseBody } from '../response-factory.js'
import { withTimeout } from '../timeout.js'

/** A response of the image service whose head has arrived. Open its body, or discard it. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: FieldReader
  /** Why there is no image, for the log only, where the service is in this process. */
  readonly failure?: string | undefined
  /**
   * Waits for the first chunk, so that a service that stalls or fails right after its head can still be answered with
   * an error. Returns the whole body, which fails when it stalls later; `undefined` when it is empty.
   */
  openBody(): Promise<ResponseBody | undefined>
  /** Returns the beginning of the body, as much of it as arrives within the time limit, and ends the exchange. Never rejects. */
  readStart(maxBytes: number): Promise<Uint8Array>
  /** Ends the exchange without the body. */
  discard(): void
}

export interface UpstreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /**
   * The client's request: when its signal aborts, so does the request to the service. Servers create that signal when it is
   * first looked at, so whoever need not wait for anything does not look.
   */
  readonly client: { readonly signal: AbortSignal | undefined }
  /** Maximum wait in milliseconds, for the head and for each chunk of the body; and for the whole body, see `createBodyPace`. */
  readonly timeout: number
  /** Called when the body fails after its first chunk, when it is too late for another response. */
  readonly onBodyError: (error: unknown) => void
}

/**
 * Sends a `GET` to the service, and waits for the head of the response. No redirect is followed.
 *
 * @throws TimeoutError, the reason of the signal, or what the exchange failed with.
 */
export type SendUpstream = (url: string, options: UpstreamOptions) => Promise<UpstreamResponse>

/** A `fetch`-shaped function that also has a way to send without a `Request`, `Response` and web stream. */
export interface UpstreamHandler extends Handler {
  readonly send?: SendUpstream | undefined
}

/** Returns the shortest way to send requests through a `fetch`-shaped function. */
export function createSendByFetch(fetch: UpstreamHandler): SendUpstream {
  return fetch.send ?? ((url, options) => sendByFetch(fetch, url, options))
}

async function sendByFetch(fetch: Handler, url: string, options: UpstreamOptions): Promise<UpstreamResponse> {
  const exchange = startExchange(url, options)
  // A `fetch` that throws synchronously fails like any other.
  const fetching = (async () => fetch(exchange.request))()
  const response = await exchange.wait(fetching).catch((error) => {
    exchange.abort(error)
    // A `fetch` that ignores the signal may still respond; nobody reads that response.
    fetching.then((late) => cancelBody(late.body)).catch(() => {})
    throw error
  })

  const discard = () => {
    cancelBody(response.body)
    exchange.abort()
  }
  return {
    status: response.status,
    headers: response.headers,
    discard,
    async readStart(maxBytes) {
      const reader = response.body?.getReader()
      const start = new Uint8Array(maxBytes)
      let length = 0
      const read = async () => {
        while (reader && length < maxBytes) {
          const { done, value } = await reader.read()
          if (done) return exchange.end()
          const piece = value.subarray(0, maxBytes - length)
          start.set(piece, length)
          length += piece.length
        }
        cancelBody(reader)
        exchange.abort()
      }
      await exchange.wait(read()).catch((error) => {
        cancelBody(reader, error)
        exchange.abort(error)
      })
      return start.subarray(0, length)
    },
    async openBody() {
      const reader = response.body?.getReader()
      if (!reader) {
        exchange.end()
        return undefined
      }
      const first = await readChunk(reader, exchange)
      return first.done ? undefined : createBodyStream(reader, first, exchange, options)
    },
  }
}

/** One request to the service, until its response is complete or given up. */
interface UpstreamExchange {
  /**
   * Reachable from the body's stream for as long as that is read: undici's requests refer to the controller that aborts
   * their signal by a weak reference only, so a request that is collected can no longer be cancelled.
   */
  readonly request: Request
  /** Waits no longer than the time limit, and than the client does. */
  wait<T>(work: Promise<T>): Promise<T>
  /** The response is complete. */
  end(): void
  /** Gives up the response, and aborts the request. */
  abort(reason?: unknown): void
}

function startExchange(url: string, { headers, client: { signal }, timeout }: UpstreamOptions): UpstreamExchange {
  const controller = new AbortController()
  const onClientAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onClientAbort()
  else signal?.addEventListener('abort', onClientAbort, { once: true })

  const end = () => signal?.removeEventListener('abort', onClientAbort)
  return {
    request: new Request(url, { headers, redirect: 'manual', signal: controller.signal }),
    wait: (work) => withTimeout(timeout, work, controller.signal),
    end,
    abort(reason) {
      end()
      controller.abort(reason)
    },
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>
type Chunk = Awaited<ReturnType<Reader['read']>>

async function readChunk(reader: Reader, exchange: UpstreamExchange): Promise<Chunk> {
  try {
    const chunk = await exchange.wait(reader.read())
    if (chunk.done) exchange.end()
    return chunk
  } catch (error) {
    exchange.abort(error)
    throw error
  }
}

function createBodyStream(reader: Reader, first: Chunk, exchange: UpstreamExchange, options: UpstreamOptions) {
  const { timeout, onBodyError } = options
  const pace = createBodyPace(timeout)
  let next: Chunk | undefined = first
  let isCancelled = false
  const fail = (error: unknown): never => {
    if (!isCancelled) onBodyError(error)
    throw error
  }
  const readNext = async (): Promise<Chunk> => {
    pace.wait()
    const chunk = await readChunk(reader, exchange)
    const tooSlow = pace.receive(chunk.value?.length ?? 0)
    if (!tooSlow) return chunk
    exchange.abort(tooSlow)
    throw tooSlow
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = next ?? (await readNext().catch(fail))
        next = undefined
        if (chunk.done) controller.close()
        else controller.enqueue(chunk.value)
      },
      cancel(reason) {
        isCancelled = true
        exchange.abort(reason)
        cancelBody(reader, reason)
      },
    },
    { highWaterMark: 0 },
  )
}
