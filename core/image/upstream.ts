import type { Handler } from '../handler.js'

/** The service sent no head, or no further piece of the body, within the time limit. */
export class UpstreamTimeout extends Error {
  override name = 'UpstreamTimeout'
}

/** An answer of the service whose head has arrived. Take the body, or discard it. */
export interface Upstream {
  readonly status: number
  readonly headers: Headers
  /**
   * Waits for the first piece, so that a service that stalls or breaks right after its head can still be answered with
   * an error; then gives the whole body as a stream that fails when it stalls later. `undefined`: the body is empty.
   */
  body(): Promise<ReadableStream<Uint8Array> | undefined>
  /** Ends the exchange without the body. */
  discard(): void
}

export interface UpstreamOptions {
  headers: Record<string, string>
  /** The visitor's: when it aborts, so does the request to the service. */
  signal: AbortSignal | undefined
  /** Longest wait in milliseconds, for the head and for each piece of the body. */
  timeout: number
  /** Told when the body fails after its first piece, when it is too late for another answer. */
  onBreak: (error: unknown) => void
}

/**
 * Asks the service with `GET` and waits for its head.
 *
 * @throws UpstreamTimeout, the reason of the signal, or whatever `ask` throws.
 */
export async function openUpstream(ask: Handler, url: string, options: UpstreamOptions): Promise<Upstream> {
  const { headers, signal, timeout, onBreak } = options
  const deadline = createDeadline(signal, timeout)
  const request = new Request(url, { headers, redirect: 'manual', signal: deadline.signal })
  // An `ask` that throws at once fails as any other. The closure also keeps the request alive as long as its body:
  // undici's holds on to what aborts its signal by a weak reference.
  const asked = (async () => ask(request))()
  const response = await deadline.wait(asked).catch((error) => {
    deadline.end(error)
    // An `ask` that is deaf to the signal may still answer: nobody waits for that any more.
    asked.then((late) => late.body?.cancel()).catch(() => {})
    throw error
  })

  return {
    status: response.status,
    headers: response.headers,
    discard() {
      response.body?.cancel().catch(() => {})
      deadline.end()
    },
    async body() {
      const reader = response.body?.getReader()
      const read = async () => {
        try {
          const piece = await deadline.wait(
            reader?.read() ?? Promise.resolve({ done: true, value: undefined } as const),
          )
          if (piece.done) deadline.settle()
          return piece
        } catch (error) {
          deadline.end(error)
          throw error
        }
      }
      let next: Awaited<ReturnType<typeof read>> | undefined = await read()
      if (next.done) return undefined
      let isCancelled = false
      const reportBreak = (error: unknown): never => {
        if (!isCancelled) onBreak(error)
        throw error
      }
      return new ReadableStream(
        {
          async pull(controller) {
            const piece = next ?? (await read().catch(reportBreak))
            next = undefined
            if (piece.done) controller.close()
            else controller.enqueue(piece.value)
          },
          cancel(reason) {
            isCancelled = true
            deadline.end(reason)
            return reader?.cancel(reason)
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}

/** Time limit and cancellation of one exchange: each wait ends with the work, the limit or the visitor's leaving. */
function createDeadline(visitor: AbortSignal | undefined, timeout: number) {
  const controller = new AbortController()
  const { signal } = controller
  const leave = () => controller.abort(visitor?.reason)
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  aborted.catch(() => {}) // whoever waits hears of it; nobody need be waiting
  if (visitor?.aborted) leave()
  else visitor?.addEventListener('abort', leave, { once: true })

  const settle = () => visitor?.removeEventListener('abort', leave)
  return {
    signal,
    async wait<T>(work: Promise<T>): Promise<T> {
      const timer = setTimeout(() => controller.abort(new UpstreamTimeout(`nothing within ${timeout} ms`)), timeout)
      try {
        return await Promise.race([work, aborted])
      } finally {
        clearTimeout(timer)
      }
    },
    /** The exchange is over in peace. */
    settle,
    /** The exchange is given up. */
    end(reason?: unknown) {
      settle()
      controller.abort(reason)
    },
  }
}
