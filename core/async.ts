/**
 * Creates the function that runs work in the asynchronous context in which it was created itself, and not in that of its caller: a loop
 * that waits since then takes it up. What a request has in an `AsyncLocalStorage` does not reach the work so. On Cloudflare Workers
 * the work runs in its caller's.
 *
 * @example
 * const detach = createDetach()
 * await detach(async () => storage.getStore()) // undefined, also within storage.run(value, …)
 */
export function createDetach(): <T>(run: () => Promise<T>) => Promise<T> {
  // There, nothing that waits may go on in place of another request.
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers') return (run) => run()
  const queue: (() => void)[] = []
  let wake = () => {}
  const loop = async () => {
    for (;;) {
      // Each in a microtask of its own: what `enterWith` sets in one does not reach the next.
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

/** Creates something that happens again and again, and that any number of listeners can wait for. */
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
