import { busy } from '../failure.js'
import { createRevocableCalls, type Place } from './revocable-calls.js'

export interface OriginLimiterOptions {
  /** Maximum number of calls that run at once, of all origins. */
  concurrency: number
  /** Maximum number of calls that run at once, of each origin. Default: as many as of all. */
  concurrencyPerOrigin?: number | undefined
  /** Maximum number of calls that wait, of each origin. */
  maxQueue: number
  /** Maximum number of bytes that the calls of all origins hold while they wait. Default: no limit. */
  maxQueueBytes?: number | undefined
  /** Milliseconds after which an origin that waits and has no place gets the place of another. Default: never. */
  maxWait?: number | undefined
}

/** A call while it waits. */
export interface WaitingOptions {
  /** What it holds. Default 0. */
  bytes?: number | undefined
  /** Whether nobody waits for its result: it comes after all of its origin for which somebody does. Default: never. */
  isAbandoned?: (() => boolean) | undefined
}

/** Runs work as soon as the limits allow. The signal ends the wait. */
export type OriginLimit = <T>(
  work: (place: Place) => Promise<T>,
  signal: AbortSignal,
  options?: WaitingOptions,
) => Promise<T>

interface WaitingCall {
  isAbandoned(): boolean
  start(): void
  reject(reason: unknown): void
}

interface Origin {
  running: number
  /** When it got its last place, as a number that counts all of them. */
  servedAt: number
  waiting: Set<WaitingCall>
  waitingBytes: number
  timer?: NodeJS.Timeout | undefined
}

const never = () => false

/**
 * Creates a function that returns the concurrency limit of an origin. A free place goes to the origin that has the fewest,
 * and among those to the one that got its last place longest ago: no origin waits for the queue of another. Within an
 * origin it is first in, first out, but what nobody waits for comes last.
 *
 * A call is rejected with an `ImageFailure` of status 503 when the queue of its origin is full. When all that wait
 * hold too many bytes, the newest call of the origin that holds most is rejected.
 *
 * With `maxWait`, an origin that has no place gets that of the call that has run longest, of the origin that has most.
 * Each call is left alone for as long, and after {@link Place.keep}.
 *
 * @example
 * const limitOf = createOriginLimiter({ concurrency: 8, concurrencyPerOrigin: 4, maxQueue: 256, maxWait: 1_000 })
 * await limitOf('https://cdn.example.com')(({ signal }) => download(url, signal), request.signal)
 */
export function createOriginLimiter(options: OriginLimiterOptions): (origin: string) => OriginLimit {
  const { concurrency, concurrencyPerOrigin = concurrency, maxQueue, maxWait } = options
  const { maxQueueBytes = Number.POSITIVE_INFINITY } = options
  // Bounded: each origin is that of a configured prefix.
  const origins = new Map<string, Origin>()
  const calls = createRevocableCalls<Origin>(maxWait ?? 0, ({ running }) => running)
  let running = 0
  let places = 0
  let waitingBytes = 0

  const canStart = (origin: Origin) => running < concurrency && origin.running < concurrencyPerOrigin
  const occupy = (origin: Origin) => {
    running++
    origin.running++
    origin.servedAt = ++places
  }
  const release = (origin: Origin) => {
    running--
    origin.running--
    const waiting = [...origins.values()].filter((each) => each.waiting.size > 0 && canStart(each))
    const [next] = waiting.sort((a, b) => a.running - b.running || a.servedAt - b.servedAt)
    if (next) {
      // At once, so that no newcomer can overtake the queue.
      occupy(next)
      const calls = [...next.waiting]
      const call = calls.find(({ isAbandoned }) => !isAbandoned()) ?? calls[0]
      call?.start()
    }
    watch(origin)
  }

  const enqueue = (origin: Origin, signal: AbortSignal, { bytes = 0, isAbandoned = never }: WaitingOptions) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', onAbort)
        origin.waiting.delete(call)
        hold(-bytes)
        watch(origin)
      }
      const hold = (more: number) => {
        origin.waitingBytes += more
        waitingBytes += more
      }
      const call: WaitingCall = {
        isAbandoned,
        start() {
          leave()
          resolve()
        },
        reject(reason) {
          leave()
          reject(reason)
        },
      }
      const onAbort = () => call.reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      origin.waiting.add(call)
      hold(bytes)
      while (waitingBytes > maxQueueBytes) rejectNewest()
      watch(origin)
    })
  const rejectNewest = () => {
    const [most] = [...origins.values()].sort((a, b) => b.waitingBytes - a.waitingBytes)
    const newest = [...(most?.waiting ?? [])].at(-1)
    newest?.reject(busy())
  }

  /** Starts or stops the time after which an origin gets the place of another. */
  const watch = (origin: Origin) => {
    if (maxWait === undefined) return
    if (origin.waiting.size > 0 && origin.running === 0) origin.timer ??= setTimeout(takePlace, maxWait, origin)
    else {
      clearTimeout(origin.timer)
      origin.timer = undefined
    }
  }
  const takePlace = (origin: Origin) => {
    origin.timer = undefined
    calls.revokeLongest(busy())
    watch(origin)
  }

  const getOrigin = (name: string) => {
    const origin = origins.get(name) ?? { running: 0, servedAt: 0, waiting: new Set(), waitingBytes: 0 }
    origins.set(name, origin)
    return origin
  }
  return (name) => {
    const origin = getOrigin(name)
    return async (work, signal, options = {}) => {
      signal.throwIfAborted()
      if (canStart(origin)) occupy(origin)
      else if (origin.waiting.size < maxQueue) await enqueue(origin, signal, options)
      else throw busy()
      try {
        return await calls.run(origin, work, signal)
      } finally {
        release(origin)
      }
    }
  }
}
