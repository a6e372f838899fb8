/** A value, or a promise of one. Values in memory are returned directly, without a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

/** Calls a function with a value immediately if the value is available, otherwise when its promise resolves. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Creates a function that runs work outside the caller's asynchronous context, so that the work does not see a
 * request's `AsyncLocalStorage`. The work runs in a loop, in the context in which the function was created. On
 * Cloudflare Workers, the work runs in the caller's context.
 *
 * @param within Runs the work in a context of its own. Default: the work is called directly.
 * @example
 * const detach = createDetach()
 * await detach(async () => storage.getStore()) // undefined, also within storage.run(value, …)
 */
export function createDetach(
  within: <T>(run: () => Promise<T>) => Promise<T> = (run) => run(),
): <T>(run: () => Promise<T>) => Promise<T> {
  // Workers do not allow one request to resume another request's work.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return within
  const queue: (() => void)[] = []
  const arrival = createEvent()
  const loop = async () => {
    for (;;) {
      // Each call runs in a microtask of its own, so that an `enterWith` in one does not affect the next.
      for (const begin of queue.splice(0)) queueMicrotask(begin)
      await arrival.next()
    }
  }
  void loop()
  return <T>(run: () => Promise<T>) => {
    const result = createDeferred<T>()
    queue.push(() => result.resolve(within(run)))
    arrival.notify()
    return result.promise
  }
}

/** A promise, and the function that resolves it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T | Promise<T>): void
}

/** Creates a promise that its owner resolves later. */
export function createDeferred<T>(): Deferred<T> {
  let resolve: (value: T | Promise<T>) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Creates a repeatable event that any number of listeners can wait for. */
export function createEvent() {
  let arrival: Deferred<void> | undefined
  return {
    next(): Promise<void> {
      arrival ??= createDeferred()
      return arrival.promise
    },
    notify(): void {
      arrival?.resolve()
      arrival = undefined
    },
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
  const get = (key: string): MaybePromise<T> => {
    const waiting = reads.get(key)
    if (waiting) {
      waiting.result ??= new Promise((resolve) => {
        waiting.begin = () => resolve((async () => get(key))())
      })
      return waiting.result
    }
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
  return get
}
