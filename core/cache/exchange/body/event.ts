/** Something that happens again and again, and that any number of listeners can wait for. */
export interface Event {
  /** Resolves when it happens next. */
  next(): Promise<void>
  notify(): void
}

/** Creates an event. */
export function createEvent(): Event {
  let resolve = () => {}
  let promise: Promise<void> | undefined
  return {
    next() {
      promise ??= new Promise((settle) => {
        resolve = settle
      })
      return promise
    },
    notify() {
      promise = undefined
      resolve()
    },
  }
}
