/** What is here already, or comes later: so that what lies in memory costs no turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on at once with what is here, and later with what comes later. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
