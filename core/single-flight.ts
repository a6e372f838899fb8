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
