import type { MaybePromise } from './async.js'

/** Work that several callers wait for. When the last caller has left, the work is aborted or goes on. */
export interface InFlight<Result> {
  /** Aborts when {@link InFlight.abort} is called, or when the last caller leaves and the work does not go on. */
  readonly signal: AbortSignal
  /** The result of the work. Abandoned work does not settle it. */
  readonly result: Promise<Result>
  /** Adds a caller. Returns the function that removes the caller again; calling it a second time has no effect. */
  join(): () => void
  resolve(result: Result): void
  reject(reason: unknown): void
  abort(reason: unknown): void
  /** Returns the number of waiting callers. */
  countWaiting(): number
}

export interface InFlightOptions {
  /** Called once, when the work is settled or abandoned. From then on, the work must not be joined. */
  onEnd?: (() => void) | undefined
  /**
   * Called when the last caller has left. Returns whether the work goes on anyway; the work may then still be joined.
   */
  shouldContinue?: (() => boolean) | undefined
  /** Called when the last caller has left and the unsettled work was aborted. */
  onAbandoned?: (() => void) | undefined
}

/** Creates a piece of work that several callers may wait for. */
export function createInFlight<Result>({ onEnd, shouldContinue, onAbandoned }: InFlightOptions = {}): InFlight<Result> {
  const controller = new AbortController()
  let waiting = 0
  let isOver = false
  const end = () => {
    if (!isOver) onEnd?.()
    isOver = true
  }
  const leave = () => {
    waiting--
    if (waiting > 0 || isOver || shouldContinue?.()) return
    end()
    controller.abort(new Error('aborted: all clients disconnected'))
    onAbandoned?.()
  }
  let settle: Pick<InFlight<Result>, 'resolve' | 'reject'> | undefined
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject }
  })
  result.catch(() => {}) // a rejection without callers must not count as unhandled
  return {
    signal: controller.signal,
    result,
    join() {
      let isWaiting = true
      waiting++
      return () => {
        if (isWaiting) leave()
        isWaiting = false
      }
    },
    resolve(value) {
      end()
      settle?.resolve(value)
    },
    reject(reason) {
      end()
      settle?.reject(reason)
    },
    abort: (reason) => controller.abort(reason),
    countWaiting: () => waiting,
  }
}

/** The read that follows the read in flight. Its properties are set when a caller begins to wait for it. */
interface Next<T> {
  result?: Promise<T>
  begin?: () => void
}

/**
 * Creates a function that shares the reads of each key among concurrent callers. A caller that arrives while a read is
 * in flight waits for the next one, since a read that began before the call may return an older value. So at most one
 * read of a key is in flight, for any number of callers. Synchronous answers are not shared.
 *
 * @example
 * const get = coalesceReads((key: string) => store.get(key))
 */
export function coalesceReads<T>(read: (key: string) => MaybePromise<T>): (key: string) => MaybePromise<T> {
  const reads = new Map<string, Next<T>>()
  const start = (key: string): MaybePromise<T> => {
    const inFlight = read(key)
    if (!(inFlight instanceof Promise)) return inFlight
    const next: Next<T> = {}
    reads.set(key, next)
    // Both steps run together, because a call in between would begin a read in parallel with the next one.
    const end = () => {
      reads.delete(key)
      next.begin?.()
    }
    inFlight.then(end, end)
    return inFlight
  }
  return (key) => {
    const next = reads.get(key)
    if (!next) return start(key)
    next.result ??= new Promise((resolve) => {
      next.begin = () => resolve((async () => start(key))())
    })
    return next.result
  }
}
