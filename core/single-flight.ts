import type { MaybePromise } from './maybe-promise.js'

/** Work that several wait for. It is aborted once the last of them has left, or goes on. */
export interface InFlight<Result> {
  /** Aborts when nobody waits any more, unless the work goes on nevertheless, or by {@link InFlight.abort}. */
  readonly signal: AbortSignal
  /** What the work settles with. Never settles by itself when the work is abandoned. */
  readonly result: Promise<Result>
  /** Joins those who wait. Returns the function that leaves them again; calling it twice has no effect. */
  join(): () => void
  resolve(result: Result): void
  reject(reason: unknown): void
  abort(reason: unknown): void
  /** How many wait. */
  countWaiting(): number
}

export interface InFlightOptions {
  /** Called once, when the work is settled or abandoned: from then on nobody may join. */
  onEnd?: (() => void) | undefined
  /** Called when the last one who waited has left: whether the work goes on nevertheless. Others may still join it. */
  shouldContinue?: (() => boolean) | undefined
  /** Called when the last one who waited has left before the work was settled, after its signal was aborted. */
  onAbandoned?: (() => void) | undefined
}

/** Creates a piece of work that several may wait for, while nobody does as yet. */
export function createInFlight<Result>(options: InFlightOptions = {}): InFlight<Result> {
  const { onEnd, shouldContinue, onAbandoned } = options
  const controller = new AbortController()
  let waiting = 0
  let isOver = false
  let resolve: (result: Result) => void = () => {}
  let reject: (reason: unknown) => void = () => {}
  const result = new Promise<Result>((...settle) => {
    ;[resolve, reject] = settle
  })
  result.catch(() => {}) // those who wait are notified; nobody has to be waiting

  const end = () => {
    if (isOver) return
    isOver = true
    onEnd?.()
  }
  return {
    signal: controller.signal,
    result,
    join() {
      let isWaiting = true
      waiting++
      return () => {
        if (!isWaiting) return
        isWaiting = false
        waiting--
        if (waiting > 0 || isOver || shouldContinue?.()) return
        end()
        controller.abort(new Error('aborted: all clients disconnected'))
        onAbandoned?.()
      }
    },
    resolve(value) {
      end()
      resolve(value)
    },
    reject(reason) {
      end()
      reject(reason)
    },
    abort: (reason) => controller.abort(reason),
    countWaiting: () => waiting,
  }
}

/** The read after the one that is in flight, once somebody waits for it. */
interface Next<T> {
  result?: Promise<T>
  begin?: () => void
}

/**
 * Creates a function that shares the reads of each key among concurrent callers. A caller that arrives while a read is in
 * flight waits for the next one, since a read that began before the call may return an older value: so however many there are,
 * one read of a key is on its way at most. What answers synchronously is shared with nobody.
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
    // In one step: who calls in between would begin another one beside the next.
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
