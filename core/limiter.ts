/** Runs work as soon as the limit allows. The signal ends the wait, not the work. */
export type Limit = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

export interface LimiterOptions {
  /** Maximum number of calls that run at the same time. */
  concurrency: number
  /** Maximum number of calls that wait. Default: unlimited. */
  maxQueue?: number
}

/** Thrown when a limiter has reached its limit and its queue is full. */
export class QueueFullError extends Error {
  override name = 'QueueFullError'
}

/**
 * Creates a concurrency limit with a queue: first in, first out.
 *
 * @example
 * const limit = createLimiter({ concurrency: 2, maxQueue: 256 })
 * await limit(() => transform(original), request.signal) // throws QueueFullError immediately when the queue is full
 */
export function createLimiter({ concurrency, maxQueue = Infinity }: LimiterOptions): Limit {
  const queue = new Set<() => void>()
  let running = 0

  const enqueue = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        queue.delete(start)
        reject(signal?.reason)
      }
      const start = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      queue.add(start)
      signal?.addEventListener('abort', onAbort, { once: true })
    })

  const release = () => {
    const [next] = queue
    if (!next) running--
    else {
      // `running` stays the same, so that no newcomer can overtake the queue.
      queue.delete(next)
      next()
    }
  }

  return async (work, signal) => {
    signal?.throwIfAborted()
    if (running < concurrency) running++
    else if (queue.size < maxQueue) await enqueue(signal)
    else throw new QueueFullError(`${queue.size} calls wait already`)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
