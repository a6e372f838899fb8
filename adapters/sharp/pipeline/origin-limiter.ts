import { createLimiter, type Limit } from './limiter.js'

export interface OriginLimiterOptions {
  /** Maximum number of calls that run at once, of all origins. */
  concurrency: number
  /** Maximum number of calls that run at once, of each origin. */
  concurrencyPerOrigin: number
  /** Maximum number of calls that wait, of each origin. */
  maxQueue: number
}

/**
 * Creates a function that returns the concurrency limit of an origin. An origin that does not answer fills its own places
 * and its own queue; the others wait for it only where the places of several such origins are all there are.
 *
 * @example
 * const limitOf = createOriginLimiter({ concurrency: 8, concurrencyPerOrigin: 4, maxQueue: 256 })
 * await limitOf('https://cdn.example.com')(() => download(url), request.signal)
 */
export function createOriginLimiter(options: OriginLimiterOptions): (origin: string) => Limit {
  const { concurrency, concurrencyPerOrigin, maxQueue } = options
  // Whoever waits here has a place of its origin, so the queue is bounded.
  const limitAll = createLimiter({ concurrency, maxQueue: Number.POSITIVE_INFINITY })
  // Bounded, too: each origin is that of a configured prefix.
  const limits = new Map<string, Limit>()
  return (origin) => {
    const existing = limits.get(origin)
    if (existing) return existing
    const limitOne = createLimiter({ concurrency: concurrencyPerOrigin, maxQueue })
    const limit: Limit = (work, signal) => limitOne(() => limitAll(work, signal), signal)
    limits.set(origin, limit)
    return limit
  }
}
