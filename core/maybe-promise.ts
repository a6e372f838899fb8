/** A value or a promise of it. What is in memory is returned as it is, without a turn of the event loop. */
export type MaybePromise<T> = T | Promise<T>

/** Calls a function with a value: at once when it is there, else when its promise resolves. */
export function chain<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
