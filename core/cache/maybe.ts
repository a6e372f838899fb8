/** What is here already, or comes later: so that what lies in memory costs no turn of the event loop. */
export type Maybe<T> = T | Promise<T>

/** Goes on at once with what is here, and later with what comes later. */
export function andThen<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
