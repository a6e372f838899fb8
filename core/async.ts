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
  let wake = () => {}
  const loop = async () => {
    for (;;) {
      // Each call runs in a microtask of its own, so that an `enterWith` in one does not affect the next.
      for (const begin of queue.splice(0)) queueMicrotask(begin)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  void loop()
  return (run) =>
    new Promise((resolve, reject) => {
      queue.push(() => void within(run).then(resolve, reject))
      wake()
    })
}

/** Creates a repeatable event that any number of listeners can wait for. */
export function createEvent() {
  let resolve = () => {}
  let promise: Promise<void> | undefined
  return {
    next(): Promise<void> {
      promise ??= new Promise((settle) => {
        resolve = settle
      })
      return promise
    },
    notify(): void {
      promise = undefined
      resolve()
    },
  }
}
