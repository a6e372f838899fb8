/** A value, or a promise of it. Values in memory are returned as they are, without a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

/** Calls a function with a value: at once when it is there, else when its promise resolves. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Creates a function that runs work in the asynchronous context of its own creation, so that the `AsyncLocalStorage` of a request does
 * not reach the work: a loop, which waits since then, runs it. On Cloudflare Workers the work runs in the caller's context.
 *
 * @example
 * const detach = createDetach()
 * await detach(async () => storage.getStore()) // undefined, also within storage.run(value, …)
 */
export function createDetach(): <T>(run: () => Promise<T>) => Promise<T> {
  // Workers forbid one request to resume work that belongs to another.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return (run) => run()
  const queue: (() => void)[] = []
  let wake = () => {}
  const loop = async () => {
    for (;;) {
      // Each in a microtask of its own, so that `enterWith` in one does not reach the next.
      for (const begin of queue.splice(0)) queueMicrotask(begin)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  void loop()
  return (run) =>
    new Promise((resolve, reject) => {
      queue.push(() => void run().then(resolve, reject))
      wake()
    })
}

/** Creates a repeating event, for which any number of listeners can wait. */
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
