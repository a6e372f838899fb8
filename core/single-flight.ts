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
